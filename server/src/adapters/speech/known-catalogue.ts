import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { languageName, textField, type CredentialFields } from './vendor-api'

/** Values with display names, or values that are their own names. */
type NamedValues = readonly string[] | Readonly<Record<string, string>>

/** What is publicly known of a vendor: the content of a file in `lists/`. */
interface KnownCatalogue {
  /** The source and the date of retrieval. */
  source: string
  date: string
  /** What is missing. */
  partial?: string
  /** Display names of languages without a standard code. */
  names?: Readonly<Record<string, string>>
  tts?: Readonly<Record<string, NamedValues>>
  /** Voices that speak all of these languages. */
  anyone?: { languages: readonly string[]; voices: NamedValues }
  stt?: readonly string[]
  /** The credential field that selects a list; without a match, `stt` applies. */
  by?: { part: string; stt: Readonly<Record<string, readonly string[] | undefined>> }
  models?: NamedValues
  sttModels?: NamedValues
}

const toOffers = (values: NamedValues): SpeechOption[] =>
  Array.isArray(values)
    ? (values as readonly string[]).map((value) => ({ value, name: value }))
    : Object.entries(values as Record<string, string>).map(([value, name]) => ({ value, name }))

const catalogueOf = (
  { names = {}, tts, anyone, stt, by, models, sttModels }: KnownCatalogue,
  credential: CredentialFields,
): Catalogue => {
  const recognized = (by && by.stt[textField(credential, by.part)]) ?? stt
  const toLanguage = (value: string): SpeechOption => ({ value, name: names[value] ?? languageName(value) })
  const synthesized =
    tts ?? (anyone && Object.fromEntries(anyone.languages.map((language) => [language, anyone.voices])))
  return {
    ...(synthesized
      ? {
          tts: Object.entries(synthesized).map(([value, voices]) => ({
            ...toLanguage(value),
            voices: toOffers(voices),
          })),
        }
      : {}),
    ...(recognized ? { stt: recognized.map(toLanguage) } : {}),
    ...(models ? { models: toOffers(models) } : {}),
    ...(sttModels ? { sttModels: toOffers(sttModels) } : {}),
  }
}

/** The file of each vendor with publicly known lists. */
const files = new Map<string, () => Promise<{ default: KnownCatalogue }>>(
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

/** The built-in catalogue of a vendor for a credential; undefined for unknown vendors. */
export const knownCatalogue = async (
  vendor: string,
  credential: CredentialFields = {},
): Promise<Catalogue | undefined> => {
  const file = await files.get(vendor)?.()
  return file && catalogueOf(file.default, credential)
}
