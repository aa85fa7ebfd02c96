import type { Customer, Event, Invoice, PaymentIntent, PaymentMethod, Price, Product, Subscription } from './objects'

/** All objects of the double, and its clock, which tests move forward. */
export const createStore = (startSeconds: number) => {
  let nowSeconds = startSeconds
  let lastId = 0
  const store = {
    customers: new Map<string, Customer>(),
    paymentMethods: new Map<string, PaymentMethod>(),
    /** Card numbers by payment method. Stripe never returns them. */
    cardNumbers: new Map<string, string>(),
    products: new Map<string, Product>(),
    prices: new Map<string, Price>(),
    subscriptions: new Map<string, Subscription>(),
    invoices: new Map<string, Invoice>(),
    paymentIntents: new Map<string, PaymentIntent>(),
    events: [] as Event[],
    /** Unix seconds. */
    now: () => nowSeconds,
    setNow: (seconds: number) => {
      nowSeconds = seconds
    },
    createId: (prefix: string) => `${prefix}_double${String((lastId += 1)).padStart(6, '0')}`,
  }
  return store
}

export type Store = ReturnType<typeof createStore>

/** The end of a month that starts at this time. The day is cut to the length of the next month. */
export const addMonth = (seconds: number, anchorSeconds = seconds): number => {
  const date = new Date(seconds * 1000)
  const anchorDay = new Date(anchorSeconds * 1000).getUTCDate()
  const next = new Date(date)
  next.setUTCDate(1)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
  next.setUTCDate(Math.min(anchorDay, lastDay))
  return next.getTime() / 1000
}
