import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Actor } from '@trunkline/contract/policy/actor'
import { callUsageOfAccount, callUsageOfProvider } from '@trunkline/contract/resources/live-call'
import {
  speechCredentialsOfAccount,
  speechCredentialsOfProvider,
} from '@trunkline/contract/resources/speech-credential'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import type { ServerCapabilities } from '@trunkline/contract/shapes/session'
import { serializeTimeRange, startOfDay, type TimeRange } from '../../lib/call-times'
import { request } from '../../lib/client'
import { namedQueryKey } from '../../lib/query-keys'
import { requestList } from '../../lib/request-list'
import { fetchOverview } from '../../panels/calls/call-source'
import { createFailingCarriersQuery } from '../../panels/calls/failing-carriers-query'
import { createOverviewQuery } from '../../panels/calls/overview-query'

/** The tenant whose state Home shows: an account for its users, else the current provider. */
export type HomeScope = readonly [level: 'account' | 'provider', sid: string]

export const getHomeScope = (actor: Actor, service_provider_sid: string): HomeScope =>
  actor.scope === 'account' ? ['account', actor.account_sid] : ['provider', service_provider_sid]

const quiet = { suppressErrorToast: true }

/** The calls in progress, and the limits that they almost reach. */
export const createUsageQuery = ([level, sid]: HomeScope) =>
  queryOptions({
    queryKey: namedQueryKey('live_call', 'usage', level, sid),
    queryFn: ({ signal }) =>
      level === 'account'
        ? request(callUsageOfAccount, { params: { account_sid: sid }, signal, isBackground: true })
        : request(callUsageOfProvider, { params: { service_provider_sid: sid }, signal, isBackground: true }),
    meta: quiet,
  })

/** Home compares today with the same weekday of the last week. */
const weekDays = 7
const delayPercentile = 95

/** The statistics of today until now, and of the same weekday last week until the same time. */
export interface TodayAndLastWeek {
  now: Date
  today: CallOverview
  lastWeek: CallOverview
  lastWeekRange: TimeRange
}

export const createTodayQuery = (scope: HomeScope, startOfToday: Date) =>
  queryOptions({
    queryKey: namedQueryKey('recent_call', 'today', ...scope, startOfToday.toISOString()),
    queryFn: async ({ signal }): Promise<TodayAndLastWeek> => {
      const now = new Date()
      const sameTimeLastWeek = new Date(now)
      sameTimeLastWeek.setDate(now.getDate() - weekDays)
      const lastWeekRange = { from: startOfDay(startOfToday, weekDays), to: sameTimeLastWeek }
      const fetchDay = (from: Date, to: Date) =>
        fetchOverview(scope, { start: from.toISOString(), end: to.toISOString(), percentile: delayPercentile }, signal)
      const [today, lastWeek] = await Promise.all([
        fetchDay(startOfToday, now),
        fetchDay(lastWeekRange.from, lastWeekRange.to),
      ])
      return { now, today, lastWeek, lastWeekRange }
    },
    meta: quiet,
  })

/** The same weekday of the last week, from midnight to midnight. */
export const getDayLastWeek = (startOfToday: Date): TimeRange => ({
  from: startOfDay(startOfToday, weekDays),
  to: startOfDay(startOfToday, weekDays - 1),
})

/** The statistics of that day. They no longer change. */
export const createDayLastWeekQuery = (scope: HomeScope, startOfToday: Date) => ({
  ...createOverviewQuery({ scope, date: serializeTimeRange(getDayLastWeek(startOfToday)), filters: {} }),
  staleTime: 3_600_000,
})

const maxFailingCredentials = 5

/** The speech credentials whose last test failed. */
export const createFailingSpeechQuery = ([level, sid]: HomeScope) =>
  queryOptions({
    queryKey: namedQueryKey('speech_credential', 'failing', level, sid),
    queryFn: async ({ signal }) => {
      const options = {
        query: { test: 'failed', page: 1, page_size: maxFailingCredentials },
        signal,
        isBackground: true,
      }
      const { rows, total = rows.length } =
        level === 'account'
          ? await requestList(speechCredentialsOfAccount.list, { params: { account_sid: sid }, ...options })
          : await requestList(speechCredentialsOfProvider.list, { params: { service_provider_sid: sid }, ...options })
      return { rows, total }
    },
    meta: quiet,
  })

/** Sends the first requests of Home while its code loads. */
export const requestHome = (cache: QueryClient, capabilities: ServerCapabilities, scope: HomeScope): void => {
  if (!capabilities.home) return
  const startOfToday = startOfDay(new Date(), 0)
  if (capabilities.live) void cache.prefetchQuery(createUsageQuery(scope))
  void cache.prefetchQuery(createTodayQuery(scope, startOfToday))
  void cache.prefetchQuery(createDayLastWeekQuery(scope, startOfToday))
  void cache.prefetchQuery(createFailingCarriersQuery(scope))
  void cache.prefetchQuery(createFailingSpeechQuery(scope))
}
