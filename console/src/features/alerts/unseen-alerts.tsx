import { useQuery, useQueryClient, type QueryCache } from '@tanstack/react-query'
import type { Alert, TimedPage } from '@trunkline/contract/shapes/recent-call'
import { useEffect, useState } from 'react'
import { featureFlags } from '../../lib/feature-flags'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { localValues } from '../../lib/storage'
import { useActor } from '../../session/session'
import { alertGroupSource, alertSource } from './alert-source'

/** Counts from this one on are shown as '9+'. */
const maxCount = 10

/** The list of alerts goes back equally far, so that it contains every counted alert. */
const maxDays = 7
const dayMs = 86_400_000

/** Returns the time of the newest alert in a visible list. */
const newestDisplayedTime = (cache: QueryCache): number =>
  cache
    .findAll({ queryKey: ['alert', 'timed'], type: 'active' })
    .flatMap(({ state }) => (state.data as TimedPage<Alert> | undefined)?.data ?? [])
    .reduce((newest, { time }) => Math.max(newest, Date.parse(time) || 0), 0)

/** Stores which alerts were displayed: all up to the newest displayed one. Nothing else marks an alert as seen. */
const useSeenUntil = (): string | null => {
  const cache = useQueryClient().getQueryCache()
  const [seenUntil, setSeenUntil] = useState(() => localValues.alertsSeen.get())
  useEffect(() => {
    const markSeen = () => {
      const newest = newestDisplayedTime(cache)
      if (newest === 0 || newest < (Date.parse(localValues.alertsSeen.get() ?? '') || 0)) return
      // the server includes alerts at the exact start of a range
      const nextSeenUntil = new Date(newest + 1).toISOString()
      localValues.alertsSeen.set(nextSeenUntil)
      setSeenUntil(nextSeenUntil)
    }
    markSeen()
    return cache.subscribe(markSeen)
  }, [cache])
  return seenUntil
}

export interface UnseenCount {
  /** From 0 to 10. */
  count: number
  /** Equal alerts count as one, as in the list. */
  isGrouped: boolean
}

/** Polls the number of alerts of the last days that the user has not seen. Failures are not reported. */
export const UnseenAlerts = ({ provider, onCount }: { provider: string; onCount: (unseen: UnseenCount) => void }) => {
  const seenUntil = useSeenUntil()
  const actor = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const isGrouped = capabilities?.alertGroups === true
  const source = (isGrouped ? alertGroupSource : alertSource)(actor, provider, '')
  const seconds = featureFlags().alertPollSeconds
  const { data } = useQuery({
    queryKey: ['alert', 'unseen', ...source.key, seenUntil],
    queryFn: ({ signal }) => {
      const isRecent = seenUntil !== null && Date.parse(seenUntil) > Date.now() - maxDays * dayMs
      const range = isRecent ? { start: seenUntil } : { days: maxDays }
      return source.fetch({ page: 1, count: maxCount, ...range }, signal, true)
    },
    enabled: capabilities !== undefined,
    refetchInterval: seconds > 0 && seconds * 1000,
    meta: { suppressErrorToast: true },
  })
  const count = Math.min(data?.total ?? 0, maxCount)
  useEffect(() => onCount({ count, isGrouped }), [count, isGrouped, onCount])
  return null
}
