import { defineRoute } from '../kit/route'
import type {
  AccountSubscription,
  Invoice,
  PlanSummary,
  ProductPrice,
  StripeCustomer,
  SubscriptionChange,
  SubscriptionResult,
  TrialExtension,
} from '../shapes/subscription'

// The routes of billing. A server without the hosted edition responds with 404. All but the last four use the account
// of the actor.

export const prices = defineRoute<{ response: ProductPrice[] }>()(
  'GET',
  '/Prices',
  'List the products with their prices',
)

export const stripeCustomer = defineRoute<{ response: StripeCustomer }>()(
  'GET',
  '/StripeCustomerId',
  'Read the Stripe customer of the account, or create it',
)

export const removeStripeCustomer = defineRoute<{ body?: undefined }>()(
  'DELETE',
  '/StripeCustomerId',
  'Delete the Stripe customer of the account',
)

/** Stripe's own object. */
export const subscription = defineRoute<{ response: Record<string, unknown> }>()(
  'GET',
  '/Subscriptions',
  'Read the Stripe subscription of the account',
)

/** Responds with 201 to upgrades and to changes of quantities. */
export const changeSubscription = defineRoute<{ body: SubscriptionChange; response: SubscriptionResult }>()(
  'POST',
  '/Subscriptions',
  'Upgrade, change or end the subscription, or replace its card',
  { status: 200 },
)

export const upcomingInvoice = defineRoute<{ response: Invoice }>()(
  'GET',
  '/Invoices',
  'Read the upcoming invoice of the account',
)

/** A Trunkline addition. */
export const planSummary = defineRoute<{ response: PlanSummary }>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/PlanSummary',
  'Count the accounts of a service provider by plan',
)

/** A Trunkline addition: the subscription of an account, as it is in the list of accounts. */
export const accountSubscription = defineRoute<{ response: { subscription: AccountSubscription | null } }>()(
  'GET',
  '/Accounts/:account_sid/Subscription',
  'Read the subscription of an account',
)

/** A Trunkline addition. Also reactivates an account whose trial has expired. */
export const extendTrial = defineRoute<{ body: TrialExtension }>()(
  'PUT',
  '/Accounts/:account_sid/Trial',
  'Extend the trial of an account, or start it again',
)

/** A Trunkline addition: activates a deactivated account, with the plan that it has. */
export const reactivateAccount = defineRoute<{ body?: undefined }>()(
  'POST',
  '/Accounts/:account_sid/Reactivation',
  'Activate a deactivated account again',
  { status: 204 },
)
