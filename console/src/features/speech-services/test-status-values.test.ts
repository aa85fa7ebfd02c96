import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential, SpeechTest } from '@trunkline/contract/shapes/speech-credential'
import { describe, expect, it } from 'vitest'
import { isOff, reasonOf, standingOf, summaryOf, type Summary } from './test-status-values'

const row = (parts: Partial<SpeechCredential>) =>
  ({
    vendor: 'google',
    use_for_tts: 1,
    use_for_stt: 1,
    tts_tested_ok: null,
    stt_tested_ok: null,
    ...parts,
  }) as SpeechCredential
const test = (tts: string, stt: string) => ({ tts: { status: tts }, stt: { status: stt } }) as SpeechTest

describe('the test result of a speech service', () => {
  it.each<[string, Partial<SpeechCredential>, SpeechTest | undefined, Summary]>([
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
  ])('summarizes a service that %s', (_, parts, found, summary) => {
    expect(summaryOf(row(parts), found)).toBe(summary)
  })

  it('returns the state of a direction and its reason', () => {
    const found: SpeechTest = { tts: { status: 'fail', reason: 'wrong key' }, stt: { status: 'ok' } }
    expect(standingOf(row({}), 'synthesis', found)).toEqual({ state: 'fail', reason: 'wrong key' })
    expect(standingOf(row({ use_for_tts: 0 }), 'synthesis', found)).toEqual({ state: 'off' })
    expect(standingOf(row({ vendor: 'soniox' }), 'synthesis', found)).toEqual({ state: 'none' })
    expect(reasonOf(row({}), found)).toBe('wrong key')
    expect(isOff(row({ vendor: 'soniox', use_for_stt: 0 }))).toBe(true)
    expect(isOff(row({ use_for_stt: 0 }))).toBe(false)
  })

  it('explains a missing result only if there was nothing to test', () => {
    const off = row({ use_for_tts: 0, use_for_stt: 0 })
    expect(reasonOf(off, undefined)).toBe(messages.notTested)
    expect(reasonOf(row({}), test('not tested', 'not tested'))).toBe(messages.notTested)
    expect(reasonOf(row({}), undefined)).toBeUndefined()
    expect(reasonOf(row({ tts_tested_ok: 1 }), undefined)).toBeUndefined()
  })
})
