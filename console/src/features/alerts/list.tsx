import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/recent-call'
import { Suspense } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { IngestHint } from '../../panels/ingest-hint'
import type { ListState } from '../../kit/list/paging'
import type { TimedSource } from '../../kit/timed-list/timed-query'
import { TimedList } from '../../kit/timed-list/timed-list'
import type { EventColumn, TimedFilter } from '../../kit/timed-list/use-timed-list'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { formatTimestamp } from '../../lib/call-times'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { alertTypes, alertTypeText } from './alert-type'
import css from './list.module.css'
import { alertGroupSource, alertSource, type AlertRow } from './alert-source'

const LazyAlertDetails = lazyComponent(() => import('./details').then((module) => module.AlertDetails))

const typeFilter: TimedFilter = {
  id: 'type',
  name: 'Type',
  options: [{ value: '', label: 'all' }, ...alertTypes.map((value) => ({ value, label: alertTypeText(value) }))],
}
const groupFilter: TimedFilter = {
  id: 'group',
  name: 'Show',
  options: [
    { value: '', label: 'identical alerts as one' },
    { value: 'off', label: 'every alert' },
  ],
}

/** The account of an alert. Some servers omit it in the list of a provider, which does not mean that there is none. */
const renderAccount = (row: AlertRow, link?: boolean) => {
  if ((row.accounts ?? 1) > 1) return `${row.accounts} accounts`
  return 'account_sid' in row ? <RecordName kind="account" row={row} link={link} /> : null
}

const AlertCount = ({ row: { count = 1 } }: { row: AlertRow }) =>
  count > 1 ? (
    <b className={css.count} title={`${count} identical alerts`}>
      {`${count.toLocaleString('en-US')}×`}
    </b>
  ) : null

const columnsOf = (hasOneAccount: boolean): EventColumn<AlertRow>[] => [
  { id: 'time', head: 'Time', width: 206, mono: true, isDefault: true, cell: ({ time }) => formatTimestamp(time) },
  {
    id: 'message',
    head: 'Message',
    minWidth: 438,
    isDefault: true,
    cell: (row) => (
      <>
        <AlertCount row={row} /> {row.message}
      </>
    ),
  },
  {
    id: 'alert_type',
    head: 'Type',
    width: 200,
    isDefault: true,
    cell: ({ alert_type }) => alertTypeText(alert_type),
  },
  ...(hasOneAccount
    ? []
    : [
        {
          id: 'account_sid',
          head: 'Account',
          minWidth: 222,
          isDefault: true,
          cell: (row: AlertRow) => renderAccount(row, true),
        },
      ]),
  { id: 'vendor', head: 'Vendor', width: 120, cell: ({ vendor }) => vendor },
  { id: 'detail', head: 'Detail', minWidth: 200, cell: ({ detail }) => detail },
]

/** Alerts with the same time differ by their message. The key of a group stays the same when another alert joins it. */
const alertKey = ({ time, alert_type, account_sid, message, count }: AlertRow) =>
  [
    ...(count === undefined ? [time, account_sid ?? ''] : ['group']),
    alert_type ?? '',
    (message ?? '').slice(0, 80),
  ].join(' ')

const filtersOf = ({ text, filters: { type } }: ListState) => ({
  ...(type ? { alert_type: type } : {}),
  ...(text ? { filter: text } : {}),
})

/** The alerts of an account, or of the current provider and all its accounts. */
export const AlertList = () => {
  const actor = useActor()
  const provider = useProviderSid()
  const { data: capabilities, isPending } = useQuery(capabilitiesQuery)
  const hasGroups = capabilities?.alertGroups === true
  const isOneAccount = ({ account }: ListState) => actor.scope === 'account' || account !== ''
  const source = (account: string, { filters }: ListState): TimedSource<AlertRow> =>
    hasGroups && filters.group !== 'off'
      ? alertGroupSource(actor, provider, account)
      : alertSource(actor, provider, account)
  return (
    <TimedList<AlertRow>
      kind="alert"
      title="Alerts"
      noun={{ singular: 'alert', plural: 'alerts' }}
      source={source}
      hint={<IngestHint when={messages.alertsHint} />}
      toQueryParams={filtersOf}
      filters={hasGroups ? [typeFilter, groupFilter] : [typeFilter]}
      text={hasGroups}
      columns={(listState) => columnsOf(isOneAccount(listState))}
      rowKey={alertKey}
      // Wait for the capabilities: alerts and groups have different keys, and switching would close an open row.
      enabled={!isPending}
      card={(row, listState) => (
        <span className={css.face}>
          <span className={css.time}>{formatTimestamp(row.time)}</span>
          <span className={css.message}>
            <AlertCount row={row} /> {row.message}
          </span>
          {isOneAccount(listState) ? null : <span className={css.account}>{renderAccount(row)}</span>}
        </span>
      )}
      detail={(row, { filters: { date = '' } }) => (
        <Suspense fallback={null}>
          <LazyAlertDetails row={row} date={date} />
        </Suspense>
      )}
    />
  )
}
