import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { messages } from '../../ports/speech-error-messages'
import { SpeechError } from '../../ports/speech'
import { createGuardedLookup, createAddressCheck, RefusedTargetError } from '../net/allowed-targets'
import { toSpeechError, toVendorRefusal } from './vendor-errors'

/** One request to a vendor, with at most one of the bodies. */
export interface VendorRequest {
  url: string
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  json?: unknown
  body?: string | Buffer
  form?: FormData
}

/** A successful response of a vendor. */
export class VendorResponse {
  constructor(
    /** The media type without parameters. */
    readonly type: string,
    readonly bytes: Buffer,
  ) {}

  /** Parses the body as the documented type. Fields may be missing. */
  json<Body extends object>(): Partial<Body> {
    try {
      const value: unknown = JSON.parse(this.bytes.toString())
      if (typeof value === 'object' && value !== null) return value
    } catch {
      // Reported below.
    }
    throw new SpeechError(messages.unreadable)
  }
}

/** Sends a request to a vendor. Throws a SpeechError, which is a `VendorRefusal` for an error response. */
export type SendRequest = (vendorRequest: VendorRequest) => Promise<VendorResponse>

export interface ClientOptions {
  /** Whether vendors' servers may be in private networks. */
  allowPrivateTargets: boolean
  /** Replaces the URL of each request. Tests use it to reach doubles. */
  rewriteUrl?: (url: URL) => URL
}

/** Maximum bytes of a response. Lists of a thousand voices have about 0.5 MB. */
const maxBytes = 8 * 1024 * 1024

const readBytes = async (response: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) throw new SpeechError(messages.tooLong)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

const readResponse = async (response: IncomingMessage): Promise<VendorResponse> => {
  const { statusCode = 0, headers } = response
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  const bytes = await readBytes(response)
  // Redirects are not followed: they could lead anywhere.
  if (statusCode < 200 || statusCode > 299)
    throw toVendorRefusal(statusCode, parseJson(bytes), type === 'text/plain' ? bytes.toString() : undefined)
  return new VendorResponse(type, bytes)
}

const encodeBody = async ({ json, form, body }: VendorRequest) => {
  if (json !== undefined) return { type: 'application/json', bytes: JSON.stringify(json) }
  if (!form) return { bytes: body }
  const encoded = new Response(form)
  return { type: encoded.headers.get('content-type') ?? '', bytes: Buffer.from(await encoded.arrayBuffer()) }
}

interface EncodedRequest {
  method: string
  headers: Record<string, string>
  bytes: string | Buffer | undefined
}

/** Checks hosts that are IP addresses, because they are not looked up. */
const checkHost = (target: URL, isAllowed: (address: string) => boolean) => {
  const host = target.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !isAllowed(host)) throw new RefusedTargetError()
}

const sendEncodedRequest = (
  target: URL,
  { method, headers, bytes }: EncodedRequest,
  lookup: LookupFunction,
  signal: AbortSignal,
) =>
  new Promise<VendorResponse>((resolve, reject) => {
    const startRequest = target.protocol === 'https:' ? httpsRequest : httpRequest
    // No agent: reused connections would bypass the address check.
    const request = startRequest(target, { method, headers, lookup, agent: false, signal }, (response) => {
      readResponse(response)
        .then(resolve, reject)
        .finally(() => request.destroy())
    })
    request.on('error', reject)
    request.end(bytes)
  })

/** Creates a factory of `SendRequest` functions. Their requests end when the signal aborts, and only reach allowed addresses. */
export const createVendorClient = ({ allowPrivateTargets, rewriteUrl = (url) => url }: ClientOptions) => {
  const isAllowed = createAddressCheck(allowPrivateTargets)
  const lookup = createGuardedLookup(isAllowed)

  return (signal: AbortSignal): SendRequest =>
    async (vendorRequest) => {
      try {
        const url = new URL(vendorRequest.url)
        if (!/^https?:$/.test(url.protocol)) throw new SpeechError(messages.badAddress)
        const target = rewriteUrl(url)
        checkHost(target, isAllowed)
        const { type, bytes } = await encodeBody(vendorRequest)
        const headers: Record<string, string> = { ...(type ? { 'content-type': type } : {}), ...vendorRequest.headers }
        if (bytes !== undefined) headers['content-length'] = String(Buffer.byteLength(bytes))
        const method = vendorRequest.method ?? (bytes === undefined ? 'GET' : 'POST')
        return await sendEncodedRequest(target, { method, headers, bytes }, lookup, signal)
      } catch (error) {
        throw toSpeechError(error)
      }
    }
}
