import { z } from 'zod'

const types = ['subdomain', 'email', 'phone'] as const

export const availabilityQuery = z.looseObject({
  type: z.enum(types, { error: ({ input }) => `invalid type: ${typeof input === 'string' ? input : ''}` }),
  value: z.string({ error: 'missing value' }).trim().min(1, 'missing value'),
})

export const availabilityResponse = z.object({ available: z.boolean() })

export type AvailabilityQuery = z.input<typeof availabilityQuery>
export type AvailabilityResponse = z.output<typeof availabilityResponse>
