import * as z from 'zod'
import { sid } from '../kit/fields'

const countedKinds = ['account', 'voip_carrier', 'application', 'phone_number'] as const

/** What a request may ask for. Calls and calls in progress come from other stores than the records. */
const figures = ['phone_numbers', 'calls', 'live_calls'] as const

/** The number of records in one request: more than the largest page of a list has. */
export const maxCountedRecords = 200

/** A query parameter with values that are separated by commas. */
const listOf = <Value extends string>(isValid: (value: string) => value is Value, error: string) =>
  z
    .string({ error })
    .transform((text) => text.split(','))
    .refine((values): values is Value[] => values.every(isValid), { error, abort: true })

const isSid = (value: string): value is string => sid().safeParse(value).success
const isFigure = (value: string): value is CountFigure => figures.some((figure) => figure === value)

export const recordCountsQuerySchema = z.looseObject({
  kind: z.enum(countedKinds),
  sids: listOf(isSid, 'sids must be SIDs, separated by commas')
    .refine((sids) => sids.length <= maxCountedRecords, `sids must be at most ${maxCountedRecords} SIDs`)
    .describe(`The SIDs of at most ${maxCountedRecords} records, separated by commas.`),
  figures: listOf(isFigure, `figures must be some of ${figures.join(', ')}, separated by commas`)
    .optional()
    .describe(`What to count: some of ${figures.join(', ')}, separated by commas. All of them by default.`),
})

/**
 * The figures of one record. A figure that was not requested, that its kind does not have, or that the server cannot find out
 * is absent.
 */
const countsSchema = z.object({
  /** Only the numbers that the actor may list. */
  phone_numbers: z.number().optional(),
  /** The calls of the last 24 hours. */
  calls_24h: z.number().optional(),
  /** The calls of a phone number in the last 7 days: inbound calls to it and outbound calls from it. */
  calls_7d: z.number().optional(),
  /** Null: no call in the last 30 days. */
  last_call_at: z.string().nullable().optional(),
  /** The calls in progress of an account. */
  live_calls: z.number().optional(),
  /** The limit of concurrent calls of an account. Null: no limit. */
  call_limit: z.number().nullable().optional(),
})

/** By SID. Records that the actor cannot list are absent. */
export const recordCountsSchema = z.record(z.string(), countsSchema)

export type CountedKind = (typeof countedKinds)[number]
export type CountFigure = (typeof figures)[number]
export type RecordCountsQuery = z.input<typeof recordCountsQuerySchema>
export type RecordCounts = z.output<typeof recordCountsSchema>
