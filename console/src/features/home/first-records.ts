import { useQuery } from '@tanstack/react-query'
import { hasFailed } from '../../kit/record/query-failure'
import type { Actor } from '@trunkline/contract/policy/actor'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { namedQueryKey } from '../../lib/query-keys'
import { requestList, type ListPage } from '../../lib/request-list'
import { useNewestCalls } from '../../panels/calls/recent-calls-panel'
import { fetchProviderApplications } from '../../panels/provider-applications'
import { useActor } from '../../session/session'
import { useUserSettings } from '../../session/user-settings'
import { createTodayQuery, type HomeScope } from './home-queries'

const firstPage = { page: 1, page_size: 1 }

const getFirst = <Row>({ rows }: ListPage<Row>): Row | undefined => rows[0]

/** What a tenant needs for its first call: undefined for a kind without any record. Account users do not add accounts. */
const fetchFirstRecords = async (actor: Actor, [level, sid]: HomeScope, signal: AbortSignal) => {
  const options = { signal, isBackground: true }
  const providerParams = { service_provider_sid: sid }
  const [account, application, carrier, number] = await Promise.all([
    level === 'account'
      ? undefined
      : requestList(accountsOfProvider, { params: providerParams, query: firstPage, ...options }),
    level === 'account'
      ? requestList(applicationsOfAccount, { params: { account_sid: sid }, query: firstPage, ...options })
      : fetchProviderApplications(actor, sid, firstPage, signal),
    level === 'account'
      ? requestList(voipCarrier.list, { query: firstPage, ...options })
      : requestList(carriersOfProvider.list, { params: providerParams, query: firstPage, ...options }),
    requestList(phoneNumber.list, {
      query: { ...firstPage, ...(level === 'account' ? {} : providerParams) },
      ...options,
    }),
  ])
  return {
    account: account && getFirst(account),
    application: getFirst(application),
    carrier: getFirst(carrier),
    number: getFirst(number),
  }
}

export type FirstRecords = Awaited<ReturnType<typeof fetchFirstRecords>>

export const useFirstRecords = (scope: HomeScope) => {
  const actor = useActor()
  return useQuery({
    queryKey: namedQueryKey('account', 'firstRecords', ...scope),
    queryFn: ({ signal }) => fetchFirstRecords(actor, scope, signal),
    meta: { suppressErrorToast: true },
  })
}

/**
 * Does Home show the first steps: has the tenant had no calls in the last 30 days, and may the user set it up? Undefined
 * until known.
 */
export const useShowsFirstSteps = (scope: HomeScope, startOfToday: Date): boolean | undefined => {
  const { viewOnly } = useActor()
  const { settings } = useUserSettings()
  const today = useQuery(createTodayQuery(scope, startOfToday))
  const isPossible = !viewOnly && settings.hidesFirstSteps !== true && !hasFailed(today)
  const hasNoCallsToday = today.data?.today.calls === 0
  const newestCalls = useNewestCalls(isPossible && hasNoCallsToday ? { scope, filters: {}, search: {} } : undefined)
  if (!isPossible) return false
  if (today.isPending) return undefined
  if (!hasNoCallsToday || newestCalls.isError) return false
  return newestCalls.data && newestCalls.data.rows.length === 0
}
