import { behaviorOf } from './cards'
import { cardDeclined, declined } from './errors'
import type { Invoice, InvoiceLine, PaymentIntent, Subscription } from './objects'
import type { Store } from './store'

const daySeconds = 86_400
/** Days after the failed payment of a renewal at which Stripe tries again; then the subscription ends. */
const retryDays = [3, 5, 7]

export type Emit = (type: string, object: unknown) => void
type LineDraft = Omit<InvoiceLine, 'id' | 'object'>

export interface InvoiceDraft {
  subscription: Subscription
  reason: Invoice['billing_reason']
  lines: LineDraft[]
}

export interface InvoicingEvents {
  emit: Emit
  /** Called when an invoice becomes paid, before its events are sent. */
  onPaid: (invoice: Invoice) => void
  onFailed: (invoice: Invoice) => void
}

/** Creates invoices and collects their payments. */
export class Invoicing {
  constructor(
    private readonly store: Store,
    private readonly events: InvoicingEvents,
  ) {}

  buildInvoice({ subscription, reason, lines }: InvoiceDraft, id: string): Invoice {
    const { store } = this
    const total = lines.reduce((sum, { amount }) => sum + amount, 0)
    const { balance } = store.customers.get(subscription.customer)!
    // A credit of the customer reduces what is due; a negative total becomes a credit.
    const due = Math.max(0, total + Math.min(0, balance))
    const period = lines[0]?.period ?? { start: store.now(), end: store.now() }
    return {
      id,
      object: 'invoice',
      amount_due: due,
      amount_paid: 0,
      amount_remaining: due,
      attempt_count: 0,
      attempted: false,
      billing_reason: reason,
      created: store.now(),
      currency: subscription.currency,
      customer: subscription.customer,
      next_payment_attempt: null,
      period_end: period.end,
      period_start: period.start,
      statement_descriptor: null,
      status: 'draft',
      subtotal: total,
      total,
      lines: {
        object: 'list',
        data: lines.map((line, index) => ({ id: `il_${id}_${index}`, object: 'line_item', ...line })),
        has_more: false,
        url: `/v1/invoices/${id}/lines`,
      },
      parent: {
        type: 'subscription_details',
        quote_details: null,
        subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
      },
      payments: { object: 'list', data: [], has_more: false, url: '/v1/invoice_payments' },
      confirmation_secret: null,
    }
  }

  /** Moves what the invoice does not collect to the customer's balance. */
  private settleBalance(invoice: Invoice) {
    const customer = this.store.customers.get(invoice.customer)!
    const usedCredit = Math.max(0, invoice.total) - invoice.amount_due
    customer.balance += usedCredit + Math.min(0, invoice.total)
  }

  private addPayment(invoice: Invoice) {
    const { store } = this
    const id = store.createId('pi')
    const intent: PaymentIntent = {
      id,
      object: 'payment_intent',
      amount: invoice.amount_due,
      client_secret: `${id}_secret_double`,
      created: store.now(),
      currency: invoice.currency,
      customer: invoice.customer,
      status: 'requires_payment_method',
      payment_method: null,
      next_action: null,
      last_payment_error: null,
      invoiceId: invoice.id,
    }
    store.paymentIntents.set(id, intent)
    invoice.confirmation_secret = { client_secret: intent.client_secret, type: 'payment_intent' }
    invoice.payments.data.push({
      id: store.createId('inpay'),
      object: 'invoice_payment',
      invoice: invoice.id,
      amount_requested: invoice.amount_due,
      currency: invoice.currency,
      is_default: true,
      status: 'open',
      payment: { type: 'payment_intent', payment_intent: id },
    })
  }

  private markPaid(invoice: Invoice) {
    const { emit, onPaid } = this.events
    invoice.status = 'paid'
    invoice.amount_paid = invoice.amount_due
    invoice.amount_remaining = 0
    invoice.next_payment_attempt = null
    invoice.statement_descriptor = 'TRUNKLINE'
    for (const payment of invoice.payments.data) payment.status = 'paid'
    // Stripe changes the subscription before it reports the payment.
    onPaid(invoice)
    emit('invoice.paid', invoice)
    emit('invoice.payment_succeeded', invoice)
  }

  private markFailed(invoice: Invoice) {
    const { emit, onFailed } = this.events
    const days = retryDays[invoice.attempt_count - 1]
    invoice.next_payment_attempt =
      invoice.billing_reason === 'subscription_cycle' && days !== undefined
        ? this.store.now() + days * daySeconds
        : null
    onFailed(invoice)
    emit('invoice.payment_failed', invoice)
  }

  private defaultMethodOf({ customer, parent }: Invoice) {
    const { subscriptions, customers } = this.store
    return (
      subscriptions.get(parent.subscription_details.subscription)?.default_payment_method ??
      customers.get(customer)!.invoice_settings.default_payment_method
    )
  }

  /** Charges a card for an open invoice. Without `onSession`, the customer is absent and cannot confirm the payment. */
  collect(invoice: Invoice, { onSession }: { onSession: boolean }): void {
    if (invoice.status !== 'open') return
    invoice.attempt_count += 1
    invoice.attempted = true
    const intent = this.intentOf(invoice)
    if (!intent) return this.markPaid(invoice)
    const method = this.defaultMethodOf(invoice)
    const behavior = method ? behaviorOf(this.store.cardNumbers.get(method) ?? '').charge : 'declined'
    intent.payment_method = method
    if (behavior === 'accepted') {
      intent.status = 'succeeded'
      intent.next_action = null
      intent.last_payment_error = null
      return this.markPaid(invoice)
    }
    if (behavior === 'needs-authentication' && onSession) {
      intent.status = 'requires_action'
      intent.next_action = { type: 'use_stripe_sdk' }
      this.events.emit('invoice.payment_action_required', invoice)
      // Stripe also reports the failure (docs.stripe.com/billing/subscriptions/webhooks).
      return this.markFailed(invoice)
    }
    intent.status = 'requires_payment_method'
    intent.last_payment_error =
      behavior === 'declined'
        ? declined
        : {
            type: 'card_error',
            code: 'authentication_required',
            message: 'Your card was declined. This transaction requires authentication.',
          }
    this.markFailed(invoice)
  }

  intentOf(invoice: Invoice): PaymentIntent | undefined {
    const payment = invoice.payments.data[0]?.payment
    return payment ? this.store.paymentIntents.get(payment.payment_intent) : undefined
  }

  /** Creates an invoice, finalizes it and tries to collect its payment. */
  issue(draft: InvoiceDraft, options: { onSession: boolean }): Invoice {
    const invoice = this.buildInvoice(draft, this.store.createId('in'))
    this.store.invoices.set(invoice.id, invoice)
    this.settleBalance(invoice)
    invoice.status = 'open'
    if (invoice.amount_due > 0) this.addPayment(invoice)
    draft.subscription.latest_invoice = invoice.id
    this.events.emit('invoice.created', invoice)
    this.events.emit('invoice.finalized', invoice)
    this.collect(invoice, options)
    return invoice
  }

  /** Pays an open invoice with the customer's card. Throws a card error if the card is declined. */
  pay(invoice: Invoice) {
    this.collect(invoice, { onSession: true })
    const error = this.intentOf(invoice)?.last_payment_error
    if (invoice.status === 'open') throw cardDeclined(error ?? declined)
  }

  /** Confirms the payment as the customer does in the browser, or refuses it. */
  confirm(intent: PaymentIntent, isConfirmed: boolean) {
    const invoice = this.store.invoices.get(intent.invoiceId)!
    if (intent.status !== 'requires_action') return
    intent.next_action = null
    if (!isConfirmed) {
      intent.status = 'requires_payment_method'
      intent.last_payment_error = {
        type: 'card_error',
        code: 'payment_intent_authentication_failure',
        message:
          'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      }
      return
    }
    intent.status = 'succeeded'
    this.markPaid(invoice)
  }

  void(invoice: Invoice) {
    if (invoice.status !== 'open') return
    invoice.status = 'void'
    invoice.next_payment_attempt = null
    const intent = this.intentOf(invoice)
    if (intent && intent.status !== 'succeeded') intent.status = 'canceled'
    this.events.emit('invoice.voided', invoice)
  }

  hasRetriesLeft({ attempt_count }: Invoice): boolean {
    return attempt_count <= retryDays.length
  }
}
