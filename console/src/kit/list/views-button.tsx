import { useQuery } from '@tanstack/react-query'
import { Bookmark, ChevronDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { Button } from '../../ui/button'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import type { ViewedList } from './saved-views'
import css from './views-button.module.css'

const LazyViewsPopover = lazyComponent(() => import('./views-popover').then((module) => module.ViewsPopover))

/**
 * The button of the saved views. Absent on servers that cannot store them. Its code is loaded when the user presses it, and
 * with columns in the URL, because the list may then show a view.
 */
export const ViewsButton = (viewedList: ViewedList) => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const [isPressed, setIsPressed] = useState(false)
  if (!capabilities?.savedViews) return null
  const button = (
    <Button
      size="sm"
      icon={Bookmark}
      aria-haspopup="true"
      aria-label="Views"
      title="Views"
      onClick={() => setIsPressed(true)}
    >
      <span className={css.label}>Views</span>
      <ChevronDown className={css.arrow} size={14} strokeWidth={2} aria-hidden="true" />
    </Button>
  )
  return isPressed || viewedList.listState.columns ? (
    <Suspense fallback={button}>
      <LazyViewsPopover viewedList={viewedList} opensAtOnce={isPressed} />
    </Suspense>
  ) : (
    button
  )
}
