import { z } from 'zod'
import { timestampInput } from '../kit/fields'

const invalidArgument = (name: string) => `missing or invalid "${name}" query arg`

const positiveInteger = (name: string, max?: number) => {
  const shape = z.coerce.number(invalidArgument(name)).int(invalidArgument(name)).min(1, invalidArgument(name))
  return max ? shape.max(max, invalidArgument(name)) : shape
}

/** What is not said counts as not asked. */
const optionalArgument = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => (value === '' ? undefined : value), shape.optional())

/** The most rows of one page. */
export const maxPageRows = 500

/** A time. `days` counts back from now, and then `start` and `end` are ignored. */
const timeFilter = {
  days: optionalArgument(positiveInteger('days', 36_500)),
  start: optionalArgument(timestampInput()),
  end: optionalArgument(timestampInput()),
}
const paging = { page: positiveInteger('page'), count: positiveInteger('count', maxPageRows) }

/** The query of a list over time. */
export const timedQuery = z.looseObject({ ...paging, ...timeFilter })

const callFilters = {
  direction: optionalArgument(z.enum(['inbound', 'outbound'])),
  answered: z
    .string()
    .optional()
    .transform((value) => (value === 'true' || value === 'false' ? value === 'true' : undefined)),
  trunk: optionalArgument(z.string().max(255)),
  /** Ours. */
  application_sid: optionalArgument(z.string().max(36)).describe(
    'The application that handled the call. An addition of this server.',
  ),
  /** Contained in a number, the trunk or the termination reason; or the whole call SID or SIP Call-ID. */
  filter: optionalArgument(z.string().max(255)).describe(
    'A part of a number, of the trunk or of the termination reason, or a whole call SID or SIP Call-ID.',
  ),
  /** Ours. 0: of those of which it was not said. */
  sip_status: optionalArgument(
    z.coerce
      .number(invalidArgument('sip_status'))
      .int(invalidArgument('sip_status'))
      .min(0, invalidArgument('sip_status')),
  ),
}

/** Ours: `asc` lists the oldest first. */
const order = optionalArgument(z.enum(['asc', 'desc'])).describe(
  'asc lists the oldest call first; the newest is first otherwise. An addition of this server.',
)

export const recentCallQuery = timedQuery.extend({ ...callFilters, order })
/** Ours: what calls are also grouped by. */
const by = optionalArgument(z.enum(['trunk', 'account'])).describe('Also groups the calls by trunk or by account.')

export const overviewQuery = z.looseObject({ ...timeFilter, ...callFilters, by })

export const logQuery = z.looseObject({ logGroupName: optionalArgument(z.string().max(512)) })
export const logLines = z.array(z.string())

export const alertQuery = timedQuery.extend({
  alert_type: optionalArgument(z.string().max(255)),
  /** Ours: contained in the message, detail, type or vendor; or the whole SID of what the alert is about. */
  filter: optionalArgument(z.string().max(255)).describe(
    'A part of the message, detail, type or vendor, or the whole SID of what the alert is about. An addition of this server.',
  ),
  /** Ours: the whole message. */
  message: optionalArgument(z.string().max(2000)).describe('The whole message. An addition of this server.'),
})

const nullableText = z.string().nullable()
const nullableNumber = z.number().nullable()
/** What a row points at, by name: not every server says it. */
const relatedName = nullableText.optional()

/** A call as it was told when it ended. What else its writer said travels with it. */
export const recentCall = z.looseObject({
  attempted_at: z.string(),
  account_sid: nullableText,
  account_name: relatedName,
  answered: z.boolean(),
  answered_at: nullableText,
  application_sid: nullableText,
  application_name: relatedName,
  call_sid: nullableText,
  direction: nullableText,
  duration: nullableNumber,
  from: nullableText,
  host: nullableText,
  recording_url: nullableText,
  remote_host: nullableText,
  service_provider_sid: nullableText,
  sip_callid: nullableText,
  sip_parent_callid: nullableText,
  sip_status: nullableNumber,
  terminated_at: nullableText,
  termination_reason: nullableText,
  to: nullableText,
  trace_id: nullableText,
  trunk: nullableText,
})

const count = z.int().min(0)

/** Calls that have ended, added up. */
export const callOverview = z.object({
  calls: count,
  answered: count,
  /** How long those that were answered lasted on average, in seconds; null where there are none. */
  duration: nullableNumber,
  /** From the attempt to the answer on average, in milliseconds; null where nobody answered. */
  post_dial_delay: nullableNumber,
  /** By the hour in which they were attempted, the oldest first; hours without calls are left out. */
  hours: z.array(
    z.object({
      start: z.string(),
      calls: count,
      answered: count,
      /** How long they lasted together, in seconds. */
      seconds: count,
    }),
  ),
  /** Those that were not answered, by SIP status, the most frequent first; 0 where nobody said. */
  failures: z.array(z.object({ sip_status: z.number(), calls: count })),
  /**
   * With `by`: the same calls by trunk or account, at most 100 groups, those with the most unanswered calls first. Null where too
   * many calls would have to be read.
   */
  groups: z
    .array(
      z.object({
        /** The name of the trunk or the SID of the account; null for all other calls. */
        value: nullableText,
        account_name: relatedName,
        calls: count,
        answered: count,
      }),
    )
    .nullable()
    .optional(),
})

/** Something that went wrong and that its owner may want to know of. */
export const alert = z.looseObject({
  time: z.string(),
  account_sid: nullableText,
  account_name: relatedName,
  alert_type: nullableText,
  detail: nullableText,
  message: nullableText,
  service_provider_sid: nullableText,
  target_sid: nullableText,
  vendor: nullableText,
})

/** Alerts of one type with the same message. The other fields are those of the newest of them. */
export const alertGroup = alert.extend({
  count: count,
  /** When the oldest of them was raised. */
  first: z.string(),
  /** How many accounts they belong to. */
  accounts: count,
})

/** A page of a list over time: its number and size come back as texts. */
export const timedPageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ total: z.number(), page_size: z.string(), page: z.string(), data: z.array(row) })

export type RecentCall = z.infer<typeof recentCall>
export type CallOverview = z.infer<typeof callOverview>
export type Alert = z.infer<typeof alert>
export type AlertGroup = z.infer<typeof alertGroup>

/** What a list over time may be asked for. */
export interface TimedQuery {
  page: number
  count: number
  days?: number
  start?: string
  end?: string
}

export interface OverviewQuery extends Omit<TimedQuery, 'page' | 'count'> {
  direction?: 'inbound' | 'outbound'
  answered?: 'true' | 'false'
  trunk?: string
  filter?: string
  sip_status?: number
  application_sid?: string
  by?: 'trunk' | 'account'
}

export type RecentCallQuery = TimedQuery & Omit<OverviewQuery, 'by'> & { order?: 'asc' | 'desc' }

/** `logGroupName`: one of those that this server may read; the first of them unless it is named. */
export interface LogQuery {
  logGroupName?: string
}

export interface AlertQuery extends TimedQuery {
  alert_type?: string
  filter?: string
  message?: string
}

export interface TimedPage<Row> {
  total: number
  page_size: string
  page: string
  data: Row[]
}
