import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestServer } from '../../scripts/launch/server'
import { speechResponse } from './speech-catalogue-double'

/**
 * A double of a v1 server without our additions, in front of a real Trunkline server: it pages fewer lists, sorts none,
 * returns fewer names, and refuses with fewer details.
 */

/** One request of the console. */
export interface ReceivedRequest {
  method: string
  /** Without the prefix. */
  path: string
  query: Record<string, string>
}

export interface V1Api {
  /** The value for API_BASE_URL. */
  url: string
  requests: ReceivedRequest[]
  close(): Promise<void>
}

type Row = Record<string, unknown>

const sidPattern = '[0-9a-f-]{36}'
const pagedPaths = [
  /^\/Applications$/,
  new RegExp(`^/Accounts/${sidPattern}/Applications$`),
  /^\/VoipCarriers$/,
  new RegExp(`^/ServiceProviders/${sidPattern}/VoipCarriers$`),
  /^\/PhoneNumbers$/,
]
const providerApplicationsPath = new RegExp(`^/ServiceProviders/${sidPattern}/Applications$`)
const providerPath = new RegExp(`^/ServiceProviders/${sidPattern}$`)
const accountPath = new RegExp(`^/Accounts/${sidPattern}$`)

/** The filters that a list supports besides paging; others are silently ignored. */
const supportedFilters: Record<string, string[]> = {
  Applications: ['name'],
  VoipCarriers: ['name', 'account_sid'],
  PhoneNumbers: ['filter', 'account_sid', 'service_provider_sid'],
}

const addedFields = [
  'account_name',
  'service_provider_name',
  'application_name',
  'voip_carrier_name',
  'inbound_gateways',
  'outbound_gateways',
  'version',
]

/** Keeps the query parameters that a v1 server supports. */
const supportedQuery = (path: string, query: URLSearchParams): URLSearchParams => {
  if (/\/(RecentCalls|Alerts)$/.test(path)) return query
  if (
    ['/SipGateways', '/SmppGateways', '/Sbcs', '/Smpps', '/LcrRoutes', '/AppEnv'].includes(path) ||
    path.endsWith('/Limits')
  )
    return query
  const supported = new URLSearchParams()
  if (!pagedPaths.some((pathPattern) => pathPattern.test(path))) return supported
  const filters = supportedFilters[path.split('/').pop() ?? ''] ?? []
  // without a page, lists ignore the name filter
  const names = query.has('page') ? ['page', 'page_size', ...filters] : filters.filter((word) => word !== 'name')
  for (const name of names) if (query.has(name)) supported.set(name, query.get(name) ?? '')
  return supported
}

/** Only users include the names of their owners. */
const v1Row = (row: Row): Row =>
  'email' in row ? row : Object.fromEntries(Object.entries(row).filter(([name]) => !addedFields.includes(name)))

const bySid = (first: Row, second: Row) =>
  String(Object.values(first)[0]).localeCompare(String(Object.values(second)[0]))

/** A v1 server deletes a provider's webhook if an update omits it. */
const forwardedBody = (method: string, path: string, body: string): string =>
  method === 'PUT' && providerPath.test(path)
    ? JSON.stringify({ registration_hook: null, ...(JSON.parse(body) as Row) })
    : body

/** Removes our columns from rows. Unpaged lists come in no useful order. */
const v1Body = (body: unknown): unknown => {
  if (Array.isArray(body)) return (body as Row[]).map(v1Row).toSorted(bySid)
  if (typeof body !== 'object' || body === null) return body
  const { data } = body as { data?: unknown }
  return Array.isArray(data) ? { ...body, data: (data as Row[]).map(v1Row) } : v1Row(body as Row)
}

/** Reduces a refusal to its message, without field and dependents; a refusal with status 'fail' has no `msg`. */
const v1Refusal = (body: Row): Row => {
  const { field: _field, dependents: _dependents, ...fields } = body
  if (fields.status !== 'fail') return fields
  const { msg: _msg, ...fieldsWithoutMessage } = fields
  return fieldsWithoutMessage
}

const scopeOf = (authorization: string | undefined): unknown => {
  const payload = authorization?.split('.')[1]
  return payload ? (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Row).scope : undefined
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** Returns the requests that a v1 server refuses or does not support, before they reach the real server. */
const refusalOf = (method: string, path: string, authorization: string | undefined, body: string) => {
  if (path === '/Abilities' || (method === 'PUT' && path === '/PhoneNumbers'))
    return { status: 404, type: 'text/html', body: `<!DOCTYPE html><pre>Cannot ${method} /v1${path}</pre>` }
  const realm = method === 'PUT' && accountPath.test(path) && (JSON.parse(body) as Row).sip_realm
  if (realm && scopeOf(authorization) === 'account')
    return {
      status: 400,
      type: 'application/json',
      body: JSON.stringify({ msg: 'use POST /Accounts/:sid/sip_realm/:realm to set or change the sip realm' }),
    }
  return undefined
}

const corsHeaders = { 'access-control-allow-origin': '*' }

/** Converts a JSON response to that of a v1 server. */
const v1Json = (text: string, isOk: boolean): string => {
  const json = JSON.parse(text) as Row
  return JSON.stringify(isOk ? v1Body(json) : v1Refusal(json))
}

/** Responds to speech requests, because the real server has no such catalogue. */
const sendSpeech = (method: string, path: string, query: URLSearchParams, response: ServerResponse): boolean => {
  const stub = method === 'GET' ? speechResponse(path, query) : undefined
  if (!stub) return false
  response.writeHead(stub.status, { ...corsHeaders, 'content-type': 'application/json' })
  response.end(JSON.stringify(stub.body))
  return true
}

/** Starts the double in front of a server. */
export const startV1Api = async (server: TestServer): Promise<V1Api> => {
  const requests: ReceivedRequest[] = []

  const forward = async (
    method: string,
    path: string,
    query: URLSearchParams,
    request: IncomingMessage,
    body: string,
  ) => {
    const { authorization, 'content-type': type } = request.headers
    // a v1 server ignores the provider here and returns the applications of all providers
    const isProviderApplications = providerApplicationsPath.test(path)
    const target = isProviderApplications ? '/Applications' : path
    const queryString = query.size > 0 ? `?${query.toString()}` : ''
    return fetch(`${server.url}/v1${target}${queryString}`, {
      method,
      headers: {
        ...(authorization ? { authorization: isProviderApplications ? `Bearer ${server.apiKey}` : authorization } : {}),
        ...(type ? { 'content-type': type } : {}),
      },
      ...(body ? { body: forwardedBody(method, path, body) } : {}),
    })
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.method ?? 'GET'
    if (method === 'OPTIONS') {
      response.writeHead(204, {
        ...corsHeaders,
        'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
        'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
      })
      response.end()
      return
    }
    const url = new URL(request.url ?? '/', 'http://plain')
    const path = url.pathname.replace(/^\/v1/, '')
    const body = await bodyOf(request)
    requests.push({ method, path, query: Object.fromEntries(url.searchParams) })
    if (sendSpeech(method, path, url.searchParams, response)) return
    const refusal = refusalOf(method, path, request.headers.authorization, body)
    if (refusal) {
      response.writeHead(refusal.status, { ...corsHeaders, 'content-type': refusal.type })
      response.end(refusal.body)
      return
    }
    const upstream = await forward(method, path, supportedQuery(path, url.searchParams), request, body)
    const type = upstream.headers.get('content-type') ?? 'text/plain'
    if (type.startsWith('audio/')) {
      // the whole file, without support for ranges
      response.writeHead(upstream.status, { ...corsHeaders, 'content-type': type })
      response.end(Buffer.from(await upstream.arrayBuffer()))
      return
    }
    const text = await upstream.text()
    response.writeHead(upstream.status, { ...corsHeaders, ...(text ? { 'content-type': type } : {}) })
    response.end(text && type.includes('json') ? v1Json(text, upstream.ok) : text)
  }

  const proxy = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(502, corsHeaders)
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        proxy.closeAllConnections()
        proxy.close(() => resolve())
      }),
  }
}
