import { z } from 'zod'
import { instant } from '../kit/fields'

const refused = (name: string) => `missing or invalid "${name}" query arg`

const whole = (name: string, most?: number) => {
  const shape = z.coerce.number(refused(name)).int(refused(name)).min(1, refused(name))
  return most ? shape.max(most, refused(name)) : shape
}

/** What is not said counts as not asked. */
const blank = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => (value === '' ? undefined : value), shape.optional())

/** The most rows of one page. */
export const mostRows = 500

/** A time. `days` counts back from now, and then `start` and `end` are ignored. */
const times = {
  days: blank(whole('days', 36_500)),
  start: blank(instant()),
  end: blank(instant()),
}
const pages = { page: whole('page'), count: whole('count', mostRows) }

/** The query of a list over time. */
export const timedQuery = z.looseObject({ ...pages, ...times })

const callFilters = {
  direction: blank(z.enum(['inbound', 'outbound'])),
  answered: z
    .string()
    .optional()
    .transform((value) => (value === 'true' || value === 'false' ? value === 'true' : undefined)),
  trunk: blank(z.string().max(255)),
  /** Ours. */
  application_sid: blank(z.string().max(36)).describe(
    'The application that handled the call. An addition of this server.',
  ),
  /** Contained in a number, the trunk or the termination reason; or the whole call SID or SIP Call-ID. */
  filter: blank(z.string().max(255)).describe(
    'A part of a number, of the trunk or of the termination reason, or a whole call SID or SIP Call-ID.',
  ),
  /** Ours. 0: of those of which it was not said. */
  sip_status: blank(z.coerce.number(refused('sip_status')).int(refused('sip_status')).min(0, refused('sip_status'))),
}

/** Ours: `asc` lists the oldest first. */
const order = blank(z.enum(['asc', 'desc'])).describe(
  'asc lists the oldest call first; the newest is first otherwise. An addition of this server.',
)

export const recentCallQuery = timedQuery.extend({ ...callFilters, order })
export const overviewQuery = z.looseObject({ ...times, ...callFilters })

export const logQuery = z.looseObject({ logGroupName: blank(z.string().max(512)) })
export const logLines = z.array(z.string())

export const alertQuery = timedQuery.extend({
  alert_type: blank(z.string().max(255)),
  /** Ours: contained in the message, detail, type or vendor; or the whole SID of what the alert is about. */
  filter: blank(z.string().max(255)).describe(
    'A part of the message, detail, type or vendor, or the whole SID of what the alert is about. An addition of this server.',
  ),
  /** Ours: the whole message. */
  message: blank(z.string().max(2000)).describe('The whole message. An addition of this server.'),
})

const text = z.string().nullable()
const amount = z.number().nullable()
/** What a row points at, by name: not every server says it. */
const nameOf = text.optional()

/** A call as it was told when it ended. What else its writer said travels with it. */
export const recentCall = z.looseObject({
  attempted_at: z.string(),
  account_sid: text,
  account_name: nameOf,
  answered: z.boolean(),
  answered_at: text,
  application_sid: text,
  application_name: nameOf,
  call_sid: text,
  direction: text,
  duration: amount,
  from: text,
  host: text,
  recording_url: text,
  remote_host: text,
  service_provider_sid: text,
  sip_callid: text,
  sip_parent_callid: text,
  sip_status: amount,
  terminated_at: text,
  termination_reason: text,
  to: text,
  trace_id: text,
  trunk: text,
})

const many = z.int().min(0)

/** Calls that have ended, added up. */
export const callOverview = z.object({
  calls: many,
  answered: many,
  /** How long those that were answered lasted on average, in seconds; null where there are none. */
  duration: amount,
  /** From the attempt to the answer on average, in milliseconds; null where nobody answered. */
  post_dial_delay: amount,
  /** By the hour in which they were attempted, the oldest first; hours without calls are left out. */
  hours: z.array(
    z.object({
      start: z.string(),
      calls: many,
      answered: many,
      /** How long they lasted together, in seconds. */
      seconds: many,
    }),
  ),
  /** Those that were not answered, by SIP status, the most frequent first; 0 where nobody said. */
  failures: z.array(z.object({ sip_status: z.number(), calls: many })),
})

/** Something that went wrong and that its owner may want to know of. */
export const alert = z.looseObject({
  time: z.string(),
  account_sid: text,
  account_name: nameOf,
  alert_type: text,
  detail: text,
  message: text,
  service_provider_sid: text,
  target_sid: text,
  vendor: text,
})

/** Alerts of one type with the same message. The other fields are those of the newest of them. */
export const alertGroup = alert.extend({
  count: many,
  /** When the oldest of them was raised. */
  first: z.string(),
  /** How many accounts they belong to. */
  accounts: many,
})

/** A page of a list over time: its number and size come back as texts. */
export const timed = <Row extends z.ZodType>(row: Row) =>
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
}

export type RecentCallQuery = TimedQuery & OverviewQuery & { order?: 'asc' | 'desc' }

/** `logGroupName`: one of those that this server may read; the first of them unless it is named. */
export interface LogQuery {
  logGroupName?: string
}

export interface AlertQuery extends TimedQuery {
  alert_type?: string
  filter?: string
  message?: string
}

export interface Timed<Row> {
  total: number
  page_size: string
  page: string
  data: Row[]
}
