import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential, SpeechTest, TestStatus } from '@trunkline/contract/shapes/speech-credential'
import { directionFlag } from '@trunkline/contract/speech/credential'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { vendorOf } from '@trunkline/contract/speech/vendors'

/** The test status of one direction: its result, 'off' if disabled, 'none' if the vendor does not offer it. */
export interface Standing {
  state: TestStatus | 'off' | 'none'
  reason?: string
}

/** The overall status. 'not tested': nothing could be tested. 'untried': no test has run yet. */
export type Summary = 'success' | 'partial' | 'failed' | 'not tested' | 'untried'

const keys = {
  synthesis: { part: 'tts', found: 'tts_tested_ok' },
  recognition: { part: 'stt', found: 'stt_tested_ok' },
} as const

const stored = (found: number | null | undefined): TestStatus => {
  if (found === null || found === undefined) return 'not tested'
  return found ? 'ok' : 'fail'
}

const isOn = (row: SpeechCredential, direction: Direction) => row[directionFlag[direction]] !== 0

const can = (row: SpeechCredential, direction: Direction) => {
  const vendor = vendorOf(row.vendor)
  return vendor === undefined || vendor[direction] !== null
}

/** Returns the status of a direction: from the latest test here, otherwise from the server. */
export const standingOf = (row: SpeechCredential, direction: Direction, test: SpeechTest | undefined): Standing => {
  if (!can(row, direction)) return { state: 'none' }
  if (!isOn(row, direction)) return { state: 'off' }
  const { part, found } = keys[direction]
  const now = test?.[part]
  return now ? { state: now.status, reason: now.reason } : { state: stored(row[found]) }
}

/** 'success' requires success in every enabled direction; one of two is 'partial', none is 'failed'. */
export const summaryOf = (row: SpeechCredential, test: SpeechTest | undefined): Summary => {
  const states = (['synthesis', 'recognition'] as const)
    .map((direction) => standingOf(row, direction, test).state)
    .filter((state) => state !== 'off' && state !== 'none')
  const good = states.filter((state) => state === 'ok').length
  if (states.every((state) => state === 'not tested')) return states.length > 0 && !test ? 'untried' : 'not tested'
  if (good === states.length) return 'success'
  return good > 0 ? 'partial' : 'failed'
}

/** Returns whether no direction can be tested. */
export const isOff = (row: SpeechCredential): boolean =>
  (['synthesis', 'recognition'] as const).every((direction) => !can(row, direction) || !isOn(row, direction))

/** Returns the reason for the status: the vendor's first error, or how to make a test possible. */
export const reasonOf = (row: SpeechCredential, test: SpeechTest | undefined): string | undefined =>
  (['synthesis', 'recognition'] as const)
    .map((direction) => standingOf(row, direction, test))
    .find(({ state, reason }) => state === 'fail' && reason)?.reason ??
  (summaryOf(row, test) === 'not tested' ? messages.notTested : undefined)
