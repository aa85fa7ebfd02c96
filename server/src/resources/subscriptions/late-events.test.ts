import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseEngines } from '../../../test/databases'
import { startPaymentBackend, type PaymentBackend } from '../../../test/payment-backend'

describe.each(databaseEngines)('a payment that Stripe has not reported yet (%s)', (databaseEngine) => {
  let backend: PaymentBackend
  beforeEach(async () => {
    backend = await startPaymentBackend({ databaseEngine })
  })
  afterEach(() => backend.close())

  const statuses = () => [...backend.double.store.subscriptions.values()].map(({ status }) => status)

  /** Confirms the payment at the bank. Stripe sends its event later. */
  const confirmPayment = (client_secret: string) => {
    const intent = [...backend.double.store.paymentIntents.values()].at(-1)!
    backend.double.handle(undefined, 'POST', `/v1/payment_intents/${intent.id}/confirm`, { client_secret })
  }

  it('is not made twice by a repeated upgrade', async () => {
    const { body } = await backend.upgrade(10, 20, 'pm_card_authenticationRequired')
    expect(body.status).toBe('action required')
    confirmPayment(body.client_secret)
    expect(await backend.upgrade(10, 20)).toMatchObject({ status: 201, body: { status: 'success' } })
    expect(statuses()).toEqual(['active'])
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid' })
    expect((await backend.readRows()).filter(({ hasEnded }) => !hasEnded)).toHaveLength(1)
  })

  it('is not followed by a second subscription with other quantities', async () => {
    const { body } = await backend.upgrade(10, 20, 'pm_card_authenticationRequired')
    confirmPayment(body.client_secret)
    expect(await backend.upgrade(11, 20)).toMatchObject({
      status: 400,
      body: { msg: 'the account already has a paid plan' },
    })
    expect(statuses()).toEqual(['active'])
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid' })
  })

  it('is not followed by a second subscription if it is made during the upgrade', async () => {
    const { body } = await backend.upgrade(10, 20, 'pm_card_authenticationRequired')
    const { payment } = backend.services.billing!
    const readSubscription = payment.readSubscription.bind(payment)
    let reads = 0
    payment.readSubscription = (id) => {
      reads += 1
      if (reads === 2) confirmPayment(body.client_secret)
      return readSubscription(id)
    }
    expect(await backend.upgrade(10, 20)).toMatchObject({ status: 400 })
    expect(statuses()).toEqual(['active'])
    await backend.services.billing!.reconcileAll(new AbortController().signal)
    expect(await backend.upgrade(10, 20)).toMatchObject({ status: 201, body: { status: 'success' } })
    expect(statuses()).toEqual(['active'])
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid' })
  })

  it('of an overdue invoice keeps the paid period after a downgrade', async () => {
    await backend.upgrade(10, 20)
    const customerId = (await backend.readAccount()).stripe_customer_id!
    const change = (body: object) => backend.client('POST', '/Subscriptions', body)
    await change({ action: 'update-payment-method', payment_method_id: 'pm_card_chargeCustomerFail' })
    backend.double.advanceTo(backend.double.store.now() + 31 * 86_400)
    const { payment, reconcileAll } = backend.services.billing!
    await reconcileAll(new AbortController().signal)
    expect((await backend.client('GET', '/Users/me')).body.subscription).toMatchObject({ status: 'suspended' })
    const [subscriptionId] = backend.double.store.subscriptions.keys()
    await payment.setCard(subscriptionId!, await payment.attachCard(customerId, 'pm_card_visa', 'a'), 'b')
    expect(await payment.payOpenInvoices(customerId, 'c')).toBe(true)
    expect(await change({ action: 'downgrade-to-free' })).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(statuses()).toEqual(['active'])
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid' })
  })
})
