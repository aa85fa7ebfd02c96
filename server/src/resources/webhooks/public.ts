export type { Webhooks } from './repository'
export { checkWebhookUrls, type WebhookDraft } from './rules'
