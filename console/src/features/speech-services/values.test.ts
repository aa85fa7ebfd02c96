import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { describe, expect, it } from 'vitest'
import { serviceChanges, serviceValues } from './values'

const row = (fields: object) =>
  ({ use_for_tts: 1, use_for_stt: 1, account_sid: null, label: null, ...fields }) as SpeechCredential

describe('the changes of a speech service', () => {
  it.each<[string, object]>([
    [
      'an on-premises Deepgram server for recognition only',
      { deepgram_stt_uri: '10.0.0.7:5000', deepgram_stt_use_tls: 0 },
    ],
    ['the same over TLS', { deepgram_stt_uri: 'asr.example.com:443', deepgram_stt_use_tls: 1 }],
    [
      'Deepgram in Europe, without recognition',
      { use_for_stt: 0, deepgram_stt_uri: 'api.eu.deepgram.com', deepgram_stt_use_tls: 1 },
    ],
    ['one Microsoft container', { vendor: 'microsoft', region: 'westus', custom_stt_endpoint_url: 'http://asr' }],
  ])('keep values that another client wrote: %s', (_, fields) => {
    const storedRow = row({ vendor: 'deepgram', ...fields })
    const { vendor: __, ...keptFields } = fields as Record<string, unknown>
    expect(serviceChanges(serviceValues(storedRow, null), storedRow)).toMatchObject(keptFields)
  })

  it("include the TLS setting that belongs to the vendor's hosted server", () => {
    const storedRow = row({ vendor: 'deepgram' })
    const values = { ...serviceValues(storedRow, null), deepgram_stt_uri: 'api.eu.deepgram.com' }
    expect(serviceChanges(values, storedRow)).toMatchObject({
      deepgram_stt_uri: 'api.eu.deepgram.com',
      deepgram_stt_use_tls: 1,
    })
  })

  it('clear fields that the chosen deployment does not use', () => {
    const urls = { custom_tts_endpoint_url: 'http://tts', custom_stt_endpoint_url: 'http://stt' }
    const storedRow = row({ vendor: 'microsoft', ...urls })
    const values = { ...serviceValues(storedRow, null), deployment: 'hosted', region: 'westus' }
    expect(serviceChanges(values, storedRow)).toMatchObject({
      region: 'westus',
      custom_tts_endpoint_url: null,
      custom_stt_endpoint_url: null,
    })
  })
})
