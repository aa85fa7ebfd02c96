import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseEngines } from '../../../test/databases'
import { startPaymentBackend, type PaymentBackend } from '../../../test/payment-backend'

/** The first second of a month of thirty days. */
const startSeconds = Date.UTC(2026, 5, 1) / 1000
const daySeconds = 86_400

describe.each(databaseEngines)('subscriptions (%s)', (databaseEngine) => {
  let backend: PaymentBackend
  beforeEach(async () => {
    backend = await startPaymentBackend({ databaseEngine, startSeconds })
  })
  afterEach(() => backend.close())

  const change = (body: object) => backend.client('POST', '/Subscriptions', body)
  const changeQuantities = (sessions: number, devices: number, fields: object = {}) =>
    change({ action: 'update-quantities', products: backend.buildProducts(sessions, devices), ...fields })
  const changeCard = (payment_method_id: string) => change({ action: 'update-payment-method', payment_method_id })
  const readSubscription = async () => (await backend.client('GET', '/Users/me')).body.subscription
  const synchronize = () => backend.services.billing!.reconcileAll(new AbortController().signal)
  const advanceDays = async (days: number) => {
    backend.double.advanceTo(backend.double.store.now() + days * daySeconds)
    await synchronize()
  }

  it('start with a first payment', async () => {
    expect(await backend.upgrade(10, 20)).toMatchObject({
      status: 201,
      body: { status: 'success', chargedAmount: 13_800, currency: 'usd', statementDescriptor: 'TRUNKLINE' },
    })
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid', is_active: 1 })
    expect(await backend.readRows()).toEqual([
      {
        pending: 0,
        hasEnded: true,
        change_reason: 'upgrade to paid plan',
        pending_reason: null,
        stripe_subscription_id: null,
        sessions: 5,
        devices: 0,
      },
      {
        pending: 0,
        hasEnded: false,
        change_reason: null,
        pending_reason: null,
        stripe_subscription_id: [...backend.double.store.subscriptions.keys()][0],
        sessions: 10,
        devices: 20,
      },
    ])
    expect(await readSubscription()).toMatchObject({
      status: 'active',
      products: [
        { name: 'concurrent call session', quantity: 10 },
        { name: 'registered device', quantity: 20 },
      ],
      last4: '4242',
      exp_month: 8,
      exp_year: 2030,
      card_type: 'visa',
      statement_descriptor: 'TRUNKLINE',
    })
    const stored = await backend.database.db.selectFrom('account_subscriptions').select('last4').execute()
    expect(JSON.stringify(stored)).not.toContain('4242')
  })

  it('have a customer and items that lead back to the account', async () => {
    await backend.upgrade(10, 0)
    const [subscription] = [...backend.double.store.subscriptions.values()]
    const [customer] = [...backend.double.store.customers.values()]
    const { account_sid } = backend
    expect(customer).toMatchObject({ metadata: { account_sid }, name: expect.any(String), email: expect.any(String) })
    expect(subscription!.metadata).toMatchObject({ account_sid, account_subscription_sid: expect.any(String) })
    expect(subscription!.items.data.map(({ quantity, metadata }) => [quantity, metadata.product_sid])).toEqual([
      [10, expect.any(String)],
      [0, expect.any(String)],
    ])
    const writes = backend.double.requests.filter(({ method }) => method !== 'GET')
    expect(writes.every(({ idempotencyKey }) => idempotencyKey)).toBe(true)
  })

  it('are returned as the objects of Stripe', async () => {
    expect(await backend.client('GET', '/Subscriptions')).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await backend.client('GET', '/Invoices')).toMatchObject({ status: 404, body: 'Not Found' })
    await backend.upgrade(10, 20)
    expect(await backend.client('GET', '/Subscriptions')).toMatchObject({
      status: 200,
      body: { object: 'subscription', status: 'active' },
    })
    expect(await backend.client('GET', '/Invoices')).toMatchObject({
      status: 200,
      body: { total: 13_800, currency: 'usd', next_payment_attempt: startSeconds + 30 * daySeconds },
    })
  })

  it('wait for the bank if it must confirm the payment', async () => {
    const { status, body } = await backend.upgrade(10, 20, 'pm_card_authenticationRequired')
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        status: 'action required',
        subscription: expect.stringMatching(/^sub_/),
        client_secret: expect.any(String),
      },
    })
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'trial' })
    expect(await readSubscription()).not.toHaveProperty('pending')
    expect((await backend.readRows()).map(({ pending, hasEnded }) => [pending, hasEnded])).toEqual(
      expect.arrayContaining([
        [0, false],
        [1, false],
      ]),
    )
    const [intent] = [...backend.double.store.paymentIntents.values()]
    backend.double.handle(undefined, 'POST', `/v1/payment_intents/${intent!.id}/confirm`, {
      client_secret: body.client_secret,
    })
    await synchronize()
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid' })
  })

  it('do not start with a declined card', async () => {
    expect(await backend.upgrade(10, 20, 'pm_card_chargeCustomerFail')).toMatchObject({
      status: 201,
      body: {
        status: 'card error',
        reason: 'Your card was declined.',
        subscription: expect.any(String),
        client_secret: expect.any(String),
      },
    })
    expect(await backend.upgrade(10, 20, 'pm_card_chargeDeclined')).toMatchObject({
      status: 402,
      body: { msg: 'Your card was declined.', error: { type: 'card_error', code: 'card_declined' } },
    })
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'trial' })
    expect(await backend.upgrade(10, 20)).toMatchObject({ status: 201, body: { status: 'success' } })
    const statuses = [...backend.double.store.subscriptions.values()].map(({ status }) => status)
    expect(statuses.sort()).toEqual(['active', 'canceled'])
    expect((await backend.readRows()).filter(({ hasEnded }) => !hasEnded)).toHaveLength(1)
  })

  it('start once, even if the request is repeated', async () => {
    const responses = await Promise.all([backend.upgrade(10, 20), backend.upgrade(10, 20)])
    expect(responses.map(({ body }) => body.status)).toEqual(['success', 'success'])
    expect(backend.double.store.subscriptions.size).toBe(1)
    expect(await backend.upgrade(11, 20)).toMatchObject({
      status: 400,
      body: { msg: 'the account already has a paid plan' },
    })
  })

  it('preview an upgrade without changing anything', async () => {
    const products = backend.buildProducts(10, 20)
    expect(await change({ action: 'upgrade-to-paid', products, dry_run: true })).toMatchObject({
      status: 201,
      body: {
        prorated_cost: 13_800,
        monthly_cost: 13_800,
        currency: 'usd',
        next_invoice_date: expect.stringMatching(/^\w{3} \w{3} \d\d \d{4}$/),
      },
    })
    expect(backend.double.store.customers.size).toBe(0)
    expect(await backend.readRows()).toHaveLength(1)
  })

  it('change their quantities after a preview', async () => {
    await backend.upgrade(10, 20)
    await advanceDays(22)
    expect(await changeQuantities(14, 40, { dry_run: true })).toMatchObject({
      status: 201,
      body: { currency: 'usd', prorated_cost: 1760, monthly_cost: 20_400, next_invoice_date: 'Wed Jul 01 2026' },
    })
    expect(await changeQuantities(6, 10, { dry_run: true })).toMatchObject({
      body: { prorated_cost: -1493, monthly_cost: 8200 },
    })
    expect(await changeQuantities(14, 40)).toEqual(
      expect.objectContaining({ status: 201, body: { status: 'success' } }),
    )
    // sorted here: rows that ended within one second have no order in the database
    const rows = (await backend.readRows()).sort((first, second) => first.sessions - second.sessions)
    expect(rows).toMatchObject([
      { change_reason: 'upgrade to paid plan' },
      { hasEnded: true, change_reason: 'change plan details', sessions: 10, devices: 20 },
      { hasEnded: false, pending: 0, sessions: 14, devices: 40 },
    ])
    const charged = [...backend.double.store.invoices.values()].map(({ amount_paid }) => amount_paid)
    expect(charged).toEqual([13_800, 1760])
    expect(await readSubscription()).toMatchObject({ last4: '4242' })
  })

  it('change without a charge if the quantities are the same', async () => {
    await backend.upgrade(10, 20)
    expect(await changeQuantities(10, 20)).toMatchObject({ status: 201, body: { status: 'success' } })
    expect(backend.double.store.invoices.size).toBe(1)
  })

  it('keep the old quantities until the new ones are paid', async () => {
    await backend.upgrade(10, 20)
    expect(await changeCard('pm_card_chargeCustomerFail')).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(await changeQuantities(14, 40)).toMatchObject({
      status: 201,
      body: { status: 'failed', reason: 'payment required' },
    })
    expect(await readSubscription()).toMatchObject({
      status: 'active',
      last4: '0341',
      products: [{ quantity: 10 }, { quantity: 20 }],
      pending: { products: [{ quantity: 14 }, { quantity: 40 }], reason: 'payment failed' },
    })
    expect(await changeCard('pm_card_visa')).toMatchObject({ status: 200, body: { status: 'success' } })
    const subscription = await readSubscription()
    expect(subscription).toMatchObject({ products: [{ quantity: 14 }, { quantity: 40 }], last4: '4242' })
    expect(subscription).not.toHaveProperty('pending')
  })

  it('drop a change that is not paid', async () => {
    await backend.upgrade(10, 20)
    await changeCard('pm_card_chargeCustomerFail')
    await changeQuantities(14, 40)
    await changeQuantities(15, 40)
    expect((await readSubscription()).pending.products).toMatchObject([{ quantity: 15 }, { quantity: 40 }])
    expect(await changeQuantities(10, 20)).toMatchObject({ body: { status: 'success' } })
    expect(await readSubscription()).not.toHaveProperty('pending')
    await changeQuantities(14, 40)
    await advanceDays(1)
    expect(await readSubscription()).not.toHaveProperty('pending')
    expect(await backend.readRows()).toHaveLength(5)
  })

  it('are suspended if a renewal is not paid, until a new card pays it', async () => {
    await backend.upgrade(10, 20)
    await changeCard('pm_card_chargeCustomerFail')
    await advanceDays(30)
    expect(await readSubscription()).toMatchObject({
      status: 'suspended',
      suspend_reason: 'payment failed',
      unpaid_invoice: { total: 13_800, currency: 'usd', created_at: '2026-07-01T00:00:00.000Z' },
    })
    expect(await changeQuantities(11, 20)).toMatchObject({
      status: 400,
      body: { msg: 'the account has no active subscription' },
    })
    expect(await changeCard('pm_card_chargeCustomerFail')).toMatchObject({
      status: 200,
      body: { status: 'failed to pay outstanding invoices' },
    })
    expect(await changeCard('pm_card_chargeDeclined')).toMatchObject({ status: 402 })
    expect(await readSubscription()).toMatchObject({ status: 'suspended' })
    expect(await changeCard('pm_card_mastercard')).toMatchObject({ status: 200, body: { status: 'success' } })
    const subscription = await readSubscription()
    expect(subscription).toMatchObject({ status: 'active', last4: '4444' })
    expect(subscription).not.toHaveProperty('unpaid_invoice')
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid' })
  })

  it('end if they are never paid', async () => {
    await backend.upgrade(10, 20)
    await changeCard('pm_card_chargeCustomerFail')
    await advanceDays(30)
    await advanceDays(20)
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'free', is_active: 1 })
    const rows = await backend.readRows()
    expect(rows.filter(({ hasEnded }) => !hasEnded)).toMatchObject([
      { pending: 0, sessions: 1, devices: 1, stripe_subscription_id: null },
    ])
    // Both ended within the same second, so they have no order.
    expect(
      rows
        .filter(({ hasEnded }) => hasEnded)
        .map(({ change_reason }) => change_reason)
        .sort(),
    ).toEqual(['payment failed', 'upgrade to paid plan'])
  })

  it('end with their period after a downgrade, which can be taken back', async () => {
    await backend.upgrade(10, 20)
    const downgrade = () => change({ action: 'downgrade-to-free' })
    const effective_date = '2026-07-01T00:00:00.000Z'
    expect(await downgrade()).toMatchObject({ status: 200, body: { status: 'success', effective_date } })
    expect(await readSubscription()).toMatchObject({ status: 'active', ends_at: effective_date })
    expect(await backend.client('GET', '/Invoices')).toMatchObject({ status: 404 })
    expect(await change({ action: 'keep-paid-plan' })).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(await readSubscription()).not.toHaveProperty('ends_at')
    await downgrade()
    await advanceDays(29)
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid' })
    await advanceDays(1)
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'free', is_active: 1 })
    const rows = await backend.readRows()
    expect(rows.filter(({ hasEnded }) => !hasEnded)).toMatchObject([{ pending: 0, sessions: 1, devices: 1 }])
    expect(
      rows
        .filter(({ hasEnded }) => hasEnded)
        .map(({ change_reason }) => change_reason)
        .sort(),
    ).toEqual(['downgrade to free plan', 'upgrade to paid plan'])
    expect([...backend.double.store.paymentMethods.values()].map(({ customer }) => customer)).toEqual([null])
    expect(await change({ action: 'keep-paid-plan' })).toMatchObject({ status: 400 })
  })

  it('end at once after a downgrade if they are suspended, with their open invoice', async () => {
    await backend.upgrade(10, 20)
    await changeCard('pm_card_chargeCustomerFail')
    await advanceDays(30)
    expect(await change({ action: 'downgrade-to-free' })).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'free' })
    const open = [...backend.double.store.invoices.values()].filter(({ status }) => status === 'open')
    expect(open).toEqual([])
    expect((await backend.readRows()).map(({ change_reason }) => change_reason)).toContain('downgrade to free plan')
    expect(await backend.upgrade(5, 0)).toMatchObject({ body: { status: 'success' } })
  })
})
