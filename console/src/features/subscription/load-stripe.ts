import { loadStripe as loadFromStripe } from '@stripe/stripe-js/pure'
import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { getFeatureFlags } from '../../lib/feature-flags'

const addScript = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error(`${url} could not be loaded`))
    }
    document.head.append(script)
  })

/** Loads Stripe.js, from the configured URL if there is one. Stripe's own library then finds it on the window. */
const load = async (): Promise<Stripe> => {
  const { stripePublishableKey, stripeJsUrl } = getFeatureFlags()
  if (stripeJsUrl && !('Stripe' in window)) await addScript(stripeJsUrl)
  const stripe = await loadFromStripe(stripePublishableKey ?? '')
  if (!stripe) throw new Error('Stripe.js could not be loaded')
  return stripe
}

/** Stripe.js, with the publishable key for which it was loaded. */
let loaded: { key: string; stripe: Promise<Stripe> } | undefined

const loadOnce = (key: string): Promise<Stripe> => {
  if (loaded?.key !== key) {
    const stripe = load()
    loaded = { key, stripe }
    // the next attempt loads it again
    stripe.catch(() => {
      loaded = undefined
    })
  }
  return loaded.stripe
}

/** Stripe.js, loaded while `isNeeded`. `stripe` is null until then, and without a publishable key. */
export const useStripeJs = (isNeeded: boolean) => {
  const key = getFeatureFlags().stripePublishableKey
  const [stripe, setStripe] = useState<Stripe | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (key === null || !isNeeded) return
    let isCurrent = true
    loadOnce(key).then(
      (loadedStripe) => isCurrent && setStripe(loadedStripe),
      () => isCurrent && setHasFailed(true),
    )
    return () => {
      isCurrent = false
    }
  }, [key, isNeeded, attempt])
  const retry = () => {
    setHasFailed(false)
    setAttempt(attempt + 1)
  }
  return { stripe, hasKey: key !== null, hasFailed, retry }
}
