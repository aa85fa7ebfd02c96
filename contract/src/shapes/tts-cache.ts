import { z } from 'zod'

/** How many spoken texts are kept. */
export const ttsCache = z.object({ size: z.number().int() })

/** A sentence is heard, not a book. */
const longest = 1000

const needed = 'speech_credential_sid, text, language, voice are all required'
const part = () => z.string(needed).min(1, needed)

/** What to say with which credential. */
export const synthesis = z.strictObject({
  speech_credential_sid: part(),
  text: part().max(longest),
  language: part().max(64),
  voice: part().max(256),
  /** Of Amazon's voices: which of its engines speaks. */
  engine: z.enum(['standard', 'neural', 'long-form', 'generative']).optional(),
  /** Sound comes as MP3 wherever the vendor has it. */
  encodingMp3: z.boolean().optional(),
})

export type Synthesis = z.input<typeof synthesis>
export type TtsCache = z.output<typeof ttsCache>
