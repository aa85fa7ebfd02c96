import { queryOptions, useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/system-health'
import { systemHealth } from '@trunkline/contract/resources/system-health'
import type { HealthFinding, SystemHealth } from '@trunkline/contract/shapes/system-health'
import { HeartPulse, RefreshCw } from 'lucide-react'
import { formatShortTimestamp } from '../../lib/call-times'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { namedQueryKey } from '../../lib/query-keys'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/feedback/empty-state'
import { FailedState } from '../../ui/feedback/failed-state'
import { Notice } from '../../ui/notice'
import { Panel, PanelSkeleton } from '../../ui/record/panel'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { CheckRow } from './check-row'
import css from './screen.module.css'

const refreshIntervalMs = 30_000

const healthQuery = queryOptions({
  queryKey: namedQueryKey('system_health', 'latest'),
  queryFn: ({ signal }) => request(systemHealth, { signal, isBackground: true }),
  refetchInterval: refreshIntervalMs,
  meta: { suppressErrorToast: true },
})

const countOf = ({ checks }: SystemHealth, status: HealthFinding['status']) =>
  checks.filter((check) => check.status === status).length

/** One sentence about all checks. */
const Verdict = ({ health }: { health: SystemHealth }) => {
  const [failedCount, warningCount] = [countOf(health, 'failed'), countOf(health, 'warning')]
  const tone = failedCount > 0 ? 'bad' : warningCount > 0 ? 'warn' : 'ok'
  return (
    <Notice tone={tone} role="status">
      {tone === 'ok' ? messages.allPassed : messages.problems(failedCount, warningCount)}
    </Notice>
  )
}

const severity: readonly HealthFinding['status'][] = ['failed', 'warning', 'passed']

/** Problems come first. Otherwise the checks have the server's order. */
const sortChecks = ({ checks }: SystemHealth) =>
  checks.toSorted((a, b) => severity.indexOf(a.status) - severity.indexOf(b.status))

const Checks = ({ health }: { health: SystemHealth }) => (
  <Panel title="Checks" count={health.checks.length} end={`Version ${health.version}`} span={12}>
    <ul className={css.checks}>
      {sortChecks(health).map((check) => (
        <CheckRow key={check.name} check={check} checkedAt={health.checked_at} />
      ))}
    </ul>
  </Panel>
)

const Content = () => {
  const { data: health, error, isFetching, refetch } = useQuery(healthQuery)
  if (!health && error)
    return <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
  if (!health)
    return (
      <Panel title="Checks" span={12}>
        <PanelSkeleton rows={8} height={41} />
      </Panel>
    )
  return (
    <>
      {error ? (
        <Notice tone="warn" role="alert">
          {messages.outdated(getErrorMessage(error))}
        </Notice>
      ) : (
        <Verdict health={health} />
      )}
      <Checks health={health} />
    </>
  )
}

/** The age of the results, and a button that repeats the checks. */
const Actions = () => {
  const { data: health, isFetching, refetch } = useQuery(healthQuery)
  return (
    <>
      {health ? <span className={css.time}>Checked {formatShortTimestamp(health.checked_at)}</span> : null}
      <Button icon={RefreshCw} pending={isFetching} onClick={() => void refetch()}>
        Check again
      </Button>
    </>
  )
}

/** What the server checks about itself, for administrators. */
export const SystemHealthScreen = () => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  if (capabilities && !capabilities.systemHealth)
    return (
      <ScreenLayout title="System health">
        <EmptyState icon={HeartPulse} title={messages.notProvided} text={messages.notProvidedText} />
      </ScreenLayout>
    )
  return (
    <ScreenLayout title="System health" description={messages.description} actions={capabilities ? <Actions /> : null}>
      {/* scrolls with the keyboard */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css.scroll} role="region" aria-label="Results of the checks" tabIndex={0}>
        {capabilities ? <Content /> : null}
      </div>
    </ScreenLayout>
  )
}
