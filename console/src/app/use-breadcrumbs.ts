import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Actor } from '@trunkline/contract/policy/actor'
import { getKindLabels } from '../kit/record/kind-labels'
import { useCanEdit } from '../kit/record/use-can-edit'
import { recordPath } from '../lib/paths'
import { recordKey, recordTitleKey } from '../lib/query-keys'
import { useActor } from '../session/session'
import type { Breadcrumb } from '../ui/shell/frame'
import { findScreen, getSidFromPath, type Screen } from './screens'

/** The name of a record that a screen has loaded. The breadcrumbs send no requests themselves. */
const useLoadedName = (kind: string | undefined, sid: string | undefined) =>
  useQuery<string | null>({ queryKey: recordTitleKey(kind, sid), enabled: false, queryFn: () => null }).data ??
  undefined

/** Returns the record that the screen has loaded, and its name. */
const useLoadedRecord = (screen: Screen | undefined, pathname: string) => {
  const queryClient = useQueryClient()
  const sid = screen && getSidFromPath(screen, pathname)
  const name = useLoadedName(screen?.kind ?? screen?.row?.kind, sid)
  return { name, record: queryClient.getQueryData(recordKey(screen?.kind, sid)) }
}

/** The record whose page or form is in view, once its name is known. */
export const useRecordInView = () => {
  const { pathname } = useLocation()
  const screen = findScreen(pathname)
  const { name } = useLoadedRecord(screen, pathname)
  const sid = screen && getSidFromPath(screen, pathname)
  return screen?.kind && sid && name ? { kind: screen.kind, sid, name } : undefined
}

/** May the actor not open this list? Its name still appears in the breadcrumbs. */
const isForbidden = (href: string, actor: Actor) => findScreen(href)?.getAccessError?.(actor, undefined) !== undefined

/** The list that the record belongs to; without a link if the user may not open it. */
const getListBreadcrumb = ({ parent, kind }: Screen, actor: Actor): Breadcrumb[] => {
  // an account user has one account and no list of accounts
  if (actor.scope === 'account' && kind === 'account') return [{ label: 'Account' }]
  if (!parent) return []
  return [isForbidden(parent.href, actor) ? { label: parent.label } : parent]
}

const getRecordHref = (kind: string | undefined, sid: string | undefined) =>
  kind && sid ? recordPath(kind, sid) : undefined

/** The filters of lists that select the rows of one record, and the kinds of these records. */
const kindsByFilter = new Map([
  ['account', 'account'],
  ['application', 'application'],
  ['carrier', 'voip_carrier'],
])

/** The name of a record that the user has opened, which this window has loaded or stored. */
const useRememberedName = (actor: Actor, kind: string, sid: string) =>
  useQuery({
    queryKey: recordTitleKey(kind, sid),
    enabled: sid !== '',
    staleTime: Infinity,
    queryFn: async (): Promise<string | null> => {
      const { findRecentName } = await import('./palette/recent-records')
      return findRecentName(actor, kind, sid) ?? null
    },
    meta: { suppressErrorToast: true },
  }).data ?? undefined

/** The trail to the record whose rows a filtered list shows. Empty if the user has not opened the record before. */
const useFilterBreadcrumbs = (actor: Actor, searchStr: string): Breadcrumb[] => {
  const [filter = '', sid = ''] = [...new URLSearchParams(searchStr)].find(([name]) => kindsByFilter.has(name)) ?? []
  const kind = kindsByFilter.get(filter) ?? ''
  const label = useRememberedName(actor, kind, sid)
  const href = getRecordHref(kind, sid)
  const screen = href && findScreen(href)
  return label && screen ? [...getListBreadcrumb(screen, actor), { label, href }] : []
}

/** The list with its filters, and the row that is open. */
const getRowBreadcrumbs = ({ title, row }: Screen, name: string | undefined, listHref: string): Breadcrumb[] => [
  { label: title, href: listHref },
  { label: name ?? row?.label ?? '' },
]

/**
 * The breadcrumbs: Accounts, Acme, Edit. Without 'Edit' if the user can only view the record. A list that is filtered by
 * a record leads back to it: Accounts, Acme, Phone numbers.
 */
export const useBreadcrumbs = (): Breadcrumb[] => {
  const { pathname, searchStr } = useLocation()
  const actor = useActor()
  const screen = findScreen(pathname)
  const { name, record } = useLoadedRecord(screen, pathname)
  const canEdit = useCanEdit(screen?.kind, record)
  const filterBreadcrumbs = useFilterBreadcrumbs(actor, searchStr)
  if (!screen) return []
  const { kind, row, title } = screen
  const sid = getSidFromPath(screen, pathname)
  if (row && sid) {
    const listHref = pathname.slice(0, pathname.lastIndexOf('/')) + searchStr
    return [...filterBreadcrumbs, ...getRowBreadcrumbs(screen, name, listHref)]
  }
  // a screen below the record's page or edit screen links to it
  const recordHref = getRecordHref(kind, sid)
  const recordBreadcrumb = name ? [{ label: name, href: recordHref === pathname ? undefined : recordHref }] : []
  const listBreadcrumb = getListBreadcrumb(screen, actor)
  if (kind && (!title || !canEdit)) return [...listBreadcrumb, { label: name ?? getKindLabels(kind).singular }]
  return [...filterBreadcrumbs, ...listBreadcrumb, ...recordBreadcrumb, { label: title }]
}
