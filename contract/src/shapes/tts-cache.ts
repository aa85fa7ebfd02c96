import * as z from 'zod'

/** `size`: the number of cached texts. */
export const ttsCacheSchema = z.object({ size: z.number().int() })

/** Enough for a preview of a sentence or two. */
const maxTextLength = 1000

const argumentsRequired = 'speech_credential_sid, text, language, voice are all required'
const requiredText = () => z.string(argumentsRequired).min(1, argumentsRequired)

/** The text to synthesize, and the credential and voice to use. */
export const synthesisRequestSchema = z.strictObject({
  speech_credential_sid: requiredText(),
  text: requiredText().max(maxTextLength),
  language: requiredText().max(64),
  voice: requiredText().max(256),
  /** The AWS engine for the voice. */
  engine: z.enum(['standard', 'neural', 'long-form', 'generative']).optional(),
  /** Requests MP3 audio if the vendor supports it. */
  encodingMp3: z.boolean().optional(),
})

export type SynthesisRequest = z.input<typeof synthesisRequestSchema>
export type TtsCache = z.output<typeof ttsCacheSchema>
