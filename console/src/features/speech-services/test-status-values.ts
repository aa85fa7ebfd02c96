import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential, SpeechTest, TestStatus } from '@trunkline/contract/shapes/speech-credential'
import { directionFlags } from '@trunkline/contract/speech/credential'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { findVendorById } from '@trunkline/contract/speech/vendors'

/** The test status of one direction: its result, 'off' if disabled, 'unsupported' if the vendor does not offer it. */
export interface DirectionStatus {
  state: TestStatus | 'off' | 'unsupported'
  reason?: string
}

/** The overall status. 'untestable': nothing could be tested. 'untried': no test has run yet. */
export type OverallStatus = 'success' | 'partial' | 'failed' | 'untestable' | 'untried'

const directionKeys = {
  synthesis: { resultKey: 'tts', storedColumn: 'tts_tested_ok' },
  recognition: { resultKey: 'stt', storedColumn: 'stt_tested_ok' },
} as const

const toTestStatus = (column: number | null | undefined): TestStatus => {
  if (column === null || column === undefined) return 'not tested'
  return column ? 'ok' : 'fail'
}

const isEnabled = (row: SpeechCredential, direction: Direction) => row[directionFlags[direction]] !== 0

const isSupported = (row: SpeechCredential, direction: Direction) => {
  const vendor = findVendorById(row.vendor)
  return vendor === undefined || vendor[direction] !== null
}

/** Returns the status of a direction: from the latest test in this session, otherwise from the server. */
export const getDirectionStatus = (
  row: SpeechCredential,
  direction: Direction,
  latestTest: SpeechTest | undefined,
): DirectionStatus => {
  if (!isSupported(row, direction)) return { state: 'unsupported' }
  if (!isEnabled(row, direction)) return { state: 'off' }
  const { resultKey, storedColumn } = directionKeys[direction]
  const result = latestTest?.[resultKey]
  return result ? { state: result.status, reason: result.reason } : { state: toTestStatus(row[storedColumn]) }
}

/** Returns the overall status: 'partial' if the test succeeded in one of two enabled directions. */
export const getOverallStatus = (row: SpeechCredential, latestTest: SpeechTest | undefined): OverallStatus => {
  const states = (['synthesis', 'recognition'] as const)
    .map((direction) => getDirectionStatus(row, direction, latestTest).state)
    .filter((state) => state !== 'off' && state !== 'unsupported')
  const successCount = states.filter((state) => state === 'ok').length
  if (states.every((state) => state === 'not tested'))
    return states.length > 0 && !latestTest ? 'untried' : 'untestable'
  if (successCount === states.length) return 'success'
  return successCount > 0 ? 'partial' : 'failed'
}

/** Did the last test of an enabled direction fail, as the server knows it? */
export const hasFailedTest = (row: SpeechCredential): boolean =>
  (['synthesis', 'recognition'] as const).some(
    (direction) => getDirectionStatus(row, direction, undefined).state === 'fail',
  )

/** Returns whether no direction can be tested. */
export const isUntestable = (row: SpeechCredential): boolean =>
  (['synthesis', 'recognition'] as const).every(
    (direction) => !isSupported(row, direction) || !isEnabled(row, direction),
  )

/** Returns the reason for the status: the vendor's first error, or how to make a test possible. */
export const findStatusReason = (row: SpeechCredential, latestTest: SpeechTest | undefined): string | undefined =>
  (['synthesis', 'recognition'] as const)
    .map((direction) => getDirectionStatus(row, direction, latestTest))
    .find(({ state, reason }) => state === 'fail' && reason)?.reason ??
  (getOverallStatus(row, latestTest) === 'untestable' ? messages.notTested : undefined)
