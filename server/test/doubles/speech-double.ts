import type { IncomingHttpHeaders } from 'node:http'

export type CredentialParts = Record<string, unknown>

export interface VendorRequest {
  method: string
  /** The host and path at the vendor. */
  address: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  /** The body as JSON; an empty object if it is not JSON. */
  json: Record<string, unknown>
}

/** Undefined if the vendor refuses the request as malformed. */
type VendorResponse = object | Buffer | undefined

/** A vendor's refusal; the default status is 401. */
export interface Refusal {
  status?: number
  body: object | string
}

/** A vendor's API according to its documentation, as far as this server uses it. */
export interface Double {
  /** A valid credential. */
  key: CredentialParts
  knows: (request: VendorRequest) => boolean | Promise<boolean>
  /** The refusal of an invalid credential (`refuses`), and the message that a user gets (`reads`). */
  refuses: (asked: VendorRequest) => Refusal
  reads: string
  /** The same for an expired credential, if it differs. */
  expires?: { refuses: (asked: VendorRequest) => Refusal; reads: string }
  calls: Record<string, (request: VendorRequest) => VendorResponse>
  /** Aliases of hosts in `calls`: a vendor's other regions, or self-hosted servers. */
  hosts?: Record<string, string>
  /** Requests that need no credential. */
  open?: Record<string, (request: VendorRequest) => VendorResponse>
}

export const sampleAudio = Buffer.from('ID3 this is how it sounds')

/** The number of voices in the lists of a vendor with many. */
export const manyVoices = 1_000

export const header =
  (name: string, value: string) =>
  ({ headers }: VendorRequest) =>
    headers[name] === value
export const bearer = (key: string) => header('authorization', `Bearer ${key}`)
export const basic = (name: string, word: string) =>
  header('authorization', `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`)

/** The same refusal for all requests. */
export const refusing = (body: object | string, status?: number) => () => ({ status, body })

/** Our message to users for a refusal with these words. */
export const refused = (words: string) => `The vendor refused the credential: ${words}`

/** Returns audio if the body contains these parts. */
export const speaks =
  (...parts: string[]) =>
  ({ json }: VendorRequest) =>
    parts.every((part) => json[part]) ? sampleAudio : undefined
export const isWave = ({ body }: VendorRequest) => body.includes('RIFF') && body.includes('WAVEfmt')
