import { z } from 'zod'
import { sid, text } from '../kit/fields'

const method = z
  .string()
  .transform((value) => value.toUpperCase())
  .pipe(z.enum(['GET', 'POST']))

const parts = {
  webhook_sid: sid().optional(),
  url: text(1024).optional(),
  method: method.optional(),
  username: text(255).nullish(),
  password: text(255).nullish(),
}

/** A webhook as it comes in. An empty url means none. */
export const webhook = z.strictObject(parts)

/** The same, with the wire's own words for what is no object at all. */
export const webhookOrElse = (words: string) =>
  z.strictObject(parts, { error: ({ code }) => (code === 'invalid_type' ? words : undefined) })

/** A webhook as it goes out. */
export const webhookRow = z.object({
  webhook_sid: z.string().optional(),
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  username: z.string().nullable(),
  password: z.string().nullable(),
})

export type Webhook = z.output<typeof webhookRow>
export type WebhookDraft = z.input<typeof webhook>
