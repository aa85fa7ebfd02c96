import type { Measurement } from '../../ports/call-history'
import type { MoveState, Phase } from './move-calls'

const recordNames: Record<Measurement, string> = { cdrs: 'calls', alerts: 'alerts' }
const phaseVerbs: Record<Phase, string> = { copy: 'copied', compare: 'compared' }

const formatCount = (count: number) => count.toLocaleString('en')
const formatTime = (timestamp: number) => new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ')

/** Describes the progress of a move in one line. */
export const formatProgress = (state: MoveState, phase: Phase, measurement: Measurement, perSecond: number): string => {
  const { recordCount, doneUntil } = state[phase][measurement]
  const count = `${formatCount(recordCount)} ${recordNames[measurement]} ${phaseVerbs[phase]}`
  return `${count}, up to ${formatTime(doneUntil)} UTC (${formatCount(Math.round(perSecond))} per second)`
}

/** Describes the result of a completed move. */
export const formatResult = (state: MoveState): string[] =>
  (['cdrs', 'alerts'] as const).flatMap((measurement) => {
    const { droppedFieldCount } = state.copy[measurement]
    const { recordCount, missingCount, missingBlocks, checksum } = state.compare[measurement]
    const name = recordNames[measurement]
    return [
      `${formatCount(recordCount)} ${name} compared, ${formatCount(missingCount)} missing or different. Checksum ${checksum}.`,
      ...missingBlocks.map((startAt) => `  ${name} are missing or different from ${formatTime(startAt)} UTC on`),
      ...(droppedFieldCount === 0
        ? []
        : [`${formatCount(droppedFieldCount)} fields of ${name} were left out: their values have the wrong type.`]),
    ]
  })

/** Whether the target lacks records. */
export const hasMissingRecords = ({ compare }: MoveState): boolean =>
  compare.cdrs.missingCount + compare.alerts.missingCount > 0

/** Whether the source has no records. */
export const isEmpty = ({ compare }: MoveState): boolean => compare.cdrs.recordCount + compare.alerts.recordCount === 0
