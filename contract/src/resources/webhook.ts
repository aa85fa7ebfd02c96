import { route } from '../kit/route'
import type { StoredWebhook, WebhookDraft } from '../shapes/webhook'

/** A webhook by itself, to be chosen by its sid. It is changed with what points at it, and goes with it. */
export const webhook = {
  create: route<{ body: WebhookDraft; response: { sid: string } }>()('POST', '/Webhooks', 'Add one webhook'),
  read: route<{ response: StoredWebhook }>()('GET', '/Webhooks/:webhook_sid', 'Read one webhook'),
}
