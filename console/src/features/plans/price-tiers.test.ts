import { describe, expect, it } from 'vitest'
import { formatAmount, listTiers } from './price-tiers'

const tiers = [
  { up_to: 1, flat_amount: 500, unit_amount: null },
  { up_to: 50, flat_amount: null, unit_amount: 90 },
  { up_to: null, flat_amount: null, unit_amount: 75 },
]
const format = (price: Parameters<typeof listTiers>[0], currency: string) =>
  listTiers(price).map((tier) => [tier.range, formatAmount(tier, currency, 'device')])

describe('prices by quantity', () => {
  it('have a range for each tier', () =>
    expect(format({ billing_scheme: 'tiered', unit_amount: null, tiers }, 'usd')).toEqual([
      ['1', '$5.00 in total'],
      ['2 to 50', '$0.90 per device'],
      ['51 or more', '$0.75 per device'],
    ]))

  it('have one range without tiers, and the decimals of the currency', () =>
    expect(format({ billing_scheme: 'per_unit', unit_amount: 1200 }, 'jpy')).toEqual([
      ['Any quantity', '¥1,200 per device'],
    ]))
})
