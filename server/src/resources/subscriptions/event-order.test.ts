import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPaymentBackend, type PaymentBackend } from '../../../test/payment-backend'
import type { Event, Invoice, Subscription } from '../../../../scripts/launch/stripe-double/objects'

const startSeconds = Date.UTC(2026, 5, 1) / 1000
const daySeconds = 86_400

/** What Stripe knows after a step of the scenario, and the events that the step caused. */
interface StripeState {
  maps: Record<string, Map<string, unknown>>
  events: Event[]
}

const localTables = [
  'accounts',
  'account_subscriptions',
  'account_products',
  'trunkline_subscription_details',
  'trunkline_payment_operations',
  'trunkline_stripe_events',
] as const

const relevantTypes = /^invoice\.payment_(succeeded|failed)$|^customer\.subscription\.(updated|deleted|pending_update_)/

let backend: PaymentBackend
let states: StripeState[]
/** The local rows while an upgrade waits for the bank. */
let initialRows: Record<string, Record<string, unknown>[]>

const post = (path: string, params: Record<string, unknown> = {}) => {
  const { status, body } = backend.double.handle(undefined, 'POST', `/v1${path}`, params as never)
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
}
const firstOf = <Value>(map: Map<string, Value>) => [...map.values()][0]!
const lastOf = <Value>(map: Map<string, Value>) => [...map.values()].at(-1)!

const setCard = (card: string) => {
  const { store } = backend.double
  const { id: customer } = firstOf(store.customers)
  post(`/payment_methods/${card}/attach`, { customer })
  const { id } = lastOf(store.paymentMethods)
  post(`/subscriptions/${firstOf(store.subscriptions).id}`, { default_payment_method: id })
}

const changeQuantity = (quantity: number) => {
  const { id, items } = firstOf(backend.double.store.subscriptions)
  post(`/subscriptions/${id}`, {
    items: [{ id: items.data[0]!.id, quantity: String(quantity) }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
}

const advanceDays = (days: number) => {
  backend.double.advanceTo(backend.double.store.now() + days * daySeconds)
}

const payInvoice = () => post(`/invoices/${lastOf(backend.double.store.invoices).id}/pay`)

const confirmPayment = () => {
  const { id, client_secret } = firstOf(backend.double.store.paymentIntents)
  post(`/payment_intents/${id}/confirm`, { client_secret })
}

/** A year of an account: what happens at Stripe, step by step. */
const steps: (() => void)[] = [
  confirmPayment,
  () => setCard('pm_card_visa'),
  () => changeQuantity(14),
  () => setCard('pm_card_chargeCustomerFail'),
  () => changeQuantity(20),
  () => setCard('pm_card_mastercard'),
  payInvoice,
  () => setCard('pm_card_chargeCustomerFail'),
  () => changeQuantity(25),
  () => advanceDays(1),
  () => advanceDays(31),
  () => setCard('pm_card_visa'),
  payInvoice,
  () => changeQuantity(6),
  () => post(`/subscriptions/${firstOf(backend.double.store.subscriptions).id}`, { cancel_at_period_end: 'true' }),
  () => advanceDays(31),
]

const copyMaps = (): StripeState['maps'] =>
  Object.fromEntries(
    Object.entries(backend.double.store)
      .filter((entry): entry is [string, Map<string, never>] => entry[1] instanceof Map)
      .map(([name, map]) => [name, structuredClone(map)]),
  )

/** Lets Stripe's double return what it knew after a step. */
const setStripeState = ({ maps }: StripeState) => {
  for (const [name, map] of Object.entries(maps)) {
    const target = backend.double.store[name as 'customers'] as Map<string, unknown>
    target.clear()
    for (const [id, object] of map) target.set(id, object)
  }
}

const readTable = async (table: string) =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(backend.database.db)).rows

const restoreRows = async () => {
  const { db } = backend.database
  for (const table of [...localTables].reverse())
    if (table !== 'accounts') await sql`delete from ${sql.table(table)}`.execute(db)
  for (const table of localTables)
    for (const row of initialRows[table]!)
      if (table === 'accounts') {
        const { account_sid, plan_type, is_active } = row as {
          account_sid: string
          plan_type: 'trial'
          is_active: number
        }
        await db.updateTable('accounts').set({ plan_type, is_active }).where('account_sid', '=', account_sid).execute()
      } else await db.insertInto(table).values(row).execute()
}

/** The state that users see, without SIDs and history. */
const readLocalState = async () => {
  const rows = (await backend.readRows()).filter(({ hasEnded }) => !hasEnded)
  const details = (await readTable('trunkline_subscription_details')).map(
    ({ account_subscription_sid: _, ...columns }) => columns,
  )
  const order = (first: object, second: object) => JSON.stringify(first).localeCompare(JSON.stringify(second))
  const cards = await backend.database.db
    .selectFrom('account_subscriptions')
    .select(['stripe_payment_method_id', 'card_type', 'exp_year'])
    .where('effective_end_date', 'is', null)
    .where('pending', '=', 0)
    .execute()
  return { account: await backend.readAccount(), rows: rows.sort(order), details: details.sort(order), cards }
}

const handle = async (event: Event) => {
  const { id, type } = event
  const object = event.data.object as Subscription | Invoice
  const subscriptionId = object.object === 'subscription' ? object.id : object.parent.subscription_details.subscription
  await backend.services.billing!.handleEvent(backend.account_sid, {
    id,
    type,
    subscriptionId,
  })
}

beforeAll(async () => {
  backend = await startPaymentBackend({ startSeconds, usesNetwork: false })
  await backend.upgrade(10, 20, 'pm_card_authenticationRequired')
  initialRows = Object.fromEntries(await Promise.all(localTables.map(async (table) => [table, await readTable(table)])))
  const { events } = backend.double.store
  states = [{ maps: copyMaps(), events: events.filter(({ type }) => relevantTypes.test(type)) }]
  for (const step of steps) {
    const count = events.length
    step()
    states.push({ maps: copyMaps(), events: events.slice(count).filter(({ type }) => relevantTypes.test(type)) })
  }
})
afterAll(() => backend.close())

/** The expected state after the first steps: each event arrives once, in order, and at once. */
const readExpectedState = async (lastStep: number) => {
  await restoreRows()
  for (const state of states.slice(0, lastStep + 1)) {
    setStripeState(state)
    for (const event of state.events) await handle(event)
  }
  return readLocalState()
}

it('lead to the same state in hundreds of orders, with repetitions and delays', { timeout: 240_000 }, async () => {
  const expectedStates: Awaited<ReturnType<typeof readLocalState>>[] = []
  for (const step of states.keys()) expectedStates.push(await readExpectedState(step))
  // The scenario reaches all kinds of states.
  expect(expectedStates.map(({ account, rows }) => [account.plan_type, rows.length, rows.at(-1)!.sessions])).toEqual(
    expect.arrayContaining([
      ['trial', 2, 10],
      ['paid', 1, 10],
      ['paid', 2, 20],
      ['paid', 1, 6],
      ['free', 1, 1],
    ]),
  )
  const numbers = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  await fc.assert(
    fc.asyncProperty(fc.nat(states.length - 1), numbers, async (lastStep, stream) => {
      const random = () => stream.next().value as number
      await restoreRows()
      const once = states.slice(0, lastStep + 1).flatMap(({ events }, step) => events.map((event) => ({ event, step })))
      const repeated = once.filter(() => random() < 0.3)
      const deliveries = [...once, ...repeated]
        .map((delivery) => ({ ...delivery, order: random() }))
        .sort((first, second) => first.order - second.order)
      // Stripe's state when an event arrives: never older than the event or than at the previous arrival.
      let step = 0
      for (const delivery of deliveries) {
        step = Math.max(step, delivery.step)
        if (random() < 0.2) step = Math.min(lastStep, step + 1)
        setStripeState(states[step]!)
        await handle(delivery.event)
      }
      // A step without events, such as a new card of the subscription, is seen with the next one.
      setStripeState(states[lastStep]!)
      if (step < lastStep) await backend.services.billing!.reconcileAll(new AbortController().signal)
      expect(await readLocalState()).toEqual(expectedStates[lastStep])
    }),
    { numRuns: 300, endOnFailure: true },
  )
})
