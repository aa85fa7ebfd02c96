import Stripe from 'stripe'
import { CardDeclinedError, PaymentRefusedError } from '../../ports/payment'
import { UnavailableError } from '../../ports/service-errors'

const unavailableMessage = 'The payment provider does not respond. Try again later.'

/** Stripe's error response, without what the SDK adds. */
const toErrorBody = ({ rawType, code, decline_code, message, param }: Stripe.errors.StripeError) => ({
  error: { type: rawType ?? 'api_error', code, decline_code, message, param },
})

/** Turns an error of the SDK into one of the port. */
const toPortError = (error: unknown): unknown => {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  if (error instanceof Stripe.errors.StripeCardError) return new CardDeclinedError(error.message, toErrorBody(error))
  // 409: another request with the same idempotency key is running.
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409)
    return new PaymentRefusedError(error.message, { cause: error })
  // A missing response, an error of Stripe, too many requests, or a wrong API key, which only the operator can correct.
  return new UnavailableError(unavailableMessage, { cause: error })
}

/** Runs a request to Stripe. */
export const requestStripe = async <Result>(request: () => Promise<Result>): Promise<Result> => {
  try {
    return await request()
  } catch (error) {
    throw toPortError(error)
  }
}

/** Whether the error says that the object does not exist. */
const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.statusCode === 404 || error.code === 'resource_missing' || error.code === 'invoice_upcoming_none')

/** Like `requestStripe`; undefined if the object does not exist. */
export const requestIfPresent = <Result>(request: () => Promise<Result>): Promise<Result | undefined> =>
  requestStripe(async () => {
    try {
      return await request()
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  })
