import { z } from 'zod'
import { sid, text } from '../kit/fields'
import { webhookUrlError } from '../telephony/webhook-url'

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

type Login = { username?: string | null; password?: string | null }

/** Basic authentication needs both of its parts. What a body leaves out is looked for in the stored record. */
export const checkLogin = ({ username, password }: Login, context: z.RefinementCtx): void => {
  if (username === undefined || password === undefined || Boolean(username) === Boolean(password)) return
  const [field, other] = username ? ['password', 'username'] : ['username', 'password']
  context.addIssue({ code: 'custom', path: [field], message: `${field} is required together with ${other}` })
}

/** A webhook as it comes in. An empty url means none. */
export const webhook = z.strictObject(parts).superRefine(checkLogin)

/** The same, with the wire's own words for what is no object at all. */
export const webhookWithMessage = (message: string) =>
  z
    .strictObject(parts, { error: ({ code }) => (code === 'invalid_type' ? message : undefined) })
    .superRefine(checkLogin)

/** A webhook as it goes out. */
export const webhookRow = z.object({
  webhook_sid: z.string().optional(),
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  username: z.string().nullable(),
  password: z.string().nullable(),
})

/** A webhook that is made by itself, to be chosen by its sid later. */
export const create = z
  .strictObject({ ...parts, url: z.string('missing field url').min(1, 'missing field url').max(1024) })
  .superRefine(({ url, username = null, password = null }, context) => {
    const error = webhookUrlError('url', url)
    if (error) context.addIssue({ code: 'custom', path: ['url'], message: error })
    checkLogin({ username, password }, context)
  })

/** Ours: a webhook of an application to be tested. What is left out is taken as it is saved. */
export const webhookTestDraft = z
  .strictObject({
    hook: z.enum(['call_hook', 'call_status_hook', 'messaging_hook']),
    url: parts.url,
    method: parts.method,
    username: parts.username,
    /** The mask of a hidden password stands for the saved one. */
    password: parts.password,
  })
  .superRefine(checkLogin)

/** Ours: how a webhook responded to a sample request. */
export const webhookTestResult = z.object({
  duration_ms: z.number(),
  /** Why there was no response. Absent where there was one. */
  error: z.string().optional(),
  response: z
    .object({
      status: z.number(),
      content_type: z.string().nullable(),
      /** The first 2 KiB of the body. */
      body: z.string(),
      /** The body is longer. */
      truncated: z.boolean(),
    })
    .optional(),
  /** Of a calling webhook that responded with success: why a voice server could not run the verbs; null where it could. */
  verbs_error: z.string().nullable().optional(),
})

/** The same as it is kept. */
export const storedWebhook = webhookRow.required()

export type StoredWebhook = z.output<typeof storedWebhook>
export type Webhook = z.output<typeof webhookRow>
export type WebhookDraft = z.input<typeof webhook>
export type WebhookTestDraft = z.input<typeof webhookTestDraft>
export type WebhookTestResult = z.output<typeof webhookTestResult>
