import { fill, type AnswerOf, type Cargo, type ParamsOf, type QueryOf, type Route } from '@trunkline/contract/kit/route'
import { messages } from '@trunkline/contract/messages/session'
import { defaultFeatures, type Features } from '@trunkline/contract/feature-flags'
import { features, setFeatures } from './feature-flags'
import { noteAnswer } from './known-server'
import { isLeaving } from './leaving'
import { Problem } from './problem'
import { kept } from './storage'

/** A body that may be left out counts too. */
type BodyIn<C> = 'body' extends keyof C ? C['body' & keyof C] : undefined

/** What a route needs to be called: only the keys that it has. */
export type Input<R> =
  R extends Route<infer Path, infer C>
    ? (keyof ParamsOf<Path> extends never ? { params?: undefined } : { params: ParamsOf<Path> }) &
        (QueryOf<R> extends undefined ? { query?: undefined } : { query?: QueryOf<R> }) &
        (undefined extends BodyIn<C> ? { body?: BodyIn<C> } : { body: BodyIn<C> }) & {
          signal?: AbortSignal
          /** Asked on the side: a refusal or a dead line ends no session. */
          aside?: boolean
          /** Asked by the clock: a dead line ends no session and nothing is said of a failure, but a token that is no longer good ends it. */
          unasked?: boolean
          /** Who asks, when that is not who is signed in. */
          token?: string
        }
    : never

/** The same without types, for what is written once for every kind of record. */
export interface Sent {
  params?: Record<string, string>
  query?: unknown
  body?: unknown
  signal?: AbortSignal
  aside?: boolean
  unasked?: boolean
  token?: string
}

export type SessionEnd = 'expired' | 'unreachable'

let onSessionEnd: (why: SessionEnd) => void = () => {}

/** What happens when the token is no longer good, or nobody answers. Said once, by the app. */
export const whenSessionEnds = (then: (why: SessionEnd) => void) => {
  onSessionEnd = then
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

const addressOf = (route: Route, { params, query }: Sent) => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  const tail = search.size > 0 ? `?${search.toString()}` : ''
  return features().apiBaseUrl + fill(route.path, params) + tail
}

const headersOf = (route: Route, { body, token: own }: Sent) => {
  const headers: Record<string, string> = { accept: 'application/json' }
  const token = route.open ? null : (own ?? kept.token.get())
  if (token) headers.authorization = `Bearer ${token}`
  // a form with files says by itself where its parts end
  if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = 'application/json'
  return headers
}

const send = async (route: Route, sent: Sent): Promise<Response> => {
  // outside of the try: a call that was written wrongly says nothing about the server
  const address = addressOf(route, sent)
  const request: RequestInit = {
    method: route.method,
    headers: headersOf(route, sent),
    ...(sent.body === undefined ? {} : { body: sent.body instanceof FormData ? sent.body : JSON.stringify(sent.body) }),
    ...(sent.signal ? { signal: sent.signal } : {}),
  }
  try {
    const answer = fetch(address, request)
    noteAnswer(features().apiBaseUrl, answer)
    return await answer
  } catch (error) {
    if (sent.signal?.aborted) throw error
    const { aside, unasked } = sent
    if (!aside && !unasked && !isLeaving()) onSessionEnd('unreachable')
    throw new Problem(0, undefined, { msg: messages.unreachable, ended: !unasked, unasked })
  }
}

const binary = /^(audio\/|application\/octet-stream)/

/** The body as JSON when it is that, sound and files as they are, else as text: some refusals come as plain words or as a page. */
const read = async (response: Response): Promise<unknown> => {
  if (binary.test(response.headers.get('content-type') ?? '')) return response.blob()
  const text = await response.text().catch(() => '')
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Calls any route: what `call` does, for callers that know their types otherwise. */
export const exchange = async (route: Route, sent: Sent = {}): Promise<unknown> => {
  const token = kept.token.get()
  const response = await send(route, sent)
  const body = response.status === 204 ? undefined : await read(response)
  if (response.ok) return body
  if (response.status === 401 && !sent.aside) {
    // a late answer to who was signed in before says nothing of who is now
    if (kept.token.get() === token) onSessionEnd('expired')
    throw new Problem(401, body, { msg: messages.expired, ended: true })
  }
  throw new Problem(response.status, body, { unasked: sent.unasked })
}

/** Calls one route of the contract. Resolves with its answer, rejects with a Problem. */
export const call = <Path extends string, C extends Cargo>(
  route: Route<Path, C>,
  ...[input]: object extends Input<Route<Path, C>> ? [input?: Input<Route<Path, C>>] : [input: Input<Route<Path, C>>]
): Promise<AnswerOf<Route<Path, C>>> => exchange(route, input) as Promise<AnswerOf<Route<Path, C>>>

/** Some bytes of a file below the API that is open to who has its address. `to`: the byte behind the last. */
export const stretchOf = async (
  address: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<ArrayBuffer> => {
  const response = await fetch(features().apiBaseUrl + address, {
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
export const loadFeatures = async (): Promise<Features> => {
  const found = await fetch('/config.json', { headers: { accept: 'application/json' } })
    .then((response) => (response.ok ? (response.json() as Promise<Partial<Features>>) : {}))
    .catch(() => ({}))
  return setFeatures({ ...defaultFeatures, ...found })
}
