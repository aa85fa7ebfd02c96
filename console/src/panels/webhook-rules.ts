import { messages } from '@trunkline/contract/messages/webhook'
import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import { validateWebhook, type WebhookValue } from '../fields/webhook-field'
import type { FieldErrors } from '../kit/form/resolver'

/**
 * Validates the webhooks of a form by wire name: a URL that can be called, and both username and password or neither.
 */
export const validateWebhooks = <Name extends string>(webhooks: Record<Name, WebhookValue>): FieldErrors =>
  Object.fromEntries(
    (Object.entries(webhooks) as [Name, WebhookValue][]).flatMap(([name, webhook]) => [
      ...(webhook.url.trim() && findWebhookUrlError(name, webhook.url.trim())
        ? [[`${name}.url`, messages.invalidUrl] as const]
        : []),
      ...Object.entries(validateWebhook(name, webhook)),
    ]),
  )
