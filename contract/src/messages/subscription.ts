/** Plans and payment. */
export const messages = {
  paid: 'Payment completed successfully',
  downgraded: 'Downgrade to free plan completed successfully',
  capacityChanged: 'Your subscription capacity has been successfully modified.',
  capacityNotGranted:
    'The additional capacity you that you requested could not be granted due to a failure processing payment. Please configure a valid credit card for your account and the upgrade will be automatically processed',
  invalidAction: 'invalid or missing action',
  missingPaymentMethod: 'missing payment_method_id',
  missingProducts: 'missing products',
  invalidProduct: 'every product needs a price_id, a product_sid and a whole number as its quantity',
  unknownPrice: 'this price is not offered',
  mixedCurrencies: 'all products need prices in the same currency',
  minimum: (product: string, min: number) => `invalid ${product} value, minimum is ${min}`,
  maximum: (product: string, max: number) => `invalid ${product} value, maximum is ${max}`,
  noSubscription: 'the account has no active subscription',
  alreadyPaid: 'the account already has a paid plan',
  notProvisioned: (account_sid: string) => `Account ${account_sid} is not provisioned in Stripe`,
  notConfigured: 'Card payment is not set up on this server.',
  busy: 'Another change of the subscription is in progress. Try again later.',
  tooManyAttempts: 'Too many attempts. Try again later.',
} as const
