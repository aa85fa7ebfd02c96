import type { Call } from './calls'

/** Formats records in InfluxDB's line protocol, with the names that voice servers use. */

const escapeTag = (text: string) => text.replaceAll(/[,= ]/g, '\\$&')
const quoteField = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

type Values = Record<string, string | number | null>

const formatLine = (name: string, tags: Values, fields: Values, timeMs: number) => {
  const pairs = (values: Values, format: (value: string | number) => string) =>
    Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [`${key}=${format(value)}`]))
  const head = [name, ...pairs(tags, (value) => escapeTag(String(value)))].join(',')
  const body = pairs(fields, (value) => (typeof value === 'string' ? quoteField(value) : String(value))).join(',')
  return `${head} ${body} ${timeMs}`
}

/** Formats the record of a finished call. `extraFields`: further fields, by name. */
export const formatCall = (call: Call, service_provider_sid: string, extraFields: Values): string => {
  const isAnswered = call.durationSeconds > 0
  const answeredAtMs = call.startedAtMs + Math.round(call.ringSeconds * 1000)
  const { account_sid, trunk, direction } = call
  return formatLine(
    'cdrs',
    { service_provider_sid, account_sid, host: '203.0.113.100', trunk, direction, answered: String(isAnswered) },
    {
      call_sid: call.call_sid,
      application_sid: call.application_sid,
      from: call.from,
      to: call.to,
      sip_callid: call.sip_callid,
      sip_status: call.status,
      duration: call.durationSeconds,
      ...(isAnswered ? { answered_at: answeredAtMs } : {}),
      terminated_at: answeredAtMs + call.durationSeconds * 1000,
      termination_reason: call.terminationReason,
      remote_host: call.gateway,
      ...extraFields,
    },
    call.startedAtMs,
  )
}

export interface Alert {
  timeMs: number
  account_sid: string
  alert_type: string
  message: string
  vendor?: string
  /** The call that the alert is about. */
  target_sid: string
}

export const formatAlert = (
  { timeMs, account_sid, alert_type, message, vendor, target_sid }: Alert,
  service_provider_sid: string,
): string =>
  formatLine(
    'alerts',
    { service_provider_sid, account_sid, alert_type, vendor: vendor ?? null },
    { message, target_sid },
    timeMs,
  )
