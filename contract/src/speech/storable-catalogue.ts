import type { Catalogue, SpeechOption } from './catalogue'

/** The lengths of an application's speech columns, in characters. */
export const maxLengths = { vendor: 64, label: 64, synthesisLanguage: 12, recognitionLanguage: 64, voice: 256 } as const

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Drops options that cannot be stored. Lists come from vendors or other servers, so they may contain anything. */
const filterStorableOptions = <Option extends SpeechOption>(
  options: readonly (Option | null)[],
  maxLength: number,
): Option[] =>
  options
    .filter((option): option is Option => isText(option?.value) && option.value.length <= maxLength)
    .map((option) => (isText(option.name) ? option : { ...option, name: option.value }))

type CatalogueLanguages = NonNullable<Catalogue['tts']>

/** Drops languages that lose all their voices. */
const filterStorableLanguages = (tts: CatalogueLanguages): CatalogueLanguages =>
  filterStorableOptions(tts, maxLengths.synthesisLanguage).flatMap((language) => {
    const voices = filterStorableOptions(language.voices, maxLengths.voice)
    return voices.length === 0 && language.voices.length > 0 ? [] : [{ ...language, voices }]
  })

/** Drops the catalogue entries that cannot be selected: every remaining value is text that fits its column. */
export const dropUnstorable = ({ tts, stt, models, sttModels }: Catalogue): Catalogue => ({
  ...(tts && { tts: filterStorableLanguages(tts) }),
  ...(stt && { stt: filterStorableOptions(stt, maxLengths.recognitionLanguage) }),
  ...(models && { models: filterStorableOptions(models, maxLengths.voice) }),
  ...(sttModels && { sttModels: filterStorableOptions(sttModels, maxLengths.voice) }),
})
