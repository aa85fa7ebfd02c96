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

/** The body of the response; undefined if the vendor refuses the request as malformed. */
type VendorResponse = object | Buffer | undefined

/** A vendor's refusal; the default status is 401. */
export interface Refusal {
  status?: number
  body: object | string
}

/** A vendor's API according to its documentation, as far as this server uses it. */
export interface VendorDouble {
  /** A valid credential. */
  credential: CredentialParts
  /** Whether the request has the valid credential. */
  isAuthorized: (request: VendorRequest) => boolean | Promise<boolean>
  /** The vendor's response to an invalid credential. */
  refuse: (request: VendorRequest) => Refusal
  /** The message that our server shows to the user after that refusal. */
  messageToUser: string
  /** The response and the message for an expired credential, if they differ. */
  expiredRefusal?: { refuse: (request: VendorRequest) => Refusal; messageToUser: string }
  /** The routes of the vendor's API, as `METHOD host/path`. */
  routes: Record<string, (request: VendorRequest) => VendorResponse>
  /** Aliases of hosts in `routes`: a vendor's other regions, or self-hosted servers. */
  hostAliases?: Record<string, string>
  /** Requests that need no credential. */
  publicRoutes?: Record<string, (request: VendorRequest) => VendorResponse>
}

export const sampleAudio = Buffer.from('ID3 this is how it sounds')

/** The number of voices in the lists of a vendor with many. */
export const manyVoicesCount = 1_000

export const requireHeader =
  (name: string, value: string) =>
  ({ headers }: VendorRequest) =>
    headers[name] === value
export const requireBearerToken = (key: string) => requireHeader('authorization', `Bearer ${key}`)
export const requireBasicAuth = (username: string, password: string) =>
  requireHeader('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)

/** Returns a function that refuses every request in the same way. */
export const refuseWith = (body: object | string, status?: number) => () => ({ status, body })

/** Our message to users for a refusal with this reason. */
export const credentialRefusedMessage = (reason: string) => `The vendor refused the credential: ${reason}`

/** Returns audio if the JSON body contains these fields. */
export const audioIfPresent =
  (...requiredFields: string[]) =>
  ({ json }: VendorRequest) =>
    requiredFields.every((field) => json[field]) ? sampleAudio : undefined
export const containsWave = ({ body }: VendorRequest) => body.includes('RIFF') && body.includes('WAVEfmt')
