import * as z from 'zod'
import { noNulPattern, sid, text } from '../kit/fields'
import { findWebhookUrlError } from '../telephony/webhook-url'

const method = z
  .string()
  .transform((value) => value.toUpperCase())
  .pipe(z.enum(['GET', 'POST']))

const fields = {
  webhook_sid: sid().optional(),
  url: text(1024).optional(),
  method: method.optional(),
  username: text(255).nullish(),
  password: text(255).nullish(),
}

type BasicAuth = { username?: string | null; password?: string | null }

/**
 * Basic authentication needs both username and password. A field that is absent keeps its stored value and is not
 * checked here.
 */
export const checkBasicAuth = ({ username, password }: BasicAuth, context: z.RefinementCtx): void => {
  if (username === undefined || password === undefined || Boolean(username) === Boolean(password)) return
  const [missingField, presentField] = username ? ['password', 'username'] : ['username', 'password']
  context.addIssue({
    code: 'custom',
    path: [missingField],
    message: `${missingField} is required together with ${presentField}`,
  })
}

/** A webhook in a request. An empty URL means no webhook. */
export const webhookDraftSchema = z.strictObject(fields).superRefine(checkBasicAuth)

/** A webhook in a request, with the API's own message for a value that is not an object. */
export const createWebhookDraftSchema = (message: string) =>
  z
    .strictObject(fields, { error: ({ code }) => (code === 'invalid_type' ? message : undefined) })
    .superRefine(checkBasicAuth)

/** A webhook in a response. */
export const webhookSchema = z.object({
  webhook_sid: z.string().optional(),
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  username: z.string().nullable(),
  password: z.string().nullable(),
})

/** A webhook that is created on its own, for a later request to link by its SID. */
export const standaloneWebhookDraftSchema = z
  .strictObject({
    ...fields,
    url: z.string('missing field url').min(1, 'missing field url').max(1024).regex(noNulPattern),
  })
  .superRefine(({ url, username = null, password = null }, context) => {
    const error = findWebhookUrlError('url', url)
    if (error) context.addIssue({ code: 'custom', path: ['url'], message: error })
    checkBasicAuth({ username, password }, context)
  })

/** A Trunkline addition: tests a webhook of an application. Absent fields are taken from the saved webhook. */
export const webhookTestDraftSchema = z
  .strictObject({
    hook: z.enum(['call_hook', 'call_status_hook', 'messaging_hook']),
    url: fields.url,
    method: fields.method,
    username: fields.username,
    /** The mask stands for the saved password. */
    password: fields.password,
  })
  .superRefine(checkBasicAuth)

/** A Trunkline addition: the webhook's response to a sample request. */
export const webhookTestResultSchema = z.object({
  duration_ms: z.number(),
  /** Why there was no response. Absent if there was one. */
  error: z.string().optional(),
  response: z
    .object({
      status: z.number(),
      content_type: z.string().nullable(),
      /** The first 2 KiB of the body. */
      body: z.string(),
      /** Whether the body is longer. */
      truncated: z.boolean(),
    })
    .optional(),
  /** After a successful response of a call webhook: why a voice server could not run the verbs; null if it could. */
  verbs_error: z.string().nullable().optional(),
})

/** A stored webhook: always has a SID. */
export const storedWebhookSchema = webhookSchema.required()

export type StoredWebhook = z.output<typeof storedWebhookSchema>
export type Webhook = z.output<typeof webhookSchema>
export type WebhookDraft = z.input<typeof webhookDraftSchema>
export type WebhookTestDraft = z.input<typeof webhookTestDraftSchema>
export type WebhookTestResult = z.output<typeof webhookTestResultSchema>
