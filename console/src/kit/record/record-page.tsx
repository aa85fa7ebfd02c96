import { useRouter } from '@tanstack/react-router'
import { Copy, Link2, PanelTop, Pencil, Settings as SettingsIcon, Trash2 } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { capitalize } from '../../lib/capitalize'
import { shortenSid } from '../../lib/short-sid'
import { useProviderSid } from '../../session/current-provider'
import { useCan } from '../../session/session'
import { ActionMenu, type MenuAction } from '../../ui/action-menu'
import { ButtonLink } from '../../ui/button'
import { CopyButton, copyText } from '../../ui/copy'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { PanelGrid } from '../../ui/record/panel'
import { RecordHead, SettingsArea, type RecordFact, type RecordTab } from '../../ui/record/record-head'
import { RecordLoadError } from '../form/load-errors'
import { getDisplayTitle } from './display-title'
import { ownerWithDefaultProvider, sidOf, type AnyResource } from './record'
import { useScreenActions, type ScreenAction } from './screen-actions'
import type { RemoveDialog, RemoveOptions } from './remove-dialog'
import { useCanEdit } from './use-can-edit'
import { useRecordKeys } from './use-record-keys'
import { useRecordOfForm, useViewedRecord } from './use-viewed-record'

export interface RecordPageOptions<Row> {
  resource: AnyResource<Row>
  paths: { list: string; add: string; view: (sid: string) => string; edit: (sid: string) => string }
  /** Links to the lists of what belongs to this record, which may depend on its fields. */
  links?: (row: Row | undefined) => readonly RecordTab[]
  status?: (row: Row) => ReactNode
  facts?: (row: Row) => readonly RecordFact[]
  /** The name is a number. */
  mono?: boolean
  /** Without it, the menu cannot delete the record. */
  removeOptions?: RemoveOptions<Row>
  /** The add screen can start with a copy of the record. */
  canDuplicate?: boolean
  /** The list that error screens link to, if the user may open it. */
  listPath?: string
}

interface RecordPageProps<Row> extends RecordPageOptions<Row> {
  sid: string
}

/** Loaded on the first click on Delete. */
const LazyRemoveDialog = lazyComponent(() =>
  import('./remove-dialog').then((module) => module.RemoveDialog),
) as unknown as typeof RemoveDialog

const listTabs = <Row,>({ paths, links, sid }: RecordPageProps<Row>, row: Row | undefined): RecordTab[] => [
  { id: 'overview', label: 'Overview', href: paths.view(sid) },
  { id: 'settings', label: 'Settings', href: paths.edit(sid) },
  ...(links?.(row) ?? []),
]

const createCopySidAction = (sid: string): ScreenAction => ({
  icon: Copy,
  label: 'Copy SID',
  run: () => void copyText(sid),
})

/** A SID without its middle part. The tooltip and the copy button have all of it. */
const ShortSid = ({ sid }: { sid: string }) => (
  <>
    <code title={sid}>{shortenSid(sid)}</code>
    <CopyButton text={sid} label="Copy SID" />
  </>
)

/** Offers the tabs and the SID of a record in the command palette. */
const useTabActions = <Row,>(
  { resource, paths, sid }: RecordPageProps<Row>,
  tabs: readonly RecordTab[],
  row: Row | undefined,
) => {
  const canEdit = useCanEdit(resource.kind, row)
  const settings: ScreenAction = {
    icon: canEdit ? Pencil : SettingsIcon,
    label: canEdit ? `Edit ${resource.noun.singular}` : 'Settings',
    href: paths.edit(sid),
    keys: ['E'],
  }
  const listActions = tabs.flatMap<ScreenAction>(({ id, label, href }, index) =>
    id === 'settings' ? [] : [{ icon: PanelTop, label, href, ...(index < 9 ? { keys: [String(index + 1)] } : {}) }],
  )
  useScreenActions(row === undefined ? [] : [settings, ...listActions, createCopySidAction(sid)])
}

/** The actions in the menu of a record's page, and the dialog of the deletion. */
const RecordMenu = <Row,>({ resource, paths, sid, row, ...props }: RecordPageProps<Row> & { row: Row }) => {
  const { removeOptions, canDuplicate } = props
  const can = useCan()
  const router = useRouter()
  const owner = ownerWithDefaultProvider(row, useProviderSid())
  const [isRemoving, setIsRemoving] = useState(false)
  const copyLink = () => void copyText(new URL(paths.view(sid), window.location.origin).href)
  const actions: MenuAction[] = [
    { label: 'Copy link', icon: Link2, onSelect: copyLink },
    ...(canDuplicate && can('create', resource.kind, owner)
      ? [{ label: 'Duplicate', icon: Copy, href: `${paths.add}?copy=${encodeURIComponent(sid)}` }]
      : []),
    ...(removeOptions && can('remove', resource.kind, owner)
      ? [{ label: 'Delete', icon: Trash2, onSelect: () => setIsRemoving(true) }]
      : []),
  ]
  useScreenActions(actions.map(({ onSelect, ...action }) => ({ ...action, ...(onSelect ? { run: onSelect } : {}) })))
  return (
    <>
      <ActionMenu label={`More actions for ${getDisplayTitle(resource, row)}`} actions={actions} />
      {removeOptions && isRemoving ? (
        <Suspense>
          <LazyRemoveDialog
            {...removeOptions}
            resource={resource}
            row={row}
            leaveScreen={() => router.navigate({ to: paths.list, ignoreBlocker: true })}
            onClose={() => setIsRemoving(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** The page of a record to read it: its head, and panels about it. The panels get no row until the record has loaded. */
export const RecordOverview = <Row,>({
  read,
  children,
  ...props
}: RecordPageProps<Row> & {
  /** Reads the record, if that takes more than its read route. */
  read?: (sid: string, signal: AbortSignal) => Promise<Row>
  children: (row: Row | undefined) => ReactNode
}) => {
  const { resource, paths, sid, status, facts, mono, listPath } = props
  const { data: row, error, isFetching, refetch } = useViewedRecord(resource, sid, read)
  const can = useCan()
  const providerSid = useProviderSid()
  const tabs = listTabs(props, row)
  useRecordKeys(tabs, paths.edit(sid))
  useTabActions(props, tabs, row)
  if (error && row === undefined)
    return (
      <RecordLoadError
        title={capitalize(resource.noun.singular)}
        resource={resource}
        listPath={listPath}
        error={error}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  const mayEdit = row !== undefined && can('update', resource.kind, ownerWithDefaultProvider(row, providerSid))
  return (
    <>
      <RecordHead
        name={row && getDisplayTitle(resource, row)}
        isHeading
        mono={mono}
        status={row && status?.(row)}
        facts={[
          ...(row && facts ? facts(row) : []),
          { label: 'SID', value: <ShortSid sid={row ? sidOf(resource, row) : sid} /> },
        ]}
        actions={
          row ? (
            <>
              {mayEdit ? (
                <ButtonLink icon={Pencil} href={paths.edit(sid)}>
                  Edit
                </ButtonLink>
              ) : null}
              <RecordMenu {...props} row={row} />
            </>
          ) : null
        }
        tabs={tabs}
        currentTab="overview"
      />
      <PanelGrid label="Overview">{children(row)}</PanelGrid>
    </>
  )
}

/** The frame of a record's form: the head of its page, with the tab of the settings. The form has the heading. */
export const RecordSettings = <Row,>({ children, ...props }: RecordPageProps<Row> & { children: ReactNode }) => {
  const { resource, paths, sid, status, mono } = props
  const { data: row, hasFailed } = useRecordOfForm(resource, sid)
  const tabs = listTabs(props, row)
  useRecordKeys(tabs, paths.edit(sid))
  useTabActions(props, tabs, row)
  return (
    <>
      {hasFailed ? null : (
        <RecordHead
          name={row && getDisplayTitle(resource, row)}
          mono={mono}
          status={row && status?.(row)}
          tabs={tabs}
          currentTab="settings"
        />
      )}
      <SettingsArea>{children}</SettingsArea>
    </>
  )
}
