import { useQuery } from '@tanstack/react-query'
import type { Quantities } from '@trunkline/contract/billing/capacity'
import { changeSubscription } from '@trunkline/contract/resources/subscription'
import type { SubscriptionResult } from '@trunkline/contract/shapes/subscription'
import { request } from '../../lib/client'
import { namedQueryKey } from '../../lib/query-keys'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { useDebounced } from '../../lib/use-debounced'
import { toPurchasedProducts, totalOf, type Offer } from './offer'

const typingDelayMs = 400

interface UpgradeCharge {
  /** Minor units. */
  amount: number
  currency: string
  nextInvoiceDate?: string
}

const estimate = (offer: Offer, quantities: Quantities): UpgradeCharge => ({
  amount: totalOf(offer, quantities),
  currency: offer.currency,
})

const toCharge = ({ prorated_cost, currency, next_invoice_date }: SubscriptionResult, fallback: UpgradeCharge) => ({
  amount: prorated_cost ?? fallback.amount,
  currency: currency ?? fallback.currency,
  ...(next_invoice_date ? { nextInvoiceDate: next_invoice_date } : {}),
})

/**
 * What an upgrade charges today. Our server asks the payment provider; a v1 server has no dry run of an upgrade, so the
 * monthly total is the estimate there and until the response arrives.
 */
export const useUpgradeCharge = (offer: Offer, quantities: Quantities | undefined) => {
  const canPreview = useQuery(capabilitiesQuery).data?.billing === true
  const products = quantities ? toPurchasedProducts(offer, quantities) : []
  const key = JSON.stringify(products)
  const isSettled = useDebounced(key, typingDelayMs) === key
  const isEnabled = canPreview && quantities !== undefined
  const { data, isError } = useQuery({
    queryKey: namedQueryKey('subscription', 'upgradeCharge', products),
    queryFn: ({ signal }) =>
      request(changeSubscription, { body: { action: 'upgrade-to-paid', products, dry_run: true }, signal }),
    enabled: isEnabled && isSettled,
    meta: { suppressErrorToast: true },
  })
  const estimated = quantities && estimate(offer, quantities)
  return {
    charge: data && estimated ? toCharge(data, estimated) : estimated,
    isLoading: isEnabled && !data && !(isError && isSettled),
  }
}
