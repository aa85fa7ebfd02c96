import type { Backend } from './backend'
import type { ActorName } from './test-data'

/** Spans as voice servers send them. */

/** Settings of a server with ingest. */
export const ingestSettings = { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } }

export const protobufContentType = 'application/x-protobuf'

let traceCount = 0
/** A new trace ID. */
export const newTraceId = () => (traceCount += 1).toString(16).padStart(32, 'f')

export const buildSpanJson = (traceId: string, overrides: object = {}) => ({
  traceId,
  spanId: 'aaaaaaaaaaaaaaaa',
  name: 'incoming-call',
  kind: 1,
  startTimeUnixNano: '1700000000000000000',
  endTimeUnixNano: '1700000001000000000',
  ...overrides,
})

export const buildTraceJson = (...spans: object[]) => ({
  resourceSpans: [{ scopeSpans: [{ scope: { name: 'voice' }, spans }] }],
})

/** The span attribute with the account. */
export const accountAttribute = (sid: string) => ({ attributes: [{ key: 'accountSid', value: { stringValue: sid } }] })

/** Sends spans to the ingest route, with or without a key. */
export const createSpanSender =
  (backend: Backend) =>
  (actorName: ActorName | undefined, payload: unknown, headers: Record<string, string> = {}) =>
    backend.app.inject({
      method: 'POST',
      url: '/v1/traces',
      headers: {
        'content-type': 'application/json',
        ...(actorName ? { authorization: `Bearer ${backend.testData.keys[actorName]}` } : {}),
        ...headers,
      },
      payload: Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    })
