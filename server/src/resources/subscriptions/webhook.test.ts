import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseEngines } from '../../../test/databases'
import { startPaymentBackend, webhookSecret, type PaymentBackend } from '../../../test/payment-backend'
import type { Event } from '../../../../scripts/launch/stripe-double/objects'

const startSeconds = Date.UTC(2026, 5, 1) / 1000
const daySeconds = 86_400

describe.each(databaseEngines)('events of Stripe (%s)', (databaseEngine) => {
  let backend: PaymentBackend
  beforeEach(async () => {
    backend = await startPaymentBackend({ databaseEngine, startSeconds })
  })
  afterEach(() => backend.close())

  interface Delivery {
    payload?: string
    secret?: string
    /** Unix seconds. */
    timestamp?: number
    signature?: string
  }

  const deliver = async (event: object, delivery: Delivery = {}) => {
    const payload = JSON.stringify(event)
    const { secret = webhookSecret, timestamp = Math.floor(Date.now() / 1000) } = delivery
    const signature = delivery.signature ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    const { statusCode, headers, body } = await backend.app.inject({
      method: 'POST',
      url: '/stripe/webhook',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      payload: delivery.payload ?? payload,
    })
    return { status: statusCode, retryAfter: headers['retry-after'], body }
  }
  const lastEvent = (type: string): Event => {
    const event = backend.double.store.events.findLast((candidate) => candidate.type === type)
    if (!event) throw new Error(`Stripe has sent no ${type}`)
    return event
  }
  const advanceDays = (days: number) => backend.double.advanceTo(backend.double.store.now() + days * daySeconds)
  const changeCard = (payment_method_id: string) =>
    backend.client('POST', '/Subscriptions', { action: 'update-payment-method', payment_method_id })

  it('are accepted only with a valid and recent signature', async () => {
    await backend.upgrade(10, 20)
    await changeCard('pm_card_chargeCustomerFail')
    advanceDays(30)
    const event = lastEvent('invoice.payment_failed')
    const refused = { status: 400, body: '{"msg":"invalid signature"}' }
    expect(await deliver(event, { secret: 'whsec_other' })).toMatchObject(refused)
    expect(await deliver(event, { signature: '' })).toMatchObject(refused)
    expect(await deliver(event, { signature: 't=1,v1=abc' })).toMatchObject(refused)
    expect(await deliver(event, { payload: JSON.stringify({ ...event, id: 'evt_other' }) })).toMatchObject(refused)
    expect(await deliver(event, { timestamp: Math.floor(Date.now() / 1000) - 3600 })).toMatchObject(refused)
    expect((await backend.readRows()).at(-1)).toMatchObject({ pending: 0 })
    expect(await deliver(event)).toMatchObject({ status: 204 })
    expect((await backend.readRows()).at(-1)).toMatchObject({ pending: 1, pending_reason: 'payment failed' })
    expect(backend.log()).toContain('"reason":"invalid signature"')
    expect(backend.log()).not.toContain(webhookSecret)
  })

  it('complete an upgrade that the bank has confirmed', async () => {
    const { body } = await backend.upgrade(10, 20, 'pm_card_authenticationRequired')
    expect(await deliver(lastEvent('invoice.payment_failed'))).toMatchObject({ status: 204 })
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'trial' })
    const [intent] = [...backend.double.store.paymentIntents.values()]
    backend.double.handle(undefined, 'POST', `/v1/payment_intents/${intent!.id}/confirm`, {
      client_secret: body.client_secret,
    })
    expect(await deliver(lastEvent('invoice.payment_succeeded'))).toMatchObject({ status: 204 })
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid', is_active: 1 })
    expect((await backend.readRows())[0]).toMatchObject({ change_reason: 'upgrade to paid plan' })
  })

  it('complete an upgrade whose local row has ended in the meantime', async () => {
    const { body } = await backend.upgrade(10, 20, 'pm_card_authenticationRequired')
    await backend.database.db
      .updateTable('account_subscriptions')
      .set({ effective_end_date: '2026-06-01 00:00:00' })
      .where('account_sid', '=', backend.account_sid)
      .where('pending', '=', 1)
      .execute()
    const [intent] = [...backend.double.store.paymentIntents.values()]
    backend.double.handle(undefined, 'POST', `/v1/payment_intents/${intent!.id}/confirm`, {
      client_secret: body.client_secret,
    })
    await deliver(lastEvent('invoice.payment_succeeded'))
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'paid' })
    expect((await backend.readRows()).at(-1)).toMatchObject({ pending: 0, sessions: 10, devices: 20 })
  })

  it('have an effect once', async () => {
    await backend.upgrade(10, 20)
    const event = lastEvent('invoice.payment_succeeded')
    expect(await Promise.all([deliver(event), deliver(event), deliver(event)])).toMatchObject([
      { status: 204 },
      { status: 204 },
      { status: 204 },
    ])
    const requestCount = backend.double.requests.length
    expect(await deliver(event)).toMatchObject({ status: 204 })
    expect(backend.double.requests.length).toBe(requestCount)
    const events = await backend.database.db.selectFrom('trunkline_stripe_events').select('event_id').execute()
    expect(events).toEqual([{ event_id: event.id }])
    expect(await backend.readRows()).toHaveLength(2)
  })

  it('are forgotten after thirty days', async () => {
    const { db } = backend.database
    const ages = [1, 29, 31]
    for (const days of ages)
      await db
        .insertInto('trunkline_stripe_events')
        .values({ event_id: `evt_${days}`, received_at: Date.now() - days * daySeconds * 1000 })
        .execute()
    await backend.services.billing!.prune()
    const events = await db.selectFrom('trunkline_stripe_events').select('event_id').orderBy('event_id').execute()
    expect(events).toEqual([{ event_id: 'evt_1' }, { event_id: 'evt_29' }])
  })

  it('about other customers and objects change nothing', async () => {
    await backend.upgrade(10, 20)
    const rows = await backend.readRows()
    const event = lastEvent('invoice.payment_succeeded')
    const object = event.data.object as object
    const unrelatedEvents = [
      { ...event, id: 'evt_1', data: { object: { ...object, customer: 'cus_other' } } },
      { ...event, id: 'evt_2', data: { object: { ...object, customer: null } } },
      { ...event, id: 'evt_3', data: { object: {} } },
      { ...event, id: 'evt_4', type: 'payout.paid' },
      { ...event, id: 'evt_5', data: { object: { ...object, customer: { id: 1 } } } },
    ]
    for (const unrelated of unrelatedEvents) expect(await deliver(unrelated)).toMatchObject({ status: 204 })
    expect(await backend.readRows()).toEqual(rows)
  })

  it('with an unreadable content get 400', async () => {
    for (const payload of ['', 'x', '[]', 'null', '{}', '1', '{"id":1}']) {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
      expect({ payload, ...(await deliver({}, { payload, signature })) }).toMatchObject({ payload, status: 400 })
    }
  })

  it('get 503 while Stripe does not respond, so that Stripe repeats them', { timeout: 30_000 }, async () => {
    await backend.upgrade(10, 20)
    await changeCard('pm_card_chargeCustomerFail')
    advanceDays(30)
    const event = lastEvent('invoice.payment_failed')
    backend.double.setInterference(() => 'lose-request')
    expect(await deliver(event)).toMatchObject({ status: 503, retryAfter: '5' })
    backend.double.setInterference(() => 'none')
    expect(await deliver(event)).toMatchObject({ status: 204 })
    expect((await backend.readRows()).at(-1)).toMatchObject({ pending: 1 })
  })

  it('of a running server follow each change of the subscription', async () => {
    const url = await backend.app.listen({ port: 0, host: '127.0.0.1' })
    const { webhooks } = backend.double
    webhooks.setTarget({ url: `${url}/stripe/webhook`, secret: webhookSecret })
    await backend.upgrade(10, 20)
    await changeCard('pm_card_chargeCustomerFail')
    advanceDays(30)
    await webhooks.drain()
    expect((await backend.readRows()).at(-1)).toMatchObject({ pending: 1, sessions: 10 })
    await changeCard('pm_card_visa')
    await webhooks.drain()
    expect((await backend.readRows()).at(-1)).toMatchObject({ pending: 0, sessions: 10 })
    await backend.client('POST', '/Subscriptions', { action: 'downgrade-to-free' })
    advanceDays(31)
    await webhooks.drain()
    expect(await backend.readAccount()).toMatchObject({ plan_type: 'free' })
  })
})
