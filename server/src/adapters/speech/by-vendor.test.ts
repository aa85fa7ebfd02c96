import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { manyVoices, sound } from '../../../test/doubles/speech-double'
import { startSpeechVendors, vendors, wrongKey, type Weather } from '../../../test/doubles/speech-vendors'
import { update } from '@trunkline/contract/shapes/application'
import { catalogue } from '@trunkline/contract/shapes/speech-catalogue'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { dropUnstorable } from '@trunkline/contract/speech/storable'
import { vendors as described } from '@trunkline/contract/speech/vendors/all'
import type { Speech } from '../../ports/speech'
import { speechByVendor } from './by-vendor'
import { knownLists } from './lists'

let doubles: Awaited<ReturnType<typeof startSpeechVendors>>
let speech: Speech
beforeAll(async () => {
  doubles = await startSpeechVendors()
})
beforeEach(() => {
  doubles.state.weather = 'fine'
  doubles.state.asked = []
  speech = speechByVendor({ privateTargets: true, at: doubles.at })
})
afterAll(() => doubles.stop())

/** Whose the credentials are. */
const owner = 'acme'

const known = described.filter(({ vendor }) => vendor in vendors).map((vendor) => [vendor.vendor, vendor] as const)

/** The columns of an application that a choice from a catalogue is for. */
const choices = ({ tts = [], stt = [], models = [] }: Catalogue): [string, string][] => [
  ...tts.map(({ value }): [string, string] => ['speech_synthesis_language', value]),
  ...[...tts.flatMap(({ voices }) => voices), ...models].map(({ value }): [string, string] => [
    'speech_synthesis_voice',
    value,
  ]),
  ...stt.map(({ value }): [string, string] => ['speech_recognizer_language', value]),
]

describe('the lists of a vendor', () => {
  const listed = (vendor: string) => speech.catalogue(vendor, { owner, vendor, parts: vendors[vendor]!.key })

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
          // Google says no names: this one is as in the table
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
  ])('%s come from itself', async (vendor, catalogue) => {
    expect(await listed(vendor)).toMatchObject(catalogue)
  })

  it('may be long, and are asked for once', async () => {
    const { tts, stt } = await listed('microsoft')
    expect(tts).toHaveLength(1)
    expect(tts![0]).toMatchObject({ value: 'en-US', name: 'English (United States)' })
    expect(tts![0]!.voices).toHaveLength(manyVoices)
    expect(tts![0]!.voices[1]).toEqual({ value: 'en-US-Voice1Neural', name: 'Voice 1 (Male)' })
    // what it does not say itself is what everybody knows
    expect(stt!.length).toBeGreaterThan(100)
    await listed('microsoft')
    expect(doubles.state.asked).toHaveLength(1)
  })

  it('follow the model of the credential', async () => {
    const parts = { ...vendors.deepgram!.key, model_id: 'nova-3-medical' }
    expect((await speech.catalogue('deepgram', { owner, vendor: 'deepgram', parts })).stt).toEqual([
      { value: 'en', name: 'English' },
    ])
    expect((await speech.catalogue('rimelabs')).tts).toMatchObject([{ voices: [{ value: 'amber' }] }])
  })

  it.each<[string, string, string[]]>([
    ['cartesia', 'sonic-english', ['en']],
    ['cartesia', 'sonic-turbo', ['en', 'de']],
    ['cartesia', 'sonic-3', ['en', 'de', 'ar']],
    ['playht', 'PlayHT2.0', ['en-US']],
  ])('of %s are those that %s speaks', async (vendor, model, languages) => {
    const parts = { ...vendors[vendor]!.key, model_id: model, voice_engine: model }
    const { tts } = await speech.catalogue(vendor, { owner, vendor, parts })
    expect(tts!.map(({ value }) => value)).toEqual(languages)
  })

  it('of PlayHT’s third generation have all voices in all its languages', async () => {
    const { tts } = await listed('playht')
    expect(tts).toHaveLength(37)
    expect(tts!.find(({ value }) => value === 'german')).toMatchObject({
      name: 'German',
      voices: [{ value: 's3://susan' }, { value: 's3://mine' }],
    })
  })

  it('follow the engine of the credential, whether the vendor answers or not', async () => {
    const heard = async (engine_version?: string) =>
      (await speech.catalogue('verbio', { owner, vendor: 'verbio', parts: { ...vendors.verbio!.key, engine_version } }))
        .stt
    const first = [{ value: 'en-US' }, { value: 'es' }, { value: 'pt-BR' }]
    expect(await heard('V1')).toMatchObject(first)
    expect(await heard('V2')).toHaveLength(12)
    expect((await speech.catalogue('verbio')).stt).toHaveLength(12)
    doubles.state.weather = 'broken'
    expect(await heard('V1')).toMatchObject(first)
  })

  it('are what everybody knows where the vendor fails, or a failure where nobody knows', async () => {
    doubles.state.weather = 'broken'
    for (const vendor of ['google', 'aws', 'ibm', 'resemble', 'verbio', 'soniox'])
      expect(await listed(vendor)).toEqual(await knownLists(vendor, vendors[vendor]!.key))
    for (const vendor of ['microsoft', 'elevenlabs', 'playht', 'rimelabs', 'inworld', 'cartesia'])
      await expect(listed(vendor)).rejects.toThrow('The vendor has a fault of its own (status 503). Try again later.')
    await expect(listed('deepgram')).rejects.toThrow('failed to list voices')
    doubles.state.weather = 'fine'
    // a failure is not kept
    expect((await listed('inworld')).tts).toHaveLength(1)
  })

  /** Every value that a catalogue names. */
  const named = ({ tts = [], stt = [], models = [], sttModels = [] }: Catalogue) => [
    ...tts.flatMap(({ value, voices }) => voices.map((voice) => `${value} ${voice.value}`)),
    ...[...stt, ...models, ...sttModels].map(({ value }) => value),
  ]
  const listing = known.filter(([, { listSource }]) => listSource)

  it.each(listing)('of %s leave out rows that are none', async (vendor) => {
    const fine = named(await listed(vendor))
    speech = speechByVendor({ privateTargets: true, at: doubles.at })
    doubles.state.weather = 'hail'
    const found = await listed(vendor)
    expect(catalogue.safeParse(found).error).toBeUndefined()
    expect(named(found)).toEqual(expect.arrayContaining(fine))
    expect(named(found).filter((value) => /undefined|null|object|^ | $|^$/.test(value))).toEqual([])
  })

  it.each(listing)('of %s are not kept where there are none in its answer', async (vendor, { listSource }) => {
    const ask = () => listed(vendor).catch((error: unknown) => error)
    for (const weather of ['hollow', 'garbage'] as const) {
      doubles.state.weather = weather
      const answered = await ask()
      if (listSource?.onFailure === 'table')
        expect(answered).toEqual(dropUnstorable((await knownLists(vendor, vendors[vendor]!.key))!))
      else expect(answered).toMatchObject({ message: 'The vendor answered, but not as it does.' })
    }
    doubles.state.weather = 'fine'
    const fine = await listed(vendor)
    speech = speechByVendor({ privateTargets: true, at: doubles.at })
    expect(fine).toEqual(await listed(vendor))
  })

  it.each(described.map(({ vendor }) => vendor))('of %s fit where an application keeps a choice', async (vendor) => {
    const found = await speech.catalogue(vendor, null).catch(() => ({}))
    for (const [column, value] of choices(found)) {
      const fits = update.safeParse({ [column]: value })
      expect([column, value, fits.success]).toEqual([column, value, true])
    }
  })

  it.each(['custom:mine', 'deepgramflux', 'constructor'])('are not known for %s', async (vendor) => {
    await expect(speech.catalogue(vendor)).rejects.toThrow(`Invalid vendor ${vendor}`)
  })
})

describe('a voice can be heard', () => {
  const saying = { text: 'Good day.', language: 'en-US', voice: '21m00Tcm4TlvDq8ikWAM' }
  const who = known.filter(([, { synthesis }]) => synthesis && !synthesis.noPreview)

  it.each(who)('of %s', async (vendor) => {
    expect(speech.canSynthesize(vendor)).toBe(true)
    const { key: parts } = vendors[vendor]!
    const voice = vendor === 'wellsaid' ? '3' : saying.voice
    const { type, bytes } = await speech.synthesizeSpeech({ owner, vendor, parts }, { ...saying, voice })
    // samples get the head of a file, or no browser would play them
    if (type === 'audio/wav') expect(bytes.subarray(0, 44).toString('latin1')).toMatch(/^RIFF.{4}WAVEfmt .+data.{4}$/s)
    expect(bytes.subarray(-sound.length)).toEqual(sound)
    await expect(speech.synthesizeSpeech({ owner, vendor, parts: wrongKey(parts) }, saying)).rejects.toThrow(
      /refused|invalid api_key/,
    )
  })

  it('that AWS has in the old way only', async () => {
    const key = { owner, vendor: 'aws', parts: vendors.aws!.key }
    expect((await speech.synthesizeSpeech(key, { ...saying, voice: 'Aditi', language: 'hi-IN' })).bytes).toEqual(sound)
    expect(doubles.state.asked).toHaveLength(2)
  })

  it('in the language that is chosen, of a vendor whose voices speak them all', async () => {
    const key = { owner, vendor: 'playht', parts: vendors.playht!.key }
    const german = { ...saying, text: 'Guten Tag.', language: 'german' }
    expect((await speech.synthesizeSpeech(key, german)).bytes).toEqual(sound)
  })

  it.each<[string, Weather, string, object]>([
    [
      'that does not know the token',
      'fine',
      'The vendor refused the credential: Who are you?',
      { auth_token: 'other' },
    ],
    ['that takes no token any more', 'expired', 'The vendor refused the credential: Who are you?', {}],
    ['with a fault', 'broken', 'The vendor has a fault of its own (status 503). Try again later.', {}],
    ['that answers with a page', 'garbage', 'The vendor answered without sound.', {}],
    ['that does not answer', 'silent', 'The vendor did not answer in time. Try again later.', {}],
  ])('not of a server of one’s own %s', async (_, weather, reads, more) => {
    doubles.state.weather = weather
    speech = speechByVendor({ privateTargets: true, at: doubles.at, timeout: weather === 'silent' ? 50 : undefined })
    const key = { owner, vendor: 'custom:mill', parts: { ...vendors['custom:mill']!.key, ...more } }
    await expect(speech.synthesizeSpeech(key, saying)).rejects.toThrow(reads)
  })

  it('of a server of one’s own, unless that only streams', async () => {
    const say = (parts: object) =>
      speech.synthesizeSpeech({ owner, vendor: 'custom:mill', parts: { ...parts } }, saying)
    expect((await say(vendors['custom:mill']!.key)).bytes).toEqual(sound)
    await expect(say({ custom_tts_streaming_url: 'wss://mill.example.com' })).rejects.toThrow(
      'This service has a streaming address only: it speaks to voice servers, not to a browser.',
    )
    await expect(say({ custom_tts_url: 'http://127.0.0.1:1/' })).rejects.toThrow('The address refuses the connection.')
  })

  it('where its description says so, and nowhere else', async () => {
    for (const { vendor, synthesis, isNamedByInstallation } of described.filter((each) => each.synthesis))
      expect([vendor, speech.canSynthesize(isNamedByInstallation ? 'custom:mine' : vendor)]).toEqual([
        vendor,
        synthesis?.noPreview !== true,
      ])
    await expect(speech.synthesizeSpeech({ owner, vendor: 'nvidia', parts: {} }, saying)).rejects.toThrow(
      'This server cannot let Nvidia speak.',
    )
  })
})
