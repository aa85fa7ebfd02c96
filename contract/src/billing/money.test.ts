import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countDecimals, formatMoney } from './money'

describe('amounts of money', () => {
  it.each([
    [13_800, 'usd', '$138.00'],
    [125_000, 'USD', '$1,250.00'],
    [0, 'usd', '$0.00'],
    [-1493, 'usd', '-$14.93'],
    [1250, 'jpy', '¥1,250'],
    [1250, 'eur', '€12.50'],
    [1250, 'mga', 'MGA 1,250'],
    [1250, 'kwd', 'KWD 1.250'],
    // Stripe states these in hundredths, although they have no decimals.
    [125_000, 'isk', 'ISK 1,250'],
    [125_050, 'isk', 'ISK 1,250.5'],
    [1250, 'not a currency', '12.50 not a currency'],
    [1250, '', '12.50'],
  ])('show %s %s as %s', (amount, currency, text) => {
    expect(formatMoney(amount, currency).replaceAll('\u00a0', ' ')).toBe(text)
  })

  it('show every digit of the amount', () => {
    const currencies = fc.constantFrom('usd', 'eur', 'gbp', 'jpy', 'krw', 'kwd', 'isk', 'ugx', 'huf', 'xof', 'mga')
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), currencies, (amount, currency) => {
        const text = formatMoney(amount, currency)
        const value = Number(text.replace(/[^\d.-]/g, ''))
        expect(Math.round(value * 10 ** countDecimals(currency))).toBe(amount)
      }),
    )
  })
})
