/** Currencies that Stripe charges without a minor unit (docs.stripe.com/currencies#zero-decimal). */
const zeroDecimalCurrencies = new Set([
  'bif',
  'clp',
  'djf',
  'gnf',
  'jpy',
  'kmf',
  'krw',
  'mga',
  'pyg',
  'rwf',
  'vnd',
  'vuv',
  'xaf',
  'xof',
  'xpf',
])
const threeDecimalCurrencies = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])

/**
 * The number of decimals of an amount in minor units. Stripe's list decides, not ISO 4217: it states amounts of ISK and
 * UGX in hundredths, although these currencies have no decimals.
 */
export const countDecimals = (currency: string): number => {
  const code = currency.toLowerCase()
  if (zeroDecimalCurrencies.has(code)) return 0
  return threeDecimalCurrencies.has(code) ? 3 : 2
}

const createFormat = (currency: string) => {
  const decimals = countDecimals(currency)
  const style = { style: 'currency', currency, maximumFractionDigits: decimals } as const
  const usualDecimals = new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits
  return new Intl.NumberFormat('en-US', {
    ...style,
    minimumFractionDigits: Math.min(usualDecimals ?? decimals, decimals),
  })
}

/** An amount in minor units as people read it: `$1,250.00`, `¥1,250`. An unknown currency is shown by its code. */
export const formatMoney = (amount: number, currency: string): string => {
  const value = amount / 10 ** countDecimals(currency)
  try {
    return createFormat(currency).format(value)
  } catch {
    // Not the code of a currency.
    return `${value.toFixed(countDecimals(currency))} ${currency}`.trim()
  }
}
