import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/recent-call'
import { maxAlertGroups } from '@trunkline/contract/resources/alert'
import type { AlertGroup } from '@trunkline/contract/shapes/recent-call'
import { Suspense } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { IngestHint } from '../../panels/ingest-hint'
import type { ListSearch } from '../../kit/list/list-state'
import type { ListState } from '../../kit/list/paging'
import type { EventListSource } from '../../kit/event-list/event-query'
import { EventList } from '../../kit/event-list/event-list'
import type { EventColumn, EventFilter } from '../../kit/event-list/use-event-list'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { formatShortTimestamp, formatTimestamp } from '../../lib/call-times'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { alertTypes, formatAlertType } from '../../panels/alerts/alert-type'
import { getAlertKey, createAlertGroupSource, createAlertSource, type AlertRow } from '../../panels/alerts/alert-source'
import { createGroupColumns, GroupCard } from './group-cells'
import css from './list.module.css'

const LazyAlertDetails = lazyComponent(() => import('./details').then((module) => module.AlertDetails))
const LazyGroupDetails = lazyComponent(() => import('./group-details').then((module) => module.GroupDetails))

const typeFilter: EventFilter = {
  id: 'type',
  name: 'Type',
  options: [{ value: '', label: 'all' }, ...alertTypes.map((value) => ({ value, label: formatAlertType(value) }))],
}
const groupFilter: EventFilter = {
  id: 'group',
  name: 'Show',
  options: [
    { value: '', label: 'identical alerts as one' },
    { value: 'off', label: 'every alert' },
  ],
}

/** The account of an alert. Some servers omit it from a provider's list although the alert has one. */
const renderAccount = (row: AlertRow, { isLink = false } = {}) =>
  'account_sid' in row ? <RecordName kind="account" row={row} link={isLink} /> : null

const createAlertColumns = (hasOneAccount: boolean): EventColumn<AlertRow>[] => [
  { id: 'time', head: 'Time', width: 206, mono: true, isDefault: true, cell: ({ time }) => formatTimestamp(time) },
  { id: 'message', head: 'Message', minWidth: 438, isDefault: true, cell: ({ message }) => message },
  {
    id: 'alert_type',
    head: 'Type',
    width: 200,
    isDefault: true,
    cell: ({ alert_type }) => formatAlertType(alert_type),
  },
  ...(hasOneAccount
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

/** An alert in a narrow window: its message, with its time and account below. */
const AlertCard = ({ row, hasOneAccount }: { row: AlertRow; hasOneAccount: boolean }) => (
  <span className={css.card}>
    <span className={css.message}>{row.message || formatAlertType(row.alert_type)}</span>
    <span className={css.details}>
      <time title={formatTimestamp(row.time)}>{formatShortTimestamp(row.time)}</time>
      {hasOneAccount ? null : <span>{renderAccount(row)}</span>}
    </span>
  </span>
)

/** Does the list show groups? Only some servers can group alerts, and the user can switch it off. */
const useIsGrouped = (canGroup: boolean): boolean => {
  const { group }: ListSearch = useSearch({ strict: false })
  return canGroup && group !== 'off'
}

/** The alerts of an account, or of the current provider and all its accounts. */
export const AlertList = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data: capabilities, isPending } = useQuery(capabilitiesQuery)
  const canGroup = capabilities?.alertGroups === true
  const isGrouped = useIsGrouped(canGroup)
  const hasOneAccount = ({ account }: ListState) => actor.scope === 'account' || account !== ''
  const createSource = (accountFilter: string): EventListSource<AlertRow> =>
    (isGrouped ? createAlertGroupSource : createAlertSource)(actor, service_provider_sid, accountFilter)
  const toQueryParams = ({ text, filters: { type } }: ListState) => ({
    ...(type ? { alert_type: type } : {}),
    ...(text ? { filter: text } : {}),
    ...(isGrouped ? { history: 'week' } : {}),
  })
  // the source of the rows is that of groups
  const asGroup = (row: AlertRow) => row as AlertGroup
  const createColumns = (listState: ListState) =>
    isGrouped
      ? (createGroupColumns(hasOneAccount(listState), listState.filters.date ?? '') as EventColumn<AlertRow>[])
      : createAlertColumns(hasOneAccount(listState))
  return (
    <EventList<AlertRow>
      kind={isGrouped ? 'alert_group' : 'alert'}
      title="Alerts"
      noun={{ singular: 'alert', plural: 'alerts' }}
      source={createSource}
      renderAbove={({ total }) =>
        isGrouped && total === maxAlertGroups ? (
          <p className={css.note}>{messages.tooManyAlertGroups(maxAlertGroups)}</p>
        ) : null
      }
      hint={<IngestHint text={messages.alertsHint} />}
      toQueryParams={toQueryParams}
      filters={canGroup ? [typeFilter, groupFilter] : [typeFilter]}
      hasTextFilter={canGroup}
      columns={createColumns}
      rowKey={getAlertKey}
      // Wait for the capabilities: alerts and groups have different keys, and switching would close an open row.
      isEnabled={!isPending}
      renderCard={(row, listState) =>
        isGrouped ? <GroupCard row={asGroup(row)} /> : <AlertCard row={row} hasOneAccount={hasOneAccount(listState)} />
      }
      renderDetail={(row, { account, filters: { date = '' } }) => (
        <Suspense fallback={null}>
          {isGrouped ? (
            <LazyGroupDetails row={asGroup(row)} date={date} account={account} />
          ) : (
            <LazyAlertDetails row={row} />
          )}
        </Suspense>
      )}
    />
  )
}
