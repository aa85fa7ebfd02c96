import type { Call } from './calls'

/** Formats records in InfluxDB's line protocol, with the names that voice servers use. */

const escapeTag = (text: string) => text.replaceAll(/[,= ]/g, '\\$&')
const quoteField = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

type Values = Record<string, string | number | null>

const formatLine = (name: string, tags: Values, fields: Values, at: number) => {
  const pairs = (values: Values, format: (value: string | number) => string) =>
    Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [`${key}=${format(value)}`]))
  const head = [name, ...pairs(tags, (value) => escapeTag(String(value)))].join(',')
  const body = pairs(fields, (value) => (typeof value === 'string' ? quoteField(value) : String(value))).join(',')
  return `${head} ${body} ${at}`
}

/** A finished call. `kept`: additional fields by name. */
export const callLine = (call: Call, service_provider_sid: string, extraFields: Values): string => {
  const answered = call.duration > 0
  const answeredAt = call.at + Math.round(call.ring * 1000)
  const { account_sid, trunk, direction } = call
  return formatLine(
    'cdrs',
    { service_provider_sid, account_sid, host: '203.0.113.100', trunk, direction, answered: String(answered) },
    {
      call_sid: call.call_sid,
      application_sid: call.application_sid,
      from: call.from,
      to: call.to,
      sip_callid: call.sip_callid,
      sip_status: call.status,
      duration: call.duration,
      ...(answered ? { answered_at: answeredAt } : {}),
      terminated_at: answeredAt + call.duration * 1000,
      termination_reason: call.terminationReason,
      remote_host: call.gateway,
      ...extraFields,
    },
    call.at,
  )
}

export interface Alert {
  at: number
  account_sid: string
  alert_type: string
  message: string
  vendor?: string
}

export const alertLine = (
  { at, account_sid, alert_type, message, vendor }: Alert,
  service_provider_sid: string,
): string =>
  formatLine('alerts', { service_provider_sid, account_sid, alert_type, vendor: vendor ?? null }, { message }, at)
