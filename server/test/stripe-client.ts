import Stripe from 'stripe'
import { parseForm } from '../../scripts/launch/stripe-double/form'
import type { StripeDouble } from '../../scripts/launch/stripe-double/server'

class DoubleResponse extends Stripe.HttpClientResponse {
  constructor(
    status: number,
    private readonly body: unknown,
  ) {
    super(status, {})
  }

  override getRawResponse() {
    return this.body
  }

  override toJSON() {
    // The SDK must not change the objects of the double.
    return Promise.resolve(structuredClone(this.body))
  }
}

/** Sends the requests of Stripe's SDK to the double without the network, for tests with very many requests. */
export class DoubleHttpClient extends Stripe.HttpClient {
  constructor(private readonly handle: StripeDouble['handle']) {
    super()
  }

  override getClientName() {
    return 'double'
  }

  override makeRequest(
    _host: string,
    _port: string | number,
    path: string,
    method: string,
    headers: object,
    requestData: string | null,
  ) {
    const { pathname, search } = new URL(path, 'http://localhost')
    const params = parseForm(method === 'POST' ? (requestData ?? '') : search.slice(1))
    const key = (headers as Record<string, string | undefined>)['Idempotency-Key']
    const { status, body } = this.handle(key, method, pathname, params)
    return Promise.resolve(new DoubleResponse(status, body))
  }
}
