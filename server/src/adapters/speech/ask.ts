import { request as overHttp, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { messages } from '../../ports/speech-messages'
import { SpeechError } from '../../ports/speech'
import { guardedLookup, permits, RefusedTarget } from '../net/allowed-targets'
import { faultOf, refusalOf } from './faults'

/** One request to a vendor. At most one of the bodies. */
export interface Question {
  url: string
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  json?: unknown
  body?: string | Buffer
  form?: FormData
}

/** What a vendor answered, with success. */
export class Reply {
  constructor(
    /** Without its parameters. */
    readonly type: string,
    readonly bytes: Buffer,
  ) {}

  /** The answer as JSON of the form that the vendor describes; what it leaves out is undefined. */
  json<Answer extends object>(): Partial<Answer> {
    try {
      const value: unknown = JSON.parse(this.bytes.toString())
      if (typeof value === 'object' && value !== null) return value
    } catch {
      // said below
    }
    throw new SpeechError(messages.unreadable)
  }
}

/** Asks a vendor. Anything but success is a SpeechFault, which for an answer is `Refused`. */
export type Ask = (question: Question) => Promise<Reply>

export interface Reaching {
  /** Addresses in networks of one's own may be asked too. */
  privateTargets: boolean
  /** Where an address really leads: for tests, on servers that stand in for the vendors. */
  at?: (url: URL) => URL
}

/** Bytes that are taken of one answer: lists of a thousand voices are about half of a megabyte. */
const most = 8 * 1024 * 1024

const bytesOf = async (response: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    if (size > most) throw new SpeechError(messages.tooLong)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const jsonIn = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

const read = async (response: IncomingMessage): Promise<Reply> => {
  const { statusCode = 0, headers } = response
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  const bytes = await bytesOf(response)
  // A redirection is no answer: it could lead anywhere.
  if (statusCode < 200 || statusCode > 299)
    throw refusalOf(statusCode, jsonIn(bytes), type === 'text/plain' ? bytes.toString() : undefined)
  return new Reply(type, bytes)
}

const bodyOf = async ({ json, form, body }: Question) => {
  if (json !== undefined) return { type: 'application/json', bytes: JSON.stringify(json) }
  if (!form) return { bytes: body }
  const encoded = new Response(form)
  return { type: encoded.headers.get('content-type') ?? '', bytes: Buffer.from(await encoded.arrayBuffer()) }
}

/** Refuses a host that is an address already and must not be reached: it is looked up nowhere. */
const checkHost = (target: URL, permitted: (address: string) => boolean) => {
  const host = target.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !permitted(host)) throw new RefusedTarget()
}

const send = (target: URL, { method, headers, bytes }: Sent, lookup: LookupFunction, signal: AbortSignal) =>
  new Promise<Reply>((resolve, reject) => {
    const open = target.protocol === 'https:' ? overHttps : overHttp
    // A connection that something else has opened was not looked at.
    const request = open(target, { method, headers, lookup, agent: false, signal }, (response) => {
      read(response)
        .then(resolve, reject)
        .finally(() => request.destroy())
    })
    request.on('error', reject)
    request.end(bytes)
  })

interface Sent {
  method: string
  headers: Record<string, string>
  bytes: string | Buffer | undefined
}

/** What asks vendors until a signal ends it, at permitted addresses only. */
export const asking = ({ privateTargets, at = (url) => url }: Reaching) => {
  const permitted = permits(privateTargets)
  const lookup = guardedLookup(permitted)

  return (signal: AbortSignal): Ask =>
    async (question) => {
      try {
        const asked = new URL(question.url)
        if (!/^https?:$/.test(asked.protocol)) throw new SpeechError(messages.badAddress)
        const target = at(asked)
        checkHost(target, permitted)
        const { type, bytes } = await bodyOf(question)
        const headers: Record<string, string> = { ...(type ? { 'content-type': type } : {}), ...question.headers }
        if (bytes !== undefined) headers['content-length'] = String(Buffer.byteLength(bytes))
        const method = question.method ?? (bytes === undefined ? 'GET' : 'POST')
        return await send(target, { method, headers, bytes }, lookup, signal)
      } catch (error) {
        throw faultOf(error)
      }
    }
}
