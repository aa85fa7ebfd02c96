import type { SpeechCredential, TestStatus } from '@trunkline/contract/shapes/speech-credential'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { CircleDashed, type LucideIcon } from 'lucide-react'
import { Muted } from '../../ui/muted'
import { Status, type StatusKind } from '../../ui/status'
import css from './test-status.module.css'
import {
  isUntestable,
  findStatusReason,
  getDirectionStatus,
  getOverallStatus,
  type DirectionStatus,
  type OverallStatus,
} from './test-status-values'
import { useLatestTest } from './use-service-test'

const shortNames = { synthesis: 'TTS', recognition: 'STT' } as const
const statusKinds: Record<TestStatus, { kind: StatusKind; icon?: LucideIcon }> = {
  ok: { kind: 'ok' },
  fail: { kind: 'bad' },
  'not tested': { kind: 'off', icon: CircleDashed },
}

export const statusTexts: Record<TestStatus, string> = { ok: 'Success', fail: 'Failed', 'not tested': 'Not tested' }

/** The test status of one direction. */
export const DirectionStatusMark = ({ status: { state } }: { status: DirectionStatus }) => {
  if (state === 'unsupported') return <Muted>–</Muted>
  if (state === 'off') return <Muted>Off</Muted>
  return (
    <Status {...statusKinds[state]} tint={state === 'fail'}>
      {statusTexts[state]}
    </Status>
  )
}

const DirectionUsage = ({ row, direction }: { row: SpeechCredential; direction: Direction }) => {
  const { state, reason } = getDirectionStatus(row, direction, useLatestTest(row.speech_credential_sid).latestTest)
  if (state === 'unsupported' || state === 'off') return null
  return (
    <span title={reason ?? statusTexts[state]}>
      <Status {...statusKinds[state]} tint={false}>
        {shortNames[direction]}
        <span className="visually-hidden">{statusTexts[state]}</span>
      </Status>
    </span>
  )
}

/** The directions of a service, each with its test status. */
export const Usage = ({ row }: { row: SpeechCredential }) =>
  isUntestable(row) ? (
    <Muted>Off</Muted>
  ) : (
    <span className={css.usage}>
      <DirectionUsage row={row} direction="synthesis" />
      <DirectionUsage row={row} direction="recognition" />
    </span>
  )

const overallStatuses: Record<OverallStatus, { kind: StatusKind; label: string; icon?: LucideIcon }> = {
  success: { kind: 'ok', label: statusTexts.ok },
  partial: { kind: 'warn', label: 'Partial' },
  failed: { kind: 'bad', label: statusTexts.fail },
  untestable: { kind: 'off', label: statusTexts['not tested'], icon: CircleDashed },
  untried: { kind: 'off', label: statusTexts['not tested'], icon: CircleDashed },
}

/** The overall test status of a service. */
export const OverallStatusMark = ({ row }: { row: SpeechCredential }) => {
  const { latestTest, isTesting } = useLatestTest(row.speech_credential_sid)
  if (isTesting) return <Muted>Testing</Muted>
  const { kind, label, icon } = overallStatuses[getOverallStatus(row, latestTest)]
  return (
    <Status kind={kind} icon={icon} tint={kind === 'warn' || kind === 'bad'}>
      {label}
    </Status>
  )
}

/** The overall test status for a list, with its reason. */
export const StatusCheck = ({ row }: { row: SpeechCredential }) => {
  const { latestTest, isTesting } = useLatestTest(row.speech_credential_sid)
  const reason = isTesting ? undefined : findStatusReason(row, latestTest)
  return (
    <span className={css.check} title={reason}>
      <OverallStatusMark row={row} />
      {reason ? <span className={css.reason}>{reason}</span> : null}
    </span>
  )
}
