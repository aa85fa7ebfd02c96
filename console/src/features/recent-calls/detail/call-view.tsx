import { messages } from '@trunkline/contract/messages/recent-call'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { ArrowLeft, ChevronDown, ChevronUp, PhoneOff, X } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type { OpenRow } from '../../../kit/event-list/use-open-row'
import { RecordName } from '../../../kit/record/record-name'
import { PhoneNumberText } from '../../../panels/phone-number'
import { formatDuration, formatTimestamp } from '../../../lib/call-times'
import { getErrorMessage } from '../../../lib/problem'
import { findOpenDialog, isSingleKey } from '../../../lib/single-key'
import { useStableCallback } from '../../../lib/use-stable-callback'
import { useActor } from '../../../session/session'
import { IconButton } from '../../../ui/button'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { handlesEscape } from '../../../ui/handles-escape'
import { useIsNarrow } from '../../../ui/shell/use-window-width'
import { DirectionIcon } from '../list/call-cells'
import { CallDetailPanel } from './call-detail-panel'
import css from './call-view.module.css'
import { CallStatus } from '../../../panels/calls/call-status'
import { TrunkName } from '../../../panels/calls/trunk-name'

type OpenCall = OpenRow<RecentCall>
type CallNavigation = Pick<OpenCall, 'openPrevious' | 'openNext' | 'close'>

/** The keys that work anywhere on the screen while a call is open beside the list or in its place. */
export const useCallKeys = ({ openPrevious, openNext, close }: CallNavigation) => {
  const isOwnKey = (event: KeyboardEvent) => !event.defaultPrevented && isSingleKey(event) && !findOpenDialog()
  const goToCall = useStableCallback((event: KeyboardEvent) => {
    const open = { j: openNext, k: openPrevious }[event.key]
    if (!open || !isOwnKey(event)) return
    event.preventDefault()
    open()
  })
  const closeOnEscape = useStableCallback((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOwnKey(event) || handlesEscape(event.target as Element)) return
    event.preventDefault()
    close()
  })
  useEffect(() => {
    // before the shortcuts of lists, in which the same keys only move the focus
    document.addEventListener('keydown', goToCall, true)
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('keydown', goToCall, true)
      document.removeEventListener('keydown', closeOnEscape)
    }
  }, [goToCall, closeOnEscape])
}

export const Fact = ({ label, children }: { label?: string; children: ReactNode }) => (
  <span>
    {label ? <span className={css.label}>{label} </span> : null}
    {children}
  </span>
)

export const CallFacts = ({ row, children }: { row: RecentCall; children?: ReactNode }) => {
  const { scope } = useActor()
  return (
    <p className={css.facts}>
      {row.attempted_at ? <Fact>{formatTimestamp(row.attempted_at)}</Fact> : null}
      {children}
      {row.duration === null ? null : <Fact label="Duration">{formatDuration(row.duration)}</Fact>}
      {scope === 'account' || !row.account_sid ? null : (
        <Fact label="Account">
          <RecordName kind="account" row={row} link />
        </Fact>
      )}
      {row.application_sid ? (
        <Fact label="Application">
          <RecordName kind="application" row={row} link />
        </Fact>
      ) : null}
      {row.trunk ? (
        <Fact label="Trunk">
          <TrunkName row={row} />
        </Fact>
      ) : null}
    </p>
  )
}

interface CallHeadProps extends CallNavigation {
  row: RecentCall | undefined
  status: ReactNode
  /** Facts about the call. */
  children: ReactNode
}

const CallTitle = ({ row, status }: { row: RecentCall; status: ReactNode }) => (
  <div className={css.title}>
    <DirectionIcon row={row} />
    <h2>
      {/* bdi: a right-to-left name would reverse the arrow */}
      <bdi>
        <PhoneNumberText number={row.from} />
      </bdi>{' '}
      <span className={css.arrow}>→</span>{' '}
      <bdi>
        <PhoneNumberText number={row.to} />
      </bdi>
    </h2>
    {status}
  </div>
)

/** The numbers of a call and its status, with buttons for the calls above and below, and back to the list. */
export const CallHead = ({ row, status, openPrevious, openNext, close, children }: CallHeadProps) => {
  const isNarrow = useIsNarrow()
  const closeButton = { 'aria-keyshortcuts': 'Escape', onClick: close }
  return (
    <header className={css.head}>
      {isNarrow ? <IconButton icon={ArrowLeft} label="Back to the calls" {...closeButton} /> : null}
      {row ? <CallTitle row={row} status={status} /> : null}
      <div className={css.buttons}>
        <IconButton
          icon={ChevronUp}
          label="Previous call"
          aria-keyshortcuts="K"
          disabled={!openPrevious}
          onClick={openPrevious}
        />
        <IconButton
          icon={ChevronDown}
          label="Next call"
          aria-keyshortcuts="J"
          disabled={!openNext}
          onClick={openNext}
        />
        {isNarrow ? null : <IconButton icon={X} label="Close the call" {...closeButton} />}
      </div>
      {children}
    </header>
  )
}

const EndedStatus = ({ row }: { row: RecentCall }) => (
  <>
    <CallStatus row={row} />
    {row.sip_status === null ? null : <span className={css.code}>{row.sip_status}</span>}
  </>
)

/** A call beside the list, or in its place in a narrow window: what it was, its tabs, and its player at the bottom. */
export const CallView = ({ open }: { open: OpenCall }) => {
  const { row, isMissing, error, retry } = open
  useCallKeys(open)
  return (
    <section className={css.view} aria-label="Call" aria-busy={(!row && !isMissing && !error) || undefined}>
      <CallHead {...open} status={row ? <EndedStatus row={row} /> : null}>
        {row ? <CallFacts row={row} /> : null}
      </CallHead>
      {row ? <CallDetailPanel row={row} isBeside /> : null}
      {!row && isMissing ? <EmptyState icon={PhoneOff} title={messages.notFound} text={messages.notFoundHint} /> : null}
      {!row && error ? <FailedState message={getErrorMessage(error)} onRetry={retry} /> : null}
    </section>
  )
}
