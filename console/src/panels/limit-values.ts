import { maxLimitQuantity } from '@trunkline/contract/billing/limits'
import { messages } from '@trunkline/contract/messages/limit'
import { limitsOfAccount, limitsOfProvider } from '@trunkline/contract/resources/limit'
import { request } from '../lib/client'
import { Problem } from '../lib/problem'
import type { FieldErrors } from '../kit/form/resolver'

/** The account or service provider that has the limits. */
export type LimitOwner = { account_sid: string } | { service_provider_sid: string }

/** The categories that users set. The platform manages the others. */
export type EditableCategory = keyof typeof messages.labels
export const editableCategories = Object.keys(messages.labels) as EditableCategory[]

/** The limits in a form: null if unset, 0 for unlimited. Text that is not a number stays as typed. */
export type LimitValues = Record<EditableCategory, number | string | null>

export const noLimits = Object.fromEntries(editableCategories.map((category) => [category, null])) as LimitValues

/** The stored limits. If several rows have the same category, the first one counts, as on the platform. */
export const readLimits = async (owner: LimitOwner, signal?: AbortSignal): Promise<LimitValues> => {
  const rows: { category: string; quantity: number }[] =
    'account_sid' in owner
      ? await request(limitsOfAccount.list, { params: owner, signal })
      : await request(limitsOfProvider.list, { params: owner, signal })
  const entries = rows.toReversed().map(({ category, quantity }) => [category, quantity])
  return { ...noLimits, ...Object.fromEntries(entries) } as LimitValues
}

const findQuantityError = (label: string, value: LimitValues[EditableCategory]): string | undefined => {
  if (value === null) return undefined
  if (typeof value === 'string' || !Number.isInteger(value) || value < 0) return messages.invalidQuantity(label)
  return value > maxLimitQuantity ? messages.tooLarge(label, maxLimitQuantity) : undefined
}

/** Validates the limits of a form. Returns field errors. */
export const validateLimits = (values: LimitValues): FieldErrors =>
  Object.fromEntries(
    editableCategories.flatMap((category) => {
      const error = findQuantityError(messages.labels[category], values[category])
      return error ? [[`limits.${category}`, error]] : []
    }),
  )

const saveLimit = (owner: LimitOwner, category: EditableCategory, quantity: number | string | null) => {
  const query = { category }
  const body = { category, quantity: Number(quantity) }
  if ('account_sid' in owner)
    return quantity === null
      ? request(limitsOfAccount.remove, { params: owner, query })
      : request(limitsOfAccount.save, { params: owner, body })
  return quantity === null
    ? request(limitsOfProvider.remove, { params: owner, query })
    : request(limitsOfProvider.save, { params: owner, body })
}

/** Saves the limits that differ. A refusal becomes an error of its field. */
export const saveLimits = async (owner: LimitOwner, values: LimitValues, storedValues: LimitValues): Promise<void> => {
  for (const category of editableCategories) {
    if (values[category] === storedValues[category]) continue
    try {
      await saveLimit(owner, category, values[category])
    } catch (error) {
      if (!(error instanceof Problem) || error.hasEndedSession) throw error
      throw new Problem(error.status, { msg: error.msg, field: `limits.${category}` })
    }
  }
}
