import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { getLanguageName, readTextField, type CredentialFields } from './vendor-api'

/**
 * A vendor's identifiers of voices or models. An object maps each one to its display name; in a list, each identifier is
 * its own display name.
 */
type NamedValues = readonly string[] | Readonly<Record<string, string>>

/** What is publicly known of a vendor: the content of a file in `lists/`. */
interface KnownCatalogue {
  /** The source and the date of retrieval. */
  source: string
  date: string
  /** What is known to be missing from the lists. */
  partial?: string
  /** Display names of languages without a standard code. */
  names?: Readonly<Record<string, string>>
  tts?: Readonly<Record<string, NamedValues>>
  /** Used without `tts`: voices that speak all of these languages. */
  sharedVoices?: { languages: readonly string[]; voices: NamedValues }
  stt?: readonly string[]
  /** A credential field with a value that selects a list of recognition languages; without a match, `stt` applies. */
  byField?: { field: string; stt: Readonly<Record<string, readonly string[] | undefined>> }
  models?: NamedValues
  sttModels?: NamedValues
}

const toOptions = (values: NamedValues): SpeechOption[] =>
  Array.isArray(values)
    ? (values as readonly string[]).map((value) => ({ value, name: value }))
    : Object.entries(values as Record<string, string>).map(([value, name]) => ({ value, name }))

const buildCatalogue = (
  { names = {}, tts, sharedVoices, stt, byField, models, sttModels }: KnownCatalogue,
  credential: CredentialFields,
): Catalogue => {
  const fieldValue = byField && readTextField(credential, byField.field)
  const recognitionLanguages =
    byField && fieldValue && Object.hasOwn(byField.stt, fieldValue) ? byField.stt[fieldValue] : stt
  const toLanguage = (value: string): SpeechOption => ({ value, name: names[value] ?? getLanguageName(value) })
  const voicesByLanguage =
    tts ??
    (sharedVoices && Object.fromEntries(sharedVoices.languages.map((language) => [language, sharedVoices.voices])))
  return {
    ...(voicesByLanguage
      ? {
          tts: Object.entries(voicesByLanguage).map(([value, voices]) => ({
            ...toLanguage(value),
            voices: toOptions(voices),
          })),
        }
      : {}),
    ...(recognitionLanguages ? { stt: recognitionLanguages.map(toLanguage) } : {}),
    ...(models ? { models: toOptions(models) } : {}),
    ...(sttModels ? { sttModels: toOptions(sttModels) } : {}),
  }
}

/** Loaders of the files with publicly known lists, by vendor. */
const catalogueLoaders = new Map<string, () => Promise<{ default: KnownCatalogue }>>(
  Object.entries({
    assemblyai: () => import('./lists/assemblyai.json'),
    aws: () => import('./lists/aws.json'),
    cartesia: () => import('./lists/cartesia.json'),
    cobalt: () => import('./lists/cobalt.json'),
    deepgram: () => import('./lists/deepgram.json'),
    elevenlabs: () => import('./lists/elevenlabs.json'),
    gladia: () => import('./lists/gladia.json'),
    google: () => import('./lists/google.json'),
    houndify: () => import('./lists/houndify.json'),
    ibm: () => import('./lists/ibm.json'),
    inworld: () => import('./lists/inworld.json'),
    microsoft: () => import('./lists/microsoft.json'),
    nuance: () => import('./lists/nuance.json'),
    nvidia: () => import('./lists/nvidia.json'),
    openai: () => import('./lists/openai.json'),
    playht: () => import('./lists/playht.json'),
    resemble: () => import('./lists/resemble.json'),
    rimelabs: () => import('./lists/rimelabs.json'),
    soniox: () => import('./lists/soniox.json'),
    speechmatics: () => import('./lists/speechmatics.json'),
    verbio: () => import('./lists/verbio.json'),
    voxist: () => import('./lists/voxist.json'),
    wellsaid: () => import('./lists/wellsaid.json'),
    whisper: () => import('./lists/whisper.json'),
  }),
)

/** Loads the built-in catalogue of a vendor for a credential; undefined for unknown vendors. */
export const loadKnownCatalogue = async (
  vendor: string,
  credential: CredentialFields = {},
): Promise<Catalogue | undefined> => {
  const file = await catalogueLoaders.get(vendor)?.()
  return file && buildCatalogue(file.default, credential)
}
