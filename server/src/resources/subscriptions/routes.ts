import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Actor } from '@trunkline/contract/policy/actor'
import { messages as sessionMessages } from '@trunkline/contract/messages/session'
import { messages } from '@trunkline/contract/messages/subscription'
import {
  changeSubscription,
  prices,
  removeStripeCustomer,
  stripeCustomer,
  subscription,
  upcomingInvoice,
} from '@trunkline/contract/resources/subscription'
import {
  invoiceSchema,
  productPriceSchema,
  stripeCustomerSchema,
  subscriptionChangeSchema,
  subscriptionResultSchema,
} from '@trunkline/contract/shapes/subscription'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, notFound, Problem, unprocessable } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { CardDeclinedError, PaymentRefusedError, type CustomerDraft } from '../../ports/payment'
import type { Services } from '../../composition/services'
import { refuseWhileWaiting } from '../../shared/attempt-limits'
import type { Billing } from './billing'
import * as changes from './changes'
import { readPurchase } from './purchase'
import { stripeWebhookRoute } from './webhook'

type BillingServices = Pick<Services, 'store' | 'billing' | 'hostedEdition' | 'attemptCounts'>

/** Few people need more attempts to pay; who tests stolen cards does. */
const changeLimit = { name: 'subscription changes', max: 20, seconds: 600 }
const previewLimit = { name: 'subscription previews', max: 120, seconds: 600 }

const stripeObjectSchema = z.looseObject({})

/** The account of the actor. Other actors have no subscription. */
const requireAccountSid = (actor: Actor): string => {
  if (actor.scope !== 'account') throw notFound()
  return actor.account_sid
}

/** The name and the email address of a new customer. */
const describeCustomer = async (
  { store }: Pick<Services, 'store'>,
  account_sid: string,
  { user_sid }: Actor,
): Promise<CustomerDraft> => {
  const { db } = store.database
  const [account, users] = await Promise.all([
    db.selectFrom('accounts').select('name').where('account_sid', '=', account_sid).executeTakeFirst(),
    db
      .selectFrom('users')
      .select(['user_sid', 'email'])
      .where('account_sid', '=', account_sid)
      .orderBy('name')
      .execute(),
  ])
  const user = users.find((row) => row.user_sid === user_sid) ?? users[0]
  return { account_sid, name: account?.name ?? account_sid, email: user?.email ?? null }
}

/** Turns the errors of the payment provider into responses. */
const withPaymentProblems = async <Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CardDeclinedError) {
      logSecurityEvent(request, 'payment_refused', { reason: 'card declined' })
      throw new Problem(402, { ...error.body, msg: error.message })
    }
    if (error instanceof PaymentRefusedError) throw badRequest(error.message)
    throw error
  }
}

const priceRoute = (app: FastifyInstance, { billing }: BillingServices): void =>
  mountRoute(app, prices, { response: z.array(productPriceSchema) }, async ({ actor, request }) =>
    billing
      ? withPaymentProblems(request, () =>
          billing.priceList.read(actor.scope === 'account' ? actor.account_sid : undefined),
        )
      : [],
  )

const customerRoutes = (app: FastifyInstance, services: BillingServices): void => {
  const { billing } = services

  mountRoute(app, stripeCustomer, { response: stripeCustomerSchema }, async ({ actor, request }) => {
    const account_sid = requireAccountSid(actor)
    if (!billing) throw notFound()
    const existing = (await billing.readAccount(account_sid))?.stripe_customer_id
    if (existing) return { stripe_customer_id: existing }
    // The first read creates the customer, which a view-only user may not do.
    if (actor.viewOnly) throw forbidden(sessionMessages.viewOnly)
    const customer = await describeCustomer(services, account_sid, actor)
    return withPaymentProblems(request, () =>
      billing.withAccount(account_sid, async () => {
        await billing.start(account_sid, { action: 'create-customer', customer })
        const stripe_customer_id = (await billing.readAccount(account_sid))?.stripe_customer_id
        if (!stripe_customer_id) throw notFound()
        return { stripe_customer_id }
      }),
    )
  })

  mountRoute(app, removeStripeCustomer, {}, async ({ actor, request }) => {
    const account_sid = requireAccountSid(actor)
    if (!billing) throw notFound()
    await withPaymentProblems(request, () =>
      billing.withAccount(account_sid, async () => {
        const customerId = (await billing.readAccount(account_sid))?.stripe_customer_id
        if (!customerId) throw notFound()
        await billing.start(account_sid, { action: 'remove-customer', customerId })
      }),
    )
    logSecurityEvent(request, 'subscription_changed', { reason: 'customer removed' })
  })
}

const readRoutes = (app: FastifyInstance, { billing }: BillingServices): void => {
  /** The subscription of the account at the payment provider: the current one, or one that waits for its first payment. */
  const findSubscriptionId = async (actor: Actor): Promise<{ billing: Billing; id: string }> => {
    const account_sid = requireAccountSid(actor)
    if (!billing) throw notFound()
    const { current, waiting } = await billing.readOpen(account_sid)
    const id = current?.stripe_subscription_id ?? waiting[0]?.stripe_subscription_id
    if (!id) throw notFound()
    return { billing, id }
  }

  mountRoute(app, subscription, { response: stripeObjectSchema }, async ({ actor }) => {
    const { billing: activeBilling, id } = await findSubscriptionId(actor)
    const described = await activeBilling.payment.describeSubscription(id)
    if (!described) throw notFound()
    return described
  })

  mountRoute(app, upcomingInvoice, { response: invoiceSchema }, async ({ actor, request }) => {
    const { billing: activeBilling, id } = await findSubscriptionId(actor)
    const described = await withPaymentProblems(request, () => activeBilling.payment.describeNextInvoice(id))
    if (!described) throw notFound()
    return described as never
  })
}

const changeRoute = (app: FastifyInstance, services: BillingServices): void => {
  const { billing, attemptCounts } = services

  const requirePaymentMethodId = (value: unknown): string => {
    if (typeof value !== 'string' || value === '' || value.length > 255)
      throw badRequest(messages.missingPaymentMethod, 'payment_method_id')
    return value
  }

  const applyChange = async (
    activeBilling: Billing,
    account_sid: string,
    actor: Actor,
    body: z.output<typeof subscriptionChangeSchema>,
  ): Promise<changes.ChangeResponse> => {
    const isPreview = body.dry_run === true || body.dry_run === 'true'
    const limit = isPreview ? previewLimit : changeLimit
    const readProducts = async () => readPurchase(body.products, await activeBilling.priceList.read(account_sid))
    const countAttempt = async () =>
      refuseWhileWaiting(await attemptCounts.add(limit, account_sid), () => messages.tooManyAttempts)
    switch (body.action) {
      case 'upgrade-to-paid': {
        const paymentMethodId = isPreview ? '' : requirePaymentMethodId(body.payment_method_id)
        const purchase = await readProducts()
        await countAttempt()
        if (isPreview) return changes.previewUpgrade(activeBilling, purchase)
        const customer = await describeCustomer(services, account_sid, actor)
        return changes.upgrade(activeBilling, customer, purchase, paymentMethodId)
      }
      case 'update-quantities': {
        const purchase = await readProducts()
        await countAttempt()
        return isPreview
          ? changes.previewQuantities(activeBilling, account_sid, purchase)
          : changes.changeQuantities(activeBilling, account_sid, purchase)
      }
      case 'update-payment-method': {
        const paymentMethodId = requirePaymentMethodId(body.payment_method_id)
        await countAttempt()
        return changes.changeCard(activeBilling, account_sid, paymentMethodId)
      }
      case 'downgrade-to-free':
        await countAttempt()
        return changes.downgrade(activeBilling, account_sid)
      case 'keep-paid-plan':
        await countAttempt()
        return changes.keepPaidPlan(activeBilling, account_sid)
      default:
        throw badRequest(messages.invalidAction, 'action')
    }
  }

  mountRoute(
    app,
    changeSubscription,
    {
      body: subscriptionChangeSchema,
      response: subscriptionResultSchema,
      otherResponses: { 201: subscriptionResultSchema },
    },
    async ({ actor, body, request, reply }) => {
      if (actor.scope !== 'account') throw forbidden('insufficient permissions')
      if (!billing) throw unprocessable(messages.notConfigured)
      const response = await withPaymentProblems(request, () => applyChange(billing, actor.account_sid, actor, body))
      if (response.body.status) {
        const reason = `${String(body.action)}: ${response.body.status}`
        logSecurityEvent(request, 'subscription_changed', { reason })
      }
      if (response.status === 201) void reply.code(201)
      return response.body
    },
  )
}

/**
 * Prices, subscriptions and invoices. Without the payment provider, there is nothing to buy: the list of prices is empty,
 * and there are no subscriptions.
 */
export const subscriptionRoutes = (app: FastifyInstance, services: BillingServices): void => {
  if (!services.hostedEdition) return
  priceRoute(app, services)
  customerRoutes(app, services)
  readRoutes(app, services)
  changeRoute(app, services)
  if (services.billing) stripeWebhookRoute(app, services, services.billing)
}
