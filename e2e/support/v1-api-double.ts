import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestServer } from '../../scripts/launch/server'
import { speechAnswer } from './speech-catalogue-double'

/**
 * A double. It stands in front of a real Trunkline server and answers as a server of version 1 does that has none of our
 * additions: it pages fewer lists, sorts none, says fewer names, and refuses with fewer words.
 */

/** One request as the console sent it. */
export interface Asked {
  method: string
  /** Without the prefix. */
  path: string
  query: Record<string, string>
}

export interface PlainApi {
  /** What API_BASE_URL is to be. */
  url: string
  asked: Asked[]
  close(): Promise<void>
}

type Row = Record<string, unknown>

const sid = '[0-9a-f-]{36}'
const paged = [
  /^\/Applications$/,
  new RegExp(`^/Accounts/${sid}/Applications$`),
  /^\/VoipCarriers$/,
  new RegExp(`^/ServiceProviders/${sid}/VoipCarriers$`),
  /^\/PhoneNumbers$/,
]
const providersApplications = new RegExp(`^/ServiceProviders/${sid}/Applications$`)
const oneProvider = new RegExp(`^/ServiceProviders/${sid}$`)
const oneAccount = new RegExp(`^/Accounts/${sid}$`)

/** What a list understands beside its page; everything else is passed over in silence. */
const known: Record<string, string[]> = {
  Applications: ['name'],
  VoipCarriers: ['name', 'account_sid'],
  PhoneNumbers: ['filter', 'account_sid', 'service_provider_sid'],
}

const ours = [
  'account_name',
  'service_provider_name',
  'application_name',
  'voip_carrier_name',
  'inbound_gateways',
  'outbound_gateways',
  'version',
]

/** The query as such a server understands it. */
const understood = (path: string, query: URLSearchParams): URLSearchParams => {
  if (/\/(RecentCalls|Alerts)$/.test(path)) return query
  if (
    ['/SipGateways', '/SmppGateways', '/Sbcs', '/Smpps', '/LcrRoutes', '/AppEnv'].includes(path) ||
    path.endsWith('/Limits')
  )
    return query
  const kept = new URLSearchParams()
  if (!paged.some((each) => each.test(path))) return kept
  const words = known[path.split('/').pop() ?? ''] ?? []
  // without a page the lists of applications look at nothing else
  const names = query.has('page') ? ['page', 'page_size', ...words] : words.filter((word) => word !== 'name')
  for (const name of names) if (query.has(name)) kept.set(name, query.get(name) ?? '')
  return kept
}

/** Only users come with the names of what they belong to. */
const plainRow = (row: Row): Row =>
  'email' in row ? row : Object.fromEntries(Object.entries(row).filter(([name]) => !ours.includes(name)))

const bySid = (one: Row, other: Row) => String(Object.values(one)[0]).localeCompare(String(Object.values(other)[0]))

/** A provider that is saved without its hook loses it there. */
const sentOn = (method: string, path: string, body: string): string =>
  method === 'PUT' && oneProvider.test(path)
    ? JSON.stringify({ registration_hook: null, ...(JSON.parse(body) as Row) })
    : body

/** Rows without our columns. A whole list has no order to speak of. */
const plainAnswer = (body: unknown): unknown => {
  if (Array.isArray(body)) return (body as Row[]).map(plainRow).toSorted(bySid)
  if (typeof body !== 'object' || body === null) return body
  const { data } = body as { data?: unknown }
  return Array.isArray(data) ? { ...body, data: (data as Row[]).map(plainRow) } : plainRow(body as Row)
}

/** A refusal says what is wrong, but neither where nor because of what; that of a gate has no `msg`. */
const plainRefusal = (body: Row): Row => {
  const { field: _field, dependents: _dependents, ...words } = body
  if (words.status !== 'fail') return words
  const { msg: _msg, ...rest } = words
  return rest
}

const scopeOf = (authorization: string | undefined): unknown => {
  const payload = authorization?.split('.')[1]
  return payload ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Row).scope : undefined
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}

/** What such a server refuses or does not have, before anything is asked of the real one. */
const refusalOf = (method: string, path: string, authorization: string | undefined, body: string) => {
  if (path === '/Abilities' || (method === 'PUT' && path === '/PhoneNumbers'))
    return { status: 404, type: 'text/html', body: `<!DOCTYPE html><pre>Cannot ${method} /v1${path}</pre>` }
  const realm = method === 'PUT' && oneAccount.test(path) && (JSON.parse(body) as Row).sip_realm
  if (realm && scopeOf(authorization) === 'account')
    return {
      status: 400,
      type: 'application/json',
      body: JSON.stringify({ msg: 'use POST /Accounts/:sid/sip_realm/:realm to set or change the sip realm' }),
    }
  return undefined
}

const everybody = { 'access-control-allow-origin': '*' }

/** A JSON answer in the words of such a server. */
const plainText = (text: string, ok: boolean): string => {
  const json = JSON.parse(text) as Row
  return JSON.stringify(ok ? plainAnswer(json) : plainRefusal(json))
}

/** Answers who looks for speech, which the real server does not list. */
const sendSpeech = (method: string, path: string, query: URLSearchParams, response: ServerResponse): boolean => {
  const speech = method === 'GET' ? speechAnswer(path, query) : undefined
  if (!speech) return false
  response.writeHead(speech.status, { ...everybody, 'content-type': 'application/json' })
  response.end(JSON.stringify(speech.body))
  return true
}

/** Starts the double in front of a server. */
export const startPlainApi = async (server: TestServer): Promise<PlainApi> => {
  const asked: Asked[] = []

  const forward = async (
    method: string,
    path: string,
    query: URLSearchParams,
    request: IncomingMessage,
    body: string,
  ) => {
    const { authorization, 'content-type': type } = request.headers
    // the filter by provider was lost there: everybody gets the applications of all
    const lost = providersApplications.test(path)
    const target = lost ? '/Applications' : path
    const tail = query.size > 0 ? `?${query.toString()}` : ''
    return fetch(`${server.url}/v1${target}${tail}`, {
      method,
      headers: {
        ...(authorization ? { authorization: lost ? `Bearer ${server.apiKey}` : authorization } : {}),
        ...(type ? { 'content-type': type } : {}),
      },
      ...(body ? { body: sentOn(method, path, body) } : {}),
    })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.method ?? 'GET'
    if (method === 'OPTIONS') {
      response.writeHead(204, {
        ...everybody,
        'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
      })
      response.end()
      return
    }
    const address = new URL(request.url ?? '/', 'http://plain')
    const path = address.pathname.replace(/^\/v1/, '')
    const body = await bodyOf(request)
    asked.push({ method, path, query: Object.fromEntries(address.searchParams) })
    if (sendSpeech(method, path, address.searchParams, response)) return
    const refusal = refusalOf(method, path, request.headers.authorization, body)
    if (refusal) {
      response.writeHead(refusal.status, { ...everybody, 'content-type': refusal.type })
      response.end(refusal.body)
      return
    }
    const real = await forward(method, path, understood(path, address.searchParams), request, body)
    const type = real.headers.get('content-type') ?? 'text/plain'
    if (type.startsWith('audio/')) {
      // whole, and without a word about parts of it
      response.writeHead(real.status, { ...everybody, 'content-type': type })
      response.end(Buffer.from(await real.arrayBuffer()))
      return
    }
    const text = await real.text()
    response.writeHead(real.status, { ...everybody, ...(text ? { 'content-type': type } : {}) })
    response.end(text && type.includes('json') ? plainText(text, real.ok) : text)
  }

  const proxy = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(502, everybody)
      response.end(String(error))
    })
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((done) => {
        proxy.closeAllConnections()
        proxy.close(() => done())
      }),
  }
}
