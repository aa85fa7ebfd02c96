import { ROOT_CONTEXT, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTrace } from '../../../console/src/features/recent-calls/trace/model/span-tree'
import { listWireSpans, type WireSpan, type WireTrace } from '@trunkline/contract/calls/otlp-trace'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { account, jsonOf, jsonSpan, newTrace, poster, protobuf, takingIn } from '../../test/spans'
import { apiClient } from '../../test/speak'
import type { ActorName } from '../../test/world'

const hexOf = (base64: string) => Buffer.from(base64, 'base64').toString('hex')

describe.each(engines)('ingesting spans (%s)', (engine) => {
  let backend: Backend
  let base: string
  let post: ReturnType<typeof poster>
  beforeAll(async () => {
    backend = await startBackend({ engine, config: takingIn })
    post = poster(backend)
    base = await backend.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    backend.app.server.closeAllConnections()
    await backend.close()
  })

  const read = async (actorName: ActorName, sid: string, traceId: string) => {
    const response = await apiClient(backend.app, backend.world.keys[actorName])(
      'GET',
      `/Accounts/${sid}/RecentCalls/trace/${traceId}`,
    )
    return { status: response.status, body: response.body as WireTrace }
  }
  const readOfProvider = (actorName: ActorName, sid: string, traceId: string) =>
    apiClient(backend.app, backend.world.keys[actorName])(
      'GET',
      `/ServiceProviders/${sid}/RecentCalls/trace/${traceId}`,
    )

  /** Creates a trace with the official library and sends it with one of its exporters. */
  const record = async (exporter: SpanExporter, attributes: Attributes) => {
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'voice' }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    })
    const tracer = provider.getTracer('voice', '1.2.3')
    const root = tracer.startSpan('incoming-call', { startTime: [1_700_000_000, 5] }, ROOT_CONTEXT)
    root.setAttributes(attributes)
    const context = trace.setSpan(ROOT_CONTEXT, root)
    const say = tracer.startSpan('verb:say', { startTime: [1_700_000_000, 123_456_789] }, context)
    say.setAttributes({ 'tts.cached': true, 'http.statusCode': 200, ratio: 0.5, words: ['Grüß', 'dich'] })
    say.addEvent('begun', { note: 'x' })
    say.setStatus({ code: SpanStatusCode.ERROR, message: 'no voice' })
    say.end([1_700_000_001, 1])
    root.end([1_700_000_002, 0])
    await provider.forceFlush()
    await provider.shutdown()
    return root.spanContext().traceId
  }

  const exporters: [string, (options: { url: string; headers: Record<string, string> }) => SpanExporter][] = [
    ['protobuf', (options) => new ProtobufExporter(options)],
    ['protobuf, packed', (options) => new ProtobufExporter({ ...options, compression: 'gzip' as never })],
    ['JSON', (options) => new JsonExporter(options)],
    ['JSON, packed', (options) => new JsonExporter({ ...options, compression: 'gzip' as never })],
  ]

  it.each(exporters)('stores spans of the official exporter in %s exactly', async (_, exporter) => {
    const { keys, accounts } = backend.world
    const headers = { authorization: `Bearer ${keys.admin}` }
    const traceId = await record(exporter({ url: `${base}/v1/traces`, headers }), { accountSid: accounts.acme })
    const { status, body } = await read('acme', accounts.acme, traceId)
    expect(status).toBe(200)
    expect(body.resourceSpans[0]).toMatchObject({
      resource: { attributes: expect.arrayContaining([{ key: 'service.name', value: { stringValue: 'voice' } }]) },
      instrumentationLibrarySpans: [{ instrumentationLibrary: { name: 'voice', version: '1.2.3' } }],
    })
    const [say, root] = listWireSpans(body).sort((recordPath) => (recordPath.name === 'verb:say' ? -1 : 1)) as [
      WireSpan,
      WireSpan,
    ]
    expect(hexOf(say.traceId)).toBe(traceId)
    expect(say).toMatchObject({
      name: 'verb:say',
      kind: 'SPAN_KIND_INTERNAL',
      parentSpanId: root.spanId,
      startTimeUnixNano: '1700000000123456789',
      endTimeUnixNano: '1700000001000000001',
      status: { code: 'STATUS_CODE_ERROR', message: 'no voice' },
      events: [{ name: 'begun', attributes: [{ key: 'note', value: { stringValue: 'x' } }] }],
    })
    expect(root.parentSpanId).toBeUndefined()
    expect(say.attributes).toEqual([
      { key: 'tts.cached', value: { boolValue: true } },
      { key: 'http.statusCode', value: { intValue: '200' } },
      { key: 'ratio', value: { doubleValue: 0.5 } },
      { key: 'words', value: { arrayValue: { values: [{ stringValue: 'Grüß' }, { stringValue: 'dich' }] } } },
    ])
  })

  it('shows spans to the tenant that they name, whoever wrote them', async () => {
    const { accounts, providers } = backend.world
    for (const actorName of ['admin', 'north', 'acme'] as const) {
      const id = newTrace()
      const child = jsonSpan(id, { spanId: 'bbbbbbbbbbbbbbbb', parentSpanId: 'aaaaaaaaaaaaaaaa' })
      expect((await post(actorName, jsonOf(child))).json()).toEqual({})
      expect((await post(actorName, jsonOf(jsonSpan(id, account(accounts.acme))))).statusCode).toBe(200)
      for (const reader of ['admin', 'north', 'acme'] as const)
        expect(listWireSpans((await read(reader, accounts.acme, id.toUpperCase())).body)).toHaveLength(2)
      expect((await readOfProvider('north', providers.north, id)).status).toBe(200)
      // Of another tenant it is not found, with the text that a missing one has.
      expect(await read('bolt', accounts.bolt, id)).toEqual({ status: 404, body: 'Not Found' })
      expect((await readOfProvider('south', providers.south, id)).body).toBe('Not Found')
    }
  })

  it('assigns spans without an account to the account of the key', async () => {
    const { accounts, providers } = backend.world
    const [owner, ofProvider, ofNobody] = [newTrace(), newTrace(), newTrace()]
    await post('acme', jsonOf(jsonSpan(owner)))
    await post('north', jsonOf(jsonSpan(ofProvider)))
    await post('admin', jsonOf(jsonSpan(ofNobody)))
    expect((await read('acme', accounts.acme, owner)).status).toBe(200)
    expect((await read('acme', accounts.acme, ofProvider)).status).toBe(404)
    expect((await readOfProvider('north', providers.north, ofProvider)).status).toBe(200)
    expect((await readOfProvider('north', providers.north, ofNobody)).status).toBe(404)
  })

  it('rejects spans for foreign accounts, reports them, and stores the others', async () => {
    const { accounts } = backend.world
    for (const [actorName, foreign] of [
      ['acme', accounts.bolt],
      ['north', accounts.corp],
      ['north', '00000000-0000-4000-8000-000000000000'],
      ['admin', '00000000-0000-4000-8000-000000000000'],
    ] as const) {
      const [ownRecord, theirs] = [newTrace(), newTrace()]
      const response = await post(
        actorName,
        jsonOf(jsonSpan(theirs, account(foreign)), jsonSpan(ownRecord, account(accounts.acme))),
      )
      expect(response).toMatchObject({ statusCode: 200 })
      expect(response.json()).toEqual({
        partialSuccess: { rejectedSpans: 1, errorMessage: 'the key is not allowed to write for the account of a span' },
      })
      expect((await read('admin', accounts.acme, ownRecord)).status).toBe(200)
      expect((await read('admin', foreign, theirs)).status).toBe(404)
    }
  })

  it('gives no access to a foreign trace by forged spans', async () => {
    const { accounts } = backend.world
    const id = newTrace()
    const hook = jsonSpan(id, { spanId: 'bbbbbbbbbbbbbbbb', parentSpanId: 'aaaaaaaaaaaaaaaa', name: 'secret' })
    await post('north', jsonOf(jsonSpan(id, account(accounts.bolt)), hook))
    await post('acme', jsonOf(jsonSpan(id, { ...account(accounts.acme), name: 'forged' })))
    const names = async (actorName: 'acme' | 'bolt') =>
      listWireSpans((await read(actorName, accounts[actorName], id)).body).map(({ name }) => name)
    expect(await names('acme')).toEqual(['forged'])
    expect((await names('bolt')).sort()).toEqual(['incoming-call', 'secret'])
  })

  it.each(['protobuf', 'json'])('returns an empty list for a span without attributes (%s)', async (encoding) => {
    const { keys, accounts } = backend.world
    const options = { url: `${base}/v1/traces`, headers: { authorization: `Bearer ${keys.acme}` } }
    const exporter = encoding === 'json' ? new JsonExporter(options) : new ProtobufExporter(options)
    const traceId = await record(exporter, {})
    const root = listWireSpans((await read('acme', accounts.acme, traceId)).body).find(
      ({ name }) => name !== 'verb:say',
    )
    expect(root).toMatchObject({ name: 'incoming-call', attributes: [] })
  })

  it('shows spans once, however often they are sent', async () => {
    const id = newTrace()
    await post('acme', jsonOf(jsonSpan(id)))
    await post('acme', jsonOf(jsonSpan(id)))
    expect(buildTrace((await read('acme', backend.world.accounts.acme, id)).body)?.spans).toHaveLength(1)
  })

  it('accepts the old format and unusual valid ones', async () => {
    const id = newTrace()
    const odd = jsonSpan(id.toUpperCase(), {
      startTimeUnixNano: 1_700_000_000_000_000_000,
      kind: 'SPAN_KIND_SERVER',
      parentSpanId: '',
      unheardOf: { of: [1] },
      attributes: [
        { key: 'n', value: { intValue: -5 } },
        { key: 'd', value: { doubleValue: 'NaN' } },
        { key: 'none' },
        { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { bytesValue: 'AAE=' } }] } } },
        { key: 'account_sid', value: { stringValue: backend.world.accounts.acme } },
      ],
    })
    const response = await post('admin', { resourceSpans: [{ instrumentationLibrarySpans: [{ spans: [odd] }] }] })
    expect(response.json()).toEqual({})
    const [result] = listWireSpans((await read('acme', backend.world.accounts.acme, id)).body)
    expect(result).toMatchObject({ kind: 'SPAN_KIND_SERVER', startTimeUnixNano: '1700000000000000000' })
    expect(result?.attributes?.slice(0, 3)).toEqual([
      { key: 'n', value: { intValue: '-5' } },
      { key: 'd', value: { doubleValue: null } },
      { key: 'none' },
    ])
  })

  it('rejects and reports spans without an ID', async () => {
    const invalid = [
      jsonSpan('0'.repeat(32)),
      jsonSpan('xyz'),
      jsonSpan(newTrace(), { spanId: '0'.repeat(16) }),
      jsonSpan(newTrace(), { spanId: 'abc' }),
    ]
    expect((await post('acme', jsonOf(...invalid))).json()).toMatchObject({ partialSuccess: { rejectedSpans: 4 } })
    const response = await post('acme', Buffer.from(''), { 'content-type': protobuf })
    expect(response).toMatchObject({ statusCode: 200, body: '' })
    expect(response.headers['content-type']).toBe(protobuf)
  })
})
