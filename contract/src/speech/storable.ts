import type { Catalogue, Offer } from './catalogue'

/** So many characters of a choice an application keeps. */
export const longest = { vendor: 64, label: 64, spokenLanguage: 12, heardLanguage: 64, voice: 256 } as const

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** The offers that can be kept. A list comes from a vendor, or from another server: it may hold anything. */
const fitting = <Each extends Offer>(offers: readonly (Each | null)[], most: number): Each[] =>
  offers
    .filter((offer): offer is Each => isText(offer?.value) && offer.value.length <= most)
    .map((offer) => (isText(offer.name) ? offer : { ...offer, name: offer.value }))

type Spoken = NonNullable<Catalogue['tts']>

/** A language that had voices, and none of them good, is none. */
const spoken = (tts: Spoken): Spoken =>
  fitting(tts, longest.spokenLanguage).flatMap((language) => {
    const voices = fitting(language.voices, longest.voice)
    return voices.length === 0 && language.voices.length > 0 ? [] : [{ ...language, voices }]
  })

/** A catalogue as far as it can be chosen from: every value is a text that fits where it is kept. */
export const storable = ({ tts, stt, models, sttModels }: Catalogue): Catalogue => ({
  ...(tts && { tts: spoken(tts) }),
  ...(stt && { stt: fitting(stt, longest.heardLanguage) }),
  ...(models && { models: fitting(models, longest.voice) }),
  ...(sttModels && { sttModels: fitting(sttModels, longest.voice) }),
})
