import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential, SpeechTest, TestStatus } from '@trunkline/contract/shapes/speech-credential'
import { directionFlag } from '@trunkline/contract/speech/credential'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { vendorOf } from '@trunkline/contract/speech/vendors'

/** How a direction of a service stands: as a test found it, switched off, or not to be had of the vendor. */
export interface Standing {
  state: TestStatus | 'off' | 'none'
  reason?: string
}

/** How the service as a whole stands. 'not tested': there was nothing that could be; 'untried': nobody has asked. */
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

/** How a direction stands: as a test of just now found it, else as the server remembers it. */
export const standingOf = (row: SpeechCredential, direction: Direction, test: SpeechTest | undefined): Standing => {
  if (!can(row, direction)) return { state: 'none' }
  if (!isOn(row, direction)) return { state: 'off' }
  const { part, found } = keys[direction]
  const now = test?.[part]
  return now ? { state: now.status, reason: now.reason } : { state: stored(row[found]) }
}

/** A success needs every direction that is on; one of two is partial, and none is a failure. */
export const summaryOf = (row: SpeechCredential, test: SpeechTest | undefined): Summary => {
  const states = (['synthesis', 'recognition'] as const)
    .map((direction) => standingOf(row, direction, test).state)
    .filter((state) => state !== 'off' && state !== 'none')
  const good = states.filter((state) => state === 'ok').length
  if (states.every((state) => state === 'not tested')) return states.length > 0 && !test ? 'untried' : 'not tested'
  if (good === states.length) return 'success'
  return good > 0 ? 'partial' : 'failed'
}

/** Is there no direction that could be tested? */
export const isOff = (row: SpeechCredential): boolean =>
  (['synthesis', 'recognition'] as const).every((direction) => !can(row, direction) || !isOn(row, direction))

/** Why a service stands as it does: the vendor's first reason for a failure, or what is to be done for a test. */
export const reasonOf = (row: SpeechCredential, test: SpeechTest | undefined): string | undefined =>
  (['synthesis', 'recognition'] as const)
    .map((direction) => standingOf(row, direction, test))
    .find(({ state, reason }) => state === 'fail' && reason)?.reason ??
  (summaryOf(row, test) === 'not tested' ? messages.notTested : undefined)
