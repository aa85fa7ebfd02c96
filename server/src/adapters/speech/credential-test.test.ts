import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startSpeechVendors, vendors, withWrongSecrets } from '../../../test/doubles/speech-vendors'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { vendors as vendorDescriptions } from '@trunkline/contract/speech/vendors/all'
import type { Speech, TestResult } from '../../ports/speech'
import { createSpeech } from './speech-by-vendor'

let doubles: Awaited<ReturnType<typeof startSpeechVendors>>
let speech: Speech
beforeAll(async () => {
  doubles = await startSpeechVendors()
})
beforeEach(() => {
  doubles.state.behavior = 'normal'
  doubles.state.requests = []
  speech = createSpeech({ allowPrivateTargets: true, rewriteUrl: doubles.redirectUrl })
})
afterAll(() => doubles.stop())

/** The owner of the credentials. */
const ownerSid = 'acme'

const testBoth = async (vendor: string, fields: Record<string, unknown>) => {
  const credential = { ownerSid, vendor, fields }
  const [synthesis, recognition] = await Promise.all([
    speech.testSynthesis(credential),
    speech.testRecognition(credential),
  ])
  return { synthesis, recognition }
}

const ok: TestResult = { status: 'ok' }
const untested: TestResult = { status: 'not tested' }
const failWith = (reason: string): TestResult => ({ status: 'fail', reason })

/** Returns this result for each direction that the vendor has, and 'not tested' for the others. */
const expectedResults = ({ synthesis, recognition }: Vendor, result: TestResult) => ({
  synthesis: synthesis ? result : untested,
  recognition: recognition ? result : untested,
})

const testedVendors = vendorDescriptions
  .filter(({ vendor }) => vendor in vendors)
  .map((vendor) => [vendor.vendor, vendor] as const)
const untestedVendors = vendorDescriptions.filter(({ vendor }) => !(vendor in vendors))

describe('testing a credential at its vendor', () => {
  it.each(testedVendors)('%s accepts a valid key and rejects a wrong one', async (vendor, description) => {
    const { credential, messageToUser } = vendors[vendor]!
    expect(await testBoth(vendor, credential)).toEqual(expectedResults(description, ok))
    expect(await testBoth(vendor, withWrongSecrets(credential))).toEqual(
      expectedResults(description, failWith(messageToUser)),
    )
  })

  it.each(testedVendors)('%s rejects an expired key', async (vendor, description) => {
    doubles.state.behavior = 'expiredCredential'
    const { credential, messageToUser, expiredRefusal } = vendors[vendor]!
    expect(await testBoth(vendor, credential)).toEqual(
      expectedResults(description, failWith(expiredRefusal?.messageToUser ?? messageToUser)),
    )
  })

  it.each(testedVendors)('%s may have an internal error', async (vendor, description) => {
    doubles.state.behavior = 'serverError'
    const serverError = failWith('The vendor has an internal error (status 503). Try again later.')
    expect(await testBoth(vendor, vendors[vendor]!.credential)).toEqual(expectedResults(description, serverError))
  })

  it.each(testedVendors)('%s may not respond in time', async (vendor, description) => {
    doubles.state.behavior = 'noResponse'
    speech = createSpeech({ allowPrivateTargets: true, rewriteUrl: doubles.redirectUrl, timeoutMs: 50 })
    const timeout = failWith('The vendor did not respond in time. Try again later.')
    expect(await testBoth(vendor, vendors[vendor]!.credential)).toEqual(expectedResults(description, timeout))
  })

  it.each(testedVendors)('%s may be replaced by a server with other responses', async (vendor, description) => {
    doubles.state.behavior = 'htmlPage'
    const unexpected = {
      status: 'fail',
      reason: expect.stringMatching(/^The vendor sent (an unexpected response|a response without audio)\.$/),
    }
    expect(await testBoth(vendor, vendors[vendor]!.credential)).toEqual(
      expectedResults(description, unexpected as TestResult),
    )
  })

  const elevenLabsPath = '/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM'
  const containerUrls = {
    custom_tts_endpoint_url: 'http://tts.example.com:5000/cognitiveservices/v1',
    custom_stt_endpoint_url: 'ws://asr.example.com:5000',
  }
  const recognitionPath = '/speech/recognition/conversation/cognitiveservices/v1?language=en-US'
  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'microsoft',
      { region: '', ...containerUrls },
      [`http://asr.example.com:5000${recognitionPath}`, 'http://tts.example.com:5000/cognitiveservices/v1'],
    ],
    [
      'microsoft',
      { use_custom_stt: 1, custom_stt_endpoint: 'ours' },
      [
        `https://westeurope.stt.speech.microsoft.com${recognitionPath}&cid=ours`,
        'https://westeurope.tts.speech.microsoft.com/cognitiveservices/v1',
      ],
    ],
    // The name of a deployed voice is unknown, so only the key is tested.
    [
      'microsoft',
      { use_custom_tts: 1, custom_tts_endpoint: 'ours' },
      [
        `https://westeurope.stt.speech.microsoft.com${recognitionPath}`,
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
    // A container uses HTTP by default. Recognition is tested at Deepgram's own servers if there is a key.
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
    [
      'elevenlabs',
      { api_uri: 'api.eu.residency.elevenlabs.io' },
      [`https://api.eu.residency.elevenlabs.io${elevenLabsPath}`],
    ],
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
  ])('%s with %j uses the right URLs', async (vendor, fields, expectedUrls) => {
    const requestedUrls: string[] = []
    const recordUrl = (url: URL) => {
      requestedUrls.push(url.href)
      return doubles.redirectUrl(url)
    }
    speech = createSpeech({ allowPrivateTargets: true, rewriteUrl: recordUrl })
    const description = vendorDescriptions.find((item) => item.vendor === vendor)!
    expect(await testBoth(vendor, { ...vendors[vendor]!.credential, ...fields })).toEqual(
      expectedResults(description, ok),
    )
    expect(requestedUrls.toSorted()).toEqual(expectedUrls)
  })

  it.each<[string, Record<string, unknown>]>([
    // Vendors without an implementation on this server.
    ...untestedVendors.map(({ vendor, fields }): [string, Record<string, unknown>] => [
      vendor,
      Object.fromEntries(fields.map(({ name }) => [name, '127.0.0.1:1'])),
    ]),
    // A custom vendor has no test, whatever its tokens.
    ['custom:mill', vendors['custom:mill']!.credential],
    ['custom:mill', withWrongSecrets(vendors['custom:mill']!.credential)],
    ['an unknown vendor', {}],
    ['nuance', { nuance_tts_uri: '127.0.0.1:1', nuance_stt_uri: '127.0.0.1:1' }],
    ['speechmatics', { api_key: 'x', speechmatics_stt_uri: 'speech.example.com' }],
    ['houndify', { client_id: 'x', client_key: 'y', houndify_server_uri: 'wss://hound.example.com' }],
  ])('%s is not tested', async (vendor, fields) => {
    expect(await testBoth(vendor, fields)).toEqual({ synthesis: untested, recognition: untested })
    expect(doubles.state.requests).toEqual([])
  })

  it('is not implemented for Nvidia, Cobalt and custom vendors', () => {
    expect(untestedVendors.map(({ vendor }) => vendor)).toEqual(expect.arrayContaining(['nvidia', 'cobalt', 'custom']))
  })

  it.each<[string, Record<string, unknown>]>([
    ['google', { service_key: JSON.stringify({ client_email: 'a@b', private_key: 'no key' }) }],
    ['google', {}],
  ])('%s needs a key file', async (vendor, fields) => {
    expect(await testBoth(vendor, fields)).toMatchObject({
      synthesis: failWith('uploaded file is not a google service key'),
      recognition: failWith('uploaded file is not a google service key'),
    })
  })

  it('reports an invalid address', async () => {
    const testAt = (address: string) =>
      speech.testSynthesis({ ownerSid, vendor: 'deepgram', fields: { deepgram_tts_uri: address } })
    expect(await testAt('http://127.0.0.1:1')).toEqual(failWith('The connection failed.'))
    expect(await testAt('ftp://example.com')).toEqual(failWith('The address is not valid.'))
  })

  it('refuses private networks unless they are allowed', async () => {
    const publicOnlySpeech = createSpeech({ allowPrivateTargets: false })
    for (const deepgram_tts_uri of ['http://127.0.0.1:1', 'http://[::1]', 'http://169.254.169.254', 'http://localhost'])
      expect(
        await publicOnlySpeech.testSynthesis({ ownerSid, vendor: 'deepgram', fields: { deepgram_tts_uri } }),
      ).toEqual(failWith('The address is in a private network, which this server is not allowed to reach.'))
    // A metadata service is refused even if private networks are allowed.
    const fields = { deepgram_tts_uri: 'http://169.254.169.254' }
    const privateAllowedSpeech = createSpeech({ allowPrivateTargets: true })
    expect(await privateAllowedSpeech.testSynthesis({ ownerSid, vendor: 'deepgram', fields })).toEqual(
      failWith('The address is in a private network, which this server is not allowed to reach.'),
    )
  })

  it('refuses a region that would change the host', async () => {
    const fields = { api_key: 'azure-key', region: 'evil.example.com/?' }
    expect(await testBoth('microsoft', fields)).toEqual({
      synthesis: failWith('The address is not valid.'),
      recognition: failWith('The address is not valid.'),
    })
    expect(doubles.state.requests).toEqual([])
  })
})
