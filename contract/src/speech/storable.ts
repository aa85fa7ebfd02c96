import type { Catalogue, SpeechOption } from './catalogue'

/** So many characters of a choice an application keeps. */
export const maxLengths = { vendor: 64, label: 64, spokenLanguage: 12, heardLanguage: 64, voice: 256 } as const

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** The offers that can be kept. A list comes from a vendor, or from another server: it may hold anything. */
const storableOptions = <Option extends SpeechOption>(
  offers: readonly (Option | null)[],
  maxLength: number,
): Option[] =>
  offers
    .filter((offer): offer is Option => isText(offer?.value) && offer.value.length <= maxLength)
    .map((offer) => (isText(offer.name) ? offer : { ...offer, name: offer.value }))

type Languages = NonNullable<Catalogue['tts']>

/** A language that had voices, and none of them good, is none. */
const storableLanguages = (tts: Languages): Languages =>
  storableOptions(tts, maxLengths.spokenLanguage).flatMap((language) => {
    const voices = storableOptions(language.voices, maxLengths.voice)
    return voices.length === 0 && language.voices.length > 0 ? [] : [{ ...language, voices }]
  })

/** A catalogue as far as it can be chosen from: every value is a text that fits where it is kept. */
export const dropUnstorable = ({ tts, stt, models, sttModels }: Catalogue): Catalogue => ({
  ...(tts && { tts: storableLanguages(tts) }),
  ...(stt && { stt: storableOptions(stt, maxLengths.heardLanguage) }),
  ...(models && { models: storableOptions(models, maxLengths.voice) }),
  ...(sttModels && { sttModels: storableOptions(sttModels, maxLengths.voice) }),
})
