import { createHash, generateKeyPairSync } from 'node:crypto'
import { bodyOf, listening } from './listening'
import type { VendorRequest, Double, CredentialParts } from './speech-double'
import { listeners } from './speech-listeners'
import { googleKeyFile, signers } from './speech-signers'
import { speakers } from './speech-speakers'

export const vendors: Record<string, Double> = { ...signers, ...speakers, ...listeners }

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** The credential with a wrong secret. */
export const wrongKey = (parts: CredentialParts): CredentialParts =>
  Object.fromEntries(
    Object.entries(parts).map(([name, value]) => {
      if (name === 'service_key') return [name, googleKeyFile(newKey())]
      return [
        name,
        /key$|secret|token/.test(name) && name !== 'access_key_id' ? `wrong${digest(String(value))}` : value,
      ]
    }),
  )

const digest = (value: string) => createHash('sha256').update(value).digest('hex').slice(0, 16)

/**
 * The state of all vendors: normal; no response; server errors; a response in another format; an empty response;
 * lists with malformed rows; all credentials expired.
 */
export type VendorBehavior = 'fine' | 'silent' | 'broken' | 'garbage' | 'hollow' | 'hail' | 'expired'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Malformed rows, made from a valid one: each of its fields is missing, null or of the wrong kind. */
const hailstones = (row: unknown): unknown[] => [
  null,
  7,
  [],
  {},
  ...(isObject(row)
    ? Object.keys(row).flatMap((name) =>
        [undefined, null, 7, {}, [], [null], '', 'x'.repeat(300)].map((part) => ({ ...row, [name]: part })),
      )
    : []),
]

const hailed = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...hailstones(value[0]), ...value.map(hailed)]
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]): [string, unknown] => [name, hailed(part)]))
    : value
}

/** The response in this state. */
const applyBehavior = (weather: VendorBehavior, response: object): unknown => {
  if (weather === 'hail') return hailed(response)
  return weather === 'hollow' ? {} : response
}

const jsonOf = (body: Buffer) => {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}

const all = Object.values(vendors)

const hosts = Object.assign({}, ...all.map((item) => item.hosts)) as Record<string, string>

/** The key of a request in `calls`; aliases of a host are replaced. */
const callOf = ({ method, address }: VendorRequest) => {
  const [host = '', ...path] = address.split('/')
  return `${method} ${[hosts[host] ?? host, ...path].join('/')}`
}

/** Responds as the vendor with this request. */
const answerOf = async (
  request: VendorRequest,
  expired: boolean,
): Promise<{ status?: number; body: object | string | Buffer }> => {
  const call = callOf(request)
  const open = all.map((item) => item.open?.[call]).find(Boolean)
  const vendor = all.find((item) => item.calls[call])
  if (!open && !vendor) return { status: 404, body: { message: `no such call: ${call}` } }
  if (vendor && !open && expired) return (vendor.expires ?? vendor).refuses(request)
  if (vendor && !open && !(await vendor.knows(request))) return vendor.refuses(request)
  const response = (open ?? vendor!.calls[call])!(request)
  return response ? { status: 200, body: response } : { status: 400, body: { message: 'The request is malformed.' } }
}

/** Starts all speech vendors at one URL. The first part of the path is the vendor's host. */
export const startSpeechVendors = async () => {
  const state = { behavior: 'fine' as VendorBehavior, requests: [] as string[] }
  const { address, stop } = await listening((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const respond = async () => {
      const body = await bodyOf(request)
      const receivedRequest = {
        method: request.method ?? '',
        address: decodeURIComponent(pathname.slice(1)),
        query: searchParams,
        headers: request.headers,
        body,
        json: jsonOf(body),
      }
      state.requests.push(`${receivedRequest.method} ${receivedRequest.address}`)
      if (state.behavior === 'silent') return
      if (state.behavior === 'broken') return response.writeHead(503).end('upstream connect error')
      if (state.behavior === 'garbage') return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      const { status = 401, body: responseBody } = await answerOf(receivedRequest, state.behavior === 'expired')
      if (Buffer.isBuffer(responseBody))
        return response.writeHead(status, { 'content-type': 'audio/mpeg' }).end(responseBody)
      const type = typeof responseBody === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
      const text =
        typeof responseBody === 'string' ? responseBody : JSON.stringify(applyBehavior(state.behavior, responseBody))
      response.writeHead(status, { 'content-type': type }).end(text)
    }
    void respond()
  })
  return {
    state,
    address,
    /** Redirects vendors' URLs to this server. URLs on loopback remain. */
    at: (url: URL) =>
      url.hostname === '127.0.0.1' ? url : new URL(`${address}/${url.host}${url.pathname}${url.search}`),
    stop,
  }
}
