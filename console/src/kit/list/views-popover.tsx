import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Bookmark, ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ToggleEvent } from 'react'
import { getArea } from '../../lib/paths'
import { useHasCompactRows } from '../../ui/table/row-height'
import { Button } from '../../ui/button'
import { createViewQuery, savedViewsQuery, showsView, type ViewedList } from './saved-views'
import buttonCss from './views-button.module.css'
import { ViewsMenu } from './views-menu'
import css from './views-popover.module.css'

const gapPx = 4
/** As in the style sheet. */
const menuWidthPx = 320

/** The views of a list, and which of them is open. */
const useViews = (list: string, viewedList: ViewedList) => {
  const query = createViewQuery(viewedList, useHasCompactRows() ? 'compact' : 'normal')
  const { data: views, isError } = useQuery(savedViewsQuery(list))
  const [lastOpen, setLastOpen] = useState({ list, sid: '' })
  const matchingView = views?.find((view) => showsView(query, view.query))
  const sid = matchingView?.saved_view_sid ?? ''
  if (matchingView && (lastOpen.sid !== sid || lastOpen.list !== list)) setLastOpen({ list, sid })
  // after a change of filters or columns, the view that was open can be replaced
  const changedView =
    viewedList.listState.columns === undefined
      ? undefined
      : views?.find((view) => lastOpen.list === list && view.saved_view_sid === lastOpen.sid)
  return { query, views, isError, openView: matchingView ?? changedView, isChanged: matchingView === undefined }
}

export interface ViewsPopoverProps {
  viewedList: ViewedList
  /** Opens the menu at once: the user has pressed the button that this one replaces. */
  opensAtOnce: boolean
}

/** The menu of the views of a list, with its button, which shows the name of the open view. */
export const ViewsPopover = ({ viewedList, opensAtOnce }: ViewsPopoverProps) => {
  const list = useLocation({ select: ({ pathname }) => getArea(pathname) ?? '' })
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const views = useViews(list, viewedList)
  const wasPressed = useRef(opensAtOnce)
  useEffect(() => {
    if (!wasPressed.current) return
    wasPressed.current = false
    button.current?.focus()
    // not `showPopover`: a popover that its button opened is next in the order of the Tab key
    button.current?.click()
  }, [])
  const placeMenu = ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
    const box = button.current?.getBoundingClientRect()
    if (newState !== 'open' || !box) return
    currentTarget.style.top = `${box.bottom + gapPx}px`
    // at the right edge of the button, unless the menu would leave the window
    const { clientWidth } = document.documentElement
    const maxRight = clientWidth - Math.min(menuWidthPx, clientWidth - 2 * gapPx) - gapPx
    currentTarget.style.right = `${Math.max(gapPx, Math.min(clientWidth - box.right, maxRight))}px`
  }
  const { openView, isChanged } = views
  const label = openView ? `View: ${openView.name}${isChanged ? ' (changed)' : ''}` : 'Views'
  return (
    <>
      <Button
        ref={button}
        size="sm"
        icon={Bookmark}
        popoverTarget={id}
        aria-haspopup="true"
        aria-label={label}
        title={label}
      >
        <span className={`${css.label} ${buttonCss.label}`} dir="auto">
          {openView?.name ?? 'Views'}
        </span>
        {openView && isChanged ? <span className={`${css.changed} ${buttonCss.label}`}>(changed)</span> : null}
        <ChevronDown className={buttonCss.arrow} size={14} strokeWidth={2} aria-hidden="true" />
      </Button>
      <div ref={menu} id={id} popover="auto" className={css.menu} onBeforeToggle={placeMenu}>
        <ViewsMenu {...views} list={list} onClose={() => menu.current?.hidePopover?.()} />
      </div>
    </>
  )
}
