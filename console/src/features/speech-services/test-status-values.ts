import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential, SpeechTest, TestStatus } from '@trunkline/contract/shapes/speech-credential'
import { directionFlags } from '@trunkline/contract/speech/credential'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { findVendorById } from '@trunkline/contract/speech/vendors'

/** The test status of one direction: its result, 'off' if disabled, 'none' if the vendor does not offer it. */
export interface DirectionStatus {
  state: TestStatus | 'off' | 'none'
  reason?: string
}

/** The overall status. 'not tested': nothing could be tested. 'untried': no test has run yet. */
export type OverallStatus = 'success' | 'partial' | 'failed' | 'not tested' | 'untried'

const directionKeys = {
  synthesis: { part: 'tts', found: 'tts_tested_ok' },
  recognition: { part: 'stt', found: 'stt_tested_ok' },
} as const

const storedStatus = (column: number | null | undefined): TestStatus => {
  if (column === null || column === undefined) return 'not tested'
  return column ? 'ok' : 'fail'
}

const isEnabled = (row: SpeechCredential, direction: Direction) => row[directionFlags[direction]] !== 0

const isSupported = (row: SpeechCredential, direction: Direction) => {
  const vendor = findVendorById(row.vendor)
  return vendor === undefined || vendor[direction] !== null
}

/** Returns the status of a direction: from the latest test here, otherwise from the server. */
export const directionStatus = (
  row: SpeechCredential,
  direction: Direction,
  test: SpeechTest | undefined,
): DirectionStatus => {
  if (!isSupported(row, direction)) return { state: 'none' }
  if (!isEnabled(row, direction)) return { state: 'off' }
  const { part, found: column } = directionKeys[direction]
  const result = test?.[part]
  return result ? { state: result.status, reason: result.reason } : { state: storedStatus(row[column]) }
}

/** 'success' requires success in every enabled direction; one of two is 'partial', none is 'failed'. */
export const overallStatus = (row: SpeechCredential, test: SpeechTest | undefined): OverallStatus => {
  const states = (['synthesis', 'recognition'] as const)
    .map((direction) => directionStatus(row, direction, test).state)
    .filter((state) => state !== 'off' && state !== 'none')
  const successCount = states.filter((state) => state === 'ok').length
  if (states.every((state) => state === 'not tested')) return states.length > 0 && !test ? 'untried' : 'not tested'
  if (successCount === states.length) return 'success'
  return successCount > 0 ? 'partial' : 'failed'
}

/** Returns whether no direction can be tested. */
export const isUntestable = (row: SpeechCredential): boolean =>
  (['synthesis', 'recognition'] as const).every(
    (direction) => !isSupported(row, direction) || !isEnabled(row, direction),
  )

/** Returns the reason for the status: the vendor's first error, or how to make a test possible. */
export const statusReason = (row: SpeechCredential, test: SpeechTest | undefined): string | undefined =>
  (['synthesis', 'recognition'] as const)
    .map((direction) => directionStatus(row, direction, test))
    .find(({ state, reason }) => state === 'fail' && reason)?.reason ??
  (overallStatus(row, test) === 'not tested' ? messages.notTested : undefined)
