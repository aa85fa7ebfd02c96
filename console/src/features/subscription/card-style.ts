import type { StripeElementStyle } from '@stripe/stripe-js'
import { useMemo } from 'react'
import { useTokenValues } from '../../ui/use-token-values'

const tokenNames = ['--text', '--text-3', '--bad-text', '--font', '--fz-ctl'] as const

/** Below 16 px, a phone zooms into a field. */
const isTouch = () => window.matchMedia('(max-width: 767px) and (pointer: coarse)').matches

/** The style of the card fields in the current color scheme. Stripe draws them in frames, outside our style sheets. */
export const useCardStyle = (): StripeElementStyle => {
  const tokens = useTokenValues(tokenNames)
  return useMemo(
    () => ({
      base: {
        color: tokens['--text'],
        iconColor: tokens['--text-3'],
        fontFamily: tokens['--font'],
        fontSize: isTouch() ? '16px' : tokens['--fz-ctl'],
        fontSmoothing: 'antialiased',
        '::placeholder': { color: tokens['--text-3'] },
      },
      invalid: { color: tokens['--bad-text'], iconColor: tokens['--bad-text'] },
    }),
    [tokens],
  )
}
