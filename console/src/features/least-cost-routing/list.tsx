import { messages } from '@trunkline/contract/messages/lcr'
import { lcr } from '@trunkline/contract/resources/lcr'
import type { Lcr } from '@trunkline/contract/shapes/lcr'
import { countWithoutDefault } from './default-route'
import { Split } from 'lucide-react'
import { AccountFilter } from '../../kit/list/account-filter'
import { ResourceList } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { RecordName } from '../../kit/record/record-name'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { useCurrentProvider } from '../../session/current-provider'
import { Muted } from '../../ui/muted'
import { ActiveStatus } from '../../ui/status'
import { createLcrSource } from './lcr-source'

const statusColumn: ListColumn<Lcr> = {
  id: 'is_active',
  head: 'Status',
  width: '14%',
  sortable: true,
  cell: (row) => <ActiveStatus isActive={row.is_active} />,
}

/** The number of routes without the default route; undefined if another server does not count them. */
const getRouteCount = ({ number_routes }: { number_routes?: number | null }) =>
  typeof number_routes === 'number' ? countWithoutDefault(number_routes) : undefined

const routesColumn: ListColumn<Lcr> = {
  id: 'number_routes',
  head: 'Routes',
  width: '14%',
  align: 'end',
  value: getRouteCount,
  cell: (row) => getRouteCount(row)?.toLocaleString('en-US') ?? <Muted>–</Muted>,
}

const accountColumn: ListColumn<Lcr> = {
  id: 'account_name',
  head: 'Used by',
  width: '28%',
  sortable: true,
  mutedText: true,
  cell: (row) => <RecordName kind="account" row={row} emptyLabel="All accounts" link />,
}

/** The LCRs of the current provider and of its accounts, for administrators. */
export const LcrList = () => {
  const { current } = useCurrentProvider()
  return (
    <ResourceList
      resource={lcr}
      title="Outbound call routing"
      description={messages.purpose}
      source={createLcrSource(current?.service_provider_sid ?? '')}
      columns={[statusColumn, accountColumn, routesColumn]}
      renderAccountFilter={(value, onChange) => <AccountFilter label="Used by" {...{ value, onChange }} />}
      editPath={(row) => paths.lcrs.edit(row.lcr_sid)}
      add={{ href: paths.lcrs.add, label: 'Add routing table' }}
      setActive={({ lcr_sid }, is_active) => request(lcr.update, { params: { lcr_sid }, body: { is_active } })}
      removeOptions={{
        removedMessage: (row) => messages.removed(lcr.title(row)),
        question: (row) => messages.confirmRemoval(lcr.title(row)),
      }}
      empty={{
        title: messages.none,
        icon: Split,
        text: 'Routes choose the carrier for outbound calls by the dialed number.',
      }}
    />
  )
}
