import { describe, expect, it } from 'vitest'
import type { Catalogue } from './catalogue'
import {
  chooseRecognitionLanguage,
  usesCredential,
  hasCatalogue,
  chooseVoice,
  swapPrimaryAndFallback,
  listVoices,
  type SpeechColumns,
} from './selection'
import { sortVendors, isOffered, getVendorName, listVendors } from './vendors'
import { vendors } from './vendors/all'

const option = (value: string) => ({ value, name: value })
const synthesisCatalogue = (languages: Record<string, string[]>): Catalogue => ({
  tts: Object.entries(languages).map(([value, voices]) => ({ ...option(value), voices: voices.map(option) })),
})
const recognitionCatalogue = (...languages: string[]): Catalogue => ({ stt: languages.map(option) })
const noSelection = { language: '', voice: '' }

describe('the default of a vendor', () => {
  it.each<[string, Catalogue | null, string, string]>([
    [
      'google',
      synthesisCatalogue({ 'de-DE': ['x'], 'en-US': ['en-US-A', 'en-US-Standard-C'] }),
      'en-US',
      'en-US-Standard-C',
    ],
    ['google', null, 'en-US', 'en-US-Standard-C'],
    ['elevenlabs', synthesisCatalogue({ de: ['first', 'second'], en: ['third'] }), 'en', 'third'],
    ['whisper', synthesisCatalogue({ 'en-US': ['alloy', 'echo'] }), 'en-US', 'alloy'],
    ['playht', synthesisCatalogue({ english: ['a'] }), 'english', 'a'],
    ['rimelabs', synthesisCatalogue({ spa: ['b'], eng: ['a'] }), 'eng', 'a'],
    ['microsoft', synthesisCatalogue({ 'fr-FR': ['a'] }), 'fr-FR', 'a'],
    ['microsoft', null, 'en-US', ''],
    [
      'deepgram',
      { ...synthesisCatalogue({ de: ['x'] }), models: [option('aura-1'), option('aura-2')] },
      'en-US',
      'aura-1',
    ],
    ['deepgram', null, 'en-US', ''],
    ['custom:mine', null, '', ''],
  ])('for synthesis with %s', (vendor, catalogue, language, voice) => {
    expect(chooseVoice(vendor, catalogue, noSelection)).toEqual({ language, voice })
  })

  it.each<[string, Catalogue | null, string]>([
    ['google', recognitionCatalogue('de-DE', 'en-US'), 'en-US'],
    ['cobalt', recognitionCatalogue('ru_ru-8khz', 'en_US-8khz'), 'en_US-8khz'],
    ['cobalt', null, 'en_US-8khz'],
    ['voxist', recognitionCatalogue('fr', 'de'), 'fr'],
    ['openai', recognitionCatalogue('af', 'en', 'de'), 'en'],
    ['openai', recognitionCatalogue('af', 'en_gb'), 'en_gb'],
    ['deepgramflux', recognitionCatalogue('de'), 'en-US'],
    ['custom:mine', null, ''],
  ])('for recognition with %s', (vendor, catalogue, language) => {
    expect(chooseRecognitionLanguage(vendor, catalogue, '')).toBe(language)
  })

  it('does not replace a selection that is available', () => {
    const catalogue = synthesisCatalogue({ 'de-DE': ['a', 'b'], 'en-US': ['c'] })
    expect(chooseVoice('aws', catalogue, { language: 'de-DE', voice: 'b' })).toEqual({ language: 'de-DE', voice: 'b' })
    expect(chooseVoice('aws', catalogue, { language: 'de-DE', voice: 'c' })).toEqual({ language: 'de-DE', voice: 'a' })
    expect(chooseVoice('aws', catalogue, { language: 'xx', voice: 'c' })).toEqual({ language: 'en-US', voice: 'c' })
    expect(chooseRecognitionLanguage('aws', recognitionCatalogue('de-DE', 'en-US'), 'de-DE')).toBe('de-DE')
  })
})

it('offers the models of a vendor without separate voices as voices', () => {
  const catalogue = { ...synthesisCatalogue({ 'en-US': ['x'] }), models: [option('aura-1')] }
  expect(listVoices('deepgram', catalogue, 'en-US')).toEqual([option('aura-1')])
  expect(listVoices('google', catalogue, 'en-US')).toEqual([option('x')])
  expect(listVoices('google', catalogue, 'de-DE')).toBeUndefined()
})

describe('swapPrimaryAndFallback', () => {
  const columns: SpeechColumns = {
    speech_synthesis_vendor: 'google',
    speech_synthesis_label: null,
    speech_synthesis_language: 'en-US',
    speech_synthesis_voice: 'a',
    speech_recognizer_vendor: 'google',
    speech_recognizer_label: 'one',
    speech_recognizer_language: 'en-US',
    fallback_speech_synthesis_vendor: 'aws',
    fallback_speech_synthesis_label: 'two',
    fallback_speech_synthesis_language: 'de-DE',
    fallback_speech_synthesis_voice: 'b',
    fallback_speech_recognizer_vendor: null,
    fallback_speech_recognizer_label: null,
    fallback_speech_recognizer_language: null,
  }

  it('swaps settings that have a fallback, and leaves the others', () => {
    const swapped = swapPrimaryAndFallback(columns)
    expect(swapped).toEqual({
      ...columns,
      speech_synthesis_vendor: 'aws',
      speech_synthesis_label: 'two',
      speech_synthesis_language: 'de-DE',
      speech_synthesis_voice: 'b',
      fallback_speech_synthesis_vendor: 'google',
      fallback_speech_synthesis_label: null,
      fallback_speech_synthesis_language: 'en-US',
      fallback_speech_synthesis_voice: 'a',
    })
    expect(swapPrimaryAndFallback(swapped)).toEqual(columns)
  })
})

describe('usesCredential', () => {
  const google = { vendor: 'google', label: null, use_for_tts: 1, use_for_stt: 1 }
  it.each<[Partial<SpeechColumns>, Partial<typeof google> | { label: string }, boolean]>([
    [{ speech_synthesis_vendor: 'google' }, {}, true],
    [{ speech_synthesis_vendor: 'google', speech_synthesis_label: '' }, {}, true],
    [{ speech_synthesis_vendor: 'google', speech_synthesis_label: 'eu' }, {}, false],
    [{ speech_synthesis_vendor: 'google', speech_synthesis_label: 'eu' }, { label: 'eu' }, true],
    [{ speech_synthesis_vendor: 'google' }, { use_for_tts: 0 }, false],
    [{ speech_recognizer_vendor: 'google' }, { use_for_tts: 0 }, true],
    [{ fallback_speech_recognizer_vendor: 'google' }, {}, true],
    [{ speech_recognizer_vendor: 'aws' }, {}, false],
    [{}, {}, false],
  ])('of %j for a Google credential with %j is %s', (columns, parts, expected) => {
    expect(usesCredential(columns, { ...google, ...parts })).toBe(expected)
  })
})

describe('the vendors', () => {
  const edition = { customSpeech: true, additionalSpeech: true }
  const listNames = (direction: 'synthesis' | 'recognition') => listVendors(direction, edition).map(({ name }) => name)

  it('appear in the lists of the directions that they support', () => {
    for (const name of ['AssemblyAI', 'Soniox', 'Cobalt', 'Custom']) expect(listNames('synthesis')).not.toContain(name)
    for (const name of ['WellSaid', 'ElevenLabs', 'Whisper', 'Custom'])
      expect(listNames('recognition')).not.toContain(name)
    for (const name of ['AWS', 'Google', 'Deepgram', 'IBM', 'Microsoft', 'Nuance', 'Nvidia'])
      for (const direction of ['synthesis', 'recognition'] as const) expect(listNames(direction)).toContain(name)
  })

  it('are unique, sorted by name, and support a direction', () => {
    expect(new Set(vendors.map(({ vendor }) => vendor)).size).toBe(vendors.length)
    const allNames = vendors.map(({ name }) => name)
    expect(allNames).toEqual(allNames.toSorted((a, b) => a.localeCompare(b)))
    for (const { synthesis, recognition } of vendors) expect(synthesis ?? recognition).not.toBeNull()
  })

  it('are fewer if the edition disables some', () => {
    const listOffered = (flags: Partial<typeof edition>) =>
      vendors.filter((vendor) => isOffered(vendor, { ...edition, ...flags })).map(({ name }) => name)
    const listMissing = (flags: Partial<typeof edition>) =>
      listOffered({}).filter((name) => !listOffered(flags).includes(name))
    expect(listOffered({})).toHaveLength(vendors.length)
    expect(listMissing({ customSpeech: false })).toEqual(['Custom'])
    expect(listMissing({ additionalSpeech: false })).toEqual(['Speechmatics'])
    expect(listVendors('recognition', { ...edition, additionalSpeech: false }).map(({ name }) => name)).not.toContain(
      'Speechmatics',
    )
  })

  it('are sorted by display name, not by stored name', () => {
    const stored = ['verbio', 'houndify', 'custom:abacus', 'aws', 'soniox', 'custom:Tower', 'speechmatics']
    expect(sortVendors(stored).map(getVendorName)).toEqual([
      'abacus (custom)',
      'AWS',
      'Soniox',
      'SoundHound',
      'Speechmatics',
      'Tower (custom)',
      'Verbio',
    ])
  })

  it('have a catalogue, except custom vendors and Deepgram Flux', () => {
    expect(['google', 'soniox', 'wellsaid', 'parrot'].filter(hasCatalogue)).toHaveLength(4)
    expect(['custom:mill', 'deepgramflux'].filter(hasCatalogue)).toEqual([])
  })

  it('are shown by display name', () => {
    expect(['google', 'custom:Voice Mill', 'unheard-of'].map(getVendorName)).toEqual([
      'Google',
      'Voice Mill (custom)',
      'unheard-of',
    ])
  })
})
