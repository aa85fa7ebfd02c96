import { requestIdHeader } from '@trunkline/contract/kit/request-id'
import {
  fillPath,
  type ResponseOf,
  type RouteTypes,
  type ParamsOf,
  type QueryOf,
  type Route,
} from '@trunkline/contract/kit/route'
import { messages } from '@trunkline/contract/messages/session'
import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'
import { getFeatureFlags, setFeatureFlags } from './feature-flags'
import { detectServer } from './detect-server'
import { fetchWithRetry } from './fetch-with-retry'
import { isPageUnloading } from './page-unload'
import { Problem } from './problem'
import { localValues } from './storage'

/** The body type of a route, including an optional body. */
type BodyOf<Types> = 'body' extends keyof Types ? Types['body' & keyof Types] : undefined

/** The options of a request, limited to the keys that the route declares. */
export type RequestOptions<R> =
  R extends Route<infer Path, infer Types>
    ? (keyof ParamsOf<Path> extends never ? { params?: undefined } : { params: ParamsOf<Path> }) &
        (QueryOf<R> extends undefined ? { query?: undefined } : { query?: QueryOf<R> }) &
        (undefined extends BodyOf<Types> ? { body?: BodyOf<Types> } : { body: BodyOf<Types> }) & {
          signal?: AbortSignal
          /** Neither a 401 nor a network error ends the session. */
          keepsSession?: boolean
          /**
           * A background request: no failure shows an error, and a network error does not end the session. A 401 still
           * ends it.
           */
          isBackground?: boolean
          /** Replaces the token of the signed-in user. */
          token?: string
        }
    : never

/** Request options without the types of a route, for code that handles every kind of record. */
export interface UntypedRequestOptions {
  params?: Record<string, string>
  query?: unknown
  body?: unknown
  signal?: AbortSignal
  keepsSession?: boolean
  isBackground?: boolean
  token?: string
}

export type SessionEndReason = 'expired' | 'unreachable'

let onSessionEnd: (reason: SessionEndReason) => void = () => {}

/** Sets the handler for an expired token and for an unreachable server. The app sets it once. */
export const setSessionEndHandler = (handler: (reason: SessionEndReason) => void) => {
  onSessionEnd = handler
}

/** Ends the session because the server is unreachable, unless the page is unloading. */
export const reportUnreachable = () => {
  if (!isPageUnloading()) onSessionEnd('unreachable')
}

/** Is the server reachable? Any HTTP response counts, even an error. */
export const isServerReachable = (): Promise<boolean> =>
  fetch('/config.json', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )

const buildUrl = (route: Route, { params, query }: UntypedRequestOptions) => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  const queryString = search.size > 0 ? `?${search.toString()}` : ''
  return getFeatureFlags().apiBaseUrl + fillPath(route.path, params) + queryString
}

const buildHeaders = (route: Route, { body, token: tokenOverride }: UntypedRequestOptions) => {
  const headers: Record<string, string> = { accept: 'application/json' }
  const token = route.isPublic ? null : (tokenOverride ?? localValues.token.get())
  if (token) headers.authorization = `Bearer ${token}`
  // for FormData the browser sets the content type with its multipart boundary
  if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = 'application/json'
  return headers
}

/** A late failure of a request of an earlier session must not end the current one. */
const isCurrentToken = (token: string | null) => localValues.token.get() === token

const send = async (route: Route, options: UntypedRequestOptions): Promise<Response> => {
  // outside the try block: a URL that cannot be built does not mean that the server is unreachable
  const url = buildUrl(route, options)
  const init: RequestInit = {
    method: route.method,
    headers: buildHeaders(route, options),
    ...(options.body === undefined
      ? {}
      : { body: options.body instanceof FormData ? options.body : JSON.stringify(options.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  }
  const { keepsSession, isBackground } = options
  const endsSession = !keepsSession && !isBackground
  const token = localValues.token.get()
  try {
    const response = endsSession && route.method === 'GET' ? fetchWithRetry(url, init) : fetch(url, init)
    detectServer(getFeatureFlags().apiBaseUrl, response)
    return await response
  } catch (error) {
    if (options.signal?.aborted) throw error
    if (endsSession && isCurrentToken(token)) reportUnreachable()
    throw new Problem(0, undefined, { msg: messages.unreachable, hasEndedSession: endsSession, isBackground })
  }
}

const binaryContentType = /^(audio\/|application\/octet-stream)/

/**
 * Reads JSON as an object, audio and binary files as a Blob, and anything else as text: some servers send plain text or
 * HTML with an error.
 */
const readBody = async (response: Response): Promise<unknown> => {
  if (binaryContentType.test(response.headers.get('content-type') ?? '')) return response.blob()
  const text = await response.text().catch(() => '')
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const getRequestId = ({ headers }: Response) => headers.get(requestIdHeader) ?? undefined

/** Sends a request to any route. Like `request`, for callers that cannot use the route's types. */
export const requestUntyped = async (route: Route, options: UntypedRequestOptions = {}): Promise<unknown> => {
  const token = localValues.token.get()
  const response = await send(route, options)
  const body = response.status === 204 ? undefined : await readBody(response)
  if (response.ok) return body
  if (response.status === 401 && !options.keepsSession) {
    if (isCurrentToken(token)) onSessionEnd('expired')
    throw new Problem(401, body, { msg: messages.expired, hasEndedSession: true })
  }
  throw new Problem(response.status, body, { requestId: getRequestId(response), isBackground: options.isBackground })
}

/** The arguments of a request after its route. The options may be omitted unless one of them is required. */
export type RequestArguments<R> =
  object extends RequestOptions<R> ? [options?: RequestOptions<R>] : [options: RequestOptions<R>]

/** Sends a request to a route of the contract. Resolves with the response body, rejects with a Problem. */
export const request = <Path extends string, Types extends RouteTypes>(
  route: Route<Path, Types>,
  ...[options]: RequestArguments<Route<Path, Types>>
): Promise<ResponseOf<Route<Path, Types>>> => requestUntyped(route, options) as Promise<ResponseOf<Route<Path, Types>>>

/**
 * Fetches a byte range of a file below the API. The path contains a ticket, so the request needs no token. `endByte` is
 * exclusive.
 */
export const fetchRange = async (
  path: string,
  firstByte: number,
  endByte: number,
  signal: AbortSignal,
): Promise<ArrayBuffer> => {
  const response = await fetch(getFeatureFlags().apiBaseUrl + path, {
    headers: { range: `bytes=${firstByte}-${endByte - 1}` },
    signal,
  })
  // a full response may be large, so cancel it
  if (response.status !== 206) {
    await response.body?.cancel()
    throw new Problem(response.status, undefined, { requestId: getRequestId(response) })
  }
  return response.arrayBuffer()
}

/** The settings that the server inserted into the page. `null` if a web server without this feature sent it. */
const readPageSettings = (): Partial<FeatureFlags> | null => {
  const json = document.getElementById('settings')?.textContent
  return json ? (JSON.parse(json) as Partial<FeatureFlags>) : null
}

const fetchSettings = (): Promise<Partial<FeatureFlags>> =>
  fetch('/config.json', { headers: { accept: 'application/json' } })
    .then((response) => (response.ok ? (response.json() as Promise<Partial<FeatureFlags>>) : {}))
    .catch(() => ({}))

/** Loads the installation's feature flags: from the page, else from `config.json`. Uses the defaults if both are missing. */
export const loadFeatureFlags = async (): Promise<FeatureFlags> =>
  setFeatureFlags({ ...defaultFeatureFlags, ...(readPageSettings() ?? (await fetchSettings())) })
