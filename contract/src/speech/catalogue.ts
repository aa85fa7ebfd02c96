/** Something that a vendor offers: what is stored, and what a person reads. */
export interface SpeechOption {
  value: string
  name: string
}

/** What a vendor offers, as a server lists it. A key is absent where the vendor has no such list. */
export interface Catalogue {
  tts?: (SpeechOption & { voices: (SpeechOption & { model?: string })[] })[]
  stt?: SpeechOption[]
  /** Models that speak, and models that listen. */
  models?: SpeechOption[]
  sttModels?: SpeechOption[]
}
