const plural = (count: number, singular: string, plural: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`

/** What the screens of plans and payment explain. */
export const messages = {
  upgradeTitle: 'Upgrade your Subscription',
  configureTitle: 'Configure Your Subscription',
  manageTitle: 'Manage payment',
  changeCard: 'Change Payment Info',
  saveCard: 'Save New Card',
  paidPlanStarts: 'The paid plan starts as soon as the payment succeeds.',
  confirmFirst: 'You confirm the exact charge before anything changes.',
  cardOf: (account: string) => `The card that pays the subscription of ${account}.`,
  cardOnly: 'Payment is by card only.',
  cardPrivacy: 'Card details go straight to the payment provider. Trunkline never sees the number.',
  cardNotSetUp: 'Card payment is not set up',
  askOperator: 'Ask the operator of this installation to set it up. Nothing can be bought until then.',
  noPrices: 'No prices are set up. Ask the operator of this installation to add them.',
  cardFormNotLoaded: 'The card form could not be loaded. Check whether your browser blocks the payment provider.',
  quantityRange: (min: number, max: number) =>
    `Enter a number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`,
  leavePayment: {
    title: 'Leave during the payment?',
    question: 'The payment is in progress. If you leave, this screen cannot show its result.',
  },
  confirmWithBank: 'Confirm the payment with your bank',
  bankChecks: 'Your bank needs to verify this payment. Keep this screen open.',
  confirmed: 'Payment confirmed. The paid plan starts in a few moments.',
  capacityConfirmed: 'Payment confirmed. The new capacity starts in a few moments.',
  outcomeUnknown: 'The connection was lost during the payment',
  checkBeforePaying: 'Check whether the payment went through before you pay again.',
  notPaid: 'The payment did not go through',
  payAgain: 'The plan has not changed. You can try again.',
  suspended: (reason: string | undefined) => `Subscription suspended: ${reason ?? 'payment failed'}`,
  declinedInvoice: (amount: string, date: string) => `The payment of ${amount} on ${date} was declined.`,
  newCardPays: 'A new card pays the open invoice right away.',
  changeWaits: (calls: number, devices: number) =>
    `${plural(calls, 'call', 'calls')} and ${plural(devices, 'device', 'devices')} are waiting for a payment`,
  planStays: (calls: number, devices: number) =>
    `Until then the plan stays at ${plural(calls, 'call', 'calls')} and ${plural(devices, 'device', 'devices')}.`,
  trialEnded: (date: string) => `It ended on ${date}. Your applications, carriers and numbers are kept.`,
  recordsKept: 'Your applications, carriers and numbers are kept.',
  cardSaved: 'The new card was saved',
  invoiceNotPaid: 'The card was saved, but the open invoice was not paid',
  tryAnotherCard: 'Ask your bank, or save another card.',
  replacesCard: 'It replaces the card above. An open invoice is paid with it right away.',
  noCard: 'No card is saved. A card is saved when you upgrade to the paid plan.',
  /** A date follows. */
  downgradeOn: 'Your plan changes at the start of the next billing cycle, on',
  downgradeNextCycle: 'Your plan changes at the start of the next billing cycle.',
  downgradeRevocable: 'Until then nothing changes, and you can cancel the downgrade.',
  downgradeNow: 'This takes effect now',
  downgradeEndsNow: 'The paid plan ends as soon as you confirm.',
  downgradeEndsDaysEarly: (days: number) =>
    `The paid plan ends as soon as you confirm, ${plural(days, 'day', 'days')} before the end of this billing cycle.`,
  freeCapacity: '1 simultaneous call and 1 registered device',
  cardRemoved: 'Your card is removed. Applications, carriers and numbers are kept.',
  paidPlanKept: 'The paid plan continues',
  paidPlanEnds: (date: string) => `The paid plan ends on ${date}`,
  keepToChange: 'Keep the paid plan to change its capacity.',
  changeStartsNow: 'The change starts at once.',
  paysRest: (card: string | undefined) =>
    `You pay for the rest of this billing cycle now${card ? `, with ${card}` : ''}.`,
  creditsRest: 'What you paid for the rest of this billing cycle is taken off the next invoice.',
  limitsAtOnce: (calls: number, devices: number) =>
    `The new limits apply at once: ${plural(calls, 'simultaneous call', 'simultaneous calls')} and ${plural(devices, 'registered device', 'registered devices')}.`,
} as const
