import { z } from 'zod'
import { limitCategories, maxLimitQuantity } from '../billing/limits'
import { choice } from '../kit/fields'

const quantity = z.number().int()

export const accountLimit = z.object({
  account_limits_sid: z.string(),
  account_sid: z.string(),
  category: z.string(),
  quantity,
})

export const providerLimit = z.object({
  service_provider_limits_sid: z.string(),
  service_provider_sid: z.string(),
  category: z.string(),
  quantity,
})

/** Clients send whole rows back; only the category and the quantity are used. */
export const limitDraft = z.strictObject({
  category: choice(limitCategories),
  quantity: quantity.min(0).max(maxLimitQuantity),
  account_limits_sid: z.unknown().optional(),
  account_sid: z.unknown().optional(),
  service_provider_limits_sid: z.unknown().optional(),
  service_provider_sid: z.unknown().optional(),
})

export const limitQuery = z.looseObject({ category: choice(limitCategories).optional() })

export type AccountLimit = z.output<typeof accountLimit>
export type ProviderLimit = z.output<typeof providerLimit>
export type LimitDraft = z.input<typeof limitDraft>
export type LimitQuery = z.input<typeof limitQuery>
