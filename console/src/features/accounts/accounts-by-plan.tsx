import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { formatMoney } from '@trunkline/contract/billing/money'
import { messages } from '@trunkline/contract/messages/plan'
import type { Account } from '@trunkline/contract/shapes/account'
import type { PlanSummary } from '@trunkline/contract/shapes/subscription'
import { ResourceList, type ListFilter, type ResourceListProps } from '../../kit/list/list'
import { capabilitiesQuery, isTrunkline } from '../../lib/server-capabilities'
import css from './plan-columns.module.css'
import { createPlanColumns, getStateOfAccount } from './plan-columns'
import { PlanTabs, usePlanSummary } from './plan-tabs'

/** The filter that the tabs set. */
const planFilter: ListFilter<Account> = {
  id: 'plan',
  name: 'Plan',
  match: (row, value) => getStateOfAccount(row) === value,
  query: (plan) => ({ plan }),
}

const trialPlans: readonly (string | undefined)[] = ['trial', 'trial_expired']

/** What all paid accounts pay per month, one amount per currency. */
const MonthlyTotal = ({ totals }: { totals: PlanSummary['monthly_totals'] }) => (
  <>
    {messages.monthlyTotal}{' '}
    <span className={css.total}>{totals.map(({ total, currency }) => formatMoney(total, currency)).join(' + ')}</span>
  </>
)

interface AccountsByPlanProps extends Omit<ResourceListProps<Account>, 'columns' | 'header' | 'description'> {
  service_provider_sid: string
  filters: ListFilter<Account>[]
}

/** The accounts of the hosted edition, by plan. Other API servers report neither the counts nor the subscriptions. */
export const AccountsByPlan = ({ service_provider_sid, filters, ...props }: AccountsByPlanProps) => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  // until the server is known, the columns are those of ours: most servers of this edition are
  const hasSubscriptions = capabilities === undefined || isTrunkline(capabilities)
  const summary = usePlanSummary(service_provider_sid, isTrunkline(capabilities))
  const { plan }: { plan?: string } = useSearch({ strict: false })
  const totals = summary?.monthly_totals ?? []
  const planTypeFilter = filters.filter(({ id }) => id === 'plan_type')
  const otherFilters = filters.filter(({ id }) => id !== 'plan_type')
  return (
    <ResourceList
      {...props}
      header={hasSubscriptions ? <PlanTabs summary={summary} /> : undefined}
      description={totals.length > 0 ? <MonthlyTotal totals={totals} /> : undefined}
      columns={createPlanColumns({
        hasSubscriptions,
        hasPayments: totals.length > 0,
        isTrialList: trialPlans.includes(plan),
      })}
      filters={[...otherFilters, ...(hasSubscriptions ? [planFilter] : planTypeFilter)]}
    />
  )
}
