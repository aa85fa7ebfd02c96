import { z } from 'zod'

/** A record identifier. Existing databases hold sids that are not RFC 4122, so only the form is checked. */
export const sid = () => z.guid()

const isSidOrEmpty = (value: string) => value === '' || sid().safeParse(value).success

/**
 * A sid that may be absent. Clients also send '' where they leave the choice to the server, which means null. `message`
 * is for a malformed one, where the interface has words of its own.
 */
export const optionalSid = (message?: (value: string) => string) =>
  z
    .string()
    .refine(isSidOrEmpty, message && { error: ({ input }) => message(String(input)) })
    .transform((value) => value || null)
    .nullish()

/** The same in an update, where '' leaves the stored sid as it is. */
export const unchangedSid = () =>
  z
    .string()
    .refine(isSidOrEmpty)
    .transform((value) => value || undefined)
    .nullish()

/** A flag as it comes in: true or false, 1 or 0. The database keeps 0 or 1. */
export const flag = () => z.union([z.boolean(), z.literal(0), z.literal(1)])

/** A flag as it goes out: always 0 or 1. */
export const bit = () => z.number().int()

/** A NUL ends a text for some readers and not for others; no name, address or secret has one. */
const withoutNul = /^[^\0]*$/

/** Text of at most `max` characters, as long as the column that keeps it. */
export const text = (max: number) => z.string().max(max).regex(withoutNul)

const byteLength = (value: string) => new TextEncoder().encode(value).length

/** Text of a column that counts bytes: 65535 of them unless said. */
export const longText = (max = 65_535) =>
  z
    .string()
    .regex(withoutNul)
    .superRefine((value, context) => {
      if (byteLength(value) > max) context.addIssue({ code: 'too_big', origin: 'string', maximum: max, input: value })
    })

/** A required name: blank at neither end, 1 to `max` characters. */
export const name = (max: number, missing?: string) =>
  z
    .string(
      missing
        ? { error: (issue) => (issue.input === undefined || issue.input === null ? missing : undefined) }
        : undefined,
    )
    .trim()
    .min(1, missing)
    .max(max)
    .regex(withoutNul)

/** Text that may be absent or null, as a nullable column. */
export const optionalText = (max: number) => text(max).nullable().optional()

/** One of a few words. Their case does not matter on the way in; what is kept is spelled as here. */
export const choice = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' ? (options.find((option) => option === value.toLowerCase()) ?? value) : value,
    z.enum(options),
  ) as z.ZodType<Options[number], Options[number]>

const isoTimestamp = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Is there such a day? JavaScript takes the 30th of February for a day in March. */
const isDay = (day: string): boolean => {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

/** A moment on the way in: ISO 8601, or as a database writes it; UTC unless it says otherwise. Kept as ISO 8601 UTC. */
export const timestampInput = () =>
  z.string().transform((value, context) => {
    const zone = isoTimestamp.exec(value)?.[1]
    const moment = new Date(zone || value.length === 10 ? value.replace(' ', 'T') : `${value.replace(' ', 'T')}Z`)
    if (isoTimestamp.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(moment.getTime()))
      return moment.toISOString()
    context.addIssue({ code: 'custom' })
    return z.NEVER
  })

/** A port number, 0 to 65535. */
export const port = () => z.number().int().min(0).max(65535)

/** A moment in an answer: ISO 8601 UTC with milliseconds, or null. */
export const moment = () => z.string().nullable()

/** The answer to a creation. */
export const createdResponse = z.object({ sid: z.string() })

/** The query of a list, in the loose form in which it comes from an address. */
export const listQuery = z.looseObject({
  page: z.coerce
    .number({ error: 'page must be a number' })
    .int('page must be a whole number')
    .transform((page) => Math.max(1, page))
    .optional(),
  page_size: z.coerce
    .number({ error: 'page_size must be a number' })
    .int('page_size must be a whole number')
    .min(1, 'page_size must be at least 1')
    .max(1000, 'page_size must be at most 1000')
    .optional(),
  name: z.string().optional(),
  filter: z.string().optional(),
  account_sid: z.string().optional(),
  service_provider_sid: z.string().optional(),
  sort: z
    .string()
    .regex(/^-?[a-z_]+$/, 'sort must be the name of a column, with a leading - for descending')
    .optional(),
})

/** A list's answer: a bare array, or with `page` in the query one page of it. */
export const listResponse = <Row extends z.ZodType>(row: Row) =>
  z.union([
    z.array(row),
    z.object({ total: z.number(), page: z.number(), page_size: z.number().nullable(), data: z.array(row) }),
  ])
