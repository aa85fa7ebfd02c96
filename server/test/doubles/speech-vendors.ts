import { createHash, generateKeyPairSync } from 'node:crypto'
import { bodyOf, listening } from './listening'
import type { Asked, Double, Parts } from './speech-double'
import { listeners } from './speech-listeners'
import { googleKeyFile, signers } from './speech-signers'
import { speakers } from './speech-speakers'

export const vendors: Record<string, Double> = { ...signers, ...speakers, ...listeners }

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** The credential with a wrong secret. */
export const wrongKey = (parts: Parts): Parts =>
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
export type Weather = 'fine' | 'silent' | 'broken' | 'garbage' | 'hollow' | 'hail' | 'expired'

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
const inWeather = (weather: Weather, answer: object): unknown => {
  if (weather === 'hail') return hailed(answer)
  return weather === 'hollow' ? {} : answer
}

const jsonOf = (body: Buffer) => {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}

const all = Object.values(vendors)

const hosts = Object.assign({}, ...all.map((each) => each.hosts)) as Record<string, string>

/** The key of a request in `calls`; aliases of a host are replaced. */
const callOf = ({ method, address }: Asked) => {
  const [host = '', ...path] = address.split('/')
  return `${method} ${[hosts[host] ?? host, ...path].join('/')}`
}

/** Responds as the vendor with this request. */
const answerOf = async (
  asked: Asked,
  expired: boolean,
): Promise<{ status?: number; body: object | string | Buffer }> => {
  const call = callOf(asked)
  const open = all.map((each) => each.open?.[call]).find(Boolean)
  const vendor = all.find((each) => each.calls[call])
  if (!open && !vendor) return { status: 404, body: { message: `no such call: ${call}` } }
  if (vendor && !open && expired) return (vendor.expires ?? vendor).refuses(asked)
  if (vendor && !open && !(await vendor.knows(asked))) return vendor.refuses(asked)
  const answer = (open ?? vendor!.calls[call])!(asked)
  return answer ? { status: 200, body: answer } : { status: 400, body: { message: 'The request is malformed.' } }
}

/** Starts all speech vendors at one URL. The first part of the path is the vendor's host. */
export const startSpeechVendors = async () => {
  const state = { weather: 'fine' as Weather, asked: [] as string[] }
  const { address, stop } = await listening((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const answer = async () => {
      const body = await bodyOf(request)
      const asked = {
        method: request.method ?? '',
        address: decodeURIComponent(pathname.slice(1)),
        query: searchParams,
        headers: request.headers,
        body,
        json: jsonOf(body),
      }
      state.asked.push(`${asked.method} ${asked.address}`)
      if (state.weather === 'silent') return
      if (state.weather === 'broken') return response.writeHead(503).end('upstream connect error')
      if (state.weather === 'garbage') return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      const { status = 401, body: said } = await answerOf(asked, state.weather === 'expired')
      if (Buffer.isBuffer(said)) return response.writeHead(status, { 'content-type': 'audio/mpeg' }).end(said)
      const type = typeof said === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
      const text = typeof said === 'string' ? said : JSON.stringify(inWeather(state.weather, said))
      response.writeHead(status, { 'content-type': type }).end(text)
    }
    void answer()
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
