import { useQuery, useQueryClient, type QueryCache, type QueryKey } from '@tanstack/react-query'
import type { Alert } from '@trunkline/contract/shapes/recent-call'
import { useEffect, useState } from 'react'
import { getFeatureFlags } from '../../lib/feature-flags'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import type { ListPage } from '../../lib/request-list'
import { localValues } from '../../lib/storage'
import { eventListKey, namedQueryKey } from '../../lib/query-keys'
import { useActor } from '../../session/session'
import { createAlertGroupSource, createAlertSource } from '../../panels/alerts/alert-source'

/** Counts of 10 and more are shown as '9+'. */
const maxCount = 10

/** By default, the alert list covers the same number of days, so it contains every counted alert. */
const maxDays = 7
const dayMs = 86_400_000

/** The clock of a voice server may be ahead by up to a day. A later time of an alert is wrong. */
const getMaxAlertTime = () => Date.now() + dayMs

const alertKinds = ['alert', 'alert_group']

/** Returns the timestamp of the newest alert in a visible list, or 0. Ignores alerts with a wrong time. */
const findNewestAlertTime = (cache: QueryCache): number =>
  alertKinds
    .flatMap((kind) => cache.findAll({ queryKey: eventListKey(kind), type: 'active' }))
    .flatMap(({ state }) => (state.data as ListPage<Alert> | undefined)?.rows ?? [])
    .map(({ time }) => Date.parse(time))
    .reduce((newestAt, alertAt) => (alertAt > newestAt && alertAt <= getMaxAlertTime() ? alertAt : newestAt), 0)

/** Returns the time up to which alerts are seen. Only a list that displays alerts marks them as seen. */
const useSeenUntil = (): string | null => {
  const cache = useQueryClient().getQueryCache()
  const [seenUntil, setSeenUntil] = useState(() => localValues.alertsSeen.get())
  useEffect(() => {
    const markDisplayedAsSeen = () => {
      const newestAt = findNewestAlertTime(cache)
      const storedAt = Date.parse(localValues.alertsSeen.get() ?? '')
      if (newestAt === 0 || (newestAt < storedAt && storedAt <= getMaxAlertTime() + 1)) return
      // the server includes alerts at the exact start of a range
      const nextSeenUntil = new Date(newestAt + 1).toISOString()
      localValues.alertsSeen.set(nextSeenUntil)
      setSeenUntil(nextSeenUntil)
    }
    markDisplayedAsSeen()
    // the cache reports many events of other queries while a screen opens
    return cache.subscribe(({ query }) => {
      const [kind] = query.queryKey as QueryKey
      if (alertKinds.includes(String(kind))) markDisplayedAsSeen()
    })
  }, [cache])
  return seenUntil
}

export interface UnseenCount {
  /** From 0 to 10. */
  count: number
  /** Identical alerts count as one, as in the list. */
  isGrouped: boolean
}

/** Polls the number of unseen alerts of the last seven days. Failures are not reported. Renders nothing. */
export const UnseenAlerts = ({
  service_provider_sid,
  onCount,
}: {
  service_provider_sid: string
  onCount: (unseen: UnseenCount) => void
}) => {
  const seenUntil = useSeenUntil()
  const actor = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const isGrouped = capabilities?.alertGroups === true
  const source = (isGrouped ? createAlertGroupSource : createAlertSource)(actor, service_provider_sid, '')
  const pollSeconds = getFeatureFlags().alertPollSeconds
  const { data } = useQuery({
    queryKey: namedQueryKey('alert', 'unseen', ...source.key, seenUntil),
    queryFn: ({ signal }) => {
      const seenUntilMs = Date.parse(seenUntil ?? '')
      const isInRange = seenUntilMs > Date.now() - maxDays * dayMs && seenUntilMs <= getMaxAlertTime() + 1
      const range = seenUntil !== null && isInRange ? { start: seenUntil } : { days: maxDays }
      return source.fetch({ page: 1, count: maxCount, ...range }, { signal, isBackground: true })
    },
    enabled: capabilities !== undefined,
    refetchInterval: pollSeconds > 0 && pollSeconds * 1000,
    meta: { suppressErrorToast: true },
  })
  const count = Math.min(data?.total ?? 0, maxCount)
  useEffect(() => onCount({ count, isGrouped }), [count, isGrouped, onCount])
  return null
}
