import * as z from 'zod'
import type { EnvSchema } from '../telephony/app-env'
import { text } from '../kit/fields'

const variableSchema = z.looseObject({
  type: z.enum(['string', 'number', 'boolean']),
  description: z.string(),
  required: z.boolean().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.unknown()).optional(),
  obscure: z.boolean().optional(),
})

/** The environment variables that a webhook declares. Unknown keys of a variable are kept: they are display hints. */
export const envSchema: z.ZodType<EnvSchema> = z
  .record(z.string().regex(/^[a-zA-Z0-9_]+$/), variableSchema)
  .refine((variables) => Object.keys(variables).length > 0)

export const envQuerySchema = z.looseObject({ url: text(1024) })
