import { z } from 'zod'

/** How many spoken texts are kept. */
export const ttsCache = z.object({ size: z.number().int() })

/** A sentence is heard, not a book. */
const maxTextLength = 1000

const argumentsRequired = 'speech_credential_sid, text, language, voice are all required'
const requiredText = () => z.string(argumentsRequired).min(1, argumentsRequired)

/** What to say with which credential. */
export const synthesis = z.strictObject({
  speech_credential_sid: requiredText(),
  text: requiredText().max(maxTextLength),
  language: requiredText().max(64),
  voice: requiredText().max(256),
  /** Of Amazon's voices: which of its engines speaks. */
  engine: z.enum(['standard', 'neural', 'long-form', 'generative']).optional(),
  /** Sound comes as MP3 wherever the vendor has it. */
  encodingMp3: z.boolean().optional(),
})

export type Synthesis = z.input<typeof synthesis>
export type TtsCache = z.output<typeof ttsCache>
