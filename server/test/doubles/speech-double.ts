import type { IncomingHttpHeaders } from 'node:http'

export type Parts = Record<string, unknown>

export interface Asked {
  method: string
  /** The vendor's own address, without a query. */
  address: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  /** The body as JSON; an empty object where it is none. */
  json: Record<string, unknown>
}

/** Nothing: the vendor refuses the request as malformed. */
type Answer = object | Buffer | undefined

/** How a vendor says no. 401 unless said. */
export interface Refusal {
  status?: number
  body: object | string
}

/** A vendor as its published interface describes it, as far as this server asks it. */
export interface Double {
  /** A credential that it knows. */
  key: Parts
  knows: (asked: Asked) => boolean | Promise<boolean>
  /** How it says that it does not know a credential, and what a person gets to read then. */
  refuses: (asked: Asked) => Refusal
  reads: string
  /** The same of one whose time is over, where that is something else. */
  expires?: { refuses: (asked: Asked) => Refusal; reads: string }
  calls: Record<string, (asked: Asked) => Answer>
  /** Hosts that answer as one of those in the calls: elsewhere in the world, or a customer's own. */
  hosts?: Record<string, string>
  /** Calls that are for everybody. */
  open?: Record<string, (asked: Asked) => Answer>
}

export const sound = Buffer.from('ID3 this is how it sounds')

/** The lists of a vendor that has a thousand voices. */
export const manyVoices = 1_000

export const header =
  (name: string, value: string) =>
  ({ headers }: Asked) =>
    headers[name] === value
export const bearer = (key: string) => header('authorization', `Bearer ${key}`)
export const basic = (name: string, word: string) =>
  header('authorization', `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`)

/** The same no, whatever was asked. */
export const refusing = (body: object | string, status?: number) => () => ({ status, body })

/** What a person reads of a refusal in these words. */
export const refused = (words: string) => `The vendor refused the credential: ${words}`

/** Sound, when the body has these parts. */
export const speaks =
  (...parts: string[]) =>
  ({ json }: Asked) =>
    parts.every((part) => json[part]) ? sound : undefined
export const isWave = ({ body }: Asked) => body.includes('RIFF') && body.includes('WAVEfmt')
