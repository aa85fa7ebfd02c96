import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startStripeDouble, type StripeDouble } from './server'

const dayMs = 86_400_000
/** The first second of a month of thirty days. */
const startSeconds = Date.UTC(2026, 5, 1) / 1000

describe('the double of Stripe, used through the official SDK', () => {
  let double: StripeDouble
  let stripe: Stripe
  beforeEach(async () => {
    double = await startStripeDouble({ startSeconds })
    const { hostname, port } = new URL(double.url)
    stripe = new Stripe('sk_test_double', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
  })
  afterEach(() => double.close())

  const addCustomer = async (card: string) => {
    const customer = await stripe.customers.create({ email: 'a@example.com', metadata: { account_sid: 'acme' } })
    const method = await stripe.paymentMethods.attach(card, { customer: customer.id })
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } })
    return customer.id
  }
  const subscribe = (customer: string, sessions: number, devices: number) =>
    stripe.subscriptions.create({
      customer,
      items: [
        { price: double.prices[0]!.id, quantity: sessions },
        { price: double.prices[1]!.id, quantity: devices },
      ],
      expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments.data.payment.payment_intent'],
    })
  const changeQuantity = (subscription: Stripe.Subscription, quantity: number) =>
    stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]!.id, quantity }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice'],
    })
  const advanceDays = (days: number) => double.advanceTo(double.store.now() + (days * dayMs) / 1000)
  const typesOfEvents = () => double.store.events.map(({ type }) => type)

  it('charges the price list for the first month', async () => {
    const subscription = await subscribe(await addCustomer('pm_card_visa'), 10, 20)
    expect(subscription.status).toBe('active')
    expect(subscription.latest_invoice).toMatchObject({ status: 'paid', total: 13_800, amount_paid: 13_800 })
    expect(typesOfEvents()).toContain('invoice.payment_succeeded')
  })

  it('includes tiers only if they are expanded', async () => {
    const { data: plain } = await stripe.prices.list({ product: double.prices[1]!.product })
    const { data: expanded } = await stripe.prices.list({ product: double.prices[1]!.product, expand: ['data.tiers'] })
    expect(plain[0]).not.toHaveProperty('tiers')
    expect(expanded[0]!.tiers!.map(({ up_to }) => up_to)).toEqual([10, 50, null])
  })

  it('prorates a change to the second, and applies it when its invoice is paid', async () => {
    const subscription = await subscribe(await addCustomer('pm_card_visa'), 10, 20)
    advanceDays(22)
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: [
          { id: subscription.items.data[0]!.id, quantity: 14 },
          { id: subscription.items.data[1]!.id, quantity: 40 },
        ],
        proration_behavior: 'always_invoice',
      },
    })
    expect(preview.total).toBe(1760)
    const changed = await changeQuantity(subscription, 14)
    expect(changed.items.data[0]!.quantity).toBe(14)
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', total: 1280 })
  })

  it('keeps the credit of a smaller quantity for the next invoice', async () => {
    const customer = await addCustomer('pm_card_visa')
    const subscription = await subscribe(customer, 10, 20)
    advanceDays(15)
    await changeQuantity(subscription, 5)
    expect((await stripe.customers.retrieve(customer)) as Stripe.Customer).toMatchObject({ balance: -3000 })
    advanceDays(15)
    const { data } = await stripe.invoices.list({ customer })
    expect(data[0]).toMatchObject({ total: 7800, amount_due: 4800, status: 'paid' })
  })

  it('leaves a change pending until a new card pays it, or it expires', async () => {
    const customer = await addCustomer('pm_card_visa')
    const subscription = await subscribe(customer, 10, 0)
    const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
    const changed = await changeQuantity(subscription, 20)
    expect(changed.pending_update).not.toBeNull()
    expect(changed.items.data[0]!.quantity).toBe(10)
    const invoice = changed.latest_invoice as Stripe.Invoice
    await expect(stripe.invoices.pay(invoice.id)).rejects.toMatchObject({ code: 'card_declined', statusCode: 402 })
    const visa = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: visa.id } })
    await stripe.invoices.pay(invoice.id)
    const paid = await stripe.subscriptions.retrieve(subscription.id)
    expect(paid.pending_update).toBeNull()
    expect(paid.items.data[0]!.quantity).toBe(20)
  })

  it('waits for the confirmation of a payment, and expires without one', async () => {
    const subscription = await subscribe(await addCustomer('pm_card_authenticationRequired'), 5, 0)
    const invoice = subscription.latest_invoice as Stripe.Invoice
    expect(subscription.status).toBe('incomplete')
    const { client_secret } = invoice.confirmation_secret!
    expect(invoice.payments!.data[0]!.payment.payment_intent).toMatchObject({
      status: 'requires_action',
      client_secret,
    })
    const other = await subscribe(await addCustomer('pm_card_authenticationRequired'), 5, 0)
    await fetch(`${double.url}/v1/payment_intents/${client_secret.split('_secret_')[0]}/confirm`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_double' },
      body: new URLSearchParams({ client_secret }),
    })
    advanceDays(1)
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
    expect((await stripe.subscriptions.retrieve(other.id)).status).toBe('incomplete_expired')
  })

  it('refuses a declined card when it is attached', async () => {
    const { id: customer } = await stripe.customers.create({})
    await expect(stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer })).rejects.toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
    })
  })

  it('renews every month, and ends a subscription that is not paid', async () => {
    const customer = await addCustomer('pm_card_visa')
    const subscription = await subscribe(customer, 5, 0)
    advanceDays(30)
    expect((await stripe.invoices.list({ customer })).data).toHaveLength(2)
    const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
    advanceDays(31)
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due')
    advanceDays(20)
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
  })

  it('ends a subscription at the end of its period', async () => {
    const subscription = await subscribe(await addCustomer('pm_card_visa'), 5, 0)
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    advanceDays(29)
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
    advanceDays(2)
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
    expect(typesOfEvents().at(-1)).toBe('customer.subscription.deleted')
  })

  it('handles a request once per idempotency key, also if its response was lost', async () => {
    double.setInterference((method) => (method === 'POST' ? 'lose-response' : 'none'))
    const create = () => stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'one' })
    await expect(create()).rejects.toMatchObject({ type: 'StripeConnectionError' })
    double.setInterference(() => 'none')
    const [first, second] = [await create(), await create()]
    expect(second.id).toBe(first.id)
    expect(double.store.customers.size).toBe(1)
    await expect(stripe.customers.create({ email: 'b@example.com' }, { idempotencyKey: 'one' })).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    })
  })

  it('signs its events, and repeats those that are not accepted', async () => {
    const received: string[] = []
    const secret = 'whsec_double'
    const receiver = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        received.push(stripe.webhooks.constructEvent(body, request.headers['stripe-signature']!, secret).type)
        response.writeHead(received.length === 1 ? 500 : 204).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    double.webhooks.setTarget({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`, secret })
    await stripe.customers.create({})
    await double.webhooks.drain()
    receiver.close()
    expect(received).toEqual(['customer.created', 'customer.created'])
  })

  it('refuses requests without a key, and paths that it does not know', async () => {
    expect((await fetch(`${double.url}/v1/customers`)).status).toBe(401)
    await expect(stripe.balance.retrieve()).rejects.toMatchObject({ statusCode: 404 })
  })
})
