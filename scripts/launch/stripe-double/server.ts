// A double of Stripe for tests and for the demo of the hosted edition: a server on the loopback interface that behaves as
// docs.stripe.com/api describes, with state, time, webhooks and test cards. `standIn` replaces Stripe.js in the browser.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { StripeApiError } from './errors'
import { present } from './expand'
import { listParam, parseForm, type Params } from './form'
import type { Emit } from './invoices'
import type { Event } from './objects'
import { addPrice, samplePrices, type PriceDraft } from './price-list'
import { createRoutes, type Handler } from './routes'
import { createStore, type Store } from './store'
import { Subscriptions } from './subscriptions'
import { createWebhookSender, type WebhookSender, type WebhookTarget } from './webhooks'

export interface StripeDoubleOptions {
  /** A free port by default. */
  port?: number
  /** Unix seconds; now by default. */
  startSeconds?: number
  prices?: readonly PriceDraft[]
  webhook?: WebhookTarget
}

/** What happens to a request: it is answered, lost before it is handled, or handled without its response. */
export type Interference = 'none' | 'lose-request' | 'lose-response'

interface StoredResponse {
  fingerprint: string
  status: number
  body: unknown
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'GET, POST, DELETE',
}

const readBody = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Finds the handler of a request, and the IDs in its path. */
const findHandler = (routes: Record<string, Handler>, method: string, path: string) => {
  const parts = path.split('/')
  for (const [route, handler] of Object.entries(routes)) {
    const [routeMethod, routePath] = route.split(' ') as [string, string]
    const routeParts = routePath.split('/')
    const isMatch =
      routeMethod === method &&
      routeParts.length === parts.length &&
      routeParts.every((part, index) => part.startsWith(':') || part === parts[index])
    if (isMatch) return { handler, ids: parts.filter((_, index) => routeParts[index]!.startsWith(':')) }
  }
  return undefined
}

const sendJson = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json', ...corsHeaders })
  response.end(JSON.stringify(body))
}

/** Handles requests by their routes, each idempotency key once. */
const createRequestHandler = (store: Store, routes: Record<string, Handler>) => {
  const storedResponses = new Map<string, StoredResponse>()

  const handle = (method: string, path: string, params: Params): Omit<StoredResponse, 'fingerprint'> => {
    const route = findHandler(routes, method, path)
    if (!route)
      return {
        status: 404,
        body: { error: { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` } },
      }
    try {
      const result = route.handler({ ids: route.ids, params })
      const expand = listParam(params, 'expand').map(String)
      return { status: 200, body: present(store, result, expand) }
    } catch (error) {
      if (!(error instanceof StripeApiError)) throw error
      return { status: error.status, body: { error: error.body } }
    }
  }

  /** Repeats the response to an earlier request with the same idempotency key (docs.stripe.com/api/idempotent_requests). */
  const handleOnce = (key: string | undefined, method: string, path: string, params: Params) => {
    const fingerprint = JSON.stringify([method, path, params])
    const earlier = key === undefined ? undefined : storedResponses.get(key)
    if (earlier && earlier.fingerprint !== fingerprint)
      return {
        status: 400,
        body: {
          error: {
            type: 'idempotency_error',
            message: `Keys for idempotent requests can only be used with the same parameters they were first used with.`,
          },
        },
      }
    if (earlier) return earlier
    const response = handle(method, path, params)
    if (key !== undefined) storedResponses.set(key, { fingerprint, ...structuredClone(response) })
    return response
  }
  return handleOnce
}

/** Records events, and sends them to the webhook. */
const createEmitter =
  (store: Store, webhooks: WebhookSender): Emit =>
  (type: string, object: unknown) => {
    const event: Event = {
      id: store.createId('evt'),
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: store.now(),
      type,
      // A copy: later changes of the object must not change the event.
      data: { object: structuredClone(present(store, object)) },
      pending_webhooks: 1,
    }
    store.events.push(event)
    webhooks.queue(event)
  }

const standInFile = new URL('./stand-in.js', import.meta.url)

/** Starts the double on the loopback interface. */
export const startStripeDouble = async (options: StripeDoubleOptions = {}) => {
  const store = createStore(options.startSeconds ?? Math.floor(Date.now() / 1000))
  const webhooks = createWebhookSender()
  webhooks.setTarget(options.webhook)
  let interfere: (method: string, path: string) => Interference | Promise<Interference> = () => 'none'
  const requests: { method: string; path: string; params: Params; idempotencyKey: string | undefined }[] = []

  const emit = createEmitter(store, webhooks)
  const subscriptions = new Subscriptions(store, emit)
  const handleOnce = createRequestHandler(store, createRoutes(store, subscriptions, emit))
  const prices = (options.prices ?? samplePrices).map((draft) => addPrice(store, draft))
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    if (method === 'OPTIONS') return void response.writeHead(204, corsHeaders).end()
    if (pathname === '/stand-in.js') {
      response.writeHead(200, { 'content-type': 'text/javascript', ...corsHeaders })
      return void response.end(readFileSync(standInFile))
    }
    if (!request.headers.authorization)
      return sendJson(response, 401, {
        error: { type: 'invalid_request_error', message: 'You did not provide an API key.' },
      })
    const params = parseForm(method === 'POST' ? await readBody(request) : search.slice(1))
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined
    const interference = await interfere(method, pathname)
    if (interference === 'lose-request') return void request.socket.destroy()
    requests.push({ method, path: pathname, params, idempotencyKey })
    const { status, body } = handleOnce(idempotencyKey, method, pathname, params)
    if (interference === 'lose-response') return void request.socket.destroy()
    sendJson(response, status, body)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: { type: 'api_error', message: String(error) } })
    })
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    standInUrl: `${url}/stand-in.js`,
    store,
    prices,
    requests,
    webhooks,
    addPrice: (draft: PriceDraft) => addPrice(store, draft),
    /** Handles a request without the network. */
    handle: handleOnce,
    /** Moves the clock forward, with all renewals, retries and ends that are due. */
    advanceTo: (seconds: number) => subscriptions.advanceTo(seconds),
    /** Decides for each request whether it or its response is lost. */
    setInterference: (decide: typeof interfere) => {
      interfere = decide
    },
    close: async () => {
      webhooks.setTarget(undefined)
      await webhooks.drain()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type StripeDouble = Awaited<ReturnType<typeof startStripeDouble>>
