import { z } from 'zod'

const kinds = ['subdomain', 'email', 'phone'] as const

export const query = z.looseObject({
  type: z.enum(kinds, { error: ({ input }) => `invalid type: ${typeof input === 'string' ? input : ''}` }),
  value: z.string({ error: 'missing value' }).trim().min(1, 'missing value'),
})

export const answer = z.object({ available: z.boolean() })

export type AvailabilityQuery = z.input<typeof query>
export type AvailabilityAnswer = z.output<typeof answer>
