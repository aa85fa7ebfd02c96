import {
  billedCategories,
  paidQuantityRanges,
  type BilledCategory,
  type Quantities,
} from '@trunkline/contract/billing/capacity'
import { messages } from '@trunkline/contract/messages/payment'
import { useState } from 'react'

/** Parses a quantity; undefined if it is outside the product's range. For devices, an empty text means 0. */
export const parseQuantity = (category: BilledCategory, text: string): number | undefined => {
  const { min, max } = paidQuantityRanges[category]
  const digits = text.trim().replaceAll(',', '')
  const quantity = digits === '' && category === 'device' ? 0 : /^\d{1,6}$/.test(digits) ? Number(digits) : NaN
  return quantity >= min && quantity <= max ? quantity : undefined
}

const clamp = (category: BilledCategory, quantity: number) => {
  const { min, max } = paidQuantityRanges[category]
  return Math.min(max, Math.max(min, quantity))
}

/** The quantities that the user types. Errors appear when a field is left, and on submitting. */
export const useQuantities = (initial: Quantities) => {
  const [texts, setTexts] = useState<Record<BilledCategory, string>>({
    voice_call_session: String(clamp('voice_call_session', initial.voice_call_session)),
    device: String(clamp('device', initial.device)),
  })
  const [checked, setChecked] = useState<ReadonlySet<BilledCategory>>(new Set())
  const valueOf = (category: BilledCategory) => parseQuantity(category, texts[category])
  const quantities = { voice_call_session: valueOf('voice_call_session'), device: valueOf('device') }
  const isValid = quantities.voice_call_session !== undefined && quantities.device !== undefined

  return {
    texts,
    /** The valid quantities; undefined while one is invalid. */
    quantities: isValid ? (quantities as Quantities) : undefined,
    valueOf,
    setText: (category: BilledCategory, text: string) => setTexts((current) => ({ ...current, [category]: text })),
    step: (category: BilledCategory, by: number) =>
      setTexts((current) => {
        const quantity = parseQuantity(category, current[category]) ?? Number(current[category].replace(/\D/g, ''))
        return { ...current, [category]: String(clamp(category, quantity + by)) }
      }),
    check: (category: BilledCategory) => setChecked((current) => new Set([...current, category])),
    checkAll: () => setChecked(new Set(billedCategories)),
    errorOf: (category: BilledCategory) => {
      if (!checked.has(category) || valueOf(category) !== undefined) return undefined
      const { min, max } = paidQuantityRanges[category]
      return messages.quantityRange(min, max)
    },
  }
}

export type QuantityInput = ReturnType<typeof useQuantities>
