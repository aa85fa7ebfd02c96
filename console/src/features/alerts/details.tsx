import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { toTimeQuery, formatTimestampMs, serializeTimeRange } from '../../lib/call-times'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { KeyValues } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { Link } from '../../ui/link'
import { alertTypeText } from './alert-type'
import css from './list.module.css'
import { alertSource, type AlertRow } from './alert-source'

const labels: Partial<Record<string, string>> = {
  time: 'Time',
  first: 'First raised',
  count: 'Count',
  message: 'Message',
  detail: 'Detail',
  alert_type: 'Type',
  account_sid: 'Account',
  vendor: 'Vendor',
  target_sid: 'About',
}

/** Fields that another field already shows, or that mean nothing to users. */
const hiddenFields = new Set(['account_name', 'service_provider_sid', 'accounts'])

const renderTime = (text: string) => <span title={text}>{formatTimestampMs(text)}</span>

/** Fields with their own format. */
const fieldRenderers: Partial<Record<string, (row: AlertRow) => ReactNode>> = {
  time: ({ time }) => renderTime(time),
  first: ({ first = '', count = 1 }) => (count > 1 ? renderTime(first) : null),
  count: ({ count = 1, accounts = 1 }) =>
    count > 1 ? `${count.toLocaleString('en-US')}${accounts > 1 ? ` in ${accounts} accounts` : ''}` : null,
  alert_type: ({ alert_type }) => <span title={alert_type ?? ''}>{alertTypeText(alert_type)}</span>,
  account_sid: (row) => ((row.accounts ?? 1) > 1 ? null : <RecordName kind="account" row={row} link />),
}

const renderValue = (row: AlertRow, label: string, value: unknown): ReactNode => {
  const render = fieldRenderers[label]
  if (render) return render(row)
  if (typeof value !== 'string') return JSON.stringify(value)
  return label.endsWith('_sid') ? <CopyText text={value} always /> : value
}

/** Time range in which to look for the calls of an alert. */
const callsBeforeMs = 5 * 60_000
const callsAfterMs = 60_000

const nearbyCallsUrl = ({ time, account_sid }: AlertRow, isAccount: boolean) => {
  const timestamp = Date.parse(time)
  const date = serializeTimeRange({ from: new Date(timestamp - callsBeforeMs), to: new Date(timestamp + callsAfterMs) })
  return `${paths.recentCalls}?${new URLSearchParams({
    date,
    ...(account_sid && !isAccount ? { account: account_sid } : {}),
  }).toString()}`
}

/** Alerts of a call contain its SID. Other targets are not calls, and the search then finds no call. */
const callUrl = ({ target_sid }: AlertRow) =>
  target_sid ? `${paths.recentCalls}?${new URLSearchParams({ date: '30', text: target_sid }).toString()}` : undefined

const maxNewest = 10

/** The newest alerts of a group, with a link to all of them. */
const NewestAlerts = ({ row, date }: { row: AlertRow; date: string }) => {
  const actor = useActor()
  const provider = useProviderSid()
  const { alert_type, message, account_sid, accounts = 1 } = row
  const source = alertSource(actor, provider, accounts === 1 ? (account_sid ?? '') : '')
  const filters = { ...(alert_type ? { alert_type } : {}), ...(message ? { message } : {}) }
  const { data } = useQuery({
    queryKey: ['alert', 'of group', ...source.key, filters, date, row.count],
    queryFn: ({ signal }) =>
      source.fetch({ page: 1, count: maxNewest, ...toTimeQuery(date), ...filters }, signal, true),
    meta: { suppressErrorToast: true },
  })
  if (!data) return null
  const search = new URLSearchParams({
    ...(date ? { date } : {}),
    ...(alert_type ? { type: alert_type } : {}),
    ...(message ? { text: message.slice(0, 200) } : {}),
    group: 'off',
  })
  return (
    <section className={css.newest} aria-label="Newest alerts in this group">
      <ul>
        {data.data.map((alert, index) => (
          <li key={index}>
            <time>{renderTime(alert.time)}</time>
            {actor.scope === 'account' ? null : <RecordName kind="account" row={alert} link />}
            <Link href={nearbyCallsUrl(alert, actor.scope === 'account')}>Calls at that time</Link>
          </li>
        ))}
      </ul>
      {data.total > maxNewest ? (
        <Link href={`${paths.alerts}?${search.toString()}`}>{`Show all ${data.total.toLocaleString('en-US')}`}</Link>
      ) : null}
    </section>
  )
}

/** The details of an alert or of a group of equal alerts, with links to the calls that it may concern. */
export const AlertDetails = ({ row, date }: { row: AlertRow; date: string }) => {
  const actor = useActor()
  const callHref = callUrl(row)
  const items = Object.entries(row)
    .filter(([label, value]) => !hiddenFields.has(label) && value !== null && value !== undefined)
    .map(([label, value]) => ({
      label: labels[label] ?? label,
      value: renderValue(row, label, value),
      mono: label === 'time' || label === 'first' || labels[label] === undefined,
    }))
    .filter(({ value }) => value !== null)
  return (
    <div className={css.pairs}>
      <KeyValues items={items} />
      <p className={css.links}>
        {callHref ? <Link href={callHref}>Find the call</Link> : null}
        <Link href={nearbyCallsUrl(row, actor.scope === 'account')}>Calls at that time</Link>
      </p>
      {(row.count ?? 1) > 1 ? <NewestAlerts row={row} date={date} /> : null}
    </div>
  )
}
