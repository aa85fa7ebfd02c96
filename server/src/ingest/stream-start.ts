import { parseRecordingName, type RecordingName } from '@trunkline/contract/calls/recording'
import { isSid } from '../http/tenant-access'

/** The first message of a stream: the call, and the format of the audio that follows. */
interface StreamStart {
  account_sid: string
  call_sid: string
  /** Samples per second. */
  sampleRate: number
  metadata: Record<string, string>
}

/** Parses the message with the call's metadata, which precedes the audio; undefined if it is invalid. */
export const parseStreamStart = (text: string): StreamStart | undefined => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof json !== 'object' || json === null) return undefined
  const { accountSid, callSid, sampleRate, ...otherFields } = json as Record<string, unknown>
  const rate = Number(sampleRate)
  if (typeof accountSid !== 'string' || typeof callSid !== 'string' || !isSid(accountSid)) return undefined
  if (!Number.isInteger(rate) || rate < 4000 || rate > 192_000) return undefined
  const textFields = Object.entries(otherFields).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const metadata = Object.fromEntries(textFields.map(([name, value]) => [name.slice(0, 64), value.slice(0, 255)]))
  return { account_sid: accountSid, call_sid: callSid, sampleRate: rate, metadata: { callSid, ...metadata } }
}

/** Builds the name of a recording that starts now, with the local date of this server. */
export const buildRecordingNameAt = (call_sid: string, now = new Date()): RecordingName | undefined => {
  const pad = (value: number) => String(value).padStart(2, '0')
  return parseRecordingName({
    call_sid,
    yyyy: String(now.getFullYear()),
    mm: pad(now.getMonth() + 1),
    dd: pad(now.getDate()),
    format: 'wav',
  })
}
