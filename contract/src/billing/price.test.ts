import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculateCost, type PriceRule } from './price'

const session: PriceRule = { billing_scheme: 'per_unit', unit_amount: 1200 }
const device: PriceRule = {
  billing_scheme: 'tiered',
  unit_amount: null,
  tiers: [
    { up_to: 10, flat_amount: 1000, unit_amount: null },
    { up_to: 50, flat_amount: null, unit_amount: 90 },
    { up_to: null, flat_amount: null, unit_amount: 75 },
  ],
}

describe('the cost of a quantity', () => {
  it.each([
    [0, 0],
    [1, 1000],
    [10, 1000],
    [11, 990],
    [50, 4500],
    [51, 3825],
    [200, 15_000],
  ])('of %s devices follows the tier of the total quantity', (quantity, cost) => {
    expect(calculateCost(device, quantity)).toBe(cost)
  })

  it('is the unit amount for each call session', () => {
    expect(calculateCost(session, 10)).toBe(12_000)
    expect(calculateCost(session, 10) + calculateCost(device, 20)).toBe(13_800)
    expect(calculateCost(session, 25) + calculateCost(device, 10)).toBe(31_000)
    expect(calculateCost(session, 14) + calculateCost(device, 40)).toBe(20_400)
  })

  it('is zero beyond the last tier of a price list with a limit', () => {
    expect(calculateCost({ ...device, tiers: device.tiers!.slice(0, 2) }, 51)).toBe(0)
    expect(calculateCost({ billing_scheme: 'tiered', unit_amount: null }, 3)).toBe(0)
  })

  it('is a whole number of minor units, and never depends on other tiers', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 })
    const limits = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 6 })
    fc.assert(
      fc.property(
        limits,
        fc.array(fc.tuple(amount, fc.boolean()), { minLength: 7, maxLength: 7 }),
        fc.nat(200),
        (upTo, amounts, quantity) => {
          const bounds = [...upTo.sort((first, second) => first - second), null]
          const tiers = bounds.map((up_to, index) => {
            const [value, isFlat] = amounts[index]!
            return { up_to, flat_amount: isFlat ? value : null, unit_amount: isFlat ? null : value }
          })
          const expectedIndex = bounds.findIndex((bound) => bound === null || quantity <= bound)
          const [value, isFlat] = amounts[expectedIndex]!
          expect(calculateCost({ billing_scheme: 'tiered', unit_amount: null, tiers }, quantity)).toBe(
            quantity === 0 ? 0 : isFlat ? value : value * quantity,
          )
        },
      ),
    )
  })
})
