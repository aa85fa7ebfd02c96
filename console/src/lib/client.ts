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
import { featureFlags, setFeatureFlags } from './feature-flags'
import { noteServer } from './known-server'
import { isLeaving } from './leaving'
import { Problem } from './problem'
import { kept } from './storage'

/** A body that may be left out counts too. */
type BodyIn<C> = 'body' extends keyof C ? C['body' & keyof C] : undefined

/** What a route needs to be called: only the keys that it has. */
export type RequestOptions<R> =
  R extends Route<infer Path, infer C>
    ? (keyof ParamsOf<Path> extends never ? { params?: undefined } : { params: ParamsOf<Path> }) &
        (QueryOf<R> extends undefined ? { query?: undefined } : { query?: QueryOf<R> }) &
        (undefined extends BodyIn<C> ? { body?: BodyIn<C> } : { body: BodyIn<C> }) & {
          signal?: AbortSignal
          /** Asked on the side: a refusal or a dead line ends no session. */
          isBackground?: boolean
          /** Asked by the clock: a dead line ends no session and nothing is said of a failure, but a token that is no longer good ends it. */
          isPolling?: boolean
          /** Who asks, when that is not who is signed in. */
          token?: string
        }
    : never

/** The same without types, for what is written once for every kind of record. */
export interface UntypedRequestOptions {
  params?: Record<string, string>
  query?: unknown
  body?: unknown
  signal?: AbortSignal
  isBackground?: boolean
  isPolling?: boolean
  token?: string
}

export type SessionEndReason = 'expired' | 'unreachable'

let onSessionEnd: (reason: SessionEndReason) => void = () => {}

/** What happens when the token is no longer good, or nobody answers. Said once, by the app. */
export const handleSessionEnd = (handler: (reason: SessionEndReason) => void) => {
  onSessionEnd = handler
}

/** Ends the session because the server cannot be reached: for requests that are not calls of the API. */
export const reportUnreachable = () => {
  if (!isLeaving()) onSessionEnd('unreachable')
}

/** Does the server answer at all? Whatever it answers. */
export const isServerReachable = (): Promise<boolean> =>
  fetch('/config.json', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )

const requestUrl = (route: Route, { params, query }: UntypedRequestOptions) => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  const tail = search.size > 0 ? `?${search.toString()}` : ''
  return featureFlags().apiBaseUrl + fillPath(route.path, params) + tail
}

const requestHeaders = (route: Route, { body, token: own }: UntypedRequestOptions) => {
  const headers: Record<string, string> = { accept: 'application/json' }
  const token = route.isPublic ? null : (own ?? kept.token.get())
  if (token) headers.authorization = `Bearer ${token}`
  // a form with files says by itself where its parts end
  if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = 'application/json'
  return headers
}

const send = async (route: Route, options: UntypedRequestOptions): Promise<Response> => {
  // outside of the try: a call that was written wrongly says nothing about the server
  const address = requestUrl(route, options)
  const init: RequestInit = {
    method: route.method,
    headers: requestHeaders(route, options),
    ...(options.body === undefined
      ? {}
      : { body: options.body instanceof FormData ? options.body : JSON.stringify(options.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  }
  try {
    const response = fetch(address, init)
    noteServer(featureFlags().apiBaseUrl, response)
    return await response
  } catch (error) {
    if (options.signal?.aborted) throw error
    const { isBackground, isPolling } = options
    if (!isBackground && !isPolling && !isLeaving()) onSessionEnd('unreachable')
    throw new Problem(0, undefined, { msg: messages.unreachable, hasEndedSession: !isPolling, isPolling })
  }
}

const binaryContentType = /^(audio\/|application\/octet-stream)/

/** The body as JSON when it is that, sound and files as they are, else as text: some refusals come as plain words or as a page. */
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

/** Calls any route: what `call` does, for callers that know their types otherwise. */
export const requestUntyped = async (route: Route, options: UntypedRequestOptions = {}): Promise<unknown> => {
  const token = kept.token.get()
  const response = await send(route, options)
  const body = response.status === 204 ? undefined : await readBody(response)
  if (response.ok) return body
  if (response.status === 401 && !options.isBackground) {
    // a late answer to who was signed in before says nothing of who is now
    if (kept.token.get() === token) onSessionEnd('expired')
    throw new Problem(401, body, { msg: messages.expired, hasEndedSession: true })
  }
  throw new Problem(response.status, body, { isPolling: options.isPolling })
}

/** Calls one route of the contract. Resolves with its answer, rejects with a Problem. */
export const request = <Path extends string, C extends RouteTypes>(
  route: Route<Path, C>,
  ...[options]: object extends RequestOptions<Route<Path, C>>
    ? [input?: RequestOptions<Route<Path, C>>]
    : [input: RequestOptions<Route<Path, C>>]
): Promise<ResponseOf<Route<Path, C>>> => requestUntyped(route, options) as Promise<ResponseOf<Route<Path, C>>>

/** Some bytes of a file below the API that is open to who has its address. `to`: the byte behind the last. */
export const fetchRange = async (
  address: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<ArrayBuffer> => {
  const response = await fetch(featureFlags().apiBaseUrl + address, {
    headers: { range: `bytes=${from}-${to - 1}` },
    signal,
  })
  // the whole of it is not what was asked for: it may be large
  if (response.status !== 206) {
    await response.body?.cancel()
    throw new Problem(response.status, undefined)
  }
  return response.arrayBuffer()
}

/** Reads the settings of this installation. Without the document the usual ones hold. */
export const loadFeatureFlags = async (): Promise<FeatureFlags> => {
  const flags = await fetch('/config.json', { headers: { accept: 'application/json' } })
    .then((response) => (response.ok ? (response.json() as Promise<Partial<FeatureFlags>>) : {}))
    .catch(() => ({}))
  return setFeatureFlags({ ...defaultFeatureFlags, ...flags })
}
