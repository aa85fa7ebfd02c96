import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { manyVoices, sampleAudio } from '../../../test/doubles/speech-double'
import { startSpeechVendors, vendors, wrongKey, type VendorBehavior } from '../../../test/doubles/speech-vendors'
import { update } from '@trunkline/contract/shapes/application'
import { catalogue } from '@trunkline/contract/shapes/speech-catalogue'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { dropUnstorable } from '@trunkline/contract/speech/storable-catalogue'
import { vendors as described } from '@trunkline/contract/speech/vendors/all'
import type { Speech } from '../../ports/speech'
import { speechByVendor } from './speech-by-vendor'
import { knownCatalogue } from './known-catalogue'

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

const known = described.filter(({ vendor }) => vendor in vendors).map((vendor) => [vendor.vendor, vendor] as const)

/** The application columns that store choices from a catalogue. */
const choices = ({ tts = [], stt = [], models = [] }: Catalogue): [string, string][] => [
  ...tts.map(({ value }): [string, string] => ['speech_synthesis_language', value]),
  ...[...tts.flatMap(({ voices }) => voices), ...models].map(({ value }): [string, string] => [
    'speech_synthesis_voice',
    value,
  ]),
  ...stt.map(({ value }): [string, string] => ['speech_recognizer_language', value]),
]

describe('the catalogue of a vendor', () => {
  const listed = (vendor: string) => speech.catalogue(vendor, { owner, vendor, fields: vendors[vendor]!.key })

  it.each<[string, object]>([
    [
      'google',
      {
        tts: [
          {
            value: 'de-DE',
            name: 'German (Germany)',
            voices: [{ value: 'de-DE-Neural2-A', name: 'de-DE-Neural2-A (FEMALE)' }],
          },
          { value: 'en-US' },
          // Google returns no names, so the built-in one is used
          { value: 'cmn-CN', name: 'Chinese (Mandarin)' },
        ],
      },
    ],
    [
      'aws',
      {
        tts: [
          { value: 'en-US', voices: [{ value: 'Joanna', name: 'Joanna (Female)' }] },
          { value: 'en-IN' },
          { value: 'hi-IN', voices: [{ value: 'Aditi' }] },
        ],
      },
    ],
    [
      'deepgram',
      {
        stt: [{ value: 'de', name: 'German' }, { value: 'en' }],
        models: [{ value: 'aura-2-thalia-en' }],
        sttModels: [{ value: 'nova-3-general' }, { value: 'nova-3-medical' }],
      },
    ],
    [
      'ibm',
      {
        tts: [{ value: 'de-DE', voices: [{ value: 'de-DE_BirgitV3Voice', name: '(female) Birgit' }] }],
        stt: [{ value: 'en-GB' }],
      },
    ],
    [
      'elevenlabs',
      {
        tts: [
          { value: 'en', voices: [{ name: 'Rachel (premade) - (american, young, female)' }] },
          { value: 'de', name: 'German' },
        ],
      },
    ],
    [
      'rimelabs',
      {
        tts: [
          { value: 'eng', name: 'English', voices: [{ value: 'cove', name: 'Cove' }, { value: 'lagoon' }] },
          { value: 'spa' },
        ],
      },
    ],
    ['inworld', { tts: [{ value: 'en', voices: [{ value: 'Ashley' }] }] }],
    ['resemble', { tts: [{ value: 'en-US', voices: [{ value: 'v1' }, { value: 'v2' }] }] }],
    [
      'cartesia',
      {
        tts: [{ value: 'en', voices: [{ value: 'c1', name: 'Barbara' }] }, { value: 'de' }],
        stt: [{ value: 'en' }, { value: 'de' }],
      },
    ],
    ['verbio', { tts: [{ value: 'en-US', voices: [{ value: 'tommy_en-us' }] }] }],
    ['soniox', { stt: [{ value: 'en' }, { value: 'de' }] }],
  ])('of %s comes from the vendor', async (vendor, catalogue) => {
    expect(await listed(vendor)).toMatchObject(catalogue)
  })

  it('may be long and is requested once', async () => {
    const { tts, stt } = await listed('microsoft')
    expect(tts).toHaveLength(1)
    expect(tts![0]).toMatchObject({ value: 'en-US', name: 'English (United States)' })
    expect(tts![0]!.voices).toHaveLength(manyVoices)
    expect(tts![0]!.voices[1]).toEqual({ value: 'en-US-Voice1Neural', name: 'Voice 1 (Male)' })
    // missing lists come from the built-in catalogue
    expect(stt!.length).toBeGreaterThan(100)
    await listed('microsoft')
    expect(doubles.state.requests).toHaveLength(1)
  })

  it('depends on the model of the credential', async () => {
    const parts = { ...vendors.deepgram!.key, model_id: 'nova-3-medical' }
    expect((await speech.catalogue('deepgram', { owner, vendor: 'deepgram', fields: parts })).stt).toEqual([
      { value: 'en', name: 'English' },
    ])
    expect((await speech.catalogue('rimelabs')).tts).toMatchObject([{ voices: [{ value: 'amber' }] }])
  })

  it.each<[string, string, string[]]>([
    ['cartesia', 'sonic-english', ['en']],
    ['cartesia', 'sonic-turbo', ['en', 'de']],
    ['cartesia', 'sonic-3', ['en', 'de', 'ar']],
    ['playht', 'PlayHT2.0', ['en-US']],
  ])('of %s contains the languages of %s', async (vendor, model, languages) => {
    const parts = { ...vendors[vendor]!.key, model_id: model, voice_engine: model }
    const { tts } = await speech.catalogue(vendor, { owner, vendor, fields: parts })
    expect(tts!.map(({ value }) => value)).toEqual(languages)
  })

  it('of PlayHT’s third generation has all voices in all languages', async () => {
    const { tts } = await listed('playht')
    expect(tts).toHaveLength(37)
    expect(tts!.find(({ value }) => value === 'german')).toMatchObject({
      name: 'German',
      voices: [{ value: 's3://susan' }, { value: 's3://mine' }],
    })
  })

  it('depends on the engine of the credential, even if the vendor does not respond', async () => {
    const transcribe = async (engine_version?: string) =>
      (
        await speech.catalogue('verbio', {
          owner,
          vendor: 'verbio',
          fields: { ...vendors.verbio!.key, engine_version },
        })
      ).stt
    const first = [{ value: 'en-US' }, { value: 'es' }, { value: 'pt-BR' }]
    expect(await transcribe('V1')).toMatchObject(first)
    expect(await transcribe('V2')).toHaveLength(12)
    expect((await speech.catalogue('verbio')).stt).toHaveLength(12)
    doubles.state.behavior = 'broken'
    expect(await transcribe('V1')).toMatchObject(first)
  })

  it('falls back to the built-in catalogue, or fails without one', async () => {
    doubles.state.behavior = 'broken'
    for (const vendor of ['google', 'aws', 'ibm', 'resemble', 'verbio', 'soniox'])
      expect(await listed(vendor)).toEqual(await knownCatalogue(vendor, vendors[vendor]!.key))
    for (const vendor of ['microsoft', 'elevenlabs', 'playht', 'rimelabs', 'inworld', 'cartesia'])
      await expect(listed(vendor)).rejects.toThrow('The vendor has an internal error (status 503). Try again later.')
    await expect(listed('deepgram')).rejects.toThrow('failed to list voices')
    doubles.state.behavior = 'fine'
    // errors are not cached
    expect((await listed('inworld')).tts).toHaveLength(1)
  })

  /** All values of a catalogue. */
  const withName = ({ tts = [], stt = [], models = [], sttModels = [] }: Catalogue) => [
    ...tts.flatMap(({ value, voices }) => voices.map((voice) => `${value} ${voice.value}`)),
    ...[...stt, ...models, ...sttModels].map(({ value }) => value),
  ]
  const listing = known.filter(([, { listSource }]) => listSource)

  it.each(listing)('of %s drops invalid rows', async (vendor) => {
    const success = withName(await listed(vendor))
    speech = speechByVendor({ privateTargets: true, resolveUrl: doubles.at })
    doubles.state.behavior = 'hail'
    const result = await listed(vendor)
    expect(catalogue.safeParse(result).error).toBeUndefined()
    expect(withName(result)).toEqual(expect.arrayContaining(success))
    expect(withName(result).filter((value) => /undefined|null|object|^ | $|^$/.test(value))).toEqual([])
  })

  it.each(listing)('of %s is not cached if the response has none', async (vendor, { listSource }) => {
    const ask = () => listed(vendor).catch((error: unknown) => error)
    for (const weather of ['hollow', 'garbage'] as const) {
      doubles.state.behavior = weather
      const answered = await ask()
      if (listSource?.onFailure === 'table')
        expect(answered).toEqual(dropUnstorable((await knownCatalogue(vendor, vendors[vendor]!.key))!))
      else expect(answered).toMatchObject({ message: 'The vendor sent an unexpected response.' })
    }
    doubles.state.behavior = 'fine'
    const fine = await listed(vendor)
    speech = speechByVendor({ privateTargets: true, resolveUrl: doubles.at })
    expect(fine).toEqual(await listed(vendor))
  })

  it.each(described.map(({ vendor }) => vendor))('of %s fits into the application columns', async (vendor) => {
    const result = await speech.catalogue(vendor, null).catch(() => ({}))
    for (const [column, value] of choices(result)) {
      const fits = update.safeParse({ [column]: value })
      expect([column, value, fits.success]).toEqual([column, value, true])
    }
  })

  it.each(['custom:mine', 'deepgramflux', 'constructor'])('is unknown for %s', async (vendor) => {
    await expect(speech.catalogue(vendor)).rejects.toThrow(`Invalid vendor ${vendor}`)
  })
})

describe('speech can be synthesised', () => {
  const saying = { text: 'Good day.', language: 'en-US', voice: '21m00Tcm4TlvDq8ikWAM' }
  const synthesizingVendors = known.filter(([, { synthesis }]) => synthesis && !synthesis.hasNoPreview)

  it.each(synthesizingVendors)('of %s', async (vendor) => {
    expect(speech.canSpeak(vendor)).toBe(true)
    const { key: parts } = vendors[vendor]!
    const voice = vendor === 'wellsaid' ? '3' : saying.voice
    const { type, bytes } = await speech.synthesize({ owner, vendor, fields: parts }, { ...saying, voice })
    // raw samples get a WAV header, so that browsers can play them
    if (type === 'audio/wav') expect(bytes.subarray(0, 44).toString('latin1')).toMatch(/^RIFF.{4}WAVEfmt .+data.{4}$/s)
    expect(bytes.subarray(-sampleAudio.length)).toEqual(sampleAudio)
    await expect(speech.synthesize({ owner, vendor, fields: wrongKey(parts) }, saying)).rejects.toThrow(
      /refused|invalid api_key/,
    )
  })

  it('with an AWS voice of the standard engine only', async () => {
    const key = { owner, vendor: 'aws', fields: vendors.aws!.key }
    expect((await speech.synthesize(key, { ...saying, voice: 'Aditi', language: 'hi-IN' })).bytes).toEqual(sampleAudio)
    expect(doubles.state.requests).toHaveLength(2)
  })

  it('in the chosen language with a multilingual voice', async () => {
    const key = { owner, vendor: 'playht', fields: vendors.playht!.key }
    const german = { ...saying, text: 'Guten Tag.', language: 'german' }
    expect((await speech.synthesize(key, german)).bytes).toEqual(sampleAudio)
  })

  it.each<[string, VendorBehavior, string, object]>([
    [
      'that does not know the token',
      'fine',
      'The vendor refused the credential: Who are you?',
      { auth_token: 'other' },
    ],
    ['that no longer accepts the token', 'expired', 'The vendor refused the credential: Who are you?', {}],
    ['with an internal error', 'broken', 'The vendor has an internal error (status 503). Try again later.', {}],
    ['that responds with an HTML page', 'garbage', 'The vendor sent a response without audio.', {}],
    ['that does not respond', 'silent', 'The vendor did not respond in time. Try again later.', {}],
  ])("not by a customer's server %s", async (_, weather, reads, overrides) => {
    doubles.state.behavior = weather
    speech = speechByVendor({
      privateTargets: true,
      resolveUrl: doubles.at,
      timeoutMs: weather === 'silent' ? 50 : undefined,
    })
    const key = { owner, vendor: 'custom:mill', fields: { ...vendors['custom:mill']!.key, ...overrides } }
    await expect(speech.synthesize(key, saying)).rejects.toThrow(reads)
  })

  it("by a customer's server, unless it only streams", async () => {
    const say = (parts: object) => speech.synthesize({ owner, vendor: 'custom:mill', fields: { ...parts } }, saying)
    expect((await say(vendors['custom:mill']!.key)).bytes).toEqual(sampleAudio)
    await expect(say({ custom_tts_streaming_url: 'wss://mill.example.com' })).rejects.toThrow(
      'This service only has a streaming address, so it cannot be played in a browser.',
    )
    await expect(say({ custom_tts_url: 'http://127.0.0.1:1/' })).rejects.toThrow('The connection was refused.')
  })

  it("exactly if the vendor's description says so", async () => {
    for (const { vendor, synthesis, isNamedByInstallation: withName } of described.filter((item) => item.synthesis))
      expect([vendor, speech.canSpeak(withName ? 'custom:mine' : vendor)]).toEqual([
        vendor,
        synthesis?.hasNoPreview !== true,
      ])
    await expect(speech.synthesize({ owner, vendor: 'nvidia', fields: {} }, saying)).rejects.toThrow(
      'This server cannot play voices of Nvidia.',
    )
  })
})
