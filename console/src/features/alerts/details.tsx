import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { toTimeQuery, formatTimestampMs, serializeTimeRange } from '../../lib/call-times'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { KeyValues } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { Link } from '../../ui/link'
import { formatAlertType } from './alert-type'
import css from './list.module.css'
import { createAlertSource, type AlertRow } from './alert-source'

/** In maps, because an alert can have fields of any name, such as 'constructor'. */
const fieldLabels = new Map(
  Object.entries({
    time: 'Time',
    first: 'First raised',
    count: 'Count',
    message: 'Message',
    detail: 'Detail',
    alert_type: 'Type',
    account_sid: 'Account',
    vendor: 'Vendor',
    target_sid: 'Call or record SID',
  }),
)

/** Fields that repeat another field, or that users cannot use. */
const hiddenFields = new Set(['account_name', 'service_provider_sid', 'accounts'])

const renderTime = (text: string) => <span title={text}>{formatTimestampMs(text) || text}</span>

/** Fields with their own format. */
const fieldRenderers = new Map<string, (row: AlertRow) => ReactNode>(
  Object.entries({
    time: ({ time }) => renderTime(time),
    first: ({ first = '', count = 1 }) => (count > 1 ? renderTime(first) : null),
    count: ({ count = 1, accounts = 1 }) =>
      count > 1 ? `${count.toLocaleString('en-US')}${accounts > 1 ? ` in ${accounts} accounts` : ''}` : null,
    alert_type: ({ alert_type }) => <span title={alert_type ?? ''}>{formatAlertType(alert_type)}</span>,
    account_sid: (row) => ((row.accounts ?? 1) > 1 ? null : <RecordName kind="account" row={row} link />),
  }),
)

const renderValue = (row: AlertRow, field: string, value: unknown): ReactNode => {
  const renderField = fieldRenderers.get(field)
  if (renderField) return renderField(row)
  if (typeof value !== 'string') return JSON.stringify(value)
  return field.endsWith('_sid') ? <CopyText text={value} alwaysShowCopyButton /> : value
}

/** The link to the calls around an alert covers this time before and after it. */
const callsBeforeMs = 5 * 60_000
const callsAfterMs = 60_000

/** Returns the URL of the calls around an alert; undefined if the time of the alert is not valid. */
const getNearbyCallsUrl = ({ time, account_sid }: AlertRow, isAccountUser: boolean): string | undefined => {
  const alertAt = Date.parse(time)
  if (Number.isNaN(alertAt)) return undefined
  const date = serializeTimeRange({ from: new Date(alertAt - callsBeforeMs), to: new Date(alertAt + callsAfterMs) })
  return `${paths.recentCalls}?${new URLSearchParams({
    date,
    ...(account_sid && !isAccountUser ? { account: account_sid } : {}),
  }).toString()}`
}

const NearbyCallsLink = ({ alert }: { alert: AlertRow }) => {
  const href = getNearbyCallsUrl(alert, useActor().scope === 'account')
  return href ? <Link href={href}>Calls at that time</Link> : null
}

/**
 * `target_sid` is the SID of a call if the alert is about a call. It may also be the SID of another record: the link then
 * leads to an empty list.
 */
const getCallUrl = ({ target_sid }: AlertRow) =>
  target_sid ? `${paths.recentCalls}?${new URLSearchParams({ date: '30', text: target_sid }).toString()}` : undefined

const maxNewestAlerts = 10

/** The newest alerts of a group, with a link to all of them. */
const NewestAlerts = ({ row, date }: { row: AlertRow; date: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { alert_type, message, account_sid, accounts: accountCount = 1 } = row
  const source = createAlertSource(actor, service_provider_sid, accountCount === 1 ? (account_sid ?? '') : '')
  const filters = { ...(alert_type ? { alert_type } : {}), ...(message ? { message } : {}) }
  const { data } = useQuery({
    queryKey: namedQueryKey('alert', 'ofGroup', ...source.key, filters, date, row.count),
    queryFn: ({ signal }) =>
      source.fetch({ page: 1, count: maxNewestAlerts, ...toTimeQuery(date), ...filters }, { signal, isPolling: true }),
    meta: { suppressErrorToast: true },
  })
  if (!data) return null
  const { total = 0 } = data
  const search = new URLSearchParams({
    ...(date ? { date } : {}),
    ...(alert_type ? { type: alert_type } : {}),
    ...(message ? { text: message.slice(0, 200) } : {}),
    group: 'off',
  })
  return (
    <section className={css.newestAlerts} aria-label="Newest alerts in this group">
      <ul>
        {data.rows.map((alert, index) => (
          <li key={index}>
            <time>{renderTime(alert.time)}</time>
            {actor.scope === 'account' ? null : <RecordName kind="account" row={alert} link />}
            <NearbyCallsLink alert={alert} />
          </li>
        ))}
      </ul>
      {total > maxNewestAlerts ? (
        <Link href={`${paths.alerts}?${search.toString()}`}>{`Show all ${total.toLocaleString('en-US')}`}</Link>
      ) : null}
    </section>
  )
}

/** The details of an alert or of a group of identical alerts, with links to the calls that it may be about. */
export const AlertDetails = ({ row, date }: { row: AlertRow; date: string }) => {
  const callHref = getCallUrl(row)
  const items = Object.entries(row)
    .filter(([field, value]) => !hiddenFields.has(field) && value !== null && value !== undefined)
    .map(([field, value]) => ({
      label: fieldLabels.get(field) ?? field,
      value: renderValue(row, field, value),
      mono: field === 'time' || field === 'first' || !fieldLabels.has(field),
    }))
    .filter(({ value }) => value !== null)
  return (
    <div className={css.details}>
      <KeyValues items={items} />
      <p className={css.links}>
        {callHref ? <Link href={callHref}>Search calls for this SID</Link> : null}
        <NearbyCallsLink alert={row} />
      </p>
      {(row.count ?? 1) > 1 ? <NewestAlerts row={row} date={date} /> : null}
    </div>
  )
}
