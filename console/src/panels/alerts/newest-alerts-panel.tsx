import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { QueryPanel } from '../../kit/record/query-panel'
import { formatShortTimestamp, formatTimestamp } from '../../lib/call-times'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { formatCounted } from '../../ui/format-count'
import { Link } from '../../ui/link'
import type { PanelProps } from '../../ui/record/panel'
import { PanelList, PanelRow } from '../../ui/record/panel-list'
import { AlertHistory } from './alert-history'
import { getAlertKey, createAlertGroupSource, createAlertSource, type AlertRow } from './alert-source'
import { formatAlertType } from './alert-type'
import css from './newest-alerts-panel.module.css'

const rowCount = 3
const days = '7'

/** Returns the path of the alert list with the alerts of an account, or of the user's own account if it is ''. */
export const createAlertsPath = (account: string, filters: Record<string, string> = {}): string =>
  `${paths.alerts}?${new URLSearchParams({ date: days, ...(account ? { account } : {}), ...filters }).toString()}`

const useNewestAlerts = (account_sid: string) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const source = (capabilities?.alertGroups ? createAlertGroupSource : createAlertSource)(
    actor,
    service_provider_sid,
    account_sid,
  )
  return useQuery({
    // not the key of the list: alerts in a list count as read
    queryKey: namedQueryKey('alert', 'newest', ...source.key),
    queryFn: ({ signal }) =>
      source.fetch(
        { page: 1, count: rowCount, days: Number(days), ...(capabilities?.alertGroups ? { history: 'week' } : {}) },
        { signal, isBackground: true },
      ),
    enabled: capabilities !== undefined,
    meta: { suppressErrorToast: true },
  })
}

/** Whose alerts these are. Only for the alerts of all accounts of a provider. */
const getAccountText = ({ accounts = 1, account_name }: AlertRow) =>
  accounts > 1 ? `${accounts.toLocaleString('en-US')} accounts` : account_name

interface AlertItemProps {
  row: AlertRow
  account: string
  /** The panel shows the alerts of several accounts. */
  hasAccounts: boolean
}

const AlertItem = ({ row, account, hasAccounts }: AlertItemProps) => {
  const { time, message, alert_type, count = 1 } = row
  const type = formatAlertType(alert_type)
  const details = [message ? type : '', hasAccounts ? getAccountText(row) : ''].filter(Boolean)
  return (
    <PanelRow isTall>
      <TriangleAlert className={css.icon} size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={css.text}>
        <a href={createAlertsPath(account, { open: getAlertKey(row) })} title={message ?? undefined}>
          {message ?? type}
        </a>
        <span>{details.join(' · ')}</span>
      </span>
      <span className={css.history}>
        <AlertHistory row={row} />
      </span>
      <span className={css.end}>
        <b title={count === 1 ? '1 alert' : `${count} identical alerts`}>{count.toLocaleString('en-US')}×</b>
        <time title={formatTimestamp(time)}>{formatShortTimestamp(time)}</time>
      </span>
    </PanelRow>
  )
}

interface NewestAlertsPanelProps {
  /** '' for all accounts of the current provider. For account users, it is always their account. */
  account_sid: string
  /** The account in the filter of the alert list, if the user chooses one there. */
  account: string
  span?: PanelProps['span']
}

/** The newest alerts of an account or a provider in the last seven days, identical ones as one. Omitted if there are none. */
export const NewestAlertsPanel = ({ account_sid, account, span = 5 }: NewestAlertsPanelProps) => {
  const hasAccounts = useActor().scope !== 'account' && account_sid === ''
  return (
    <QueryPanel
      title="Newest alerts"
      span={span}
      query={useNewestAlerts(account_sid)}
      skeleton={{ rows: rowCount, height: 50 }}
      isEmpty={({ rows }) => rows.length === 0}
      count={({ total, rows }) => {
        // only groups have a count
        const noun = rows[0]?.count === undefined ? 'alert' : 'group'
        return total === undefined ? undefined : `${formatCounted(total, noun)} in 7 days`
      }}
      end={<Link href={createAlertsPath(account)}>All alerts</Link>}
    >
      {({ rows }) => (
        <PanelList columns="auto minmax(0, 1fr) auto auto">
          {rows.map((row) => (
            <AlertItem key={getAlertKey(row)} row={row} account={account} hasAccounts={hasAccounts} />
          ))}
        </PanelList>
      )}
    </QueryPanel>
  )
}
