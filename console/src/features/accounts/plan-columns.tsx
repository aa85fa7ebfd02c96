import { formatMoney } from '@trunkline/contract/billing/money'
import { getPlanState } from '@trunkline/contract/billing/plan-state'
import type { Account } from '@trunkline/contract/shapes/account'
import type { ListColumn } from '../../kit/list/list-column'
import { PlanStatus } from '../../panels/plan-status'
import { formatDate } from '../../lib/time'
import { Muted } from '../../ui/muted'
import { Status } from '../../ui/status'
import { getGrantedCapacity } from './granted-capacity'
import css from './plan-columns.module.css'
import { getPlanEvent } from './plan-event'

export const getStateOfAccount = (row: Account) => getPlanState(row, row.subscription?.status)

/** Absent on cards, which need no equal columns. */
const NoValue = () => (
  <span className={css.noValue}>
    <Muted isEmptyValue>–</Muted>
  </span>
)

const formatCount = (count: number | undefined) => (count === undefined ? <NoValue /> : count.toLocaleString('en-US'))

/** The state of the plan. An account that somebody deactivated says so, whatever its plan. */
const PlanCell = ({ row }: { row: Account }) => {
  const state = getStateOfAccount(row)
  return (
    <span className={css.plan}>
      <PlanStatus state={state} />
      {row.is_active || state === 'trial_expired' ? null : <Status kind="off">Inactive</Status>}
    </span>
  )
}

const EventCell = ({ row }: { row: Account }) => {
  const event = getPlanEvent(row)
  return event ? (
    <span data-tone={event.tone} className={css.event}>
      {event.text}
      {event.date ? <span className={css.eventDate}> {formatDate(event.date)}</span> : null}
    </span>
  ) : (
    <NoValue />
  )
}

const planColumn: ListColumn<Account> = {
  id: 'plan_type',
  head: 'Plan',
  width: 132,
  sortable: true,
  cell: (row) => <PlanCell row={row} />,
}

const capacityColumns: ListColumn<Account>[] = [
  { id: 'calls', head: 'Calls', width: 72, align: 'end', cell: (row) => formatCount(getGrantedCapacity(row)?.calls) },
  {
    id: 'devices',
    head: 'Devices',
    width: 84,
    align: 'end',
    cell: (row) => formatCount(getGrantedCapacity(row)?.devices),
  },
]

const monthlyColumn: ListColumn<Account> = {
  id: 'monthly',
  head: 'Monthly',
  width: 112,
  align: 'end',
  cell: ({ subscription }) =>
    subscription?.next_invoice ? (
      formatMoney(subscription.next_invoice.total, subscription.next_invoice.currency)
    ) : (
      <NoValue />
    ),
}

const eventColumns: ListColumn<Account>[] = [
  {
    id: 'trial_end_date',
    head: 'Date',
    width: 128,
    // cards show it beside the event
    tableOnly: true,
    cell: (row) => formatDate(getPlanEvent(row)?.date) || <NoValue />,
  },
  { id: 'event', head: 'Event', width: 156, cell: (row) => <EventCell row={row} /> },
]

const realmColumn: ListColumn<Account> = {
  id: 'sip_realm',
  head: 'SIP realm',
  width: '20%',
  sortable: true,
  mono: true,
  dropOrder: 1,
  cell: ({ sip_realm }) => sip_realm ?? <Muted isEmptyValue>None</Muted>,
}

interface ColumnOptions {
  /** The server returns the subscription with each account. */
  hasSubscriptions: boolean
  /** Some accounts pay. */
  hasPayments: boolean
  /** All rows have a trial, so the date is its end, by which the server can sort. */
  isTrialList: boolean
}

/** The columns of the list of accounts in the hosted edition, without those that the server has no values for. */
export const createPlanColumns = ({
  hasSubscriptions,
  hasPayments,
  isTrialList,
}: ColumnOptions): ListColumn<Account>[] => [
  planColumn,
  ...(hasSubscriptions ? capacityColumns : []),
  ...(hasPayments ? [monthlyColumn] : []),
  ...eventColumns.map((column) => (column.id === 'trial_end_date' ? { ...column, sortable: isTrialList } : column)),
  realmColumn,
]
