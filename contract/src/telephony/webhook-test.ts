/** The User-Agent of sample requests, so that a webhook can distinguish a test from a call. */
export const webhookTestAgent = 'Trunkline-Webhook-Test'
