import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { languageName, text, type Parts } from './vendor'

/** Values with the names that people read; a value that is its own name stands alone. */
type Named = readonly string[] | Readonly<Record<string, string>>

/** What everybody knows of a vendor, as the files beside this one have it. */
interface Known {
  /** Where it is from, and when it was looked at. */
  source: string
  date: string
  /** What is not in it. */
  partial?: string
  /** Names of languages that are no codes. */
  names?: Readonly<Record<string, string>>
  tts?: Readonly<Record<string, Named>>
  /** Voices that speak each of these languages. */
  anyone?: { languages: readonly string[]; voices: Named }
  stt?: readonly string[]
  /** A part of the credential that decides which of them; all, where none are said for it. */
  by?: { part: string; stt: Readonly<Record<string, readonly string[] | undefined>> }
  models?: Named
  sttModels?: Named
}

const offers = (named: Named): SpeechOption[] =>
  Array.isArray(named)
    ? (named as readonly string[]).map((value) => ({ value, name: value }))
    : Object.entries(named as Record<string, string>).map(([value, name]) => ({ value, name }))

const catalogueOf = ({ names = {}, tts, anyone, stt, by, models, sttModels }: Known, credential: Parts): Catalogue => {
  const heard = (by && by.stt[text(credential, by.part)]) ?? stt
  const language = (value: string): SpeechOption => ({ value, name: names[value] ?? languageName(value) })
  const spoken = tts ?? (anyone && Object.fromEntries(anyone.languages.map((each) => [each, anyone.voices])))
  return {
    ...(spoken
      ? { tts: Object.entries(spoken).map(([value, voices]) => ({ ...language(value), voices: offers(voices) })) }
      : {}),
    ...(heard ? { stt: heard.map(language) } : {}),
    ...(models ? { models: offers(models) } : {}),
    ...(sttModels ? { sttModels: offers(sttModels) } : {}),
  }
}

/** The file of each vendor; who has none has nothing that everybody knows. */
const files = new Map<string, () => Promise<{ default: Known }>>(
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

/** What everybody knows of a vendor, as far as it is for a credential; undefined for a vendor that is not known. */
export const knownLists = async (vendor: string, credential: Parts = {}): Promise<Catalogue | undefined> => {
  const file = await files.get(vendor)?.()
  return file && catalogueOf(file.default, credential)
}
