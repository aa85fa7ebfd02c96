import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { findOpenDialog, isSingleKey } from '../../lib/single-key'
import { useStableCallback } from '../../lib/use-stable-callback'
import type { RecordTab } from '../../ui/record/record-head'
import { useOpenPath } from './use-open-path'

/** The keys of a record's screens: `e` opens the settings, the digits open the tabs. */
export const useRecordKeys = (tabs: readonly RecordTab[], settingsHref: string) => {
  const router = useRouter()
  const openPath = useOpenPath()
  const findTarget = ({ key }: KeyboardEvent) =>
    key === 'e' ? settingsHref : /^[1-9]$/.test(key) ? tabs[Number(key) - 1]?.href : undefined
  const onKeyDown = useStableCallback((event: KeyboardEvent) => {
    const href = event.defaultPrevented || !isSingleKey(event) || findOpenDialog() ? undefined : findTarget(event)
    const { pathname, searchStr } = router.state.location
    if (href === undefined || href === pathname + searchStr) return
    event.preventDefault()
    openPath(href)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onKeyDown])
}
