import type { Catalogue, SpeechOption } from './catalogue'
import { isCustomVendor, vendorOf } from './vendors'

/** A language and a voice of a vendor; blank where nothing is chosen. */
export interface VoiceChoice {
  language: string
  voice: string
}

/** The languages that a vendor speaks; undefined where the server does not say. */
export const synthesisLanguages = (catalogue: Catalogue | null | undefined): SpeechOption[] | undefined =>
  catalogue?.tts?.map(({ value, name }) => ({ value, name }))

/** The languages that a vendor understands; undefined where the server does not say. */
export const recognitionLanguages = (catalogue: Catalogue | null | undefined): SpeechOption[] | undefined =>
  catalogue?.stt

/** Are the voices of this vendor models? Then there is no language to choose. */
export const hasModelVoices = (vendor: string): boolean => vendorOf(vendor)?.synthesis?.voicesAreModels === true

/** Can somebody listen to a voice of this vendor before it is used? */
export const canPreview = (vendor: string): boolean => vendorOf(vendor)?.synthesis?.noPreview !== true

/** Does this vendor speak with voices that it has made for a customer? */
export const hasCustomVoices = (vendor: string): boolean => vendorOf(vendor)?.customVoices === true

/** Does this vendor hear every language? */
export const recognizesAnyLanguage = (vendor: string): boolean => vendorOf(vendor)?.recognition?.anyLanguage === true

/** Is there anything to be listed of this vendor? Of one that an installation added nobody knows, and some leave no choice. */
export const hasCatalogue = (vendor: string): boolean =>
  !isCustomVendor(vendor) && !(vendorOf(vendor)?.synthesis === null && recognizesAnyLanguage(vendor))

/** The voices of a language, or the models of a vendor that has these instead; undefined where the server does not say. */
export const voicesOf = (
  vendor: string,
  catalogue: Catalogue | null | undefined,
  language: string,
): SpeechOption[] | undefined =>
  hasModelVoices(vendor) ? catalogue?.models : catalogue?.tts?.find(({ value }) => value === language)?.voices

/** The part of a language's code that says which language it is: some vendors have no more. */
export const baseLanguage = (code: string) => code.split(/[-_]/)[0]!.toLowerCase()

/**
 * The first that is wanted and offered, else one of the same language, else the first on offer; where nothing is listed,
 * the first that is wanted.
 */
const pickOption = (
  preferences: readonly (string | undefined)[],
  options: readonly SpeechOption[] | undefined,
): string => {
  const candidates = preferences.filter((each): each is string => Boolean(each))
  if (options === undefined) return candidates[0] ?? ''
  const exact = candidates.find((each) => options.some(({ value }) => value === each))
  const related = () =>
    candidates.map((each) => options.find(({ value }) => baseLanguage(value) === baseLanguage(each))).find(Boolean)
  return exact ?? (related() ?? options[0])?.value ?? ''
}

/** Language and voice of a vendor: the present ones as far as they are offered, else what the vendor begins with. */
export const chooseVoice = (
  vendor: string,
  catalogue: Catalogue | null | undefined,
  current: VoiceChoice,
): VoiceChoice => {
  const synthesis = vendorOf(vendor)?.synthesis
  if (!synthesis) return current
  const languages = synthesis.voicesAreModels ? undefined : synthesisLanguages(catalogue)
  const language = pickOption([current.language, ...synthesis.languages], languages)
  return { language, voice: pickOption([current.voice, synthesis.voice], voicesOf(vendor, catalogue, language)) }
}

/** The language of a recognizer, in the same way. */
export const chooseRecognitionLanguage = (
  vendor: string,
  catalogue: Catalogue | null | undefined,
  current: string,
): string => {
  const recognition = vendorOf(vendor)?.recognition
  if (!recognition) return current
  const languages = recognition.anyLanguage ? undefined : recognitionLanguages(catalogue)
  return pickOption([current, ...recognition.languages], languages)
}

const synthesisParts = ['vendor', 'label', 'language', 'voice'] as const
const recognizerParts = ['vendor', 'label', 'language'] as const

type Primary =
  `speech_synthesis_${(typeof synthesisParts)[number]}` | `speech_recognizer_${(typeof recognizerParts)[number]}`

/** The columns of a record that say who speaks and who listens, in the first place and when that fails. */
export type SpeechColumn = Primary | `fallback_${Primary}`
export type SpeechColumns = Record<SpeechColumn, string | null>

const synthesisColumns = synthesisParts.map((part) => `speech_synthesis_${part}` as const)
const recognizerColumns = recognizerParts.map((part) => `speech_recognizer_${part}` as const)

/** The columns of the first place; those of the second have the same names after `fallback_`. */
export const primaryColumns: readonly Primary[] = [...synthesisColumns, ...recognizerColumns]
export const fallbackColumns = primaryColumns.map((column) => `fallback_${column}` as const)

/** Puts the second in the first place and the first in the second; a direction without a second stays as it is. */
export const swapPrimaryAndFallback = (columns: SpeechColumns): SpeechColumns => {
  const columnsToSwap: readonly Primary[] = [
    ...(columns.fallback_speech_synthesis_vendor ? synthesisColumns : []),
    ...(columns.fallback_speech_recognizer_vendor ? recognizerColumns : []),
  ]
  const result = { ...columns }
  for (const column of columnsToSwap) {
    result[column] = columns[`fallback_${column}`]
    result[`fallback_${column}`] = columns[column]
  }
  return result
}

/** What of a credential an application's choice is about. */
export interface CredentialChoice {
  vendor: string
  label: string | null
  use_for_tts: number | null
  use_for_stt: number | null
}

/** Is this the credential that such columns choose, in the first place or the second? A label that is not there is blank. */
export const usesCredential = (columns: Partial<SpeechColumns>, credential: CredentialChoice): boolean =>
  (['', 'fallback_'] as const).some((prefix) =>
    (['synthesis', 'recognizer'] as const).some((part) => {
      const used = part === 'synthesis' ? credential.use_for_tts : credential.use_for_stt
      const vendor = columns[`${prefix}speech_${part}_vendor`]
      const label = columns[`${prefix}speech_${part}_label`]
      return used !== 0 && vendor === credential.vendor && (label || null) === (credential.label || null)
    }),
  )
