import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { PlanState } from '@trunkline/contract/billing/plan-state'
import type { PlanSummary } from '@trunkline/contract/shapes/subscription'
import { planSummary } from '@trunkline/contract/resources/subscription'
import { getPlanStateName } from '../../panels/plan-status'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { TabLink } from '../../ui/tab-link'
import css from './plan-tabs.module.css'

/** How many accounts of a provider have each plan, and what they pay. */
export const usePlanSummary = (service_provider_sid: string, enabled: boolean): PlanSummary | undefined =>
  useQuery({
    queryKey: namedQueryKey('account', 'planSummary', service_provider_sid),
    queryFn: ({ signal }) => request(planSummary, { params: { service_provider_sid }, signal }),
    enabled,
    meta: { suppressErrorToast: true },
  }).data

/** The URL parameters of the list. */
type ListSearch = Record<string, string>

/** The order of the tabs: the plans that earn money, then those that may, then those that need attention. */
const tabStates: readonly PlanState[] = ['paid', 'trial', 'trial_expired', 'free', 'suspended']

/** Returns the URL of the list with another plan. The other filters remain; the list starts at its first page. */
const getTabUrl = (search: ListSearch, plan: string | undefined) => {
  const { plan: _plan, page: _page, sort: _sort, ...filters } = search
  const parameters = new URLSearchParams(filters)
  if (plan) parameters.set('plan', plan)
  return parameters.size > 0 ? `${paths.accounts.list}?${parameters.toString()}` : paths.accounts.list
}

/** The plans as links that filter the list of accounts, with the number of accounts of each. */
export const PlanTabs = ({ summary }: { summary: PlanSummary | undefined }) => {
  const search: ListSearch = useSearch({ strict: false })
  return (
    <nav className={css.tabs} aria-label="Plan">
      <TabLink label="All" count={summary?.total} href={getTabUrl(search, undefined)} isCurrent={!search.plan} />
      {tabStates.map((state) => (
        <TabLink
          key={state}
          label={getPlanStateName(state)}
          count={summary?.counts[state]}
          href={getTabUrl(search, state)}
          isCurrent={search.plan === state}
        />
      ))}
    </nav>
  )
}
