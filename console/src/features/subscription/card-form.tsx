import { CardCvcElement, CardExpiryElement, CardNumberElement } from '@stripe/react-stripe-js'
import { messages } from '@trunkline/contract/messages/payment'
import { CreditCard, Lock, RefreshCw } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Button } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { Notice } from '../../ui/notice'
import css from './card-form.module.css'
import { useCardStyle } from './card-style'
import type { useStripeJs } from './load-stripe'
import { cardFields, type CardField, type CardInput } from './use-card'

const fields = {
  number: { label: 'Card number', Element: CardNumberElement, placeholder: '1234 1234 1234 1234' },
  expiry: { label: 'Expiry', Element: CardExpiryElement, placeholder: 'MM / YY' },
  cvc: { label: 'CVC', Element: CardCvcElement, placeholder: '3 digits' },
} as const

interface CardFieldBoxProps {
  field: CardField
  card: CardInput
}

/** One field of the card. The payment provider draws the input inside the box. */
const CardFieldBox = ({ field, card }: CardFieldBoxProps) => {
  const { label, placeholder } = fields[field]
  // the three elements have the same options
  const Element = fields[field].Element as typeof CardNumberElement
  const id = useId()
  const style = useCardStyle()
  const [isFocused, setIsFocused] = useState(false)
  const error = card.errors[field]
  return (
    <div className={css.field} data-field={field}>
      <span className={css.label}>
        <label htmlFor={id}>{label}</label>
        <span data-required className={css.asterisk} aria-hidden="true">
          {' *'}
        </span>
      </span>
      <div className={css.box} data-focused={isFocused || undefined} data-invalid={error ? true : undefined}>
        <Element
          id={id}
          className={css.element}
          options={{ style, placeholder }}
          onChange={(event) => card.setError(field, event.error?.message)}
          onFocus={() => setIsFocused(true)}
          onBlur={() => setIsFocused(false)}
        />
        {field === 'number' ? <CreditCard size={16} strokeWidth={1.75} aria-hidden="true" /> : null}
      </div>
      {error ? (
        <div role="alert">
          <FieldMessage>{error}</FieldMessage>
        </div>
      ) : null}
    </div>
  )
}

interface CardFormProps {
  card: CardInput
  stripeJs: ReturnType<typeof useStripeJs>
}

/** The fields for a new card, or why there are none. */
export const CardForm = ({ card, stripeJs }: CardFormProps): ReactNode => {
  if (!stripeJs.hasKey)
    return (
      <Notice tone="warn" title={messages.cardNotSetUp}>
        {messages.askOperator}
      </Notice>
    )
  if (stripeJs.hasFailed)
    return (
      <div role="alert" className={css.failed}>
        <FieldMessage>{messages.cardFormNotLoaded}</FieldMessage>
        <Button size="sm" icon={RefreshCw} onClick={stripeJs.retry}>
          Try again
        </Button>
      </div>
    )
  return (
    <>
      <div className={css.grid} aria-busy={!card.isReady || undefined}>
        {cardFields.map((field) => (
          <CardFieldBox key={field} field={field} card={card} />
        ))}
      </div>
      <p className={css.privacy}>
        <Lock size={12} strokeWidth={2} aria-hidden="true" />
        {messages.cardPrivacy}
      </p>
    </>
  )
}
