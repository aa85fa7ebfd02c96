import { describe, expect, it } from 'vitest'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { chooseRecognitionLanguage, chooseVoice, hasCatalogue, listVoices } from './speech-selection'

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

it('expects a catalogue of all vendors but custom vendors and Deepgram Flux', () => {
  expect(['google', 'soniox', 'wellsaid', 'parrot'].filter(hasCatalogue)).toHaveLength(4)
  expect(['custom:mill', 'deepgramflux'].filter(hasCatalogue)).toEqual([])
})
