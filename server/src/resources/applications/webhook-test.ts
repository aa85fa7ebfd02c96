import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maskedSecret } from '@trunkline/contract/kit/secret'
import { messages } from '@trunkline/contract/messages/webhook'
import { webhookTest } from '@trunkline/contract/resources/application'
import { webhookTestDraft, webhookTestResult, type Webhook } from '@trunkline/contract/shapes/webhook'
import { describeAppJsonError } from '@trunkline/contract/telephony/verbs'
import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import type { z } from 'zod'
import { mountRoute } from '../../http/mount-route'
import { notFoundWithoutBody, badRequest, Problem } from '../../http/problem'
import { findPermitted } from '../../http/resource-routes'
import type { WebhookClient, WebhookOutcome } from '../../ports/webhook-client'
import type { Services } from '../../services'
import { basicCredentials, sampleRequest, type TestedHook } from './sample-requests'

type Draft = z.output<typeof webhookTestDraft>
type Response = Extract<WebhookOutcome, { kind: 'response' }>

/** Rate limit per user or API key. */
const rateLimitOptions = { max: 10, timeWindow: 60_000 }
const previewBytes = 2048
/** Any other status makes the call fail. */
const successStatuses: ReadonlySet<number> = new Set([200, 202, 204])

const checkUrl = (url: string): void => {
  const error = findWebhookUrlError('url', url)
  if (error) throw badRequest(error, 'url')
  if (!/^https?:/i.test(url)) throw badRequest(messages.test.onlyHttp, 'url')
}

/** The typed password, or the saved one if the origin is unchanged. */
const resolvePassword = ({ password }: Draft, saved: Webhook | null, isSavedOrigin: boolean): string | null => {
  if (password !== undefined && password !== maskedSecret) return password || null
  if (isSavedOrigin) return saved?.password ?? null
  if (password === maskedSecret) throw badRequest(messages.test.reenterPassword, 'password')
  return null
}

/** The webhook from the request body. Omitted fields come from the saved webhook. */
const resolveWebhook = (draft: Draft, saved: Webhook | null): TestedHook => {
  const url = draft.url ?? saved?.url
  if (!url) throw badRequest('missing field url', 'url')
  checkUrl(url)
  const isSavedOrigin = saved !== null && URL.canParse(saved.url) && new URL(saved.url).origin === new URL(url).origin
  return {
    url,
    method: draft.method ?? saved?.method ?? 'POST',
    username: (draft.username === undefined && isSavedOrigin ? saved.username : draft.username) || null,
    password: resolvePassword(draft, saved, isSavedOrigin),
  }
}

/** Redacts the webhook's credentials, in case the response repeats them. */
const redactCredentials = (text: string, { username, password }: TestedHook): string =>
  username && password
    ? text.replaceAll(basicCredentials(username, password), '[hidden]').replaceAll(password, '[hidden]')
    : text

/** Decodes UTF-8 and drops an incomplete last character. */
const decodeText = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true })

const findVerbsError = (
  { body, contentType, isComplete }: Response,
  { maxBodyBytes }: WebhookClient,
): string | null => {
  const { notJson, empty, tooLong } = messages.test.verbs
  if (body.length === 0) return empty
  if (!contentType?.includes('application/json')) return notJson(contentType)
  if (!isComplete) return tooLong(maxBodyBytes / 1024)
  return describeAppJsonError(body.toString()) ?? null
}

/** Sends sample requests to the webhooks of applications. */
export const webhookTestRoute = (app: FastifyInstance, { applications, accounts, webhookClient }: Services): void => {
  const countRequest = app.createRateLimit({
    ...rateLimitOptions,
    keyGenerator: ({ actor }) => actor?.user_sid ?? actor?.api_key_sid ?? '',
  })
  const checkLimit = async (request: FastifyRequest) => {
    const rateLimit = await countRequest(request)
    if (rateLimit.isAllowed || !rateLimit.isExceeded) return
    const seconds = rateLimit.ttlInSeconds
    throw new Problem(429, { msg: messages.test.tooMany(seconds) }, { 'retry-after': String(seconds) })
  }

  const schemas = { body: webhookTestDraft, response: webhookTestResult }
  mountRoute(app, webhookTest, schemas, async ({ params, body, actor, request }) => {
    const source = { kind: 'application' as const, rows: applications, missing: { update: notFoundWithoutBody } }
    const application = await findPermitted(source, 'update', actor, params.application_sid)
    const webhook = resolveWebhook(body, application[body.hook])
    await checkLimit(request)
    const { account_sid } = application
    const account = account_sid ? await accounts.find({ all: true }, account_sid) : undefined
    const outcome = await webhookClient.send(sampleRequest(body.hook, webhook, application, account?.webhook_secret))
    const { durationMs: duration_ms } = outcome
    if (outcome.kind === 'failure') {
      const host = new URL(webhook.url).hostname
      return { duration_ms, error: messages.test.failure[outcome.failure](host, webhookClient.timeoutMs / 1000) }
    }
    const { status, contentType: content_type, body: bytes } = outcome
    const redactedText = redactCredentials(decodeText(bytes), webhook)
    const preview = Buffer.from(redactedText).subarray(0, previewBytes)
    const shouldCheckVerbs = body.hook === 'call_hook' && successStatuses.has(status)
    return {
      duration_ms,
      response: {
        status,
        content_type,
        body: decodeText(preview),
        truncated: Buffer.byteLength(redactedText) > previewBytes,
      },
      ...(shouldCheckVerbs ? { verbs_error: findVerbsError(outcome, webhookClient) } : {}),
    }
  })
}
