import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential, SpeechTest } from '@trunkline/contract/shapes/speech-credential'
import { describe, expect, it } from 'vitest'
import { isUntestable, statusReason, directionStatus, overallStatus, type OverallStatus } from './test-status-values'

const row = (columns: Partial<SpeechCredential>) =>
  ({
    vendor: 'google',
    use_for_tts: 1,
    use_for_stt: 1,
    tts_tested_ok: null,
    stt_tested_ok: null,
    ...columns,
  }) as SpeechCredential
const test = (tts: string, stt: string) => ({ tts: { status: tts }, stt: { status: stt } }) as SpeechTest

describe('the test result of a speech service', () => {
  it.each<[string, Partial<SpeechCredential>, SpeechTest | undefined, OverallStatus]>([
    ['has not been tested', {}, undefined, 'untried'],
    ['has passed its last test', { tts_tested_ok: 1, stt_tested_ok: 1 }, undefined, 'success'],
    ['has partly passed its last test', { tts_tested_ok: 1, stt_tested_ok: 0 }, undefined, 'partial'],
    ['has failed its last test', { tts_tested_ok: 0, stt_tested_ok: 0 }, undefined, 'failed'],
    ['passes a new test', { tts_tested_ok: 0 }, test('ok', 'ok'), 'success'],
    ['partly passes a new test', {}, test('fail', 'ok'), 'partial'],
    ['has one direction tested and the other not', {}, test('ok', 'not tested'), 'partial'],
    ['fails a new test', {}, test('fail', 'fail'), 'failed'],
    ['failed and has one direction tested', {}, test('fail', 'not tested'), 'failed'],
    ['cannot be tested', {}, test('not tested', 'not tested'), 'not tested'],
    ['has only the passed direction enabled', { use_for_stt: 0 }, test('ok', 'not tested'), 'success'],
    [
      'has only the failed direction enabled',
      { use_for_tts: 0, tts_tested_ok: 1, stt_tested_ok: 0 },
      undefined,
      'failed',
    ],
    ['supports one direction, which passes', { vendor: 'soniox', stt_tested_ok: 1 }, undefined, 'success'],
    ['is disabled', { use_for_tts: 0, use_for_stt: 0, tts_tested_ok: 1 }, undefined, 'not tested'],
    ['is of an unknown vendor', { vendor: 'parrot', tts_tested_ok: 1, stt_tested_ok: 1 }, undefined, 'success'],
  ])('summarizes a service that %s', (_, columns, latestTest, summary) => {
    expect(overallStatus(row(columns), latestTest)).toBe(summary)
  })

  it('returns the state of a direction and its reason', () => {
    const latestTest: SpeechTest = { tts: { status: 'fail', reason: 'wrong key' }, stt: { status: 'ok' } }
    expect(directionStatus(row({}), 'synthesis', latestTest)).toEqual({ state: 'fail', reason: 'wrong key' })
    expect(directionStatus(row({ use_for_tts: 0 }), 'synthesis', latestTest)).toEqual({ state: 'off' })
    expect(directionStatus(row({ vendor: 'soniox' }), 'synthesis', latestTest)).toEqual({ state: 'none' })
    expect(statusReason(row({}), latestTest)).toBe('wrong key')
    expect(isUntestable(row({ vendor: 'soniox', use_for_stt: 0 }))).toBe(true)
    expect(isUntestable(row({ use_for_stt: 0 }))).toBe(false)
  })

  it('explains a missing result only if there was nothing to test', () => {
    const disabledRow = row({ use_for_tts: 0, use_for_stt: 0 })
    expect(statusReason(disabledRow, undefined)).toBe(messages.notTested)
    expect(statusReason(row({}), test('not tested', 'not tested'))).toBe(messages.notTested)
    expect(statusReason(row({}), undefined)).toBeUndefined()
    expect(statusReason(row({ tts_tested_ok: 1 }), undefined)).toBeUndefined()
  })
})
