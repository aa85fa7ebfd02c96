/** Something that a vendor offers: what is stored, and what a person reads. */
export interface Offer {
  value: string
  name: string
}

/** What a vendor offers, as a server lists it. A key is absent where the vendor has no such list. */
export interface Catalogue {
  tts?: (Offer & { voices: (Offer & { model?: string })[] })[]
  stt?: Offer[]
  /** Models that speak, and models that listen. */
  models?: Offer[]
  sttModels?: Offer[]
}
