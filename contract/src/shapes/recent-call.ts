import * as z from 'zod'
import { timestampInput } from '../kit/fields'

const formatArgumentError = (name: string) => `missing or invalid "${name}" query arg`

const positiveInteger = (name: string, max?: number) => {
  const shape = z.coerce
    .number(formatArgumentError(name))
    .int(formatArgumentError(name))
    .min(1, formatArgumentError(name))
  return max ? shape.max(max, formatArgumentError(name)) : shape
}

/** An optional query parameter. An empty value counts as absent. */
const optionalArgument = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => (value === '' ? undefined : value), shape.optional())

/** The largest page size. */
export const maxPageRows = 500

/** The time range of a query. If `days` is present, it counts back from now, and `start` and `end` are ignored. */
const timeFilter = {
  days: optionalArgument(positiveInteger('days', 36_500)),
  start: optionalArgument(timestampInput()),
  end: optionalArgument(timestampInput()),
}
const paging = { page: positiveInteger('page'), count: positiveInteger('count', maxPageRows) }

/** The query of an event list: calls or alerts. */
export const eventQuerySchema = z.looseObject({ ...paging, ...timeFilter })

const callFilters = {
  direction: optionalArgument(z.enum(['inbound', 'outbound'])),
  answered: z
    .string()
    .optional()
    .transform((value) => (value === 'true' || value === 'false' ? value === 'true' : undefined)),
  trunk: optionalArgument(z.string().max(255)),
  /** A Trunkline addition. */
  application_sid: optionalArgument(z.string().max(36)).describe(
    'The application that handled the call. An addition of this server.',
  ),
  /** A Trunkline addition. Case and a leading plus are ignored. */
  number: optionalArgument(z.string().max(255).regex(/[^+]/, formatArgumentError('number'))).describe(
    'The whole phone number: the called one of an inbound call, the calling one of an outbound call. An addition of this server.',
  ),
  /** A part of a number, trunk or termination reason; or a complete call SID or SIP Call-ID. */
  filter: optionalArgument(z.string().max(255)).describe(
    'A part of a number, of the trunk or of the termination reason, or a whole call SID or SIP Call-ID.',
  ),
  /** A Trunkline addition. 0: calls without a SIP status. */
  sip_status: optionalArgument(
    z.coerce
      .number(formatArgumentError('sip_status'))
      .int(formatArgumentError('sip_status'))
      .min(0, formatArgumentError('sip_status')),
  ),
}

/** A Trunkline addition: `asc` lists the oldest first. */
const order = optionalArgument(z.enum(['asc', 'desc'])).describe(
  'asc lists the oldest call first; the newest is first otherwise. An addition of this server.',
)

export const recentCallQuerySchema = eventQuerySchema.extend({ ...callFilters, order })
/** A Trunkline addition: the property by which calls are also grouped. */
const groupProperty = optionalArgument(z.enum(['trunk', 'account'])).describe(
  'Also groups the calls by trunk or by account.',
)

/** A Trunkline addition. */
const percentile = optionalArgument(
  z.coerce
    .number(formatArgumentError('percentile'))
    .int(formatArgumentError('percentile'))
    .min(1, formatArgumentError('percentile'))
    .max(99, formatArgumentError('percentile')),
).describe('Also returns this percentile of the time from the attempt to the answer, such as 95.')

export const overviewQuerySchema = z.looseObject({ ...timeFilter, ...callFilters, by: groupProperty, percentile })

export const logQuerySchema = z.looseObject({ logGroupName: optionalArgument(z.string().max(512)) })
export const logLinesSchema = z.array(z.string())

export const alertQuerySchema = eventQuerySchema.extend({
  alert_type: optionalArgument(z.string().max(255)),
  /**
   * A Trunkline addition: a part of the message, detail, type or vendor; or the complete SID of the alert's subject.
   */
  filter: optionalArgument(z.string().max(255)).describe(
    'A part of the message, detail, type or vendor, or the whole SID of what the alert is about. An addition of this server.',
  ),
  /** A Trunkline addition: the complete message. */
  message: optionalArgument(z.string().max(2000)).describe('The whole message. An addition of this server.'),
})

export const alertGroupQuerySchema = alertQuerySchema.extend({
  by: optionalArgument(z.enum(['account'])).describe('Also groups the alerts by account.'),
  history: optionalArgument(z.enum(['week'])).describe(
    'Also returns when the alerts were raised in the last 7 days of the period.',
  ),
})

const nullableText = z.string().nullable()
const nullableNumber = z.number().nullable()
/** The name of a linked record. v1 servers may omit it. */
const relatedName = nullableText.optional()

/** A finished call, as reported when it ended. Further fields that the voice server wrote are passed on. */
export const recentCallSchema = z.looseObject({
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

/** Statistics of finished calls. */
export const callOverviewSchema = z.object({
  calls: count,
  answered: count,
  /** Average duration of the answered calls in seconds; null if there are none. */
  duration: nullableNumber,
  /** Average time from the attempt to the answer, in milliseconds; null if no call was answered. */
  post_dial_delay: nullableNumber,
  /** With `percentile`: that percentile of the same times, in milliseconds, of at most the newest 20,000 answered calls. */
  post_dial_delay_percentile: nullableNumber.optional(),
  /** Calls by the hour of the attempt, oldest first. Hours without calls are omitted. */
  hours: z.array(
    z.object({
      start: z.string(),
      calls: count,
      answered: count,
      /** Total duration in seconds. */
      seconds: count,
    }),
  ),
  /** Unanswered calls by SIP status, most frequent first. 0: no status was reported. */
  failures: z.array(z.object({ sip_status: z.number(), calls: count })),
  /**
   * With `by`: the same calls by trunk or account, at most 100 groups, most unanswered calls first. Null if too many
   * calls would have to be read.
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

/** Carriers that fail now: most of their latest outbound calls, or their registration. The worst is first. */
export const failingCarriersSchema = z.array(
  z.object({
    name: z.string(),
    /** Null if the actor may not open the carrier, or if not exactly one carrier has this name. */
    voip_carrier_sid: nullableText,
    /** The outbound calls since the first of these failures; null if only the registration fails. */
    calls: z
      .object({
        since: z.string(),
        total: count,
        failed: count,
        /** The failed calls by SIP status, most frequent first. */
        failures: z.array(z.object({ sip_status: z.number(), calls: count })),
      })
      .nullable(),
    /** Set if the carrier refused the registration, with its reason if known. */
    registration: z.object({ reason: nullableText }).nullable(),
  }),
)

/** A problem that a voice server reported for an account or provider. */
export const alertSchema = z.looseObject({
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

/** Alerts with the same type and message. The other fields are those of the newest one. */
export const alertGroupSchema = alertSchema.extend({
  count: count,
  /** When the oldest of these alerts was raised. */
  first: z.string(),
  /** The number of accounts that these alerts belong to. */
  accounts: count,
  /**
   * With `history`: the number of these alerts in each 6 hours of the 7 days before the end of the period, which is now
   * unless `end` is given. The oldest is first. Left out if too many alerts would have to be read.
   */
  history: z.array(count).optional(),
})

/** A page of an event list. The API returns its page number and size as strings. */
export const eventPageSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({ total: z.number(), page_size: z.string(), page: z.string(), data: z.array(row) })

export type RecentCall = z.infer<typeof recentCallSchema>
export type CallOverview = z.infer<typeof callOverviewSchema>
export type FailingCarrier = z.infer<typeof failingCarriersSchema>[number]
export type Alert = z.infer<typeof alertSchema>
export type AlertGroup = z.infer<typeof alertGroupSchema>

/** The query of an event list. */
export interface EventQuery {
  page: number
  count: number
  days?: number
  start?: string
  end?: string
}

export interface OverviewQuery extends Omit<EventQuery, 'page' | 'count'> {
  direction?: 'inbound' | 'outbound'
  answered?: 'true' | 'false'
  trunk?: string
  filter?: string
  sip_status?: number
  application_sid?: string
  number?: string
  by?: 'trunk' | 'account'
  percentile?: number
}

export type RecentCallQuery = EventQuery & Omit<OverviewQuery, 'by' | 'percentile'> & { order?: 'asc' | 'desc' }

/** `logGroupName`: one of the log groups that this server may read. The default is the first one. */
export interface LogQuery {
  logGroupName?: string
}

export interface AlertQuery extends EventQuery {
  alert_type?: string
  filter?: string
  message?: string
}

export interface AlertGroupQuery extends AlertQuery {
  by?: 'account'
  history?: 'week'
}

export interface EventPage<Row> {
  total: number
  page_size: string
  page: string
  data: Row[]
}
