import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { describe, expect, it } from 'vitest'
import { getServiceChanges, toServiceValues } from './values'

const createRow = (fields: object) =>
  ({ use_for_tts: 1, use_for_stt: 1, account_sid: null, label: null, ...fields }) as SpeechCredential

describe('the changes of a speech service', () => {
  it.each<[string, object]>([
    [
      'an on-premises Deepgram server for recognition only',
      { deepgram_stt_uri: '10.0.0.7:5000', deepgram_stt_use_tls: 0 },
    ],
    ['an on-premises Deepgram server with TLS', { deepgram_stt_uri: 'asr.example.com:443', deepgram_stt_use_tls: 1 }],
    [
      'Deepgram in Europe, without recognition',
      { use_for_stt: 0, deepgram_stt_uri: 'api.eu.deepgram.com', deepgram_stt_use_tls: 1 },
    ],
    ['one Microsoft container', { vendor: 'microsoft', region: 'westus', custom_stt_endpoint_url: 'http://asr' }],
  ])('keep values that another client wrote: %s', (_, fields) => {
    const storedRow = createRow({ vendor: 'deepgram', ...fields })
    const { vendor: _vendor, ...otherFields } = fields as Record<string, unknown>
    expect(getServiceChanges(toServiceValues(storedRow, null), storedRow)).toMatchObject(otherFields)
  })

  it("include the TLS setting that belongs to the vendor's hosted server", () => {
    const storedRow = createRow({ vendor: 'deepgram' })
    const values = { ...toServiceValues(storedRow, null), deepgram_stt_uri: 'api.eu.deepgram.com' }
    expect(getServiceChanges(values, storedRow)).toMatchObject({
      deepgram_stt_uri: 'api.eu.deepgram.com',
      deepgram_stt_use_tls: 1,
    })
  })

  it('clear fields that the chosen deployment does not use', () => {
    const urls = { custom_tts_endpoint_url: 'http://tts', custom_stt_endpoint_url: 'http://stt' }
    const storedRow = createRow({ vendor: 'microsoft', ...urls })
    const values = { ...toServiceValues(storedRow, null), deployment: 'hosted', region: 'westus' }
    expect(getServiceChanges(values, storedRow)).toMatchObject({
      region: 'westus',
      custom_tts_endpoint_url: null,
      custom_stt_endpoint_url: null,
    })
  })
})
