import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { isCustomVendor, findVendorById } from '@trunkline/contract/speech/vendors'

/** The selected language and voice of a vendor; blank if not selected. */
export interface VoiceChoice {
  language: string
  voice: string
}

/** The synthesis languages of a vendor; undefined if the server does not list them. */
export const listSynthesisLanguages = (catalogue: Catalogue | null | undefined): SpeechOption[] | undefined =>
  catalogue?.tts?.map(({ value, name }) => ({ value, name }))

/** The recognition languages of a vendor; undefined if the server does not list them. */
export const listRecognitionLanguages = (catalogue: Catalogue | null | undefined): SpeechOption[] | undefined =>
  catalogue?.stt

/** Whether the vendor's voices are models. A model determines the language, so there is none to choose. */
export const hasModelVoices = (vendor: string): boolean =>
  findVendorById(vendor)?.synthesis?.usesModelsAsVoices === true

/** Whether this server can play a preview of the vendor's voices. */
export const canPreview = (vendor: string): boolean => findVendorById(vendor)?.synthesis?.hasNoPreview !== true

/** Whether the vendor recognizes every language without a setting. */
export const recognizesAnyLanguage = (vendor: string): boolean =>
  findVendorById(vendor)?.recognition?.recognizesAnyLanguage === true

/**
 * Whether the vendor has a catalogue. Custom vendors have none, nor do vendors without a language or voice to choose.
 */
export const hasCatalogue = (vendor: string): boolean =>
  !isCustomVendor(vendor) && !(findVendorById(vendor)?.synthesis === null && recognizesAnyLanguage(vendor))

/**
 * The voices of a language, or the models if the vendor's voices are models; undefined if the server does not list
 * them.
 */
export const listVoices = (
  vendor: string,
  catalogue: Catalogue | null | undefined,
  language: string,
): SpeechOption[] | undefined =>
  hasModelVoices(vendor) ? catalogue?.models : catalogue?.tts?.find(({ value }) => value === language)?.voices

/** The primary language of a language code. Some vendors use only this part. */
export const getBaseLanguage = (code: string) => code.split(/[-_]/)[0]!.toLowerCase()

/**
 * The first preference that is offered, else an option in the same language as a preference, else the first option.
 * Without a list, the first preference.
 */
const pickOption = (
  preferences: readonly (string | undefined)[],
  options: readonly SpeechOption[] | undefined,
): string => {
  const candidates = preferences.filter((preference): preference is string => Boolean(preference))
  if (options === undefined) return candidates[0] ?? ''
  const exactMatch = candidates.find((candidate) => options.some(({ value }) => value === candidate))
  const findRelatedOption = () =>
    candidates
      .map((candidate) => options.find(({ value }) => getBaseLanguage(value) === getBaseLanguage(candidate)))
      .find(Boolean)
  return exactMatch ?? (findRelatedOption() ?? options[0])?.value ?? ''
}

/** The language and voice to select for a vendor: the current ones if offered, else the vendor's defaults. */
export const chooseVoice = (
  vendor: string,
  catalogue: Catalogue | null | undefined,
  current: VoiceChoice,
): VoiceChoice => {
  const synthesis = findVendorById(vendor)?.synthesis
  if (!synthesis) return current
  const languages = synthesis.usesModelsAsVoices ? undefined : listSynthesisLanguages(catalogue)
  const language = pickOption([current.language, ...synthesis.languages], languages)
  return { language, voice: pickOption([current.voice, synthesis.voice], listVoices(vendor, catalogue, language)) }
}

/** The recognition language to select for a vendor, by the same rules. */
export const chooseRecognitionLanguage = (
  vendor: string,
  catalogue: Catalogue | null | undefined,
  current: string,
): string => {
  const recognition = findVendorById(vendor)?.recognition
  if (!recognition) return current
  const languages = recognition.recognizesAnyLanguage ? undefined : listRecognitionLanguages(catalogue)
  return pickOption([current, ...recognition.languages], languages)
}
