import { useQuery } from '@tanstack/react-query'
import { billedCategories, type BilledCategory } from '@trunkline/contract/billing/capacity'
import { messages as paymentMessages } from '@trunkline/contract/messages/payment'
import { messages } from '@trunkline/contract/messages/plan'
import { prices } from '@trunkline/contract/resources/subscription'
import type { ProductPrice } from '@trunkline/contract/shapes/subscription'
import type { ReactNode } from 'react'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { getErrorMessage } from '../../lib/problem'
import { namedQueryKey } from '../../lib/query-keys'
import { CopyText } from '../../ui/copy'
import { FailedState } from '../../ui/feedback/failed-state'
import { FieldSkeleton } from '../../ui/feedback/skeleton'
import { KeyValues } from '../../ui/form/box'
import { Section } from '../../ui/form/section'
import { Notice } from '../../ui/notice'
import { formatAmount, listTiers } from './price-tiers'
import css from './screen.module.css'

const categoryNames: Record<BilledCategory, string> = {
  voice_call_session: 'Concurrent call sessions',
  device: 'Additional device registrations',
}

type Price = ProductPrice['prices'][number]

/** What a product costs in one currency. */
const PriceTable = ({ price, unit }: { price: Price; unit: string }) => (
  <div className={css.tableBox}>
    <table className={css.table}>
      <caption>
        {price.currency.toUpperCase()}, monthly <CopyText text={price.stripe_price_id} />
      </caption>
      <thead>
        <tr>
          <th scope="col">Quantity</th>
          <th scope="col" className={css.amount}>
            Price
          </th>
        </tr>
      </thead>
      <tbody>
        {listTiers(price).map((tier) => (
          <tr key={tier.range}>
            <td>{tier.range}</td>
            <td className={css.amount}>{formatAmount(tier, price.currency, unit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const RefusedPrices = ({ product: { refused_prices = [] } }: { product: ProductPrice }) =>
  refused_prices.map(({ stripe_price_id, currency, reason }) => (
    <div key={stripe_price_id} className={css.notice}>
      <Notice tone="bad" title={`${messages.priceRefused} (${currency.toUpperCase()})`}>
        {`${stripe_price_id}: ${reason}.`}
      </Notice>
    </div>
  ))

const ProductSection = ({ category, product }: { category: BilledCategory; product: ProductPrice | undefined }) => {
  if (!product)
    return (
      <Section title={categoryNames[category]}>
        <Notice tone={category === 'voice_call_session' ? 'bad' : 'warn'} title="No price">
          {messages.noProduct(category)}
        </Notice>
      </Section>
    )
  return (
    <Section title={categoryNames[category]} help={product.description ?? undefined}>
      <KeyValues
        items={[
          { label: 'Product', value: product.name },
          { label: 'Stripe product', value: <CopyText text={product.stripe_product_id} alwaysShowCopyButton /> },
        ]}
      />
      <RefusedPrices product={product} />
      {product.prices.map((price) => (
        <PriceTable key={price.stripe_price_id} price={price} unit={product.unit_label ?? 'unit'} />
      ))}
    </Section>
  )
}

const LoadedPrices = ({ products }: { products: readonly ProductPrice[] }): ReactNode => {
  const findProduct = (category: BilledCategory) => products.find((product) => product.category === category)
  const isSellable = Boolean(findProduct('voice_call_session')?.prices.length)
  return (
    <>
      {isSellable ? null : (
        <Notice tone="bad" title={messages.paidPlanNotSold}>
          {messages.paidPlanNotSoldHelp}
        </Notice>
      )}
      {billedCategories.map((category) => (
        <ProductSection key={category} category={category} product={findProduct(category)} />
      ))}
    </>
  )
}

/** The products with their prices, as accounts see them, and the prices that are not sold. */
export const PriceList = () => {
  const isConfigured = getFeatureFlags().stripePublishableKey !== null
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: namedQueryKey('subscription', 'prices'),
    queryFn: ({ signal }) => request(prices, { signal }),
    enabled: isConfigured,
    meta: { suppressErrorToast: true },
  })
  if (!isConfigured)
    return (
      <Notice tone="warn" title={paymentMessages.cardNotSetUp}>
        {messages.stripeNotConfiguredHelp}
      </Notice>
    )
  if (data) return <LoadedPrices products={data} />
  if (error)
    return (
      <FailedState
        message={getErrorMessage(error)}
        text="The prices could not be loaded."
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  return <FieldSkeleton />
}
