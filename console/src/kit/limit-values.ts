import { maxLimitQuantity } from '@trunkline/contract/billing/limits'
import { messages } from '@trunkline/contract/messages/limit'
import { limitsOfAccount, limitsOfProvider } from '@trunkline/contract/resources/limit'
import { request } from '../lib/client'
import { Problem } from '../lib/problem'
import type { Faults } from './resolve'

/** Whose limits. */
export type LimitOwner = { account_sid: string } | { service_provider_sid: string }

/** The categories that a person sets; others are the platform's own. */
export type ShownCategory = keyof typeof messages.labels
export const shownCategories = Object.keys(messages.labels) as ShownCategory[]

/** The limits of a form: null without one, 0 for unlimited. What is no number stays as it was typed. */
export type LimitValues = Record<ShownCategory, number | string | null>

export const noLimits = Object.fromEntries(shownCategories.map((category) => [category, null])) as LimitValues

/** The limits as they are; a category that several rows name counts by its first, as for the platform. */
export const readLimits = async (owner: LimitOwner, signal?: AbortSignal): Promise<LimitValues> => {
  const rows: { category: string; quantity: number }[] =
    'account_sid' in owner
      ? await request(limitsOfAccount.list, { params: owner, signal })
      : await request(limitsOfProvider.list, { params: owner, signal })
  const found = rows.toReversed().map(({ category, quantity }) => [category, quantity])
  return { ...noLimits, ...Object.fromEntries(found) } as LimitValues
}

const faultOf = (label: string, value: LimitValues[ShownCategory]): string | undefined => {
  if (value === null) return undefined
  if (typeof value === 'string' || !Number.isInteger(value) || value < 0) return messages.noQuantity(label)
  return value > maxLimitQuantity ? messages.tooMuch(label, maxLimitQuantity) : undefined
}

/** What is wrong with the limits of a form, by the names of their fields. */
export const limitFaults = (values: LimitValues): Faults =>
  Object.fromEntries(
    shownCategories.flatMap((category) => {
      const fault = faultOf(messages.labels[category], values[category])
      return fault ? [[`limits.${category}`, fault]] : []
    }),
  )

const saveOne = (owner: LimitOwner, category: ShownCategory, quantity: number | string | null) => {
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

/** Saves the limits that differ; a refusal is told at its field. */
export const saveLimits = async (owner: LimitOwner, now: LimitValues, before: LimitValues): Promise<void> => {
  for (const category of shownCategories) {
    if (now[category] === before[category]) continue
    try {
      await saveOne(owner, category, now[category])
    } catch (error) {
      if (!(error instanceof Problem) || error.hasEndedSession) throw error
      throw new Problem(error.status, { msg: error.msg, field: `limits.${category}` })
    }
  }
}
