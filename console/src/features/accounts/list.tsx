import { account } from '@trunkline/contract/resources/account'
import type { Account } from '@trunkline/contract/shapes/account'
import { Building2 } from 'lucide-react'
import { Suspense } from 'react'
import { ResourceList, type ListFilter } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { CopyText } from '../../ui/copy'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { Muted } from '../../ui/muted'
import { ActiveStatus } from '../../ui/status'
import { createAccountSource } from './account-source'
import { PlanLabel } from './plan'
import { accountRemoval } from './account-removal'

const columns: ListColumn<Account>[] = [
  {
    id: 'is_active',
    head: 'Status',
    width: 112,
    sortable: true,
    cell: ({ is_active }) => <ActiveStatus isActive={is_active} />,
  },
  { id: 'plan_type', head: 'Plan', width: 168, sortable: true, cell: (row) => <PlanLabel row={row} /> },
  {
    id: 'sip_realm',
    head: 'SIP realm',
    width: '20%',
    minWidth: 160,
    sortable: true,
    mono: true,
    dropOrder: 1,
    cell: ({ sip_realm }) => sip_realm ?? <Muted isEmptyValue>None</Muted>,
  },
  {
    id: 'account_sid',
    head: 'SID',
    // the full SID in a wide window; elsewhere names need the space
    width: 'clamp(130px, 100vw - 1340px, 310px)',
    minWidth: 130,
    tableOnly: true,
    dropOrder: 2,
    cell: (row) => <CopyText text={row.account_sid} />,
  },
  {
    id: 'record_format',
    head: 'Call recording',
    width: 116,
    tableOnly: true,
    cell: ({ record_all_calls, record_format }) => (record_all_calls ? record_format : <Muted>Off</Muted>),
  },
]

const filters: ListFilter<Account>[] = [
  {
    id: 'is_active',
    name: 'Status',
    options: [
      { value: '1', label: 'Active' },
      { value: '0', label: 'Inactive' },
    ],
    match: ({ is_active }, value) => String(is_active) === value,
    query: (value) => (value === '0' || value === '1' ? { is_active: value } : {}),
  },
  {
    id: 'plan_type',
    name: 'Plan',
    options: [
      { value: 'paid', label: 'Paid' },
      { value: 'trial', label: 'Trial' },
      { value: 'free', label: 'Free' },
    ],
    match: ({ plan_type }, value) => plan_type === value,
    query: (plan_type) => ({ plan_type }),
  },
]

/** Loaded only in the hosted edition. */
const AccountsByPlan = lazyComponent(() => import('./accounts-by-plan').then((module) => module.AccountsByPlan))

/** The accounts of the current service provider. */
export const AccountList = () => {
  const service_provider_sid = useProviderSid()
  const list = {
    resource: account,
    title: 'Accounts',
    source: createAccountSource(service_provider_sid),
    filters,
    loadColumns: () => import('../../panels/record-counts/count-columns').then((module) => module.accountColumns),
    viewPath: ({ account_sid }: Account) => paths.accounts.view(account_sid),
    editPath: ({ account_sid }: Account) => paths.accounts.edit(account_sid),
    add: { href: paths.accounts.add, label: 'Add account' },
    setActive: ({ account_sid }: Account, is_active: 0 | 1) =>
      request(account.update, { params: { account_sid }, body: { is_active } }),
    removeOptions: accountRemoval,
    empty: {
      title: 'No accounts.',
      text: 'An account holds the applications, phone numbers and carriers of one customer.',
      icon: Building2,
    },
  }
  return getFeatureFlags().hosted ? (
    <Suspense>
      <AccountsByPlan {...list} service_provider_sid={service_provider_sid} />
    </Suspense>
  ) : (
    <ResourceList {...list} columns={columns} />
  )
}
