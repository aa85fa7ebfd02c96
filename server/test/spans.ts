import type { Backend } from './backend'
import type { ActorName } from './world'

/** Spans as voice servers send them. */

/** Settings of a server that takes spans in. */
export const takingIn = { ingest: { byKey: true, host: '127.0.0.1' } }

export const protobuf = 'application/x-protobuf'

let counted = 0
/** An ID that no other trace has. */
export const newTrace = () => (counted += 1).toString(16).padStart(32, 'f')

export const jsonSpan = (traceId: string, more: object = {}) => ({
  traceId,
  spanId: 'aaaaaaaaaaaaaaaa',
  name: 'incoming-call',
  kind: 1,
  startTimeUnixNano: '1700000000000000000',
  endTimeUnixNano: '1700000001000000000',
  ...more,
})

export const jsonOf = (...spans: object[]) => ({
  resourceSpans: [{ scopeSpans: [{ scope: { name: 'voice' }, spans }] }],
})

/** The attribute by which a span names its account. */
export const account = (sid: string) => ({ attributes: [{ key: 'accountSid', value: { stringValue: sid } }] })

/** Sends to the door for spans, with somebody's key or with none. */
export const poster =
  (backend: Backend) =>
  (who: ActorName | undefined, payload: unknown, headers: Record<string, string> = {}) =>
    backend.app.inject({
      method: 'POST',
      url: '/v1/traces',
      headers: {
        'content-type': 'application/json',
        ...(who ? { authorization: `Bearer ${backend.world.keys[who]}` } : {}),
        ...headers,
      },
      payload: Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
    })
