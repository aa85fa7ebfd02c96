import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/home'
import { Activity, RefreshCw } from 'lucide-react'
import { getFeatureFlags } from '../../lib/feature-flags'
import { formatTimestamp, startOfDay } from '../../lib/call-times'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { NewestAlertsPanel } from '../../panels/alerts/newest-alerts-panel'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { IconButton } from '../../ui/button'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { createFailingCarriersQuery } from '../../panels/calls/failing-carriers-query'
import { CallsPanel, CallsSkeleton } from './calls-panel'
import { useShowsFirstSteps } from './first-records'
import { FirstSteps } from './first-steps'
import { FailingCarriersPanel } from './failing-carriers-panel'
import { createTodayQuery, getHomeScope, type HomeScope } from './home-queries'
import css from './screen.module.css'
import { EndingTrialsPanel, FailingSpeechPanel, LimitsPanel } from './state-panels'
import { useRefresh } from './use-refresh'
import { failureAnchors, Verdict, VerdictSkeleton } from './verdict'

const dateFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
})
const zoneFormat = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })

/** The time zone of the browser, in which the day starts: 'UTC', 'GMT+1'. */
const getTimeZone = (date: Date) => zoneFormat.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value

/** The day, the age of what the screen shows, and a button that refreshes it. */
const Actions = ({ scope, startOfToday }: { scope: HomeScope; startOfToday: Date }) => {
  const refresh = useRefresh()
  const today = useQuery(createTodayQuery(scope, startOfToday))
  const carriers = useQuery(createFailingCarriersQuery(scope))
  const updateTimes = [today, carriers].map(({ dataUpdatedAt }) => dataUpdatedAt).filter((time) => time > 0)
  const updatedAt = updateTimes.length > 0 ? new Date(Math.min(...updateTimes)) : undefined
  return (
    <>
      <span className={css.date}>
        {dateFormat.format(startOfToday)} · {getTimeZone(startOfToday)}
      </span>
      {updatedAt ? (
        <span className={css.updated}>Updated {formatTimestamp(updatedAt.toISOString()).slice(11)}</span>
      ) : null}
      <IconButton icon={RefreshCw} label="Refresh" aria-keyshortcuts="r" onClick={refresh} />
    </>
  )
}

/** The panels. Those without content are absent, so that the screen shows what needs attention. */
const Panels = ({ scope, startOfToday }: { scope: HomeScope; startOfToday: Date }) => {
  const showsFirstSteps = useShowsFirstSteps(scope, startOfToday)
  return (
    <div className={css.home}>
      <div className={css.wide}>
        <Verdict scope={scope} isNew={showsFirstSteps === true} />
      </div>
      <div className={showsFirstSteps ? css.steps : css.wide}>
        {showsFirstSteps === undefined ? <CallsSkeleton /> : null}
        {showsFirstSteps === true ? <FirstSteps scope={scope} /> : null}
        {showsFirstSteps === false ? <CallsPanel scope={scope} startOfToday={startOfToday} /> : null}
      </div>
      <div className={css.column}>
        <div id={failureAnchors.carriers}>
          <FailingCarriersPanel scope={scope} />
        </div>
        <NewestAlertsPanel account_sid="" account="" />
        <LimitsPanel scope={scope} />
      </div>
      <div className={css.column}>
        <div id={failureAnchors.speech}>
          <FailingSpeechPanel scope={scope} />
        </div>
        {scope[0] === 'provider' && getFeatureFlags().hosted ? <EndingTrialsPanel /> : null}
      </div>
    </div>
  )
}

/** The state of the platform: what happens now and today, and what needs attention. */
export const Home = () => {
  const scope = getHomeScope(useActor(), useProviderSid())
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const startOfToday = startOfDay(new Date(), 0)
  if (capabilities && !capabilities.home)
    return (
      <ScreenLayout title="Home">
        <EmptyState icon={Activity} title={messages.notProvided} text={messages.notProvidedText} />
      </ScreenLayout>
    )
  return (
    <ScreenLayout title="Home" actions={capabilities ? <Actions scope={scope} startOfToday={startOfToday} /> : null}>
      {/* scrolls with the keyboard */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css.scroll} role="region" aria-label="State of the platform" tabIndex={0}>
        {capabilities ? (
          <Panels scope={scope} startOfToday={startOfToday} />
        ) : (
          <div className={css.home}>
            <div className={css.wide}>
              <VerdictSkeleton />
            </div>
            <div className={css.wide}>
              <CallsSkeleton />
            </div>
          </div>
        )}
      </div>
    </ScreenLayout>
  )
}
