import * as z from 'zod'

/** A SID. Only the format is checked, because existing databases hold SIDs that are not RFC 4122 UUIDs. */
export const sid = () => z.guid()

const isSidOrEmpty = (value: string) => value === '' || sid().safeParse(value).success

/**
 * An optional SID. Clients also send '' to leave the choice to the server; it is read as null. `message` overrides
 * the default error for a malformed SID.
 */
export const optionalSid = (message?: (value: string) => string) =>
  z
    .string()
    .refine(isSidOrEmpty, message && { error: ({ input }) => message(String(input)) })
    .transform((value) => value || null)
    .nullish()

/** An optional SID in an update, where '' leaves the stored SID unchanged. */
export const unchangedSid = () =>
  z
    .string()
    .refine(isSidOrEmpty)
    .transform((value) => value || undefined)
    .nullish()

/** A flag in a request: true, false, 1 or 0. The database stores 0 or 1. */
export const flag = () => z.union([z.boolean(), z.literal(0), z.literal(1)])

/** A flag in a response: an integer. The database stores 0 or 1. */
export const bit = () => z.number().int()

/** Rejects NUL: some readers end a string there and others do not, and no name, address or secret contains one. */
export const noNulPattern = /^[^\0]*$/

/** Text of at most `max` characters, the length of its column. */
export const text = (max: number) => z.string().max(max).regex(noNulPattern)

const byteLength = (value: string) => new TextEncoder().encode(value).length

/** Text for a column that is limited in bytes. */
export const longText = (maxBytes = 65_535) =>
  z
    .string()
    .regex(noNulPattern)
    .superRefine((value, context) => {
      // zod counts bytes only in files
      if (byteLength(value) > maxBytes)
        context.addIssue({ code: 'too_big', origin: 'file', maximum: maxBytes, input: value })
    })

/** A required name of 1 to `max` characters, trimmed. */
export const name = (max: number, missingMessage?: string) =>
  z
    .string(
      missingMessage
        ? { error: (issue) => (issue.input === undefined || issue.input === null ? missingMessage : undefined) }
        : undefined,
    )
    .trim()
    .min(1, missingMessage)
    .max(max)
    .regex(noNulPattern)

/** Text for a nullable column; may also be absent. */
export const optionalText = (max: number) => text(max).nullable().optional()

/** One of a few keywords. Input is case-insensitive; the stored value is spelled as in `options`. */
export const choice = <const Options extends readonly [string, ...string[]]>(options: Options) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' ? (options.find((option) => option === value.toLowerCase()) ?? value) : value,
    z.enum(options),
  ) as z.ZodType<Options[number], Options[number]>

const isoTimestampPattern = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Whether the date exists. JavaScript reads 30 February as a day in March. */
const isExistingDate = (day: string): boolean => {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

/**
 * A timestamp in a request: ISO 8601 or a database's format, in UTC unless it has an offset. Stored as ISO 8601 UTC.
 */
export const timestampInput = () =>
  z.string().transform((value, context) => {
    const offset = isoTimestampPattern.exec(value)?.[1]
    const date = new Date(offset || value.length === 10 ? value.replace(' ', 'T') : `${value.replace(' ', 'T')}Z`)
    if (isoTimestampPattern.test(value) && isExistingDate(value.slice(0, 10)) && !Number.isNaN(date.getTime()))
      return date.toISOString()
    context.addIssue({ code: 'custom' })
    return z.NEVER
  })

export const port = () => z.number().int().min(0).max(65535)

/** A timestamp in a response: ISO 8601 UTC with milliseconds, or null. */
export const timestamp = () => z.string().nullable()

/** The response to a create request. */
export const createdResponseSchema = z.object({ sid: z.string() })

/** The query of a list. Numbers arrive as strings, and unknown parameters are allowed. */
export const listQuerySchema = z.looseObject({
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
  voip_carrier_sid: z.string().optional(),
  application_sid: z.string().optional(),
  sort: z
    .string()
    .regex(/^-?[a-z_]+$/, 'sort must be the name of a column, with a leading - for descending')
    .optional(),
})

/** A list response: a bare array, or one page if the query has `page`. */
export const listResponseSchema = <Row extends z.ZodType>(row: Row) =>
  z.union([
    z.array(row),
    z.object({ total: z.number(), page: z.number(), page_size: z.number().nullable(), data: z.array(row) }),
  ])
