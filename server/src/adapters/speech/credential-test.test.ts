import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startSpeechVendors, vendors, wrongKey } from '../../../test/doubles/speech-vendors'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { vendors as described } from '@trunkline/contract/speech/vendors/all'
import type { Speech, TestResult } from '../../ports/speech'
import { speechByVendor } from './speech-by-vendor'

let doubles: Awaited<ReturnType<typeof startSpeechVendors>>
let speech: Speech
beforeAll(async () => {
  doubles = await startSpeechVendors()
})
beforeEach(() => {
  doubles.state.behavior = 'fine'
  doubles.state.requests = []
  speech = speechByVendor({ privateTargets: true, resolveUrl: doubles.at })
})
afterAll(() => doubles.stop())

/** The owner of the credentials. */
const owner = 'acme'

const trials = async (vendor: string, parts: Record<string, unknown>) => {
  const key = { owner, vendor, fields: parts }
  const [synthesis, recognition] = await Promise.all([speech.testSynthesis(key), speech.testRecognition(key)])
  return { synthesis, recognition }
}

const ok: TestResult = { status: 'ok' }
const untested: TestResult = { status: 'not tested' }
const fails = (reason: string): TestResult => ({ status: 'fail', reason })

/** The expected result per direction, if the vendor has it. */
const item = ({ synthesis, recognition }: Vendor, trial: TestResult) => ({
  synthesis: synthesis ? trial : untested,
  recognition: recognition ? trial : untested,
})

const known = described.filter(({ vendor }) => vendor in vendors).map((vendor) => [vendor.vendor, vendor] as const)
const unknown = described.filter(({ vendor }) => !(vendor in vendors))

describe('testing a credential at its vendor', () => {
  it.each(known)('%s', async (vendor, description) => {
    const { key, reads } = vendors[vendor]!
    expect(await trials(vendor, key)).toEqual(item(description, ok))
    expect(await trials(vendor, wrongKey(key))).toEqual(item(description, fails(reads)))
  })

  it.each(known)('%s, with an expired key', async (vendor, description) => {
    doubles.state.behavior = 'expired'
    const { key, reads, expires } = vendors[vendor]!
    expect(await trials(vendor, key)).toEqual(item(description, fails((expires ?? { reads }).reads)))
  })

  it.each(known)('%s, which has an internal error', async (vendor, description) => {
    doubles.state.behavior = 'broken'
    const failing = fails('The vendor has an internal error (status 503). Try again later.')
    expect(await trials(vendor, vendors[vendor]!.key)).toEqual(item(description, failing))
  })

  it.each(known)('%s, which does not respond in time', async (vendor, description) => {
    doubles.state.behavior = 'silent'
    speech = speechByVendor({ privateTargets: true, resolveUrl: doubles.at, timeoutMs: 50 })
    const silent = fails('The vendor did not respond in time. Try again later.')
    expect(await trials(vendor, vendors[vendor]!.key)).toEqual(item(description, silent))
  })

  it.each(known)('%s, replaced by another server', async (vendor, description) => {
    doubles.state.behavior = 'garbage'
    const unexpected = {
      status: 'fail',
      reason: expect.stringMatching(/^The vendor sent (an unexpected response|a response without audio)\.$/),
    }
    expect(await trials(vendor, vendors[vendor]!.key)).toEqual(item(description, unexpected as TestResult))
  })

  const spoken = '/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM'
  const containers = {
    custom_tts_endpoint_url: 'http://tts.example.com:5000/cognitiveservices/v1',
    custom_stt_endpoint_url: 'ws://asr.example.com:5000',
  }
  const recognition = '/speech/recognition/conversation/cognitiveservices/v1?language=en-US'
  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'microsoft',
      { region: '', ...containers },
      [`http://asr.example.com:5000${recognition}`, 'http://tts.example.com:5000/cognitiveservices/v1'],
    ],
    [
      'microsoft',
      { use_custom_stt: 1, custom_stt_endpoint: 'ours' },
      [
        `https://westeurope.stt.speech.microsoft.com${recognition}&cid=ours`,
        'https://westeurope.tts.speech.microsoft.com/cognitiveservices/v1',
      ],
    ],
    // the name of a deployed voice is unknown, so only the key is tested
    [
      'microsoft',
      { use_custom_tts: 1, custom_tts_endpoint: 'ours' },
      [
        `https://westeurope.stt.speech.microsoft.com${recognition}`,
        'https://westeurope.tts.speech.microsoft.com/cognitiveservices/voices/list',
      ],
    ],
    [
      'deepgram',
      { deepgram_stt_uri: 'api.eu.deepgram.com', deepgram_stt_use_tls: 1 },
      [
        'https://api.eu.deepgram.com/v1/listen?punctuate=true',
        'https://api.eu.deepgram.com/v1/speak?model=aura-asteria-en',
      ],
    ],
    // a container uses HTTP by default; recognition uses Deepgram's servers if there is a key
    [
      'deepgram',
      { deepgram_stt_uri: 'dg.example.com:8080', deepgram_tts_uri: 'dg.example.com:8080' },
      [
        'http://dg.example.com:8080/v1/speak?model=aura-asteria-en',
        'https://api.deepgram.com/v1/listen?punctuate=true',
      ],
    ],
    [
      'deepgram',
      { deepgram_stt_uri: 'dg.example.com:8080', deepgram_tts_uri: 'https://dg.example.com:8080/' },
      [
        'https://api.deepgram.com/v1/listen?punctuate=true',
        'https://dg.example.com:8080/v1/speak?model=aura-asteria-en',
      ],
    ],
    ['elevenlabs', { api_uri: 'api.eu.residency.elevenlabs.io' }, [`https://api.eu.residency.elevenlabs.io${spoken}`]],
    ['playht', { voice_engine: 'PlayHT2.0' }, ['https://api.play.ht/api/v2/tts/stream']],
    ['playht', {}, ['https://api.play.ht/api/v3/auth', 'https://lent.play.ht/stream']],
    ['playht', { playht_tts_uri: 'https://play.example.com' }, ['https://play.example.com/api/v2/tts/stream']],
    ['playht', { playht_tts_uri: 'play.example.com' }, ['https://play.example.com/api/v2/tts/stream']],
    ['playht', { playht_tts_uri: 'play.example.com:9000' }, ['http://play.example.com:9000/api/v2/tts/stream']],
    ['playht', { playht_tts_uri: 'play.example.com:443' }, ['https://play.example.com/api/v2/tts/stream']],
    ['playht', { playht_tts_uri: 'play.example.com:9000/de' }, ['http://play.example.com:9000/de/api/v2/tts/stream']],
    ['resemble', { resemble_tts_uri: 'speech.example.com:8080' }, ['http://speech.example.com:8080/synthesize']],
    [
      'resemble',
      { resemble_tts_uri: 'speech.example.com:8080', resemble_tts_use_tls: 1 },
      ['https://speech.example.com:8080/synthesize'],
    ],
    [
      'gladia',
      { region: 'us-west' },
      ['https://api.gladia.io/v2/live/g1', 'https://api.gladia.io/v2/live?region=us-west'],
    ],
  ])('%s with %j uses the right URLs', async (vendor, parts, addresses) => {
    const requestCount: string[] = []
    const timestamp = (url: URL) => {
      requestCount.push(url.href)
      return doubles.at(url)
    }
    speech = speechByVendor({ privateTargets: true, resolveUrl: timestamp })
    const description = described.find((element) => element.vendor === vendor)!
    expect(await trials(vendor, { ...vendors[vendor]!.key, ...parts })).toEqual(item(description, ok))
    expect(requestCount.toSorted()).toEqual(addresses)
  })

  it.each<[string, Record<string, unknown>]>([
    // a vendor without an implementation
    ...unknown.map(({ vendor, fields }): [string, Record<string, unknown>] => [
      vendor,
      Object.fromEntries(fields.map(({ name }) => [name, '127.0.0.1:1'])),
    ]),
    // both tokens are untested
    ['custom:mill', vendors['custom:mill']!.key],
    ['custom:mill', wrongKey(vendors['custom:mill']!.key)],
    ['an unknown vendor', {}],
    ['nuance', { nuance_tts_uri: '127.0.0.1:1', nuance_stt_uri: '127.0.0.1:1' }],
    ['speechmatics', { api_key: 'x', speechmatics_stt_uri: 'speech.example.com' }],
    ['houndify', { client_id: 'x', client_key: 'y', houndify_server_uri: 'wss://hound.example.com' }],
  ])('%s is not tested', async (vendor, parts) => {
    expect(await trials(vendor, parts)).toEqual({ synthesis: untested, recognition: untested })
    expect(doubles.state.requests).toEqual([])
  })

  it('is not supported for Nvidia and Cobalt', () => {
    expect(unknown.map(({ vendor }) => vendor)).toEqual(expect.arrayContaining(['nvidia', 'cobalt', 'custom']))
  })

  it.each<[string, Record<string, unknown>]>([
    ['google', { service_key: JSON.stringify({ client_email: 'a@b', private_key: 'no key' }) }],
    ['google', {}],
  ])('%s needs a key file', async (vendor, parts) => {
    expect(await trials(vendor, parts)).toMatchObject({
      synthesis: fails('uploaded file is not a google service key'),
      recognition: fails('uploaded file is not a google service key'),
    })
  })

  it('reports an invalid address', async () => {
    const otherLocation = (address: string) =>
      speech.testSynthesis({ owner, vendor: 'deepgram', fields: { deepgram_tts_uri: address } })
    expect(await otherLocation('http://127.0.0.1:1')).toEqual(fails('The connection was refused.'))
    expect(await otherLocation('ftp://example.com')).toEqual(fails('The address cannot be reached.'))
  })

  it('refuses private networks unless they are allowed', async () => {
    const careful = speechByVendor({ privateTargets: false })
    for (const deepgram_tts_uri of ['http://127.0.0.1:1', 'http://[::1]', 'http://169.254.169.254', 'http://localhost'])
      expect(await careful.testSynthesis({ owner, vendor: 'deepgram', fields: { deepgram_tts_uri } })).toEqual(
        fails('The address is in a private network, which this server is not allowed to reach.'),
      )
    // refused in any case
    const parts = { deepgram_tts_uri: 'http://169.254.169.254' }
    const anywhere = speechByVendor({ privateTargets: true })
    expect(await anywhere.testSynthesis({ owner, vendor: 'deepgram', fields: parts })).toEqual(
      fails('The address is in a private network, which this server is not allowed to reach.'),
    )
  })

  it('refuses a region that would change the host', async () => {
    const parts = { api_key: 'azure-key', region: 'evil.example.com/?' }
    expect(await trials('microsoft', parts)).toEqual({
      synthesis: fails('The address cannot be reached.'),
      recognition: fails('The address cannot be reached.'),
    })
    expect(doubles.state.requests).toEqual([])
  })
})
