import { datetime, flag, int, oneOf, sid, table, varbinary, varchar } from '../columns'

export const products = table(
  'products',
  {
    product_sid: sid().primary(),
    name: varchar(32),
    category: oneOf('api_rate', 'voice_call_session', 'device'),
  },
  { indexes: { product_sid_idx: ['product_sid'] } },
)

export const accountSubscriptions = table(
  'account_subscriptions',
  {
    account_subscription_sid: sid().primary(),
    account_sid: sid().references('accounts.account_sid'),
    pending: flag().default(0),
    effective_start_date: datetime().defaultNow(),
    effective_end_date: datetime().nullable(),
    change_reason: varchar(255).nullable(),
    stripe_subscription_id: varchar(56).caseSensitive().nullable(),
    stripe_payment_method_id: varchar(56).caseSensitive().nullable(),
    stripe_statement_descriptor: varchar(255).nullable(),
    last4: varchar(512).caseSensitive().nullable(),
    exp_month: int().nullable(),
    exp_year: int().nullable(),
    card_type: varchar(16).nullable(),
    pending_reason: varbinary(52).nullable(),
  },
  { indexes: { account_subscription_sid_idx: ['account_subscription_sid'], account_sid_idx: ['account_sid'] } },
)

export const accountProducts = table(
  'account_products',
  {
    account_product_sid: sid().primary(),
    account_subscription_sid: sid().references('account_subscriptions.account_subscription_sid'),
    product_sid: sid().references('products.product_sid'),
    quantity: int(),
  },
  {
    indexes: {
      account_product_sid_idx: ['account_product_sid'],
      account_subscription_sid_idx: ['account_subscription_sid'],
    },
  },
)

export const accountOffers = table(
  'account_offers',
  {
    account_offer_sid: sid().primary(),
    account_sid: sid().references('accounts.account_sid'),
    product_sid: sid().references('products.product_sid'),
    stripe_product_id: varchar(56).caseSensitive(),
  },
  {
    indexes: {
      account_offer_sid_idx: ['account_offer_sid'],
      account_sid_idx: ['account_sid'],
      product_sid_idx: ['product_sid'],
    },
  },
)
