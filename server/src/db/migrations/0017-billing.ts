import { bigint, char, flag, sid, table, text, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

// Times are milliseconds since 1970, amounts are minor units of the currency.

/** What the platform's table of subscriptions has no columns for. */
export const trunklineSubscriptionDetails = table('trunkline_subscription_details', {
  account_subscription_sid: sid().primary(),
  /** Whether the row waits to replace the current one. */
  is_waiting: flag().default(0),
  next_total: bigint().nullable(),
  next_currency: char(3).nullable(),
  next_at: bigint().nullable(),
  /** When the paid plan ends, if that is scheduled. */
  ends_at: bigint().nullable(),
  unpaid_total: bigint().nullable(),
  unpaid_currency: char(3).nullable(),
  unpaid_created_at: bigint().nullable(),
})

/** Changes at the payment provider. One that a crash interrupted is repeated with the same idempotency keys. */
export const trunklinePaymentOperations = table(
  'trunkline_payment_operations',
  {
    operation_sid: sid().primary(),
    account_sid: sid(),
    action: varchar(32),
    /** started, done or failed. */
    state: varchar(16),
    /** What the action needs, as JSON. */
    request: text(),
    created_at: bigint(),
  },
  { indexes: { state_idx: ['state', 'created_at'], account_sid_idx: ['account_sid'] } },
)

/** Events of the payment provider that were handled. */
export const trunklineStripeEvents = table(
  'trunkline_stripe_events',
  { event_id: varchar(255).caseSensitive().primary(), received_at: bigint() },
  { indexes: { received_at_idx: ['received_at'] } },
)

/** Work that only one server may do at a time. A lease ends with its server, or expires if that crashes. */
export const trunklineLeases = table('trunkline_leases', {
  name: varchar(64).caseSensitive().primary(),
  holder: sid(),
  until: bigint(),
})

export const createdTables = [
  trunklineSubscriptionDetails,
  trunklinePaymentOperations,
  trunklineStripeEvents,
  trunklineLeases,
]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)
