import * as z from 'zod'

const types = ['subdomain', 'email', 'phone'] as const

export const availabilityQuerySchema = z.looseObject({
  type: z.enum(types, { error: ({ input }) => `invalid type: ${typeof input === 'string' ? input : ''}` }),
  value: z.string({ error: 'missing value' }).trim().min(1, 'missing value'),
})

export const availabilityResponseSchema = z.object({ available: z.boolean() })

export type AvailabilityQuery = z.input<typeof availabilityQuerySchema>
export type AvailabilityResponse = z.output<typeof availabilityResponseSchema>
