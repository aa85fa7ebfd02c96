import { useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { findOpenDialog, isSingleKey } from '../../lib/single-key'
import { useStableCallback } from '../../lib/use-stable-callback'

const refreshIntervalMs = 30_000

/** The kind and the name of the queries that Home repeats. Others on the screen belong to the shell, or never change. */
const refreshedQueries = new Set([
  'live_call usage',
  'recent_call today',
  'recent_call failingCarriers',
  'recent_call newest',
  'alert newest',
  'speech_credential failing',
  'account endingTrials',
  'account firstRecords',
])

const isRefreshed = ({ queryKey: [kind, name] }: Query) => refreshedQueries.has(`${String(kind)} ${String(name)}`)

/**
 * Repeats the requests of Home every 30 seconds, and with the key r. A hidden tab requests nothing; it catches up as soon
 * as it is visible, because the query cache then refetches what is outdated. Returns a function that refreshes now.
 */
export const useRefresh = (): (() => void) => {
  const queryClient = useQueryClient()
  const refresh = useStableCallback(
    () => void queryClient.refetchQueries({ type: 'active', predicate: isRefreshed }, { cancelRefetch: false }),
  )
  const onKeyDown = useStableCallback((event: KeyboardEvent) => {
    // the default is not prevented, because the shell handles the keys g and r
    if (event.key === 'r' && !event.defaultPrevented && isSingleKey(event) && !findOpenDialog()) refresh()
  })
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState !== 'hidden') refresh()
    }, refreshIntervalMs)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      clearInterval(timer)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [refresh, onKeyDown])
  return refresh
}
