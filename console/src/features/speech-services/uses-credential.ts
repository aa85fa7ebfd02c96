type Prefix = '' | 'fallback_'
type Service = 'synthesis' | 'recognizer'

/** The columns of an application that select a vendor and the label of a credential. */
export type SpeechSelection = Partial<Record<`${Prefix}speech_${Service}_${'vendor' | 'label'}`, string | null>>

/** The fields of a credential that an application's selection refers to. */
export interface CredentialChoice {
  vendor: string
  label: string | null
  use_for_tts: number | null
  use_for_stt: number | null
}

/** Whether the columns select this credential as primary or fallback. A missing label counts as blank. */
export const usesCredential = (columns: SpeechSelection, credential: CredentialChoice): boolean =>
  (['', 'fallback_'] as const).some((prefix) =>
    (['synthesis', 'recognizer'] as const).some((service) => {
      const useFlag = service === 'synthesis' ? credential.use_for_tts : credential.use_for_stt
      const vendor = columns[`${prefix}speech_${service}_vendor`]
      const label = columns[`${prefix}speech_${service}_label`]
      return useFlag !== 0 && vendor === credential.vendor && (label || null) === (credential.label || null)
    }),
  )
