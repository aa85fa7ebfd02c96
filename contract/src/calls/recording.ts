import type { recordFormats } from './bucket'

/** The parts of a recording's path: the call SID, the start date and the format. */
export interface RecordingName {
  call_sid: string
  yyyy: string
  mm: string
  dd: string
  format: RecordFormat
}

export type RecordFormat = (typeof recordFormats)[number]

/** The allowed values of the path parts. None can point to another path. */
const partPatterns: Record<keyof RecordingName, RegExp> = {
  call_sid: /^[\w-]{1,64}$/,
  yyyy: /^\d{4}$/,
  mm: /^(0[1-9]|1[0-2])$/,
  dd: /^(0[1-9]|[12]\d|3[01])$/,
  format: /^(mp3|wav)$/,
}

/** Whether the date exists. The pattern alone cannot check the length of a month. */
const isExistingDate = ({ yyyy, mm, dd }: RecordingName): boolean => {
  const day = new Date(`${yyyy}-${mm}-01T00:00:00Z`)
  day.setUTCDate(Number(dd))
  return day.toISOString().startsWith(`${yyyy}-${mm}-${dd}`)
}

/** Builds a recording name from path parts; undefined if a part is invalid. */
export const parseRecordingName = (parts: Record<keyof RecordingName, string>): RecordingName | undefined => {
  const { call_sid, yyyy, mm, dd, format } = parts
  const name = { call_sid, yyyy, mm, dd, format } as RecordingName
  const isWellFormed = Object.entries(partPatterns).every(([part, pattern]) =>
    pattern.test(name[part as keyof RecordingName]),
  )
  return isWellFormed && isExistingDate(name) ? name : undefined
}

/** The object key of a recording in its bucket. */
export const buildBucketKey = ({ call_sid, yyyy, mm, dd, format }: RecordingName): string =>
  `${yyyy}/${mm}/${dd}/${call_sid}.${format}`

/** The path of a recording below the API's base path, as call records contain it. */
export const buildRecordingPath = (account_sid: string, { call_sid, yyyy, mm, dd, format }: RecordingName): string =>
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

/** Where a recording is: in the API, or at a URL on another server. */
export type RecordingLocation = { stored: StoredRecording } | { external: URL }

const recordingPathPattern =
  /^\/?(?<segment>Accounts|ServiceProviders)\/(?<owner>[\da-fA-F-]{36})\/RecentCalls\/(?<call_sid>[^/]+)\/record\/(?<yyyy>[^/]+)\/(?<mm>[^/]+)\/(?<dd>[^/]+)\/(?<format>[^/]+)$/

type PathParts = Record<keyof RecordingName | 'segment' | 'owner', string>

const belongsToCall = ({ segment, owner, call_sid }: PathParts, call: RecordedCall): boolean => {
  const owner_sid = segment === 'Accounts' ? call.account_sid : call.service_provider_sid
  return owner.toLowerCase() === owner_sid?.toLowerCase() && call_sid === call.call_sid
}

/**
 * The recording that a path names; undefined if the path is not a recording of this call. The result uses the account
 * of the call, so a path can never lead to another account's recording or to anything that is not a recording.
 */
const findStoredRecording = (path: string, call: RecordedCall): StoredRecording | undefined => {
  const parts = recordingPathPattern.exec(path)?.groups as PathParts | undefined
  if (!parts || !call.account_sid || !belongsToCall(parts, call)) return undefined
  const name = parseRecordingName(parts)
  return name && { account_sid: call.account_sid, name }
}

/**
 * Resolves the `recording_url` of a call record. Tenants can write it, and readers have more rights than writers, so it
 * is never used as an API path: only its parts are. `apiBaseUrl` is the absolute URL of the API. Undefined if the text
 * is neither a recording path of this call nor an absolute http(s) URL.
 */
export const resolveRecordingUrl = (
  recording_url: string,
  apiBaseUrl: string,
  call: RecordedCall,
): RecordingLocation | undefined => {
  const external = parseAbsoluteUrl(recording_url)
  const api = new URL(apiBaseUrl)
  const isBelowApi = external?.origin === api.origin && external.pathname.startsWith(`${api.pathname}/`)
  if (external && !isBelowApi) return { external }
  const path = external ? external.pathname.slice(api.pathname.length) : recording_url
  const stored = findStoredRecording(path, call)
  return stored && { stored }
}

const parseAbsoluteUrl = (text: string): URL | undefined =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined

/** Whether this can be the `recording_url` of the call: its recording path, or an absolute http(s) URL. */
export const isRecordingUrl = (recording_url: string, call: RecordedCall): boolean =>
  parseAbsoluteUrl(recording_url) !== undefined || findStoredRecording(recording_url, call) !== undefined

/** The MIME type of a recording. */
export const getRecordingMimeType = (format: RecordFormat): string => `audio/${format}`
