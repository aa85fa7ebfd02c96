/** An entry of a vendor's list: the value to store and the name to display. */
export interface SpeechOption {
  value: string
  name: string
}

/**
 * The languages, voices and models of a vendor, as the server lists them. A key is absent if the vendor has no such
 * list.
 */
export interface Catalogue {
  tts?: (SpeechOption & { voices: (SpeechOption & { model?: string })[] })[]
  stt?: SpeechOption[]
  /** The models for synthesis and for recognition. */
  models?: SpeechOption[]
  sttModels?: SpeechOption[]
}
