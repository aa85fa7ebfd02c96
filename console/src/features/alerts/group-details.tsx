import { useQuery } from '@tanstack/react-query'
import type { AlertGroup } from '@trunkline/contract/shapes/recent-call'
import { RecordName } from '../../kit/record/record-name'
import { formatShortTimestamp, formatTimestampMs, toTimeQuery } from '../../lib/call-times'
import { namedQueryKey } from '../../lib/query-keys'
import { AlertHistory } from '../../panels/alerts/alert-history'
import { createAlertGroupSource, createAlertSource, type AlertRow } from '../../panels/alerts/alert-source'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Link } from '../../ui/link'
import { formatCount } from '../../ui/format-count'
import { createGroupAlertsPath, createPeriodPath, createTargetCallPath } from './alert-links'
import { AlertFields } from './details'
import css from './group-details.module.css'
import { Investigate } from './investigate'

const maxNewestAlerts = 5
const maxAccounts = 5
/** The accounts of the newest alerts, from which those with the most alerts are shown. */
const maxRequestedAccounts = 100

/** The fields by which alerts are grouped. */
interface GroupFields {
  alert_type: string
  message: string
}

interface GroupProps {
  row: AlertGroup
  /** Undefined if no filter can select the alerts of the group: the API cannot select those without a type or message. */
  filters: GroupFields | undefined
  /** The date filter of the list. */
  date: string
  /** The account filter of the list, or ''. */
  account: string
}

/** The newest alerts of a group. Only the newest one if there are no others, or if no filter can select them. */
const useNewestAlerts = ({ row, filters, date, account }: GroupProps) => {
  const source = createAlertSource(useActor(), useProviderSid(), account)
  const hasOthers = filters !== undefined && row.count > 1
  const { data } = useQuery({
    queryKey: namedQueryKey('alert', 'ofGroup', ...source.key, filters ?? {}, date, row.count),
    queryFn: ({ signal }) =>
      source.fetch(
        { page: 1, count: maxNewestAlerts, ...toTimeQuery(date), ...filters },
        { signal, isBackground: true },
      ),
    enabled: hasOthers,
    meta: { suppressErrorToast: true },
  })
  return hasOthers && data ? data.rows : [row]
}

const CallLink = ({ alert, account }: { alert: AlertRow; account: string }) => {
  const callPath = createTargetCallPath(alert, account)
  const path = callPath ?? createPeriodPath(alert.time, alert.time, account)
  return path ? <Link href={path}>{callPath ? 'Call' : 'Calls at that time'}</Link> : null
}

const NewestAlerts = (props: GroupProps) => {
  const { row, filters, date, account } = props
  const isAccountUser = useActor().scope === 'account'
  const alerts = useNewestAlerts(props)
  return (
    <section aria-label="Newest alerts in this group">
      <h2>{row.count > 1 ? `Newest of ${formatCount(row.count)}` : 'Alert'}</h2>
      <ul className={css.newest}>
        {alerts.map((alert, index) => (
          <li key={index}>
            <time title={formatTimestampMs(alert.time) || alert.time}>
              {formatShortTimestamp(alert.time) || alert.time}
            </time>
            <span className={css.name}>
              {isAccountUser ? null : <RecordName kind="account" row={alert} emptyLabel="" link />}
            </span>
            <CallLink alert={alert} account={isAccountUser ? '' : (alert.account_sid ?? '')} />
          </li>
        ))}
      </ul>
      {filters && row.count > alerts.length ? (
        <p className={css.more}>
          <Link href={createGroupAlertsPath(filters, date, account)}>{`Show all ${formatCount(row.count)}`}</Link>
        </p>
      ) : null}
    </section>
  )
}

/** The accounts with alerts of a group, those with the most alerts first. */
const useAccounts = ({ row, filters, date, account }: GroupProps) => {
  const source = createAlertGroupSource(useActor(), useProviderSid(), account)
  const hasOthers = filters !== undefined && row.accounts > 1
  const { data } = useQuery({
    queryKey: namedQueryKey('alert', 'accountsOfGroup', ...source.key, filters ?? {}, date, row.count),
    queryFn: ({ signal }) =>
      source.fetch(
        { page: 1, count: maxRequestedAccounts, ...toTimeQuery(date), ...filters, by: 'account' },
        { signal, isBackground: true },
      ),
    enabled: hasOthers,
    meta: { suppressErrorToast: true },
  })
  const rows = hasOthers ? (data?.rows ?? []) : [row]
  return rows.filter(({ account_sid }) => account_sid).sort((a, b) => b.count - a.count)
}

const AffectedAccounts = (props: GroupProps) => {
  const { row, filters, date } = props
  const accounts = useAccounts(props)
  const listed = accounts.slice(0, maxAccounts)
  if (row.accounts === 0) return null
  return (
    <section aria-label="Accounts affected">
      <h2>{row.accounts === 1 ? '1 account affected' : `${formatCount(row.accounts)} accounts affected`}</h2>
      <ul className={css.accounts}>
        {listed.map((group) => (
          <li key={group.account_sid}>
            <span className={css.name}>
              <RecordName kind="account" row={group} link />
            </span>
            {filters ? (
              <Link href={createGroupAlertsPath(filters, date, group.account_sid ?? '')} muted>
                {formatCount(group.count)}
                <span className="visually-hidden"> {group.count === 1 ? 'alert' : 'alerts'}</span>
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
      {listed.length > 0 && row.accounts > listed.length ? (
        <p className={css.more}>{`and ${formatCount(row.accounts - listed.length)} more`}</p>
      ) : null}
    </section>
  )
}

/** An opened group: its newest alerts, the accounts that they belong to, and links to what may have caused them. */
export const GroupDetails = ({ row, date, account }: Omit<GroupProps, 'filters'>) => {
  const isAccountUser = useActor().scope === 'account'
  const { alert_type, message, accounts, account_sid } = row
  const filters = alert_type && message ? { alert_type, message } : undefined
  const groupProps = { row, filters, date, account }
  const accountOfAll = isAccountUser ? '' : account || (accounts === 1 ? (account_sid ?? '') : '')
  return (
    <div className={css.details}>
      <div className={css.history}>
        <h2>Last 7 days</h2>
        <AlertHistory row={row} />
      </div>
      <div className={css.columns}>
        <NewestAlerts {...groupProps} />
        {isAccountUser ? null : <AffectedAccounts {...groupProps} />}
        <Investigate row={row} account={accountOfAll} />
      </div>
      <section className={css.fields} aria-label="Newest alert">
        <h2>Newest alert</h2>
        <AlertFields row={row} />
      </section>
    </div>
  )
}
