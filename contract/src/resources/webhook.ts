import { defineRoute } from '../kit/route'
import type { StoredWebhook, WebhookDraft } from '../shapes/webhook'

/** A webhook that a later request links by its SID. It is updated and deleted with the records that refer to it. */
export const webhook = {
  create: defineRoute<{ body: WebhookDraft; response: { sid: string } }>()('POST', '/Webhooks', 'Add a webhook'),
  read: defineRoute<{ response: StoredWebhook }>()('GET', '/Webhooks/:webhook_sid', 'Read a webhook'),
}
