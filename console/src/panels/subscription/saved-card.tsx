import type { CurrentSubscription } from '@trunkline/contract/shapes/subscription'
import { CreditCard } from 'lucide-react'
import type { ReactNode } from 'react'
import { capitalize } from '../../lib/capitalize'
import css from './saved-card.module.css'

/** Names of card brands that are not one capitalized word. */
const brandNames: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  mastercard: 'Mastercard',
}

type CardFields = Pick<CurrentSubscription, 'card_type' | 'last4' | 'exp_month' | 'exp_year'>

export const getBrandName = (cardType: string | undefined): string =>
  cardType && cardType !== 'unknown' ? (brandNames[cardType.toLowerCase()] ?? capitalize(cardType)) : 'Card'

/** 'Visa ending in 4242'. Undefined without a card. */
export const describeCard = ({ card_type, last4 }: CardFields = {}): string | undefined =>
  last4 ? `${getBrandName(card_type)} ending in ${last4}` : undefined

export const formatExpiry = ({ exp_month, exp_year }: CardFields): string | undefined =>
  exp_month && exp_year ? `${String(exp_month).padStart(2, '0')}/${exp_year}` : undefined

const BrandMark = ({ cardType, large }: { cardType: string | undefined; large?: boolean }) => (
  <span className={css.brand} data-large={large || undefined} aria-hidden="true">
    {cardType?.toLowerCase() === 'visa' ? <b>VISA</b> : <CreditCard size={large ? 20 : 14} strokeWidth={1.75} />}
  </span>
)

/** The masked number: dots for people who see, words for those who listen. */
const MaskedNumber = ({ card_type, last4, dots }: CardFields & { dots: string }) => (
  <span>
    {getBrandName(card_type)} <span aria-hidden="true">{dots}</span>
    <span className="visually-hidden">ending in</span> {last4}
  </span>
)

/** The card in one line. */
export const CardLine = (card: CardFields) => {
  const expiry = formatExpiry(card)
  return (
    <span className={css.line}>
      <BrandMark cardType={card.card_type} />
      <MaskedNumber {...card} dots="••••" />
      {expiry ? <span className={css.expiry}>expires {expiry}</span> : null}
    </span>
  )
}

/** The card as a block, for the screen that manages it. */
export const CardBlock = ({ children, ...card }: CardFields & { children?: ReactNode }) => {
  const expiry = formatExpiry(card)
  return (
    <div className={css.block}>
      <BrandMark cardType={card.card_type} large />
      <div>
        <p className={css.number}>
          <MaskedNumber {...card} dots="•••• •••• ••••" />
        </p>
        {expiry ? <p className={css.expiry}>Expires {expiry}</p> : null}
      </div>
      {children ? <div className={css.end}>{children}</div> : null}
    </div>
  )
}
