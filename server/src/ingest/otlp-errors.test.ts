import { gzipSync } from 'node:zlib'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { startJaeger } from '../../test/doubles/jaeger'
import {
  accountAttribute,
  buildTraceJson,
  buildSpanJson,
  newTraceId,
  createSpanSender,
  protobufContentType,
  ingestSettings,
} from '../../test/spans'
import { createApiClient } from '../../test/api-client'
import { createJaegerTraces } from '../adapters/traces/jaeger'
import { buildIngestApp } from '../composition/ingest-app'
import { readConfig } from '../config/config'
import { UnavailableError } from '../ports/service-errors'
import { encodeStatus, encodeResponse } from './otlp-protobuf'

describe('ingesting spans', () => {
  let backend: Backend
  let post: ReturnType<typeof createSpanSender>
  beforeAll(async () => {
    backend = await startBackend({ config: ingestSettings })
    post = createSpanSender(backend)
  })
  afterAll(() => backend.close())

  it('requires a key before the body is read', async () => {
    expect((await post(undefined, buildTraceJson())).statusCode).toBe(401)
    expect((await post(undefined, '{broken')).json()).toEqual({ code: 16, message: 'Unauthorized' })
    const unknownKeyResponse = await post(undefined, Buffer.from('x'), {
      authorization: 'Bearer nobody',
      'content-type': protobufContentType,
    })
    expect(unknownKeyResponse.statusCode).toBe(401)
    expect(unknownKeyResponse.rawPayload).toEqual(Buffer.from(encodeStatus(16, 'Unauthorized')))
  })

  it.each<[string, unknown, Record<string, string>, number, RegExp]>([
    ['malformed JSON', '{"resourceSpans":[', {}, 400, /not an OTLP trace in JSON/],
    ['JSON of another structure', { resourceSpans: [{ scopeSpans: { a: 1 } }] }, {}, 400, /scopeSpans is not a list/],
    ['a string as a span', buildTraceJson('x' as never), {}, 400, /a span is not an object/],
    [
      'an invalid timestamp',
      buildTraceJson(buildSpanJson(newTraceId(), { endTimeUnixNano: 'now' })),
      {},
      400,
      /endTimeUnixNano/,
    ],
    [
      'a timestamp beyond the number range',
      JSON.stringify(buildTraceJson(buildSpanJson(newTraceId(), { startTimeUnixNano: 'far' }))).replace(
        '"far"',
        '1e400',
      ),
      {},
      400,
      /startTimeUnixNano is not an integer/,
    ],
    [
      'malformed protobuf',
      Buffer.from('hello'),
      { 'content-type': protobufContentType },
      400,
      /not an OTLP trace in protobuf/,
    ],
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
    const response = await post(
      'admin',
      buildTraceJson(buildSpanJson(newTraceId(), { attributes: [{ key: 'k', value }] })),
    )
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
    const id = newTraceId()
    const { accounts, keys } = backend.testData
    const payload = buildTraceJson(buildSpanJson(id, accountAttribute(accounts.acme)))
    const headers = { authorization: `Bearer ${keys.acme}` }
    const disabledResponse = await backend.app.inject({ method: 'POST', url: '/v1/traces', headers, payload })
    expect(disabledResponse.statusCode).toBe(404)
    const config = { ...readConfig({ DATA_DIR: '/tmp', JWT_SECRET: 'a secret' }), logLevel: 'silent' as const }
    const ingestApp = await buildIngestApp({ config, services: backend.services, consoleFolder: 'none', version: '0' })
    const response = await ingestApp.inject({ method: 'POST', url: '/v1/traces', payload })
    expect(response).toMatchObject({ statusCode: 200, body: '{}' })
    const readClient = createApiClient(backend.app, keys.acme)
    expect((await readClient('GET', `/Accounts/${accounts.acme}/RecentCalls/trace/${id}`)).status).toBe(200)
    await ingestApp.close()
    await backend.close()
  })

  it('are not acknowledged before they are durable', async () => {
    const backend = await startBackend({ config: ingestSettings })
    const store = backend.services.traceStore!
    const addParts = store.addParts.bind(store)
    store.addParts = () => Promise.reject(new UnavailableError('later'))
    const send = () =>
      backend.app.inject({
        method: 'POST',
        url: '/v1/traces',
        headers: { authorization: `Bearer ${backend.testData.keys.acme}` },
        payload: buildTraceJson(buildSpanJson(newTraceId())),
      })
    const unavailableResponse = await send()
    expect(unavailableResponse).toMatchObject({ statusCode: 503 })
    expect(unavailableResponse.headers['retry-after']).toBe('5')
    expect(unavailableResponse.json()).toEqual({ code: 14, message: 'later' })
    store.addParts = addParts
    expect((await send()).statusCode).toBe(200)
    await backend.close()
  })

  it('are refused if traces are read from a Jaeger', async () => {
    const jaeger = await startJaeger()
    const backend = await startBackend({
      config: ingestSettings,
      externalServices: { traces: createJaegerTraces(jaeger.url) },
    })
    const { keys, accounts } = backend.testData
    const id = newTraceId()
    const spans = [{ ...buildSpanJson(id), ...accountAttribute(accounts.acme), traceId: 'x', kind: undefined }]
    jaeger.storeSpans(id, [{ scopeSpans: [{ spans }] }])
    const read = (actorName: 'acme' | 'bolt') =>
      createApiClient(backend.app, keys[actorName])('GET', `/Accounts/${accounts[actorName]}/RecentCalls/trace/${id}`)
    expect((await read('acme')).body.resourceSpans[0].scopeSpans[0].spans).toHaveLength(1)
    expect((await read('bolt')).status).toBe(404)
    const response = await backend.app.inject({
      method: 'POST',
      url: '/v1/traces',
      headers: { authorization: `Bearer ${keys.admin}` },
      payload: buildTraceJson(),
    })
    expect(response.statusCode).toBe(404)
    jaeger.failWith(503)
    expect((await read('acme')).status).toBe(503)
    await backend.close()
    await jaeger.stop()
  })
})

it('encodes a partial success in protobuf', () => {
  expect(Buffer.from(encodeResponse(3, 'why')).toString('hex')).toBe('0a0708031203776879')
  expect(encodeResponse(0, '')).toHaveLength(0)
})

describe('random input', () => {
  let backend: Backend
  let validRequest: Buffer
  beforeAll(async () => {
    backend = await startBackend({ config: ingestSettings })
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
    validRequest = Buffer.from(ProtobufTraceSerializer.serializeRequest(spans)!)
  })
  afterAll(() => backend.close())

  /** Pseudorandom numbers, the same in every run. */
  const createRandom = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  const damage = (bytes: Buffer, nextRandom: () => number): Buffer => {
    const copy = Buffer.from(bytes)
    for (let count = 1 + Math.floor(nextRandom() * 8); count > 0; count -= 1)
      copy[Math.floor(nextRandom() * copy.length)] = Math.floor(nextRandom() * 256)
    return nextRandom() < 0.3 ? copy.subarray(0, Math.floor(nextRandom() * copy.length)) : copy
  }

  it.each([
    ['protobuf', protobufContentType],
    ['JSON', 'application/json'],
  ])('is accepted or refused in %s', async (_, type) => {
    const nextRandom = createRandom(7)
    const validBody =
      type === protobufContentType
        ? validRequest
        : Buffer.from(JSON.stringify(buildTraceJson(buildSpanJson(newTraceId()), buildSpanJson(newTraceId()))))
    const statusCodes = new Set<number>()
    for (let count = 0; count < 400; count += 1) {
      const noise = Buffer.from(
        Array.from({ length: Math.floor(nextRandom() * 300) }, () => Math.floor(nextRandom() * 256)),
      )
      const payload = count % 8 === 0 ? noise : damage(validBody, nextRandom)
      const response = await backend.app.inject({
        method: 'POST',
        url: '/v1/traces',
        headers: { authorization: `Bearer ${backend.testData.keys.acme}`, 'content-type': type },
        payload,
      })
      statusCodes.add(response.statusCode)
      expect([200, 400], `round ${count}: ${response.body}`).toContain(response.statusCode)
    }
    expect(statusCodes.size).toBe(2)
  })
})
