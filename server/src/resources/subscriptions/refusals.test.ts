import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApiClient, createClients, takeSnapshot } from '../../../test/api-client'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { hostedEdition } from '../../../test/hosted-edition'
import { startPaymentBackend, type PaymentBackend } from '../../../test/payment-backend'

describe.each(databaseEngines)('requests about payment (%s)', (databaseEngine) => {
  let backend: PaymentBackend
  beforeEach(async () => {
    backend = await startPaymentBackend({ databaseEngine })
  })
  afterEach(() => backend.close())

  const change = (body: unknown) => backend.client('POST', '/Subscriptions', body)

  it('list the products with their prices', async () => {
    const { status, body } = await backend.client('GET', '/Prices')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: [
        {
          category: 'voice_call_session',
          name: 'concurrent call session',
          unit_label: 'session',
          stripe_product_id: backend.double.prices[0]!.product,
          prices: [{ stripe_price_id: backend.double.prices[0]!.id, unit_amount: 1200, billing_scheme: 'per_unit' }],
        },
        {
          category: 'device',
          prices: [
            {
              tiers_mode: 'volume',
              tiers: [
                { up_to: 10, flat_amount: 1000, unit_amount: null },
                { up_to: 50, flat_amount: null, unit_amount: 90 },
                { up_to: null, flat_amount: null, unit_amount: 75 },
              ],
            },
          ],
        },
      ],
    })
    expect(await createApiClient(backend.app, backend.testData.keys.admin)('GET', '/Prices')).toMatchObject({
      status: 200,
      body: { length: 2 },
    })
  })

  it('list the offer for an account instead of the product for everybody', async () => {
    const offered = backend.double.addPrice({
      category: 'voice_call_session',
      name: 'special session',
      unitLabel: 'session',
      unitAmount: 900,
    })
    backend.double.store.products.get(offered.product)!.metadata = {}
    const [product] = backend.buildProducts(10, 0) as { product_sid: string }[]
    const { account_sid } = backend
    await backend.database.db
      .insertInto('account_offers')
      .values({
        account_offer_sid: account_sid,
        account_sid,
        product_sid: product!.product_sid,
        stripe_product_id: offered.product,
      })
      .execute()
    const { body } = await backend.client('GET', '/Prices')
    expect(body[0]).toMatchObject({ name: 'special session', prices: [{ unit_amount: 900 }] })
    expect(await backend.upgrade(10, 0)).toMatchObject({
      status: 400,
      body: { msg: 'this price is not offered', field: 'products.0.price_id' },
    })
    const products = [{ ...product, price_id: offered.id }]
    expect(await change({ action: 'upgrade-to-paid', payment_method_id: 'pm_card_visa', products })).toMatchObject({
      status: 201,
      body: { status: 'success', chargedAmount: 9000 },
    })
  })

  it('create the Stripe customer once, and delete it with what it pays', async () => {
    expect(await backend.client('DELETE', '/StripeCustomerId')).toMatchObject({ status: 404 })
    const { status, body } = await backend.client('GET', '/StripeCustomerId')
    expect({ status, body }).toEqual({ status: 200, body: { stripe_customer_id: expect.stringMatching(/^cus_/) } })
    expect((await backend.client('GET', '/StripeCustomerId')).body).toEqual(body)
    await backend.upgrade(10, 0)
    expect(backend.double.store.customers.size).toBe(1)
    expect(await backend.client('DELETE', '/StripeCustomerId')).toMatchObject({ status: 204 })
    expect(backend.double.store.customers.size).toBe(0)
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'free', stripe_customer_id: null })
  })

  it('are for the users and API keys of an account', async () => {
    const { users, keys, viewer, anonymous } = await createClients(backend)
    for (const client of [users.admin, users.north, keys.admin, keys.north]) {
      for (const path of ['/StripeCustomerId', '/Subscriptions', '/Invoices'])
        expect(await client('GET', path)).toMatchObject({ status: 404, body: 'Not Found' })
      expect(await client('DELETE', '/StripeCustomerId')).toMatchObject({ status: 404 })
      expect(await client('POST', '/Subscriptions', { action: 'downgrade-to-free' })).toMatchObject({
        status: 403,
        body: { msg: 'insufficient permissions' },
      })
    }
    for (const path of ['/Prices', '/StripeCustomerId', '/Subscriptions', '/Invoices'])
      expect(await anonymous('GET', path)).toMatchObject({ status: 401 })
    expect(await viewer('POST', '/Subscriptions', { action: 'downgrade-to-free' })).toMatchObject({ status: 403 })
    expect(await viewer('GET', '/StripeCustomerId')).toMatchObject({ status: 403 })
    expect(backend.double.store.customers.size).toBe(0)
    expect(await keys.acme('GET', '/StripeCustomerId')).toMatchObject({ status: 200 })
    expect(await viewer('GET', '/StripeCustomerId')).toMatchObject({ status: 200 })
  })

  it('are refused with the message of the first problem', async () => {
    const [session, device] = backend.buildProducts(10, 20) as { product_sid: string; price_id: string }[]
    const buy = (...products: unknown[]) => ({ action: 'upgrade-to-paid', payment_method_id: 'pm_card_visa', products })
    const snapshot = await takeSnapshot(backend.database)
    const cases: [unknown, string][] = [
      [{}, 'invalid or missing action'],
      [{ action: 'buy' }, 'invalid or missing action'],
      [{ action: ['upgrade-to-paid'] }, 'invalid or missing action'],
      [{ action: 'upgrade-to-paid', products: [session] }, 'missing payment_method_id'],
      [{ action: 'upgrade-to-paid', products: [session], payment_method_id: {} }, 'missing payment_method_id'],
      [{ action: 'update-payment-method' }, 'missing payment_method_id'],
      [{ action: 'upgrade-to-paid', payment_method_id: 'pm_card_visa' }, 'missing products'],
      [{ action: 'update-quantities', products: [] }, 'missing products'],
      [{ action: 'update-quantities', products: 'x' }, 'missing products'],
      [buy(session, 'x'), 'every product needs'],
      [buy({ ...session, quantity: 5.5 }), 'every product needs'],
      [buy({ ...session, quantity: '10' }), 'every product needs'],
      [buy({ ...session, quantity: 1e300 }), 'every product needs'],
      [buy(session, session), 'every product needs'],
      [buy(null), 'every product needs'],
      [buy({ ...session, price_id: undefined }), 'every product needs'],
      [buy({ ...session, price_id: 'price_free' }), 'this price is not offered'],
      [buy({ ...session, price_id: device!.price_id }), 'this price is not offered'],
      [buy({ ...session, product_sid: device!.product_sid }), 'this price is not offered'],
      [buy({ ...session, quantity: 4 }), 'invalid voice call session value, minimum is 5'],
      [buy({ ...session, quantity: -1 }), 'invalid voice call session value, minimum is 5'],
      [buy({ ...session, quantity: 1001 }), 'invalid voice call session value, maximum is 1000'],
      [buy(device), 'invalid voice call session value, minimum is 5'],
      [buy(session, { ...device, quantity: -1 }), 'invalid device value, minimum is 0'],
      [buy(session, { ...device, quantity: 201 }), 'invalid device value, maximum is 200'],
      [{ action: 'update-quantities', products: [session, device] }, 'the account has no active subscription'],
      [
        { action: 'update-quantities', products: [session, device], dry_run: true },
        'the account has no active subscription',
      ],
      [{ action: 'downgrade-to-free' }, 'the account has no active subscription'],
      [{ action: 'keep-paid-plan' }, 'the account has no active subscription'],
      [
        { action: 'update-payment-method', payment_method_id: 'pm_card_visa' },
        `Account ${backend.account_sid} is not provisioned in Stripe`,
      ],
    ]
    for (const [body, msg] of cases)
      expect({ body, response: await change(body) }).toMatchObject({
        body,
        response: { status: 400, body: { msg: expect.stringContaining(msg) } },
      })
    expect(await takeSnapshot(backend.database)).toEqual(snapshot)
    expect(backend.double.store.subscriptions.size).toBe(0)
  })

  it('are refused with the text of Stripe if the card does not exist', async () => {
    expect(await backend.upgrade(10, 0, 'pm_unknown')).toMatchObject({
      status: 400,
      body: { msg: "No such PaymentMethod: 'pm_unknown'" },
    })
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'trial' })
  })

  it('are limited per account', async () => {
    const responses = []
    for (let attempt = 0; attempt < 21; attempt += 1)
      responses.push((await backend.upgrade(10, 0, 'pm_card_chargeDeclined')).status)
    expect(responses).toEqual([...Array<number>(20).fill(402), 429])
    expect(backend.log()).toContain('"security_event":"payment_refused"')
    expect(backend.log()).not.toContain('sk_test_double')
    expect(backend.log()).not.toContain('pm_card')
  })

  it('get 503 while Stripe does not respond, and change nothing twice', { timeout: 60_000 }, async () => {
    await backend.client('GET', '/Prices')
    backend.double.setInterference((method, path) =>
      method === 'POST' && path === '/v1/subscriptions' ? 'lose-response' : 'none',
    )
    expect(await backend.upgrade(10, 20)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { msg: 'The payment provider does not respond. Try again later.' },
    })
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'trial' })
    backend.double.setInterference(() => 'none')
    expect(await backend.upgrade(10, 20)).toMatchObject({ status: 201, body: { status: 'success' } })
    expect(backend.double.store.subscriptions.size).toBe(1)
    backend.double.setInterference(() => 'lose-request')
    for (const path of ['/Subscriptions', '/Invoices'])
      expect(await backend.client('GET', path)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  })

  it('delete the Stripe customer of a deleted account, even if Stripe does not respond at first', async () => {
    await backend.upgrade(10, 20)
    backend.double.setInterference((method) => (method === 'DELETE' ? 'lose-request' : 'none'))
    const client = createApiClient(backend.app, backend.testData.keys.admin)
    expect(await client('DELETE', `/Accounts/${backend.account_sid}`)).toMatchObject({ status: 204 })
    expect(backend.double.store.customers.size).toBe(1)
    backend.double.setInterference(() => 'none')
    await backend.services.billing!.repairAll(new AbortController().signal)
    expect(backend.double.store.customers.size).toBe(0)
    expect([...backend.double.store.subscriptions.values()]).toMatchObject([{ status: 'canceled' }])
    const details = await backend.database.db.selectFrom('trunkline_subscription_details').selectAll().execute()
    expect(details).toEqual([])
  })
})

describe('without Stripe', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ config: { hostedEdition } })
  })
  afterAll(() => backend.close())

  it('nothing is offered, and there are no subscriptions', async () => {
    const client = createApiClient(backend.app, backend.testData.keys.acme)
    expect(await client('GET', '/Prices')).toMatchObject({ status: 200, body: [] })
    for (const path of ['/StripeCustomerId', '/Subscriptions', '/Invoices'])
      expect(await client('GET', path)).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await client('POST', '/Subscriptions', { action: 'upgrade-to-paid' })).toMatchObject({
      status: 422,
      body: { msg: 'Card payment is not set up on this server.' },
    })
    expect((await backend.app.inject({ method: 'POST', url: '/stripe/webhook', payload: {} })).statusCode).toBe(404)
    expect((await client('GET', '/Abilities')).body).toMatchObject({ billing: false })
  })
})
