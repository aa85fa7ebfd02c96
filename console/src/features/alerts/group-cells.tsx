import type { AlertGroup } from '@trunkline/contract/shapes/recent-call'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { EventColumn } from '../../kit/event-list/use-event-list'
import { RecordName } from '../../kit/record/record-name'
import { formatShortTimestamp, formatTimestamp, includesNow } from '../../lib/call-times'
import { AlertHistory } from '../../panels/alerts/alert-history'
import { formatAlertType } from '../../panels/alerts/alert-type'
import { formatCount } from '../../ui/format-count'
import css from './group-cells.module.css'

/** The message of a group, and its type and more details below. A group without a message shows its type alone. */
const GroupTitle = ({ row: { message, alert_type }, children }: { row: AlertGroup; children?: ReactNode }) => {
  const type = formatAlertType(alert_type)
  return (
    <span className={css.title}>
      <TriangleAlert className={css.icon} size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={css.text}>
        <span className={css.message} title={message ?? undefined}>
          {message || type || 'No message'}
        </span>{' '}
        <span className={css.type}>
          {message ? <span>{type}</span> : null}
          {children}
        </span>
      </span>
    </span>
  )
}

const GroupTimes = ({ row: { time, first, count } }: { row: AlertGroup }) => (
  <span className={css.times}>
    <time title={formatTimestamp(time)}>{formatShortTimestamp(time)}</time>
    {count > 1 ? (
      <>
        {' '}
        <span className={css.first} title={formatTimestamp(first)}>{`first ${formatShortTimestamp(first)}`}</span>
      </>
    ) : null}
  </span>
)

/** The account of the newest alert of a group, and the number of other accounts. */
const GroupAccounts = ({ row }: { row: AlertGroup }) => {
  const { account_sid, accounts } = row
  if (!account_sid) return accounts > 0 ? `${formatCount(accounts)} ${accounts === 1 ? 'account' : 'accounts'}` : null
  return (
    <>
      <RecordName kind="account" row={row} link />
      {accounts > 1 ? <span className={css.others}>{` +${formatCount(accounts - 1)}`}</span> : null}
    </>
  )
}

/** The columns of groups of alerts. `date`: the date filter, whose end is the end of the histories. */
export const createGroupColumns = (hasOneAccount: boolean, date: string): EventColumn<AlertGroup>[] => [
  { id: 'message', head: 'Alert', minWidth: 280, isDefault: true, cell: (row) => <GroupTitle row={row} /> },
  {
    id: 'history',
    head: includesNow(date) ? 'Last 7 days' : '7 days',
    note: `Alerts in each 6 hours of the 7 days before ${includesNow(date) ? 'now' : 'the end of the period'}`,
    width: 174,
    isDefault: true,
    hiddenWhenNarrow: true,
    cell: (row) => <AlertHistory row={row} />,
  },
  {
    id: 'count',
    head: 'Count',
    width: 76,
    align: 'end',
    isDefault: true,
    cell: ({ count }) => <b className={css.count}>{formatCount(count)}</b>,
  },
  { id: 'time', head: 'Last', width: 188, align: 'end', isDefault: true, cell: (row) => <GroupTimes row={row} /> },
  ...(hasOneAccount
    ? []
    : [
        {
          id: 'accounts',
          head: 'Accounts',
          minWidth: 156,
          isDefault: true,
          hiddenWhenNarrow: true,
          cell: (row: AlertGroup) => <GroupAccounts row={row} />,
        },
      ]),
  { id: 'vendor', head: 'Vendor', width: 120, cell: ({ vendor }) => vendor },
  { id: 'detail', head: 'Detail', minWidth: 200, cell: ({ detail }) => detail },
]

/** A group in a narrow window: its message, with its type and the time of its newest alert below. */
export const GroupCard = ({ row }: { row: AlertGroup }) => (
  <span className={css.card}>
    <GroupTitle row={row}>
      <time title={formatTimestamp(row.time)}>{formatShortTimestamp(row.time)}</time>
    </GroupTitle>
    <b className={css.count} title={row.count === 1 ? '1 alert' : `${formatCount(row.count)} identical alerts`}>
      {formatCount(row.count)}
    </b>
  </span>
)
