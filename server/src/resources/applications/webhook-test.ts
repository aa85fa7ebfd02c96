import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fullReach } from '@trunkline/contract/policy/can'
import { secretPlaceholder } from '@trunkline/contract/kit/secret'
import { messages } from '@trunkline/contract/messages/webhook'
import { webhookTest } from '@trunkline/contract/resources/application'
import { webhookTestDraftSchema, webhookTestResultSchema, type Webhook } from '@trunkline/contract/shapes/webhook'
import { describeAppJsonError } from '@trunkline/contract/telephony/verbs'
import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import type * as z from 'zod'
import { mountRoute } from '../../http/mount-route'
import { notFoundWithoutBody, badRequest, Problem } from '../../http/problem'
import { findPermitted } from '../../http/resource-routes'
import type { WebhookClient, WebhookOutcome } from '../../ports/webhook-client'
import type { Services } from '../../composition/services'
import { encodeBasicCredentials, createSampleRequest, type TestedWebhook } from './sample-requests'

type Draft = z.output<typeof webhookTestDraftSchema>
type WebhookResponse = Extract<WebhookOutcome, { kind: 'response' }>

/** Rate limit per user or API key. */
const rateLimitOptions = { max: 10, timeWindow: 60_000 }
const maxPreviewBytes = 2048
/** A call fails if its webhook responds with another status. */
const successStatuses: ReadonlySet<number> = new Set([200, 202, 204])

const checkUrl = (url: string): void => {
  const error = findWebhookUrlError('url', url)
  if (error) throw badRequest(error, 'url')
  if (!/^https?:/i.test(url)) throw badRequest(messages.test.onlyHttp, 'url')
}

/** The password in the body, or the saved one if it is masked or omitted and the origin is unchanged. */
const resolvePassword = ({ password }: Draft, savedWebhook: Webhook | null, isSameOrigin: boolean): string | null => {
  if (password !== undefined && password !== secretPlaceholder) return password || null
  if (isSameOrigin) return savedWebhook?.password ?? null
  if (password === secretPlaceholder) throw badRequest(messages.test.reenterPassword, 'password')
  return null
}

/** The webhook from the request body. Omitted fields come from the saved webhook. */
const resolveWebhook = (draft: Draft, savedWebhook: Webhook | null): TestedWebhook => {
  const url = draft.url ?? savedWebhook?.url
  if (!url) throw badRequest('missing field url', 'url')
  checkUrl(url)
  const isSameOrigin =
    savedWebhook !== null && URL.canParse(savedWebhook.url) && new URL(savedWebhook.url).origin === new URL(url).origin
  return {
    url,
    method: draft.method ?? savedWebhook?.method ?? 'POST',
    username: (draft.username === undefined && isSameOrigin ? savedWebhook.username : draft.username) || null,
    password: resolvePassword(draft, savedWebhook, isSameOrigin),
  }
}

/** Redacts the webhook's credentials, in case the response repeats them. */
const redactCredentials = (text: string, { username, password }: TestedWebhook): string =>
  username && password
    ? text.replaceAll(encodeBasicCredentials(username, password), '[hidden]').replaceAll(password, '[hidden]')
    : text

/** Decodes UTF-8 and drops an incomplete last character. */
const decodeText = (bodyBytes: Buffer): string => new TextDecoder().decode(bodyBytes, { stream: true })

const findVerbsError = (
  { body, contentType, isComplete }: WebhookResponse,
  { maxBodyBytes }: WebhookClient,
): string | null => {
  const { notJson, empty, tooLong } = messages.test.verbs
  if (body.length === 0) return empty
  if (!contentType?.includes('application/json')) return notJson(contentType)
  if (!isComplete) return tooLong(maxBodyBytes / 1024)
  return describeAppJsonError(body.toString()) ?? null
}

/** Sends sample requests to the webhooks of applications. */
export const webhookTestRoute = (
  app: FastifyInstance,
  { applications, accounts, webhookClient }: Pick<Services, 'applications' | 'accounts' | 'webhookClient'>,
): void => {
  const countRequestOfActor = app.createRateLimit({
    ...rateLimitOptions,
    keyGenerator: ({ actor }) => actor?.user_sid ?? actor?.api_key_sid ?? '',
  })
  const checkRateLimit = async (request: FastifyRequest) => {
    const rateLimit = await countRequestOfActor(request)
    if (rateLimit.isAllowed || !rateLimit.isExceeded) return
    const retryAfterSeconds = rateLimit.ttlInSeconds
    throw new Problem(
      429,
      { msg: messages.test.tooMany(retryAfterSeconds) },
      { 'retry-after': String(retryAfterSeconds) },
    )
  }

  const schemas = { body: webhookTestDraftSchema, response: webhookTestResultSchema }
  mountRoute(app, webhookTest, schemas, async ({ params, body, actor, request }) => {
    const source = { kind: 'application' as const, repository: applications, missing: { update: notFoundWithoutBody } }
    const application = await findPermitted(source, 'update', actor, params.application_sid)
    const webhook = resolveWebhook(body, application[body.hook])
    await checkRateLimit(request)
    const { account_sid } = application
    const account = account_sid ? await accounts.find(fullReach, account_sid) : undefined
    const outcome = await webhookClient.send(
      createSampleRequest(body.hook, webhook, application, account?.webhook_secret),
    )
    const { durationMs: duration_ms } = outcome
    if (outcome.kind === 'failure') {
      const host = new URL(webhook.url).hostname
      return { duration_ms, error: messages.test.failure[outcome.failure](host, webhookClient.timeoutMs / 1000) }
    }
    const { status, contentType: content_type, body: bodyBytes } = outcome
    const redactedText = redactCredentials(decodeText(bodyBytes), webhook)
    const preview = Buffer.from(redactedText).subarray(0, maxPreviewBytes)
    const shouldCheckVerbs = body.hook === 'call_hook' && successStatuses.has(status)
    return {
      duration_ms,
      response: {
        status,
        content_type,
        body: decodeText(preview),
        truncated: Buffer.byteLength(redactedText) > maxPreviewBytes,
      },
      ...(shouldCheckVerbs ? { verbs_error: findVerbsError(outcome, webhookClient) } : {}),
    }
  })
}
