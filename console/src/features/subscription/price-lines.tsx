import { paidQuantityRanges, type BilledCategory, type Quantities } from '@trunkline/contract/billing/capacity'
import { formatMoney } from '@trunkline/contract/billing/money'
import { findTier, type PriceTier } from '@trunkline/contract/billing/price'
import { useId } from 'react'
import { Stepper } from '../../ui/form/stepper'
import { costOf, totalOf, type Offer } from './offer'
import css from './price-lines.module.css'
import type { QuantityInput } from './use-quantities'

export const serviceNames: Record<BilledCategory, string> = {
  voice_call_session: 'Concurrent call sessions',
  device: 'Additional device registrations',
}

const formatRange = (category: BilledCategory) => {
  const { min, max } = paidQuantityRanges[category]
  return `${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`
}

const explain = (category: BilledCategory, ratio: number) =>
  category === 'device'
    ? `Beyond the ${ratio} that come with each session. ${formatRange(category)}`
    : `Calls that run at the same time. ${formatRange(category)}`

/** A change of an amount: '+ $48.00'. */
const formatDelta = (delta: number, currency: string) =>
  `${delta < 0 ? '−' : '+'} ${formatMoney(Math.abs(delta), currency)}`

const formatTier = ({ flat_amount, unit_amount }: PriceTier, currency: string) =>
  flat_amount === null
    ? `${formatMoney(unit_amount ?? 0, currency)} each`
    : `${formatMoney(flat_amount, currency)} flat`

interface LineProps {
  offer: Offer
  product: Offer['products'][number]
  input: QuantityInput
  deviceToCallRatio: number
  /** The quantity that the account has. */
  current?: number
  disabled?: boolean
}

/** The price tiers that the allowed quantities reach. The one that applies is marked. */
const Tiers = ({ offer: { currency }, product: { price, category }, quantity }: LineProps & { quantity?: number }) => {
  const tiers = price.tiers ?? []
  const { max } = paidQuantityRanges[category]
  const applied = quantity ? findTier(tiers, quantity) : undefined
  const lowerBounds = tiers.map((_, index) => (tiers[index - 1]?.up_to ?? 0) + 1)
  const reachable = tiers.map((tier, index) => ({ tier, from: lowerBounds[index]! })).filter(({ from }) => from <= max)
  return (
    <ul className={css.tiers} aria-label="Price tiers">
      {reachable.map(({ tier, from }) => (
        <li key={from} data-applied={tier === applied || undefined}>
          {tier === applied ? <span className="visually-hidden">Applies: </span> : null}
          {from.toLocaleString('en-US')} to {Math.min(tier.up_to ?? max, max).toLocaleString('en-US')}:{' '}
          {formatTier(tier, currency)}
        </li>
      ))}
    </ul>
  )
}

const Fee = ({ offer: { currency }, product: { price, unitLabel }, quantity }: LineProps & { quantity?: number }) => {
  const tier = price.billing_scheme === 'tiered' ? findTier(price.tiers ?? [], quantity ?? 0) : undefined
  const isFlat = tier !== undefined && tier.flat_amount !== null
  const amount = tier ? (tier.flat_amount ?? tier.unit_amount) : price.unit_amount
  return (
    <span className={css.fee}>
      {formatMoney(amount ?? 0, currency)} <span>{isFlat ? 'flat' : `per ${unitLabel}`}</span>
    </span>
  )
}

const Line = (props: LineProps) => {
  const { offer, product, input, deviceToCallRatio, current, disabled } = props
  const { category, price } = product
  const helpId = useId()
  const quantity = input.valueOf(category)
  const cost = quantity === undefined ? undefined : costOf(offer, category, quantity)
  const delta = cost === undefined || current === undefined ? 0 : cost - costOf(offer, category, current)
  return (
    <div className={css.line} role="row">
      <div role="cell" className={css.service}>
        <span className={css.name}>
          {serviceNames[category]}
          {category === 'voice_call_session' ? <span className={css.asterisk}> *</span> : null}
        </span>
        <p id={helpId}>{explain(category, deviceToCallRatio)}</p>
        {price.billing_scheme === 'tiered' ? <Tiers {...props} quantity={quantity} /> : null}
      </div>
      <div role="cell">
        <Fee {...props} quantity={quantity} />
      </div>
      {current === undefined ? null : (
        <div role="cell" className={css.current}>
          <span className="visually-hidden">Now </span>
          {current.toLocaleString('en-US')}
        </div>
      )}
      <div role="cell" className={css.capacity}>
        <Stepper
          label={serviceNames[category]}
          helpId={helpId}
          text={input.texts[category]}
          value={quantity}
          {...paidQuantityRanges[category]}
          error={input.errorOf(category)}
          disabled={disabled}
          onText={(text) => input.setText(category, text)}
          onStep={(by) => input.step(category, by)}
          onBlur={() => input.check(category)}
        />
      </div>
      <div role="cell" className={css.cost}>
        {cost === undefined ? '–' : formatMoney(cost, offer.currency)}
        {delta === 0 ? null : <small>{formatDelta(delta, offer.currency)}</small>}
      </div>
    </div>
  )
}

interface PriceLinesProps {
  offer: Offer
  input: QuantityInput
  deviceToCallRatio: number
  /** The quantities that the account has, for a change. */
  current?: Quantities
  disabled?: boolean
}

/** The products with their prices and quantities, and what they cost per month. */
export const PriceLines = ({ offer, input, deviceToCallRatio, current, disabled }: PriceLinesProps) => {
  const { quantities } = input
  const total = quantities && totalOf(offer, quantities)
  const currentTotal = current && totalOf(offer, current)
  return (
    <div
      className={css.lines}
      role="table"
      aria-label="Capacity and prices"
      data-current={current ? true : undefined}
      data-box
    >
      <div className={css.head} role="row">
        <span role="columnheader">Service</span>
        <span role="columnheader">Fees</span>
        {current ? (
          <span role="columnheader" className={css.end}>
            Now
          </span>
        ) : null}
        <span role="columnheader">Capacity</span>
        <span role="columnheader" className={css.end}>
          Cost
        </span>
      </div>
      {offer.products.map((product) => (
        <Line
          key={product.category}
          {...{ offer, product, input, deviceToCallRatio, disabled }}
          current={current?.[product.category]}
        />
      ))}
      <div className={css.total} role="row">
        <span role="rowheader">Monthly total</span>
        <span role="cell" className={css.sum} aria-live="polite">
          {total === undefined ? '–' : formatMoney(total, offer.currency)}
          {currentTotal === undefined || currentTotal === total ? null : (
            <small>was {formatMoney(currentTotal, offer.currency)}</small>
          )}
        </span>
      </div>
    </div>
  )
}
