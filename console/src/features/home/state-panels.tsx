import { useQuery } from '@tanstack/react-query'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import type { CallUsage } from '@trunkline/contract/shapes/live-call'
import { Gauge } from 'lucide-react'
import { Suspense } from 'react'
import { QueryPanel } from '../../kit/record/query-panel'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { requestList } from '../../lib/request-list'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { formatDate } from '../../lib/time'
import { createCallsPath } from '../../panels/calls/record-calls'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { Link } from '../../ui/link'
import { Meter } from '../../ui/meter'
import { PanelSkeleton } from '../../ui/record/panel'
import { PanelList, PanelRow } from '../../ui/record/panel-list'
import { formatCount } from '../../ui/format-count'
import { createFailingSpeechQuery, createUsageQuery, type HomeScope } from './home-queries'
import css from './state-panels.module.css'

const LimitRow = ({ limit, scope }: { limit: CallUsage['limits'][number]; scope: HomeScope }) => {
  const isAccountUser = useActor().scope === 'account'
  const { account_sid, account_name, quantity, calls } = limit
  const account = isAccountUser ? undefined : (account_sid ?? undefined)
  const text = `${formatCount(calls)} of ${formatCount(quantity)}`
  return (
    <PanelRow>
      <Gauge className={css.icon} size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={css.text}>
        {account ? <a href={paths.accounts.view(account)}>{account_name ?? account}</a> : null}
        {account_sid ? null : <a href={paths.settings}>All accounts</a>} <span>concurrent calls</span>
      </span>
      <span className={css.meter}>
        <Meter value={calls} max={quantity} label={`${text} concurrent calls`} />
      </span>
      <a className={css.end} href={createCallsPath({ scope, account, filters: {}, search: {} }, { show: 'live' })}>
        <b>{formatCount(calls)}</b> of {formatCount(quantity)} now
      </a>
    </PanelRow>
  )
}

/** The limits of concurrent calls that are used to 90% or more now. Omitted if there are none. */
export const LimitsPanel = ({ scope }: { scope: HomeScope }) => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const query = useQuery({ ...createUsageQuery(scope), enabled: capabilities?.live === true })
  // a figure above reports the failure of the same request
  if (!query.data) return null
  return (
    <QueryPanel
      title="Approaching limits"
      query={query}
      skeleton={{ rows: 1 }}
      isEmpty={({ limits }) => limits.length === 0}
      count={({ limits }) => limits.length}
      end={<span className={css.note}>90% or more now</span>}
    >
      {({ limits }) => (
        <PanelList columns="auto minmax(0, 1fr) minmax(40px, 120px) auto">
          {limits.map((limit) => (
            <LimitRow key={limit.account_sid} limit={limit} scope={scope} />
          ))}
        </PanelList>
      )}
    </QueryPanel>
  )
}

/** Loaded only if a test failed, because it needs the descriptions of the vendors. */
const LazySpeechRows = lazyComponent(() => import('./speech-rows').then((module) => module.SpeechRows))

/** The speech credentials whose last test failed. Omitted if there are none. */
export const FailingSpeechPanel = ({ scope }: { scope: HomeScope }) => (
  <QueryPanel
    title="Failing speech services"
    query={useQuery(createFailingSpeechQuery(scope))}
    skeleton={{ rows: 1, height: 50 }}
    isEmpty={({ rows }) => rows.length === 0}
    count={({ total }) => total}
    end={<Link href={`${paths.speech.list}?test=failed`}>All failing</Link>}
  >
    {({ rows }) => (
      <Suspense fallback={<PanelSkeleton rows={rows.length} height={50} />}>
        <LazySpeechRows rows={rows} />
      </Suspense>
    )}
  </QueryPanel>
)

const maxTrials = 5
/** Trials that end later are not listed. */
const trialDays = 14
const dayMs = 86_400_000

const countDays = (trialEnd: string, now: number) => Math.ceil((Date.parse(trialEnd) - now) / dayMs)

const formatDaysLeft = (days: number) => (days <= 0 ? 'today' : days === 1 ? 'in 1 day' : `in ${days} days`)

/** The trials that end next. Omitted if none ends soon. Only for the hosted edition, and its providers. */
export const EndingTrialsPanel = () => {
  const service_provider_sid = useProviderSid()
  const query = useQuery({
    queryKey: namedQueryKey('account', 'endingTrials', service_provider_sid),
    queryFn: async ({ signal }) => {
      const { rows } = await requestList(accountsOfProvider, {
        params: { service_provider_sid },
        query: { plan: 'trial', sort: 'trial_end_date', page: 1, page_size: maxTrials },
        signal,
        isBackground: true,
      })
      const now = Date.now()
      return rows.flatMap(({ account_sid, name, trial_end_date }) => {
        const days = trial_end_date ? countDays(trial_end_date, now) : undefined
        return days === undefined || days > trialDays ? [] : [{ account_sid, name, trial_end_date, days }]
      })
    },
    meta: { suppressErrorToast: true },
  })
  return (
    <QueryPanel
      title="Trials ending"
      query={query}
      skeleton={{ rows: 1 }}
      isEmpty={(rows) => rows.length === 0}
      count={() => `within ${trialDays} days`}
      end={<Link href={`${paths.accounts.list}?plan=trial&sort=trial_end_date`}>All trials</Link>}
    >
      {(rows) => (
        <PanelList columns="minmax(0, 1fr) auto">
          {rows.map(({ account_sid, name, trial_end_date, days }) => (
            <PanelRow key={account_sid}>
              <span className={css.text}>
                <a href={paths.accounts.view(account_sid)}>{name}</a>
              </span>
              <span className={css.end}>
                {formatDate(trial_end_date)} · {formatDaysLeft(days)}
              </span>
            </PanelRow>
          ))}
        </PanelList>
      )}
    </QueryPanel>
  )
}
