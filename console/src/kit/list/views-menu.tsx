import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/saved-view'
import { savedView } from '@trunkline/contract/resources/saved-view'
import type { SavedView } from '@trunkline/contract/shapes/saved-view'
import { BookmarkPlus, Check, Link2, Pencil, Save, Trash2, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useRouter, type RouterHistory } from '@tanstack/react-router'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { useActor } from '../../session/session'
import { IconButton } from '../../ui/button'
import { copyText } from '../../ui/copy'
import { toast } from '../../ui/feedback/toast'
import { savedViewsQuery } from './saved-views'
import { RemoveViewDialog, ViewNameDialog } from './view-dialogs'
import css from './views-menu.module.css'

export interface ViewsMenuProps {
  /** The last part of the list's path. */
  list: string
  /** The query of the view that the list shows. */
  query: string
  /** Undefined until they have loaded. */
  views: SavedView[] | undefined
  isError: boolean
  openView: SavedView | undefined
  /** The list no longer shows the open view. */
  isChanged: boolean
  /** Closes the menu. */
  onClose: () => void
}

type OpenDialog = { kind: 'add' } | { kind: 'rename' | 'remove'; view: SavedView }

const createPath = (list: string, query: string) => `/internal/${list}${query ? `?${query}` : ''}`

/** The requests that change the views of a list. Each refetches them. */
const useViewChanges = (list: string) => {
  const queryClient = useQueryClient()
  const history = useRouter().history as RouterHistory
  const refetchViews = () => queryClient.invalidateQueries({ queryKey: savedViewsQuery(list).queryKey })
  return {
    add: async (name: string, query: string) => {
      await request(savedView.create, { body: { list, name, query } })
      await refetchViews()
      // the URL then contains the columns too
      history.replace(createPath(list, query))
      toast.ok(messages.saved(name))
    },
    rename: async ({ saved_view_sid }: SavedView, name: string) => {
      await request(savedView.update, { params: { saved_view_sid }, body: { name } })
      await refetchViews()
      toast.ok(messages.renamed(name))
    },
    replace: async ({ saved_view_sid, name }: SavedView, query: string) => {
      try {
        await request(savedView.update, { params: { saved_view_sid }, body: { query } })
        toast.ok(messages.saved(name))
      } catch (error) {
        toast.bad(getErrorMessage(error))
      }
      await refetchViews()
    },
    remove: async ({ saved_view_sid, name }: SavedView) => {
      await request(savedView.remove, { params: { saved_view_sid } })
      await refetchViews()
      toast.ok(messages.removed(name))
    },
  }
}

interface ViewItemProps {
  list: string
  view: SavedView
  isOpen: boolean
  onClose: () => void
  /** Absent for users who may only read. */
  onDialog?: (dialog: OpenDialog) => void
}

const copyLink = (list: string, query: string, name: string) =>
  copyText(new URL(createPath(list, query), window.location.origin).href, messages.linkTo(name))

const ViewItem = ({ list, view, isOpen, onClose, onDialog }: ViewItemProps) => {
  const { name, query } = view
  return (
    <li>
      <a href={createPath(list, query)} className={css.view} aria-current={isOpen || undefined} onClick={onClose}>
        <Check size={14} strokeWidth={2} aria-hidden="true" />
        <span dir="auto">{name}</span>
      </a>
      <IconButton
        icon={Link2}
        iconSize={14}
        label={`Copy link to ${name}`}
        onClick={() => void copyLink(list, query, name)}
      />
      {onDialog ? (
        <>
          <IconButton
            icon={Pencil}
            iconSize={14}
            label={`Rename ${name}`}
            onClick={() => onDialog({ kind: 'rename', view })}
          />
          <IconButton
            icon={Trash2}
            iconSize={14}
            label={`Delete ${name}`}
            onClick={() => onDialog({ kind: 'remove', view })}
          />
        </>
      ) : null}
    </li>
  )
}

const Action = ({ icon: Icon, label, onClick }: { icon: LucideIcon; label: string; onClick: () => void }) => (
  <button type="button" className={css.action} onClick={onClick}>
    <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
    {label}
  </button>
)

/** What the menu shows in place of the views. */
const NoViews = ({ views, isError }: Pick<ViewsMenuProps, 'views' | 'isError'>) => {
  if (views?.length) return null
  const text = isError ? messages.notLoaded : messages.none
  return views || isError ? <p className={css.text}>{text}</p> : null
}

interface SaveActionsProps extends Pick<ViewsMenuProps, 'views' | 'openView' | 'isChanged'> {
  onReplace: (view: SavedView) => void
  onAdd: () => void
}

/** Saves what the list shows, unless a view has it already. */
const SaveActions = ({ views, openView, isChanged, onReplace, onAdd }: SaveActionsProps) =>
  isChanged && views ? (
    <>
      {openView ? (
        <Action icon={Save} label={`Save changes to ${openView.name}`} onClick={() => onReplace(openView)} />
      ) : null}
      <Action icon={BookmarkPlus} label="Save view" onClick={onAdd} />
    </>
  ) : null

interface ViewDialogProps {
  dialog: OpenDialog
  changes: ReturnType<typeof useViewChanges>
  query: string
  onClose: () => void
}

const ViewDialog = ({ dialog, changes, query, onClose }: ViewDialogProps) => {
  if (dialog.kind === 'add')
    return <ViewNameDialog title="Save view" onSave={(name) => changes.add(name, query)} onClose={onClose} />
  const { kind, view } = dialog
  return kind === 'rename' ? (
    <ViewNameDialog
      title="Rename view"
      initialName={view.name}
      onSave={(name) => changes.rename(view, name)}
      onClose={onClose}
    />
  ) : (
    <RemoveViewDialog name={view.name} onRemove={() => changes.remove(view)} onClose={onClose} />
  )
}

/** The views of a list: opens, saves, renames, deletes and shares them. */
export const ViewsMenu = ({ list, query, views, isError, openView, isChanged, onClose }: ViewsMenuProps) => {
  const { viewOnly = false } = useActor()
  const changes = useViewChanges(list)
  const [dialog, setDialog] = useState<OpenDialog>()
  const openDialog = (next: OpenDialog) => {
    onClose()
    setDialog(next)
  }
  const runAndClose = (action: () => Promise<void>) => {
    onClose()
    void action()
  }
  return (
    <>
      <NoViews views={views} isError={isError} />
      <ul className={css.views} aria-label="Saved views">
        {views?.map((view) => (
          <ViewItem
            key={view.saved_view_sid}
            {...{ list, view, onClose }}
            isOpen={view === openView && !isChanged}
            {...(viewOnly ? {} : { onDialog: openDialog })}
          />
        ))}
      </ul>
      <div className={css.actions}>
        {viewOnly ? null : (
          <SaveActions
            {...{ views, openView, isChanged }}
            onReplace={(view) => runAndClose(() => changes.replace(view, query))}
            onAdd={() => openDialog({ kind: 'add' })}
          />
        )}
        <Action icon={Link2} label="Copy link" onClick={() => runAndClose(() => copyLink(list, query, 'this list'))} />
      </div>
      {dialog ? <ViewDialog {...{ dialog, changes, query }} onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}
