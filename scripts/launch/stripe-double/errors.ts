import type { CardError } from './objects'

/** An error response of the double, as Stripe formats it (docs.stripe.com/api/errors). */
export class StripeApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: { type: string; message: string; code?: string; param?: string; decline_code?: string },
  ) {
    super(body.message)
  }
}

export const missingObject = (kind: string, id: string) =>
  new StripeApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: 'id',
  })

export const invalidRequest = (message: string, param?: string) =>
  new StripeApiError(400, { type: 'invalid_request_error', message, ...(param ? { param } : {}) })

/** The subscription ends with its period, or has ended. */
export const noNextInvoice = new StripeApiError(404, {
  type: 'invalid_request_error',
  code: 'invoice_upcoming_none',
  message: 'No upcoming invoices for this subscription.',
})

export const cardDeclined = (error: CardError) => new StripeApiError(402, error)

export const declined: CardError = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
}
