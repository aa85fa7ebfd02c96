/** The User-Agent of a sample request, by which a webhook tells a test from a call. */
export const webhookTestAgent = 'Trunkline-Webhook-Test'
