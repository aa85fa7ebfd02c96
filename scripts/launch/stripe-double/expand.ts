import type { Store } from './store'

/** Fields that Stripe includes only on request. */
const includableFields: Record<string, readonly string[]> = {
  price: ['tiers'],
  invoice: ['payments', 'confirmation_secret'],
}
/** Fields of the double that are not part of Stripe's objects. */
const internalFields: Record<string, readonly string[]> = { payment_intent: ['invoiceId'] }

const findById = (store: Store, id: string): unknown =>
  store.customers.get(id) ??
  store.paymentMethods.get(id) ??
  store.products.get(id) ??
  store.prices.get(id) ??
  store.subscriptions.get(id) ??
  store.invoices.get(id) ??
  store.paymentIntents.get(id)

/** The paths below one field: `latest_invoice.payments` below `latest_invoice` is `payments`. */
const pathsBelow = (paths: readonly string[], field: string) =>
  paths.filter((path) => path.startsWith(`${field}.`)).map((path) => path.slice(field.length + 1))

/**
 * Presents an object as Stripe does: references are IDs unless they are expanded, and some fields are absent unless they
 * are expanded. `paths` is the `expand` parameter.
 */
export const present = (store: Store, value: unknown, paths: readonly string[] = []): unknown => {
  if (Array.isArray(value)) return value.map((entry) => present(store, entry, paths))
  if (typeof value !== 'object' || value === null) return value
  const { object } = value as { object?: string }
  const absent = (includableFields[object ?? ''] ?? []).filter(
    (field) => !paths.includes(field) && pathsBelow(paths, field).length === 0,
  )
  const hidden = [...absent, ...(internalFields[object ?? ''] ?? [])]
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !hidden.includes(field))
      .map(([field, entry]: [string, unknown]) => {
        const nestedPaths = pathsBelow(paths, field)
        const isExpanded = paths.includes(field) || nestedPaths.length > 0
        const expanded = isExpanded && typeof entry === 'string' ? (findById(store, entry) ?? entry) : entry
        return [field, present(store, expanded, nestedPaths)]
      }),
  )
}
