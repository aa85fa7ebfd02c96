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
const forms: Record<keyof RecordingName, RegExp> = {
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
  const formed = Object.entries(forms).every(([part, form]) => form.test(name[part as keyof RecordingName]))
  return formed && isDay(name) ? name : undefined
}

/** The key of a recording in its bucket. */
export const recordingKey = ({ call_sid, yyyy, mm, dd, format }: RecordingName): string =>
  `${yyyy}/${mm}/${dd}/${call_sid}.${format}`

/** The address of a recording below the API's base: what a call record says. */
export const recordingPath = (account_sid: string, { call_sid, yyyy, mm, dd, format }: RecordingName): string =>
  `/Accounts/${account_sid}/RecentCalls/${call_sid}/record/${yyyy}/${mm}/${dd}/${format}`

/** Where a recording is: a path below the API's base, or an address somewhere else. */
export type RecordingPlace = { path: string } | { elsewhere: URL }

/**
 * Where the address in a call record leads. A whole address is kept as it is, and only one below the API's base (itself a
 * whole address here) is the API's; anything else lies below that base. Undefined for what is no address.
 */
export const recordingPlace = (recording_url: string, base: string): RecordingPlace | undefined => {
  if (!/^https?:\/\//i.test(recording_url)) return { path: (recording_url.startsWith('/') ? '' : '/') + recording_url }
  if (!URL.canParse(recording_url)) return undefined
  const [address, api] = [new URL(recording_url), new URL(base)]
  const below = address.origin === api.origin && address.pathname.startsWith(`${api.pathname}/`)
  return below ? { path: address.pathname.slice(api.pathname.length) + address.search } : { elsewhere: address }
}

/** The type of the bytes that are sent. */
export const recordingType = (format: RecordFormat): string => `audio/${format}`
