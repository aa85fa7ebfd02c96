import * as z from 'zod'
import { limitCategories, maxLimitQuantity } from '../billing/limits'
import { choice } from '../kit/fields'

const quantity = z.number().int()

export const accountLimitSchema = z.object({
  account_limits_sid: z.string(),
  account_sid: z.string(),
  category: z.string(),
  quantity,
})

export const providerLimitSchema = z.object({
  service_provider_limits_sid: z.string(),
  service_provider_sid: z.string(),
  category: z.string(),
  quantity,
})

/** Clients send whole rows back; only the category and the quantity are used. */
export const limitDraftSchema = z.strictObject({
  category: choice(limitCategories),
  quantity: quantity.min(0).max(maxLimitQuantity),
  account_limits_sid: z.unknown().optional(),
  account_sid: z.unknown().optional(),
  service_provider_limits_sid: z.unknown().optional(),
  service_provider_sid: z.unknown().optional(),
})

export const limitQuerySchema = z.looseObject({ category: choice(limitCategories).optional() })

export type AccountLimit = z.output<typeof accountLimitSchema>
export type ProviderLimit = z.output<typeof providerLimitSchema>
export type LimitDraft = z.input<typeof limitDraftSchema>
export type LimitQuery = z.input<typeof limitQuerySchema>
