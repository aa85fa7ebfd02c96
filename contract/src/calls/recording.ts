import type { recordFormats } from './bucket'

/** Where a recording lies: the call's SID, the day on which it began, and how it is encoded. */
export interface RecordingName {
  call_sid: string
  yyyy: string
  mm: string
  dd: string
  format: RecordFormat
}

export type RecordFormat = (typeof recordFormats)[number]

/** What the parts of a recording's address may be: nothing that leads elsewhere. */
const partPatterns: Record<keyof RecordingName, RegExp> = {
  call_sid: /^[\w-]{1,64}$/,
  yyyy: /^\d{4}$/,
  mm: /^(0[1-9]|1[0-2])$/,
  dd: /^(0[1-9]|[12]\d|3[01])$/,
  format: /^(mp3|wav)$/,
}

/** Is there such a day? Of a month's 31st the form alone cannot tell. */
const isDay = ({ yyyy, mm, dd }: RecordingName): boolean => {
  const day = new Date(`${yyyy}-${mm}-01T00:00:00Z`)
  day.setUTCDate(Number(dd))
  return day.toISOString().startsWith(`${yyyy}-${mm}-${dd}`)
}

/** The name that the parts of an address make; undefined where they make none. */
export const recordingName = (parts: Record<keyof RecordingName, string>): RecordingName | undefined => {
  const { call_sid, yyyy, mm, dd, format } = parts
  const name = { call_sid, yyyy, mm, dd, format } as RecordingName
  const isWellFormed = Object.entries(partPatterns).every(([part, pattern]) =>
    pattern.test(name[part as keyof RecordingName]),
  )
  return isWellFormed && isDay(name) ? name : undefined
}

/** The key of a recording in its bucket. */
export const recordingKey = ({ call_sid, yyyy, mm, dd, format }: RecordingName): string =>
  `${yyyy}/${mm}/${dd}/${call_sid}.${format}`

/** The address of a recording below the API's base: what a call record says. */
export const recordingPath = (account_sid: string, { call_sid, yyyy, mm, dd, format }: RecordingName): string =>
  `/Accounts/${account_sid}/RecentCalls/${call_sid}/record/${yyyy}/${mm}/${dd}/${format}`

/** The fields of a call record that identify its recording. */
export interface RecordedCall {
  account_sid?: string | null
  service_provider_sid?: string | null
  call_sid?: string | null
}

/** A recording that the API serves. */
export interface StoredRecording {
  account_sid: string
  name: RecordingName
}

/** Where a recording is: at the API, or at an address on another server. */
export type RecordingLocation = { stored: StoredRecording } | { external: URL }

const recordingPathPattern =
  /^\/?(?<segment>Accounts|ServiceProviders)\/(?<owner>[\da-fA-F-]{36})\/RecentCalls\/(?<call_sid>[^/]+)\/record\/(?<yyyy>[^/]+)\/(?<mm>[^/]+)\/(?<dd>[^/]+)\/(?<format>[^/]+)$/

type PathParts = Record<keyof RecordingName | 'segment' | 'owner', string>

const belongsToCall = ({ segment, owner, call_sid }: PathParts, call: RecordedCall): boolean => {
  const owner_sid = segment === 'Accounts' ? call.account_sid : call.service_provider_sid
  return owner.toLowerCase() === owner_sid?.toLowerCase() && call_sid === call.call_sid
}

/**
 * The recording that a path names, if the path is a recording of this call; otherwise undefined. The call's own account is used
 * in the result: a path can never lead to another account's recording, nor to anything that is not a recording.
 */
const storedRecording = (path: string, call: RecordedCall): StoredRecording | undefined => {
  const parts = recordingPathPattern.exec(path)?.groups as PathParts | undefined
  if (!parts || !call.account_sid || !belongsToCall(parts, call)) return undefined
  const name = recordingName(parts)
  return name && { account_sid: call.account_sid, name }
}

/**
 * Where the `recording_url` of a call record leads. Writers are tenants, and readers have more rights than writers, so the text
 * is never used as an address of the API: only its parts are. `base`: the absolute address of the API. Undefined if the text is
 * neither a recording path of this call nor an absolute http(s) address.
 */
export const recordingLocation = (
  recording_url: string,
  apiBaseUrl: string,
  call: RecordedCall,
): RecordingLocation | undefined => {
  const external = parseAbsoluteUrl(recording_url)
  const api = new URL(apiBaseUrl)
  const isBelowApi = external?.origin === api.origin && external.pathname.startsWith(`${api.pathname}/`)
  if (external && !isBelowApi) return { external }
  const path = external ? external.pathname.slice(api.pathname.length) : recording_url
  const stored = storedRecording(path, call)
  return stored && { stored }
}

const parseAbsoluteUrl = (text: string): URL | undefined =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined

/** Can this be the `recording_url` of a call: its recording path, or an absolute http(s) address? */
export const isRecordingUrl = (recording_url: string, call: RecordedCall): boolean =>
  parseAbsoluteUrl(recording_url) !== undefined || storedRecording(recording_url, call) !== undefined

/** The type of the bytes that are sent. */
export const recordingMimeType = (format: RecordFormat): string => `audio/${format}`
