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
import { alertTypes, formatAlertType } from './alert-type'
import css from './list.module.css'
import { createAlertGroupSource, createAlertSource, type AlertRow } from './alert-source'

const LazyAlertDetails = lazyComponent(() => import('./details').then((module) => module.AlertDetails))

const typeFilter: TimedFilter = {
  id: 'type',
  name: 'Type',
  options: [{ value: '', label: 'all' }, ...alertTypes.map((value) => ({ value, label: formatAlertType(value) }))],
}
const groupFilter: TimedFilter = {
  id: 'group',
  name: 'Show',
  options: [
    { value: '', label: 'identical alerts as one' },
    { value: 'off', label: 'every alert' },
  ],
}

/** The account of an alert. Some servers omit it from a provider's list although the alert has one. */
const renderAccount = (row: AlertRow, { isLink = false } = {}) => {
  if ((row.accounts ?? 1) > 1) return `${row.accounts} accounts`
  return 'account_sid' in row ? <RecordName kind="account" row={row} link={isLink} /> : null
}

const AlertCount = ({ row: { count = 1 } }: { row: AlertRow }) =>
  count > 1 ? (
    <b className={css.count} title={`${count} identical alerts`}>
      {`${count.toLocaleString('en-US')}×`}
    </b>
  ) : null

const createColumns = (showsOneAccount: boolean): EventColumn<AlertRow>[] => [
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
    cell: ({ alert_type }) => formatAlertType(alert_type),
  },
  ...(showsOneAccount
    ? []
    : [
        {
          id: 'account_sid',
          head: 'Account',
          minWidth: 222,
          isDefault: true,
          cell: (row: AlertRow) => renderAccount(row, { isLink: true }),
        },
      ]),
  { id: 'vendor', head: 'Vendor', width: 120, cell: ({ vendor }) => vendor },
  { id: 'detail', head: 'Detail', minWidth: 200, cell: ({ detail }) => detail },
]

/**
 * Returns a key that identifies the row. A group's key contains neither its time nor its count, so that it stays the same
 * when another alert joins the group.
 */
const getAlertKey = ({ time, alert_type, account_sid, message, count }: AlertRow) =>
  [
    ...(count === undefined ? [time, account_sid ?? ''] : ['group']),
    alert_type ?? '',
    (message ?? '').slice(0, 80),
  ].join(' ')

const toQueryParams = ({ text, filters: { type } }: ListState) => ({
  ...(type ? { alert_type: type } : {}),
  ...(text ? { filter: text } : {}),
})

/** The alerts of an account, or of the current provider and all its accounts. */
export const AlertList = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data: capabilities, isPending } = useQuery(capabilitiesQuery)
  const hasGroups = capabilities?.alertGroups === true
  const showsOneAccount = ({ account }: ListState) => actor.scope === 'account' || account !== ''
  const createSource = (accountFilter: string, { filters }: ListState): TimedSource<AlertRow> =>
    hasGroups && filters.group !== 'off'
      ? createAlertGroupSource(actor, service_provider_sid, accountFilter)
      : createAlertSource(actor, service_provider_sid, accountFilter)
  return (
    <TimedList<AlertRow>
      kind="alert"
      title="Alerts"
      noun={{ singular: 'alert', plural: 'alerts' }}
      source={createSource}
      hint={<IngestHint when={messages.alertsHint} />}
      toQueryParams={toQueryParams}
      filters={hasGroups ? [typeFilter, groupFilter] : [typeFilter]}
      hasTextFilter={hasGroups}
      columns={(listState) => createColumns(showsOneAccount(listState))}
      rowKey={getAlertKey}
      // Wait for the capabilities: alerts and groups have different keys, and switching would close an open row.
      isEnabled={!isPending}
      renderCard={(row, listState) => (
        <span className={css.card}>
          <span className={css.time}>{formatTimestamp(row.time)}</span>
          <span className={css.message}>
            <AlertCount row={row} /> {row.message}
          </span>
          {showsOneAccount(listState) ? null : <span className={css.account}>{renderAccount(row)}</span>}
        </span>
      )}
      renderDetail={(row, { filters: { date = '' } }) => (
        <Suspense fallback={null}>
          <LazyAlertDetails row={row} date={date} />
        </Suspense>
      )}
    />
  )
}
