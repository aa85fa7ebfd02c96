import type { PaymentMethod } from './objects'

/** What happens to a card: attached to a customer, and charged. */
export interface CardBehavior {
  attach: 'accepted' | 'declined'
  charge: 'accepted' | 'declined' | 'needs-authentication'
}

const accepted: CardBehavior = { attach: 'accepted', charge: 'accepted' }
const declined: CardBehavior = { attach: 'declined', charge: 'declined' }
const declinedLater: CardBehavior = { attach: 'accepted', charge: 'declined' }
const needsAuthentication: CardBehavior = { attach: 'accepted', charge: 'needs-authentication' }

/** Stripe's test card numbers (docs.stripe.com/testing). */
const behaviorByNumber: Record<string, CardBehavior & { brand: string }> = {
  '4242424242424242': { ...accepted, brand: 'visa' },
  '5555555555554444': { ...accepted, brand: 'mastercard' },
  '4000000000000002': { ...declined, brand: 'visa' },
  '4000000000000341': { ...declinedLater, brand: 'visa' },
  '4000002500003155': { ...needsAuthentication, brand: 'visa' },
}

/** Stripe's names of test payment methods, with their card numbers. */
const numberByName: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_authenticationRequired: '4000002500003155',
}

/** The number of a test payment method, or undefined if the id is not one. */
export const findTestCardNumber = (id: string): string | undefined => numberByName[id]

export const behaviorOf = (number: string): CardBehavior => behaviorByNumber[number] ?? declined

export const describeCard = (
  number: string,
  { exp_month, exp_year }: { exp_month: number; exp_year: number },
): PaymentMethod['card'] => ({
  brand: behaviorByNumber[number]?.brand ?? 'unknown',
  last4: number.slice(-4),
  exp_month,
  exp_year,
})
