import type { SpeechCredential, TestStatus } from '@trunkline/contract/shapes/speech-credential'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { CircleDashed, type LucideIcon } from 'lucide-react'
import { Muted } from '../../ui/muted'
import { Status, type StatusKind } from '../../ui/status'
import css from './test-status.module.css'
import { isOff, reasonOf, standingOf, summaryOf, type Standing, type Summary } from './test-status-values'
import { useFound } from './use-service-test'

const short = { synthesis: 'TTS', recognition: 'STT' } as const
const marks: Record<TestStatus, { kind: StatusKind; icon?: LucideIcon }> = {
  ok: { kind: 'ok' },
  fail: { kind: 'bad' },
  'not tested': { kind: 'off', icon: CircleDashed },
}

const words: Record<TestStatus, string> = { ok: 'Success', fail: 'Failed', 'not tested': 'Not tested' }

/** The test status of one direction. */
export const StandingMark = ({ standing: { state } }: { standing: Standing }) => {
  if (state === 'none') return <Muted>–</Muted>
  if (state === 'off') return <Muted>Off</Muted>
  return (
    <Status {...marks[state]} tint={state === 'fail'}>
      {words[state]}
    </Status>
  )
}

const UsageMark = ({ row, direction }: { row: SpeechCredential; direction: Direction }) => {
  const { state, reason } = standingOf(row, direction, useFound(row.speech_credential_sid).found)
  if (state === 'none' || state === 'off') return null
  return (
    <span title={reason ?? words[state]}>
      <Status {...marks[state]} tint={false}>
        {short[direction]}
        <span className="vh">{words[state]}</span>
      </Status>
    </span>
  )
}

/** The directions of a service, each with its test status. */
export const Usage = ({ row }: { row: SpeechCredential }) =>
  isOff(row) ? (
    <Muted>Off</Muted>
  ) : (
    <span className={css.usage}>
      <UsageMark row={row} direction="synthesis" />
      <UsageMark row={row} direction="recognition" />
    </span>
  )

const summaries: Record<Summary, { kind: StatusKind; label: string; icon?: LucideIcon }> = {
  success: { kind: 'ok', label: words.ok },
  partial: { kind: 'warn', label: 'Partial' },
  failed: { kind: 'bad', label: words.fail },
  'not tested': { kind: 'off', label: words['not tested'], icon: CircleDashed },
  untried: { kind: 'off', label: words['not tested'], icon: CircleDashed },
}

/** The overall test status of a service. */
export const SummaryMark = ({ row }: { row: SpeechCredential }) => {
  const { found, busy } = useFound(row.speech_credential_sid)
  if (busy) return <Muted>Testing</Muted>
  const { kind, label, icon } = summaries[summaryOf(row, found)]
  return (
    <Status kind={kind} icon={icon} tint={kind === 'warn' || kind === 'bad'}>
      {label}
    </Status>
  )
}

/** The overall test status for a list, with its reason. */
export const StatusCheck = ({ row }: { row: SpeechCredential }) => {
  const { found, busy } = useFound(row.speech_credential_sid)
  const reason = busy ? undefined : reasonOf(row, found)
  return (
    <span className={css.check} title={reason}>
      <SummaryMark row={row} />
      {reason ? <span className={css.reason}>{reason}</span> : null}
    </span>
  )
}
