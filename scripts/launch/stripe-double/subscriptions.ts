import { applyItemChanges, periodLines, prorationLines, type ItemChanges } from './costs'
import { invalidRequest, missingObject } from './errors'
import { Invoicing, type Emit } from './invoices'
import type { Invoice, Subscription, SubscriptionItem } from './objects'
import { addMonth, type Store } from './store'

/** How long a first payment or a pending change may wait for the customer. */
const pendingSeconds = 23 * 3600

export interface SubscriptionDraft {
  customer: string
  items: { price: string; quantity: number; metadata: Record<string, string> }[]
  metadata: Record<string, string>
  default_payment_method: string | null
}

export interface SubscriptionChanges {
  items: ItemChanges
  cancelAtPeriodEnd?: boolean
  defaultPaymentMethod?: string
  metadata?: Record<string, string>
  invoicesAtOnce: boolean
  waitsForPayment: boolean
}

interface DueTask {
  atSeconds: number
  run: () => void
}

const changeItems = ({ items }: Subscription, changes: ItemChanges) => {
  items.data = applyItemChanges(items.data, changes)
}

/** Creates, changes, renews and ends subscriptions. */
export class Subscriptions {
  readonly invoicing: Invoicing

  constructor(
    private readonly store: Store,
    private readonly emit: Emit,
  ) {
    this.invoicing = new Invoicing(store, {
      emit,
      onPaid: (invoice) => this.handlePaidInvoice(invoice),
      onFailed: (invoice) => this.handleFailedInvoice(invoice),
    })
  }

  private subscriptionOf(invoice: Invoice) {
    return this.store.subscriptions.get(invoice.parent.subscription_details.subscription)
  }

  private report(subscription: Subscription) {
    this.emit('customer.subscription.updated', subscription)
  }

  private applyPendingUpdate(subscription: Subscription) {
    const waiting = subscription.pending_update?.subscription_items ?? []
    changeItems(subscription, new Map(waiting.map(({ id, quantity, price }) => [id, { quantity, price }])))
    subscription.pending_update = null
    this.emit('customer.subscription.pending_update_applied', subscription)
  }

  private handlePaidInvoice(invoice: Invoice) {
    const subscription = this.subscriptionOf(invoice)
    if (!subscription || subscription.status === 'canceled') return
    if (subscription.pending_update && subscription.latest_invoice === invoice.id) this.applyPendingUpdate(subscription)
    if (['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) {
      subscription.status = 'active'
      this.report(subscription)
    }
  }

  private handleFailedInvoice(invoice: Invoice) {
    const subscription = this.subscriptionOf(invoice)
    if (invoice.billing_reason !== 'subscription_cycle' || !subscription) return
    subscription.status = 'past_due'
    this.report(subscription)
  }

  private end(subscription: Subscription, status: 'canceled' | 'incomplete_expired') {
    subscription.status = status
    subscription.ended_at = this.store.now()
    subscription.canceled_at ??= this.store.now()
    subscription.pending_update = null
    this.emit(status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated', subscription)
  }

  private buildItem(
    { price, quantity, metadata }: SubscriptionDraft['items'][number],
    subscription: string,
  ): SubscriptionItem {
    const stored = this.store.prices.get(price)
    if (!stored) throw missingObject('price', price)
    return {
      id: this.store.createId('si'),
      object: 'subscription_item',
      created: this.store.now(),
      current_period_start: this.store.now(),
      current_period_end: addMonth(this.store.now()),
      metadata,
      price: stored,
      quantity,
      subscription,
    }
  }

  create({ customer, items, metadata, default_payment_method }: SubscriptionDraft): Subscription {
    if (!this.store.customers.has(customer)) throw missingObject('customer', customer)
    if (items.length === 0) throw invalidRequest('Missing required param: items.', 'items')
    const id = this.store.createId('sub')
    const data = items.map((item) => this.buildItem(item, id))
    const currencies = new Set(data.map(({ price }) => price.currency))
    if (currencies.size > 1) throw invalidRequest('All prices on a subscription must have the same currency.')
    const subscription: Subscription = {
      id,
      object: 'subscription',
      billing_cycle_anchor: this.store.now(),
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      created: this.store.now(),
      currency: data[0]!.price.currency,
      customer,
      default_payment_method,
      ended_at: null,
      latest_invoice: null,
      metadata,
      start_date: this.store.now(),
      // Becomes active with its first payment.
      status: 'incomplete',
      items: { object: 'list', data, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
      pending_update: null,
    }
    this.store.subscriptions.set(id, subscription)
    this.emit('customer.subscription.created', subscription)
    const period = { start: this.store.now(), end: data[0]!.current_period_end }
    this.invoicing.issue(
      { subscription, reason: 'subscription_create', lines: periodLines(data, period) },
      { onSession: true },
    )
    return subscription
  }

  private changeItems(subscription: Subscription, { items, invoicesAtOnce, waitsForPayment }: SubscriptionChanges) {
    const lines = prorationLines(subscription.items.data, items, this.store.now())
    if (lines.length === 0) return
    if (!invoicesAtOnce) return changeItems(subscription, items)
    // A new change replaces one that still waits for its payment.
    if (subscription.pending_update && subscription.latest_invoice)
      this.invoicing.void(this.store.invoices.get(subscription.latest_invoice)!)
    const subscription_items = applyItemChanges(subscription.items.data, items)
    subscription.pending_update = { expires_at: this.store.now() + pendingSeconds, subscription_items }
    const isWaiting = () => subscription.pending_update !== null
    this.invoicing.issue({ subscription, reason: 'subscription_update', lines }, { onSession: true })
    if (isWaiting() && !waitsForPayment) this.applyPendingUpdate(subscription)
  }

  update(subscription: Subscription, changes: SubscriptionChanges) {
    if (['canceled', 'incomplete_expired'].includes(subscription.status))
      throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
    const { cancelAtPeriodEnd, defaultPaymentMethod, metadata } = changes
    if (metadata) subscription.metadata = { ...subscription.metadata, ...metadata }
    if (defaultPaymentMethod !== undefined) subscription.default_payment_method = defaultPaymentMethod
    if (cancelAtPeriodEnd !== undefined) {
      subscription.cancel_at_period_end = cancelAtPeriodEnd
      subscription.cancel_at = cancelAtPeriodEnd ? subscription.items.data[0]!.current_period_end : null
      subscription.canceled_at = cancelAtPeriodEnd ? this.store.now() : null
    }
    this.changeItems(subscription, changes)
    this.report(subscription)
  }

  private renew(subscription: Subscription) {
    const items = subscription.items.data
    const start = items[0]!.current_period_end
    const period = { start, end: addMonth(start, subscription.billing_cycle_anchor) }
    for (const item of items)
      Object.assign(item, { current_period_start: period.start, current_period_end: period.end })
    this.report(subscription)
    this.invoicing.issue(
      { subscription, reason: 'subscription_cycle', lines: periodLines(items, period) },
      { onSession: false },
    )
  }

  /** Ends a subscription. Its open invoices stay open, but are not collected any more. */
  cancel(subscription: Subscription) {
    for (const invoice of this.store.invoices.values())
      if (this.subscriptionOf(invoice) === subscription) invoice.next_payment_attempt = null
    this.end(subscription, 'canceled')
  }

  /** Cancels an open invoice, and the change that waits for its payment. */
  voidInvoice(invoice: Invoice) {
    this.invoicing.void(invoice)
    const subscription = this.subscriptionOf(invoice)
    if (subscription?.pending_update && subscription.latest_invoice === invoice.id) this.dropPendingUpdate(subscription)
  }

  private dropPendingUpdate(subscription: Subscription) {
    subscription.pending_update = null
    if (subscription.latest_invoice) this.invoicing.void(this.store.invoices.get(subscription.latest_invoice)!)
    this.emit('customer.subscription.pending_update_expired', subscription)
  }

  private retryPayment(invoice: Invoice, subscription: Subscription) {
    this.invoicing.collect(invoice, { onSession: false })
    if (invoice.status === 'open' && !this.invoicing.hasRetriesLeft(invoice)) this.cancel(subscription)
  }

  /** What the clock causes next to a subscription, if anything. */
  private dueTasksOf(subscription: Subscription): DueTask[] {
    const { status, pending_update, items, cancel_at_period_end, created, latest_invoice } = subscription
    if (status === 'canceled' || status === 'incomplete_expired') return []
    const invoice = latest_invoice ? this.store.invoices.get(latest_invoice) : undefined
    if (status === 'incomplete') {
      const expire = () => {
        if (invoice) this.invoicing.void(invoice)
        this.end(subscription, 'incomplete_expired')
      }
      return [{ atSeconds: created + pendingSeconds, run: expire }]
    }
    const retryAt = invoice?.status === 'open' ? invoice.next_payment_attempt : null
    return [
      ...(pending_update
        ? [{ atSeconds: pending_update.expires_at, run: () => this.dropPendingUpdate(subscription) }]
        : []),
      ...(invoice && retryAt !== null
        ? [{ atSeconds: retryAt, run: () => this.retryPayment(invoice, subscription) }]
        : []),
      {
        atSeconds: items.data[0]!.current_period_end,
        run: () => (cancel_at_period_end ? this.end(subscription, 'canceled') : this.renew(subscription)),
      },
    ]
  }

  /** The lines of the next invoice: of a change, or of the next period. */
  previewLines(subscription: Subscription, changes: ItemChanges | undefined) {
    const items = subscription.items.data
    if (changes) return prorationLines(items, changes, this.store.now())
    const start = items[0]!.current_period_end
    return periodLines(items, { start, end: addMonth(start, subscription.billing_cycle_anchor) })
  }

  /** Moves the clock forward. Everything that is due until then happens in order. */
  advanceTo(targetSeconds: number) {
    for (;;) {
      const tasks = [...this.store.subscriptions.values()].flatMap((subscription) => this.dueTasksOf(subscription))
      const next = tasks.sort((first, second) => first.atSeconds - second.atSeconds)[0]
      if (!next || next.atSeconds > targetSeconds) break
      this.store.setNow(Math.max(this.store.now(), next.atSeconds))
      next.run()
    }
    this.store.setNow(targetSeconds)
  }
}
