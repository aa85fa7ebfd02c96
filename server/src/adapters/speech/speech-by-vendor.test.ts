import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { manyVoicesCount, sampleAudio } from '../../../test/doubles/speech-double'
import {
  startSpeechVendors,
  vendors,
  withWrongSecrets,
  type VendorBehavior,
} from '../../../test/doubles/speech-vendors'
import { applicationChangesSchema } from '@trunkline/contract/shapes/application'
import { catalogueSchema } from '@trunkline/contract/shapes/speech-catalogue'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { dropUnstorable } from '@trunkline/contract/speech/storable-catalogue'
import { vendors as vendorDescriptions } from '@trunkline/contract/speech/vendors/all'
import type { Speech } from '../../ports/speech'
import { createSpeech } from './speech-by-vendor'
import { loadKnownCatalogue } from './known-catalogue'

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

const implementedVendors = vendorDescriptions
  .filter(({ vendor }) => vendor in vendors)
  .map((vendor) => [vendor.vendor, vendor] as const)

/** Lists all choices from a catalogue, each with the column of applications that stores it. */
const listCatalogueChoices = ({ tts = [], stt = [], models = [] }: Catalogue): [string, string][] => [
  ...tts.map(({ value }): [string, string] => ['speech_synthesis_language', value]),
  ...[...tts.flatMap(({ voices }) => voices), ...models].map(({ value }): [string, string] => [
    'speech_synthesis_voice',
    value,
  ]),
  ...stt.map(({ value }): [string, string] => ['speech_recognizer_language', value]),
]

describe('the catalogue of a vendor', () => {
  const fetchCatalogue = (vendor: string) =>
    speech.fetchCatalogue(vendor, { ownerSid, vendor, fields: vendors[vendor]!.credential })

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
          // Google returns no names, so the built-in one is used.
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
    expect(await fetchCatalogue(vendor)).toMatchObject(catalogue)
  })

  it('may contain hundreds of voices and is requested once', async () => {
    const { tts, stt } = await fetchCatalogue('microsoft')
    expect(tts).toHaveLength(1)
    expect(tts![0]).toMatchObject({ value: 'en-US', name: 'English (United States)' })
    expect(tts![0]!.voices).toHaveLength(manyVoicesCount)
    expect(tts![0]!.voices[1]).toEqual({ value: 'en-US-Voice1Neural', name: 'Voice 1 (Male)' })
    // Lists that the vendor does not return come from the built-in catalogue.
    expect(stt!.length).toBeGreaterThan(100)
    await fetchCatalogue('microsoft')
    expect(doubles.state.requests).toHaveLength(1)
  })

  it('depends on the model of the credential', async () => {
    const fields = { ...vendors.deepgram!.credential, model_id: 'nova-3-medical' }
    expect((await speech.fetchCatalogue('deepgram', { ownerSid, vendor: 'deepgram', fields })).stt).toEqual([
      { value: 'en', name: 'English' },
    ])
    for (const model_id of [undefined, 'constructor']) {
      const credential = { ownerSid, vendor: 'rimelabs', fields: { ...vendors.rimelabs!.credential, model_id } }
      expect((await speech.fetchCatalogue('rimelabs', credential)).tts).toMatchObject([
        { voices: [{ value: 'amber' }] },
      ])
    }
  })

  it.each<[string, string, string[]]>([
    ['cartesia', 'sonic-english', ['en']],
    ['cartesia', 'sonic-turbo', ['en', 'de']],
    ['cartesia', 'sonic-3', ['en', 'de', 'ar']],
    ['playht', 'PlayHT2.0', ['en-US']],
  ])('of %s contains the languages of %s', async (vendor, model, languages) => {
    const fields = { ...vendors[vendor]!.credential, model_id: model, voice_engine: model }
    const { tts } = await speech.fetchCatalogue(vendor, { ownerSid, vendor, fields })
    expect(tts!.map(({ value }) => value)).toEqual(languages)
  })

  it("of PlayHT's third generation has all voices in all languages", async () => {
    const { tts } = await fetchCatalogue('playht')
    expect(tts).toHaveLength(37)
    expect(tts!.find(({ value }) => value === 'german')).toMatchObject({
      name: 'German',
      voices: [{ value: 's3://susan' }, { value: 's3://mine' }],
    })
  })

  it('depends on the engine of the credential, even if the vendor does not respond', async () => {
    const fetchRecognitionLanguages = async (engine_version?: string) =>
      (
        await speech.fetchCatalogue('verbio', {
          ownerSid,
          vendor: 'verbio',
          fields: { ...vendors.verbio!.credential, engine_version },
        })
      ).stt
    const firstEngineLanguages = [{ value: 'en-US' }, { value: 'es' }, { value: 'pt-BR' }]
    expect(await fetchRecognitionLanguages('V1')).toMatchObject(firstEngineLanguages)
    expect(await fetchRecognitionLanguages('V2')).toHaveLength(12)
    expect((await speech.fetchCatalogue('verbio')).stt).toHaveLength(12)
    doubles.state.behavior = 'serverError'
    expect(await fetchRecognitionLanguages('V1')).toMatchObject(firstEngineLanguages)
  })

  it('falls back to the built-in catalogue, or fails without one', async () => {
    doubles.state.behavior = 'serverError'
    for (const vendor of ['google', 'aws', 'ibm', 'resemble', 'verbio', 'soniox'])
      expect(await fetchCatalogue(vendor)).toEqual(await loadKnownCatalogue(vendor, vendors[vendor]!.credential))
    for (const vendor of ['microsoft', 'elevenlabs', 'playht', 'rimelabs', 'inworld', 'cartesia'])
      await expect(fetchCatalogue(vendor)).rejects.toThrow(
        'The vendor has an internal error (status 503). Try again later.',
      )
    await expect(fetchCatalogue('deepgram')).rejects.toThrow('failed to list voices')
    doubles.state.behavior = 'normal'
    // Errors are not cached.
    expect((await fetchCatalogue('inworld')).tts).toHaveLength(1)
  })

  /** Lists all values of a catalogue. */
  const listValues = ({ tts = [], stt = [], models = [], sttModels = [] }: Catalogue) => [
    ...tts.flatMap(({ value, voices }) => voices.map((voice) => `${value} ${voice.value}`)),
    ...[...stt, ...models, ...sttModels].map(({ value }) => value),
  ]
  const vendorsWithLists = implementedVendors.filter(([, { listSource }]) => listSource)

  it.each(vendorsWithLists)('of %s drops invalid rows', async (vendor) => {
    const validValues = listValues(await fetchCatalogue(vendor))
    speech = createSpeech({ allowPrivateTargets: true, rewriteUrl: doubles.redirectUrl })
    doubles.state.behavior = 'malformedRows'
    const result = await fetchCatalogue(vendor)
    expect(catalogueSchema.safeParse(result).error).toBeUndefined()
    expect(listValues(result)).toEqual(expect.arrayContaining(validValues))
    expect(listValues(result).filter((value) => /undefined|null|object|^ | $|^$/.test(value))).toEqual([])
  })

  it.each(vendorsWithLists)('of %s is not cached if the response has no list', async (vendor, { listSource }) => {
    const fetchOrError = () => fetchCatalogue(vendor).catch((error: unknown) => error)
    for (const behavior of ['emptyObject', 'htmlPage'] as const) {
      doubles.state.behavior = behavior
      const result = await fetchOrError()
      if (listSource?.onFailure === 'table')
        expect(result).toEqual(dropUnstorable((await loadKnownCatalogue(vendor, vendors[vendor]!.credential))!))
      else expect(result).toMatchObject({ message: 'The vendor sent an unexpected response.' })
    }
    doubles.state.behavior = 'normal'
    const catalogue = await fetchCatalogue(vendor)
    speech = createSpeech({ allowPrivateTargets: true, rewriteUrl: doubles.redirectUrl })
    expect(catalogue).toEqual(await fetchCatalogue(vendor))
  })

  it.each(vendorDescriptions.map(({ vendor }) => vendor))('of %s fits into the application columns', async (vendor) => {
    const result = await speech.fetchCatalogue(vendor, null).catch(() => ({}))
    for (const [column, value] of listCatalogueChoices(result)) {
      const { success } = applicationChangesSchema.safeParse({ [column]: value })
      expect([column, value, success]).toEqual([column, value, true])
    }
  })

  it.each(['custom:mine', 'deepgramflux', 'constructor'])('is unknown for %s', async (vendor) => {
    await expect(speech.fetchCatalogue(vendor)).rejects.toThrow(`Invalid vendor ${vendor}`)
  })
})

describe('speech synthesis', () => {
  const speechRequest = { text: 'Good day.', language: 'en-US', voice: '21m00Tcm4TlvDq8ikWAM' }
  const synthesizingVendors = implementedVendors.filter(([, { synthesis }]) => synthesis && !synthesis.hasNoPreview)

  it.each(synthesizingVendors)('returns the audio of %s', async (vendor) => {
    expect(speech.canSynthesize(vendor)).toBe(true)
    const { credential: fields } = vendors[vendor]!
    const voice = vendor === 'wellsaid' ? '3' : speechRequest.voice
    const { type, bytes } = await speech.synthesize({ ownerSid, vendor, fields }, { ...speechRequest, voice })
    // Raw samples get a WAV header, so that browsers can play them.
    if (type === 'audio/wav') expect(bytes.subarray(0, 44).toString('latin1')).toMatch(/^RIFF.{4}WAVEfmt .+data.{4}$/s)
    expect(bytes.subarray(-sampleAudio.length)).toEqual(sampleAudio)
    await expect(
      speech.synthesize({ ownerSid, vendor, fields: withWrongSecrets(fields) }, speechRequest),
    ).rejects.toThrow(/refused|invalid api_key/)
  })

  it('retries an AWS voice without the neural engine', async () => {
    const credential = { ownerSid, vendor: 'aws', fields: vendors.aws!.credential }
    expect(
      (await speech.synthesize(credential, { ...speechRequest, voice: 'Aditi', language: 'hi-IN' })).bytes,
    ).toEqual(sampleAudio)
    expect(doubles.state.requests).toHaveLength(2)
  })

  it('uses the chosen language of a multilingual voice', async () => {
    const credential = { ownerSid, vendor: 'playht', fields: vendors.playht!.credential }
    const germanRequest = { ...speechRequest, text: 'Guten Tag.', language: 'german' }
    expect((await speech.synthesize(credential, germanRequest)).bytes).toEqual(sampleAudio)
  })

  it.each<[string, VendorBehavior, string, object]>([
    ['does not know the token', 'normal', 'The vendor refused the credential: Who are you?', { auth_token: 'other' }],
    ['no longer accepts the token', 'expiredCredential', 'The vendor refused the credential: Who are you?', {}],
    ['has an internal error', 'serverError', 'The vendor has an internal error (status 503). Try again later.', {}],
    ['responds with an HTML page', 'htmlPage', 'The vendor sent a response without audio.', {}],
    ['does not respond', 'noResponse', 'The vendor did not respond in time. Try again later.', {}],
  ])("fails if a customer's server %s", async (_, behavior, expectedMessage, overrides) => {
    doubles.state.behavior = behavior
    speech = createSpeech({
      allowPrivateTargets: true,
      rewriteUrl: doubles.redirectUrl,
      timeoutMs: behavior === 'noResponse' ? 50 : undefined,
    })
    const credential = {
      ownerSid,
      vendor: 'custom:mill',
      fields: { ...vendors['custom:mill']!.credential, ...overrides },
    }
    await expect(speech.synthesize(credential, speechRequest)).rejects.toThrow(expectedMessage)
  })

  it("uses a customer's server, unless it only streams", async () => {
    const synthesize = (fields: object) =>
      speech.synthesize({ ownerSid, vendor: 'custom:mill', fields: { ...fields } }, speechRequest)
    expect((await synthesize(vendors['custom:mill']!.credential)).bytes).toEqual(sampleAudio)
    await expect(synthesize({ custom_tts_streaming_url: 'wss://mill.example.com' })).rejects.toThrow(
      'This speech service has only a streaming URL, so its voices cannot be played in a browser.',
    )
    await expect(synthesize({ custom_tts_url: 'http://127.0.0.1:1/' })).rejects.toThrow('The connection failed.')
  })

  it('is offered for a vendor if its description says so', async () => {
    for (const { vendor, synthesis, isNamedByInstallation } of vendorDescriptions.filter((item) => item.synthesis))
      expect([vendor, speech.canSynthesize(isNamedByInstallation ? 'custom:mine' : vendor)]).toEqual([
        vendor,
        synthesis?.hasNoPreview !== true,
      ])
    await expect(speech.synthesize({ ownerSid, vendor: 'nvidia', fields: {} }, speechRequest)).rejects.toThrow(
      'This server cannot play voices of Nvidia.',
    )
  })
})
