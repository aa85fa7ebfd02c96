import { CardCvcElement, CardExpiryElement, CardNumberElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { useState } from 'react'

/** The fields, in their order on the screen. */
export const cardFields = ['number', 'expiry', 'cvc'] as const
export type CardField = (typeof cardFields)[number]

const elementTypes = { number: CardNumberElement, expiry: CardExpiryElement, cvc: CardCvcElement } as const

/** The field that an error of Stripe is about. A refusal of the card belongs to its number. */
const fieldOfError = (code: string | undefined): CardField => {
  if (code?.includes('expiry') || code === 'expired_card') return 'expiry'
  return code?.includes('cvc') ? 'cvc' : 'number'
}

/** The card that the user enters. It exists only in the fields of the payment provider. */
export const useCard = () => {
  const stripe = useStripe()
  const elements = useElements()
  const [errors, setErrors] = useState<Partial<Record<CardField, string | undefined>>>({})

  // the three elements have the same methods
  const getElement = (field: CardField) => elements?.getElement(elementTypes[field] as typeof CardNumberElement)
  const focus = (field: CardField) => getElement(field)?.focus()
  const setError = (field: CardField, text: string | undefined) =>
    setErrors((current) => ({ ...current, [field]: text }))

  const showError = (text: string, field: CardField = 'number') => {
    setError(field, text)
    focus(field)
  }

  const invalidField = cardFields.find((field) => errors[field] !== undefined)

  return {
    errorCount: cardFields.filter((field) => errors[field] !== undefined).length,
    /** Focuses the first field with an error. */
    focusError: () => {
      if (invalidField) focus(invalidField)
    },
    /** Empties the fields. */
    clear: () => {
      for (const field of cardFields) getElement(field)?.clear()
    },
    isReady: stripe !== null && elements !== null,
    errors,
    setError,
    showError,
    /** Returns the id of the payment method, or shows why there is none. */
    createPaymentMethod: async (): Promise<string | undefined> => {
      const card = elements?.getElement(CardNumberElement)
      if (!stripe || !card) return undefined
      setErrors({})
      const { paymentMethod, error } = await stripe.createPaymentMethod({ type: 'card', card })
      if (paymentMethod) return paymentMethod.id
      showError(error.message ?? generalMessages.failed, fieldOfError(error.code))
      return undefined
    },
    /** Lets the bank confirm a payment. Returns why the payment failed, or undefined if it succeeded. */
    confirmPayment: async (clientSecret: string): Promise<string | undefined> => {
      const result = await stripe?.confirmCardPayment(clientSecret)
      if (result?.paymentIntent) return undefined
      return result?.error?.message ?? generalMessages.failed
    },
  }
}

export type CardInput = ReturnType<typeof useCard>
