import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { calculateCost } from '@trunkline/contract/billing/price'
import { paidQuantityRanges } from '@trunkline/contract/billing/capacity'
import type { PriceDraft } from '../../../../scripts/launch/stripe-double/price-list'
import { createApiClient } from '../../../test/api-client'
import { startPaymentBackend, type PaymentBackend } from '../../../test/payment-backend'

let backend: PaymentBackend | undefined
afterEach(() => backend?.close())

type TierDraft = NonNullable<PriceDraft['tiers']>[number]

const session: PriceDraft = {
  category: 'voice_call_session',
  name: 'concurrent call session',
  unitLabel: 'session',
  unitAmount: 1200,
}
const device: PriceDraft = { category: 'device', name: 'registered device', unitLabel: 'device', unitAmount: 50 }
const tiered = (tiers: TierDraft[], tiersMode: 'volume' | 'graduated' = 'volume'): PriceDraft => ({
  category: 'device',
  name: 'registered device',
  unitLabel: 'device',
  tiers,
  tiersMode,
})

const startWithPrices = async (prices: PriceDraft[]) =>
  (backend = await startPaymentBackend({ prices, usesNetwork: false }))

describe('a price', () => {
  it.each([
    [
      'graduated tiers',
      tiered(
        [
          { up_to: 10, unit_amount: 100 },
          { up_to: null, unit_amount: 90 },
        ],
        'graduated',
      ),
    ],
    ['a tier with two amounts', tiered([{ up_to: null, unit_amount: 90, flat_amount: 100 }])],
  ])('with %s is not sold, and reported', async (_, draft) => {
    const { client, services, upgrade, ...started } = await startWithPrices([session, draft])
    const { body } = await client('GET', '/Prices')
    expect(body).toMatchObject([{ category: 'voice_call_session' }])
    expect(await upgrade(10, 5)).toMatchObject({ status: 400, body: { msg: 'this price is not offered' } })
    await services.billing!.checkPrices()
    expect(started.log().match(/is not sold: /g)).toHaveLength(1)
  })

  it('that is not sold is listed with its reason for the provider, not for the account', async () => {
    const graduated = tiered([{ up_to: null, unit_amount: 90 }], 'graduated')
    const { app, testData, client, double } = await startWithPrices([session, graduated])
    const providerClient = createApiClient(app, testData.keys.admin)
    expect((await providerClient('GET', '/Prices')).body).toMatchObject([
      { category: 'voice_call_session', prices: [{ unit_amount: 1200 }] },
      {
        category: 'device',
        prices: [],
        refused_prices: [
          {
            stripe_price_id: double.prices[1]!.id,
            currency: 'usd',
            reason: 'its tiers are graduated; use volume pricing',
          },
        ],
      },
    ])
    expect(JSON.stringify((await client('GET', '/Prices')).body)).not.toContain('refused')
  })

  it.each([
    ['has a fraction of a minor unit', { unit_amount: null, unit_amount_decimal: '0.5' }],
    ['is charged for packages', { transform_quantity: { divide_by: 10, round: 'up' } }],
    ['is charged once a year', { recurring: { interval: 'year', interval_count: 1, usage_type: 'licensed' } }],
    ['is charged for the measured use', { recurring: { interval: 'month', interval_count: 1, usage_type: 'metered' } }],
  ])('that %s is not sold', async (_, changes) => {
    const { client, double } = await startWithPrices([session, device])
    Object.assign(double.prices[1]!, changes)
    expect((await client('GET', '/Prices')).body).toMatchObject([{ category: 'voice_call_session' }])
  })

  it('with a flat amount of zero shows its unit amount', async () => {
    const { client } = await startWithPrices([session, tiered([{ up_to: null, flat_amount: 0, unit_amount: 90 }])])
    expect((await client('GET', '/Prices')).body[1].prices[0].tiers).toMatchObject([
      { up_to: null, flat_amount: null, unit_amount: 90 },
    ])
  })

  it('is charged as it is shown, for every tier, quantity and currency', { timeout: 120_000 }, async () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 })
    const tier = fc.record({ isFlat: fc.boolean(), hasZero: fc.boolean(), amount })
    const tierList = fc
      .tuple(
        fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 5 }),
        fc.array(tier, { minLength: 6, maxLength: 6 }),
      )
      .map(([limits, drafts]): TierDraft[] =>
        [...limits.sort((first, second) => first - second), null].map((up_to, index) => {
          const draft = drafts[index]!
          if (draft.isFlat) return { up_to, flat_amount: draft.amount }
          return { up_to, unit_amount: draft.amount, ...(draft.hasZero ? { flat_amount: 0 } : {}) }
        }),
      )
    const price = fc.oneof(
      amount.map((unitAmount): Partial<PriceDraft> => ({ unitAmount })),
      tierList.map((tiers): Partial<PriceDraft> => ({ tiers })),
    )
    const currency = fc.constantFrom('usd', 'eur', 'jpy', 'kwd')
    const quantities = fc.record({
      sessions: fc.integer(paidQuantityRanges.voice_call_session),
      devices: fc.integer(paidQuantityRanges.device),
    })
    await fc.assert(
      fc.asyncProperty(price, price, currency, quantities, async (first, second, code, { sessions, devices }) => {
        const { double, client, buildProducts, close } = await startWithPrices([
          { category: 'voice_call_session', name: 's', unitLabel: 's', ...first, currency: code },
          { category: 'device', name: 'd', unitLabel: 'd', ...second, currency: code },
        ])
        try {
          const { body: listed } = await client('GET', '/Prices')
          const shownCost = calculateCost(listed[0].prices[0], sessions) + calculateCost(listed[1].prices[0], devices)
          const products = buildProducts(sessions, devices)
          const preview = await client('POST', '/Subscriptions', { action: 'upgrade-to-paid', products, dry_run: true })
          expect(preview.body).toMatchObject({ monthly_cost: shownCost, prorated_cost: shownCost, currency: code })
          const result = await client('POST', '/Subscriptions', {
            action: 'upgrade-to-paid',
            payment_method_id: 'pm_card_visa',
            products,
          })
          expect(result.body).toMatchObject({ status: 'success', chargedAmount: shownCost, currency: code })
          const [invoice] = [...double.store.invoices.values()]
          expect(invoice).toMatchObject({ total: shownCost, amount_paid: shownCost, currency: code })
        } finally {
          await close()
          backend = undefined
        }
      }),
      { numRuns: 60 },
    )
  })
})
