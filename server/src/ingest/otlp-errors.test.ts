import { gzipSync } from 'node:zlib'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { startJaeger } from '../../test/doubles/jaeger'
import { account, jsonOf, jsonSpan, newTrace, poster, protobuf, takingIn } from '../../test/spans'
import { apiClient } from '../../test/speak'
import { jaegerTraces } from '../adapters/traces/jaeger'
import { buildIngest } from '../app'
import { readConfig } from '../config/config'
import { UnavailableError } from '../ports/service-errors'
import { statusBytes, successBytes } from './otlp-protobuf'

describe('ingesting spans', () => {
  let backend: Backend
  let post: ReturnType<typeof poster>
  beforeAll(async () => {
    backend = await startBackend({ config: takingIn })
    post = poster(backend)
  })
  afterAll(() => backend.close())

  it('requires a key before the body is read', async () => {
    expect((await post(undefined, jsonOf())).statusCode).toBe(401)
    expect((await post(undefined, '{broken')).json()).toEqual({ code: 16, message: 'Unauthorized' })
    const unknownClient = await post(undefined, Buffer.from('x'), {
      authorization: 'Bearer nobody',
      'content-type': protobuf,
    })
    expect(unknownClient.statusCode).toBe(401)
    expect(unknownClient.rawPayload).toEqual(Buffer.from(statusBytes(16, 'Unauthorized')))
  })

  it.each<[string, unknown, Record<string, string>, number, RegExp]>([
    ['malformed JSON', '{"resourceSpans":[', {}, 400, /not an OTLP trace in JSON/],
    ['JSON of another structure', { resourceSpans: [{ scopeSpans: { a: 1 } }] }, {}, 400, /scopeSpans is not a list/],
    ['a string as a span', jsonOf('x' as never), {}, 400, /a span is not an object/],
    ['an invalid timestamp', jsonOf(jsonSpan(newTrace(), { endTimeUnixNano: 'now' })), {}, 400, /endTimeUnixNano/],
    [
      'a timestamp beyond the number range',
      JSON.stringify(jsonOf(jsonSpan(newTrace(), { startTimeUnixNano: 'far' }))).replace('"far"', '1e400'),
      {},
      400,
      /startTimeUnixNano is not an integer/,
    ],
    ['malformed protobuf', Buffer.from('hello'), { 'content-type': protobuf }, 400, /not an OTLP trace in protobuf/],
    ['another content type', 'a=b', { 'content-type': 'text/plain' }, 415, /Send application\/x-protobuf/],
    ['a body that is not gzip', Buffer.from('hello'), { 'content-encoding': 'gzip' }, 400, /not gzip/],
    ['another content encoding', '{}', { 'content-encoding': 'zstd' }, 415, /Send/],
    [
      'a decompression bomb',
      gzipSync(Buffer.alloc(60_000_000, ' ')),
      { 'content-encoding': 'gzip' },
      413,
      /fewer spans/,
    ],
    ['a body that is too large', Buffer.alloc(7_000_000, ' '), {}, 413, /fewer spans/],
  ])('refuses %s', async (_, payload, headers, status, message) => {
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload
    const response = await post('admin', body, headers)
    expect(response.statusCode).toBe(status)
    expect(response.body).toMatch(message)
  })

  it('refuses deeply nested values', async () => {
    let value: object = { stringValue: 'x' }
    for (let depth = 0; depth < 300; depth += 1) value = { arrayValue: { values: [value] } }
    const response = await post('admin', jsonOf(jsonSpan(newTrace(), { attributes: [{ key: 'k', value }] })))
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      code: 3,
      message: 'The body is not an OTLP trace in JSON: values are nested too deeply',
    })
  })
})

describe('spans that cannot be stored', () => {
  it("are refused while ingest is disabled, and accepted without a key on the platform's port", async () => {
    const backend = await startBackend()
    const id = newTrace()
    const { accounts, keys } = backend.world
    const payload = jsonOf(jsonSpan(id, account(accounts.acme)))
    const headers = { authorization: `Bearer ${keys.acme}` }
    const closed = await backend.app.inject({ method: 'POST', url: '/v1/traces', headers, payload })
    expect(closed.statusCode).toBe(404)
    const config = { ...readConfig({ DATA_DIR: '/tmp', JWT_SECRET: 'a secret' }), logLevel: 'silent' as const }
    const server = await buildIngest({ config, services: backend.services, consoleFolder: 'none', version: '0' })
    const handle = await server.inject({ method: 'POST', url: '/v1/traces', payload })
    expect(handle).toMatchObject({ statusCode: 200, body: '{}' })
    const read = apiClient(backend.app, keys.acme)
    expect((await read('GET', `/Accounts/${accounts.acme}/RecentCalls/trace/${id}`)).status).toBe(200)
    await server.close()
    await backend.close()
  })

  it('are not acknowledged before they are durable', async () => {
    const backend = await startBackend({ config: takingIn })
    const store = backend.services.traceStore!
    const keep = store.add.bind(store)
    store.add = () => Promise.reject(new UnavailableError('later'))
    const send = () =>
      backend.app.inject({
        method: 'POST',
        url: '/v1/traces',
        headers: { authorization: `Bearer ${backend.world.keys.acme}` },
        payload: jsonOf(jsonSpan(newTrace())),
      })
    const refused = await send()
    expect(refused).toMatchObject({ statusCode: 503 })
    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.json()).toEqual({ code: 14, message: 'later' })
    store.add = keep
    expect((await send()).statusCode).toBe(200)
    await backend.close()
  })

  it('are refused if traces are read from a Jaeger', async () => {
    const jaeger = await startJaeger()
    const backend = await startBackend({ config: takingIn, outside: { traces: jaegerTraces(jaeger.url) } })
    const { keys, accounts } = backend.world
    const id = newTrace()
    const spans = [{ ...jsonSpan(id), ...account(accounts.acme), traceId: 'x', kind: undefined }]
    jaeger.hold(id, [{ scopeSpans: [{ spans }] }])
    const read = (actorName: 'acme' | 'bolt') =>
      apiClient(backend.app, keys[actorName])('GET', `/Accounts/${accounts[actorName]}/RecentCalls/trace/${id}`)
    expect((await read('acme')).body.resourceSpans[0].scopeSpans[0].spans).toHaveLength(1)
    expect((await read('bolt')).status).toBe(404)
    const response = await backend.app.inject({
      method: 'POST',
      url: '/v1/traces',
      headers: { authorization: `Bearer ${keys.admin}` },
      payload: jsonOf(),
    })
    expect(response.statusCode).toBe(404)
    jaeger.breakWith(503)
    expect((await read('acme')).status).toBe(503)
    await backend.close()
    await jaeger.stop()
  })
})

it('encodes a partial success in protobuf', () => {
  expect(Buffer.from(successBytes(3, 'why')).toString('hex')).toBe('0a070803120377' + '6879')
  expect(successBytes(0, '')).toHaveLength(0)
})

describe('random input', () => {
  let backend: Backend
  let good: Buffer
  beforeAll(async () => {
    backend = await startBackend({ config: takingIn })
    const spans: ReadableSpan[] = []
    const done = () => Promise.resolve()
    const provider = new BasicTracerProvider({
      spanProcessors: [{ onStart: () => {}, onEnd: (span) => void spans.push(span), forceFlush: done, shutdown: done }],
    })
    const tracer = provider.getTracer('voice')
    for (let index = 0; index < 20; index += 1) {
      const span = tracer.startSpan(`verb:say ${index}`)
      span.setAttributes({ a: 'b', n: index, list: ['x', 'y'] }).addEvent('e', { k: 1 })
      span.end()
    }
    good = Buffer.from(ProtobufTraceSerializer.serializeRequest(spans)!)
  })
  afterAll(() => backend.close())

  /** Pseudorandom numbers, the same in every run. */
  const dice = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  const broken = (bytes: Buffer, next: () => number): Buffer => {
    const copy = Buffer.from(bytes)
    for (let count = 1 + Math.floor(next() * 8); count > 0; count -= 1)
      copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256)
    return next() < 0.3 ? copy.subarray(0, Math.floor(next() * copy.length)) : copy
  }

  it.each([
    ['protobuf', protobuf],
    ['JSON', 'application/json'],
  ])('is accepted or refused in %s', async (_, type) => {
    const next = dice(7)
    const complete =
      type === protobuf ? good : Buffer.from(JSON.stringify(jsonOf(jsonSpan(newTrace()), jsonSpan(newTrace()))))
    const received = new Set<number>()
    for (let count = 0; count < 400; count += 1) {
      const noise = Buffer.from(Array.from({ length: Math.floor(next() * 300) }, () => Math.floor(next() * 256)))
      const payload = count % 8 === 0 ? noise : broken(complete, next)
      const response = await backend.app.inject({
        method: 'POST',
        url: '/v1/traces',
        headers: { authorization: `Bearer ${backend.world.keys.acme}`, 'content-type': type },
        payload,
      })
      received.add(response.statusCode)
      expect([200, 400], `round ${count}: ${response.body}`).toContain(response.statusCode)
    }
    expect(received.size).toBe(2)
  })
})
