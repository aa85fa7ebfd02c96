import { z } from 'zod'

const nullableText = z.string().nullable()

export const captureQuery = z.looseObject({
  filter: z
    .preprocess((value) => (value === '' ? undefined : value), z.string().max(255).optional())
    .describe('A part of the request URI, From, To, Call-ID or an address.'),
  dialogue: z
    .preprocess((value) => (value === '' ? undefined : value), z.enum(['invite', 'register']).optional())
    .describe('register lists registrations only, invite everything else.'),
  before: z.string().max(36).optional().describe('The `next` of the page before.'),
})

/** One SIP dialogue of which messages were captured. */
export const capturedDialogue = z.object({
  call_id: z.string(),
  /** Of its first request. */
  method: z.string(),
  /** User and host, as the first message has them. */
  from: nullableText,
  to: nullableText,
  /** The last answer to that method; null without one. */
  sip_status: z.number().nullable(),
  reason: nullableText,
  messages: z.number(),
  first_at: z.string(),
  /** Address and port of the sender of the first message, and of its receiver. */
  source: z.string(),
  target: z.string(),
})

export const capturePage = z.object({
  data: z.array(capturedDialogue),
  /** Where the next page starts; null at the end. A page may be short, because only so much is searched at once. */
  next: nullableText,
})

export type CaptureQuery = z.input<typeof captureQuery>
export type CapturedDialogue = z.output<typeof capturedDialogue>
export type CapturePage = z.output<typeof capturePage>
