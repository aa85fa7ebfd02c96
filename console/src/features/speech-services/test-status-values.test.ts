import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential, SpeechTest } from '@trunkline/contract/shapes/speech-credential'
import { describe, expect, it } from 'vitest'
import {
  isUntestable,
  findStatusReason,
  getDirectionStatus,
  getOverallStatus,
  type OverallStatus,
} from './test-status-values'

const createRow = (columns: Partial<SpeechCredential>) =>
  ({
    vendor: 'google',
    use_for_tts: 1,
    use_for_stt: 1,
    tts_tested_ok: null,
    stt_tested_ok: null,
    ...columns,
  }) as SpeechCredential
const createTest = (tts: string, stt: string) => ({ tts: { status: tts }, stt: { status: stt } }) as SpeechTest

describe('the test result of a speech service', () => {
  it.each<[string, Partial<SpeechCredential>, SpeechTest | undefined, OverallStatus]>([
    ['has not been tested', {}, undefined, 'untried'],
    ['has passed its last test', { tts_tested_ok: 1, stt_tested_ok: 1 }, undefined, 'success'],
    ['has partly passed its last test', { tts_tested_ok: 1, stt_tested_ok: 0 }, undefined, 'partial'],
    ['has failed its last test', { tts_tested_ok: 0, stt_tested_ok: 0 }, undefined, 'failed'],
    ['passes a new test', { tts_tested_ok: 0 }, createTest('ok', 'ok'), 'success'],
    ['partly passes a new test', {}, createTest('fail', 'ok'), 'partial'],
    ['has one direction tested and the other not', {}, createTest('ok', 'not tested'), 'partial'],
    ['fails a new test', {}, createTest('fail', 'fail'), 'failed'],
    ['failed and has one direction tested', {}, createTest('fail', 'not tested'), 'failed'],
    ['cannot be tested', {}, createTest('not tested', 'not tested'), 'untestable'],
    ['has only the passed direction enabled', { use_for_stt: 0 }, createTest('ok', 'not tested'), 'success'],
    [
      'has only the failed direction enabled',
      { use_for_tts: 0, tts_tested_ok: 1, stt_tested_ok: 0 },
      undefined,
      'failed',
    ],
    ['supports one direction, which passes', { vendor: 'soniox', stt_tested_ok: 1 }, undefined, 'success'],
    ['is disabled', { use_for_tts: 0, use_for_stt: 0, tts_tested_ok: 1 }, undefined, 'untestable'],
    ['is of an unknown vendor', { vendor: 'parrot', tts_tested_ok: 1, stt_tested_ok: 1 }, undefined, 'success'],
  ])('summarizes a service that %s', (_, columns, latestTest, overallStatus) => {
    expect(getOverallStatus(createRow(columns), latestTest)).toBe(overallStatus)
  })

  it('returns the state of a direction and its reason', () => {
    const latestTest: SpeechTest = { tts: { status: 'fail', reason: 'wrong key' }, stt: { status: 'ok' } }
    expect(getDirectionStatus(createRow({}), 'synthesis', latestTest)).toEqual({ state: 'fail', reason: 'wrong key' })
    expect(getDirectionStatus(createRow({ use_for_tts: 0 }), 'synthesis', latestTest)).toEqual({ state: 'off' })
    expect(getDirectionStatus(createRow({ vendor: 'soniox' }), 'synthesis', latestTest)).toEqual({
      state: 'unsupported',
    })
    expect(findStatusReason(createRow({}), latestTest)).toBe('wrong key')
    expect(isUntestable(createRow({ vendor: 'soniox', use_for_stt: 0 }))).toBe(true)
    expect(isUntestable(createRow({ use_for_stt: 0 }))).toBe(false)
  })

  it('explains a missing result only if there was nothing to test', () => {
    const disabledRow = createRow({ use_for_tts: 0, use_for_stt: 0 })
    expect(findStatusReason(disabledRow, undefined)).toBe(messages.notTested)
    expect(findStatusReason(createRow({}), createTest('not tested', 'not tested'))).toBe(messages.notTested)
    expect(findStatusReason(createRow({}), undefined)).toBeUndefined()
    expect(findStatusReason(createRow({ tts_tested_ok: 1 }), undefined)).toBeUndefined()
  })
})
