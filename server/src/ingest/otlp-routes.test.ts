import { ROOT_CONTEXT, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTrace } from '../../../console/src/features/recent-calls/trace/model/span-tree'
import { listWireSpans, type WireSpan, type WireTrace } from '@trunkline/contract/calls/otlp-trace'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
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
import type { ActorName } from '../../test/test-data'

const toHex = (base64: string) => Buffer.from(base64, 'base64').toString('hex')

describe.each(databaseEngines)('ingesting spans (%s)', (databaseEngine) => {
  let backend: Backend
  let baseUrl: string
  let post: ReturnType<typeof createSpanSender>
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: ingestSettings })
    post = createSpanSender(backend)
    baseUrl = await backend.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    backend.app.server.closeAllConnections()
    await backend.close()
  })

  const readTrace = async (actorName: ActorName, sid: string, traceId: string) => {
    const response = await createApiClient(backend.app, backend.testData.keys[actorName])(
      'GET',
      `/Accounts/${sid}/RecentCalls/trace/${traceId}`,
    )
    return { status: response.status, body: response.body as WireTrace }
  }
  const readProviderTrace = (actorName: ActorName, sid: string, traceId: string) =>
    createApiClient(backend.app, backend.testData.keys[actorName])(
      'GET',
      `/ServiceProviders/${sid}/RecentCalls/trace/${traceId}`,
    )

  /** Creates a trace with the official library and sends it with one of its exporters. */
  const exportTrace = async (exporter: SpanExporter, attributes: Attributes) => {
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'voice' }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    })
    const tracer = provider.getTracer('voice', '1.2.3')
    const rootSpan = tracer.startSpan('incoming-call', { startTime: [1_700_000_000, 5] }, ROOT_CONTEXT)
    rootSpan.setAttributes(attributes)
    const context = trace.setSpan(ROOT_CONTEXT, rootSpan)
    const saySpan = tracer.startSpan('verb:say', { startTime: [1_700_000_000, 123_456_789] }, context)
    saySpan.setAttributes({ 'tts.cached': true, 'http.statusCode': 200, ratio: 0.5, words: ['Grüß', 'dich'] })
    saySpan.addEvent('begun', { note: 'x' })
    saySpan.setStatus({ code: SpanStatusCode.ERROR, message: 'no voice' })
    saySpan.end([1_700_000_001, 1])
    rootSpan.end([1_700_000_002, 0])
    await provider.forceFlush()
    await provider.shutdown()
    return rootSpan.spanContext().traceId
  }

  const exporters: [string, (options: { url: string; headers: Record<string, string> }) => SpanExporter][] = [
    ['protobuf', (options) => new ProtobufExporter(options)],
    ['protobuf, compressed', (options) => new ProtobufExporter({ ...options, compression: 'gzip' as never })],
    ['JSON', (options) => new JsonExporter(options)],
    ['JSON, compressed', (options) => new JsonExporter({ ...options, compression: 'gzip' as never })],
  ]

  it.each(exporters)('stores spans of the official exporter in %s exactly', async (_, exporter) => {
    const { keys, accounts } = backend.testData
    const headers = { authorization: `Bearer ${keys.admin}` }
    const traceId = await exportTrace(exporter({ url: `${baseUrl}/v1/traces`, headers }), { accountSid: accounts.acme })
    const { status, body } = await readTrace('acme', accounts.acme, traceId)
    expect(status).toBe(200)
    expect(body.resourceSpans[0]).toMatchObject({
      resource: { attributes: expect.arrayContaining([{ key: 'service.name', value: { stringValue: 'voice' } }]) },
      instrumentationLibrarySpans: [{ instrumentationLibrary: { name: 'voice', version: '1.2.3' } }],
    })
    const [say, root] = listWireSpans(body).sort((span) => (span.name === 'verb:say' ? -1 : 1)) as [WireSpan, WireSpan]
    expect(toHex(say.traceId)).toBe(traceId)
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

  it('shows spans to the tenant that they name, with any writer', async () => {
    const { accounts, providers } = backend.testData
    for (const actorName of ['admin', 'north', 'acme'] as const) {
      const traceId = newTraceId()
      const child = buildSpanJson(traceId, { spanId: 'bbbbbbbbbbbbbbbb', parentSpanId: 'aaaaaaaaaaaaaaaa' })
      expect((await post(actorName, buildTraceJson(child))).json()).toEqual({})
      expect(
        (await post(actorName, buildTraceJson(buildSpanJson(traceId, accountAttribute(accounts.acme))))).statusCode,
      ).toBe(200)
      for (const reader of ['admin', 'north', 'acme'] as const)
        expect(listWireSpans((await readTrace(reader, accounts.acme, traceId.toUpperCase())).body)).toHaveLength(2)
      expect((await readProviderTrace('north', providers.north, traceId)).status).toBe(200)
      // Another tenant gets the response for an unknown trace.
      expect(await readTrace('bolt', accounts.bolt, traceId)).toEqual({ status: 404, body: 'Not Found' })
      expect((await readProviderTrace('south', providers.south, traceId)).body).toBe('Not Found')
    }
  })

  it('assigns spans without an account to the account of the key', async () => {
    const { accounts, providers } = backend.testData
    const [accountTrace, providerTrace, platformTrace] = [newTraceId(), newTraceId(), newTraceId()]
    await post('acme', buildTraceJson(buildSpanJson(accountTrace)))
    await post('north', buildTraceJson(buildSpanJson(providerTrace)))
    await post('admin', buildTraceJson(buildSpanJson(platformTrace)))
    expect((await readTrace('acme', accounts.acme, accountTrace)).status).toBe(200)
    expect((await readTrace('acme', accounts.acme, providerTrace)).status).toBe(404)
    expect((await readProviderTrace('north', providers.north, providerTrace)).status).toBe(200)
    expect((await readProviderTrace('north', providers.north, platformTrace)).status).toBe(404)
  })

  it('rejects spans for foreign accounts, reports them, and stores the others', async () => {
    const { accounts } = backend.testData
    for (const [actorName, foreignAccount] of [
      ['acme', accounts.bolt],
      ['north', accounts.corp],
      ['north', '00000000-0000-4000-8000-000000000000'],
      ['admin', '00000000-0000-4000-8000-000000000000'],
    ] as const) {
      const [ownTrace, foreignTrace] = [newTraceId(), newTraceId()]
      const response = await post(
        actorName,
        buildTraceJson(
          buildSpanJson(foreignTrace, accountAttribute(foreignAccount)),
          buildSpanJson(ownTrace, accountAttribute(accounts.acme)),
        ),
      )
      expect(response).toMatchObject({ statusCode: 200 })
      expect(response.json()).toEqual({
        partialSuccess: { rejectedSpans: 1, errorMessage: 'the key is not allowed to write for the account of a span' },
      })
      expect((await readTrace('admin', accounts.acme, ownTrace)).status).toBe(200)
      expect((await readTrace('admin', foreignAccount, foreignTrace)).status).toBe(404)
    }
  })

  it('gives no access to a foreign trace by forged spans', async () => {
    const { accounts } = backend.testData
    const traceId = newTraceId()
    const secretSpan = buildSpanJson(traceId, {
      spanId: 'bbbbbbbbbbbbbbbb',
      parentSpanId: 'aaaaaaaaaaaaaaaa',
      name: 'secret',
    })
    await post('north', buildTraceJson(buildSpanJson(traceId, accountAttribute(accounts.bolt)), secretSpan))
    await post('acme', buildTraceJson(buildSpanJson(traceId, { ...accountAttribute(accounts.acme), name: 'forged' })))
    const listSpanNames = async (actorName: 'acme' | 'bolt') =>
      listWireSpans((await readTrace(actorName, accounts[actorName], traceId)).body).map(({ name }) => name)
    expect(await listSpanNames('acme')).toEqual(['forged'])
    expect((await listSpanNames('bolt')).sort()).toEqual(['incoming-call', 'secret'])
  })

  it.each(['protobuf', 'json'])('returns an empty list for a span without attributes (%s)', async (encoding) => {
    const { keys, accounts } = backend.testData
    const options = { url: `${baseUrl}/v1/traces`, headers: { authorization: `Bearer ${keys.acme}` } }
    const exporter = encoding === 'json' ? new JsonExporter(options) : new ProtobufExporter(options)
    const traceId = await exportTrace(exporter, {})
    const root = listWireSpans((await readTrace('acme', accounts.acme, traceId)).body).find(
      ({ name }) => name !== 'verb:say',
    )
    expect(root).toMatchObject({ name: 'incoming-call', attributes: [] })
  })

  it('shows spans once if they are sent again', async () => {
    const traceId = newTraceId()
    await post('acme', buildTraceJson(buildSpanJson(traceId)))
    await post('acme', buildTraceJson(buildSpanJson(traceId)))
    expect(buildTrace((await readTrace('acme', backend.testData.accounts.acme, traceId)).body)?.spans).toHaveLength(1)
  })

  it('accepts the old format and unusual valid ones', async () => {
    const traceId = newTraceId()
    const unusualSpan = buildSpanJson(traceId.toUpperCase(), {
      startTimeUnixNano: 1_700_000_000_000_000_000,
      kind: 'SPAN_KIND_SERVER',
      parentSpanId: '',
      unknownField: { of: [1] },
      attributes: [
        { key: 'n', value: { intValue: -5 } },
        { key: 'd', value: { doubleValue: 'NaN' } },
        { key: 'none' },
        { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { bytesValue: 'AAE=' } }] } } },
        { key: 'account_sid', value: { stringValue: backend.testData.accounts.acme } },
      ],
    })
    const response = await post('admin', {
      resourceSpans: [{ instrumentationLibrarySpans: [{ spans: [unusualSpan] }] }],
    })
    expect(response.json()).toEqual({})
    const [result] = listWireSpans((await readTrace('acme', backend.testData.accounts.acme, traceId)).body)
    expect(result).toMatchObject({ kind: 'SPAN_KIND_SERVER', startTimeUnixNano: '1700000000000000000' })
    expect(result?.attributes?.slice(0, 3)).toEqual([
      { key: 'n', value: { intValue: '-5' } },
      { key: 'd', value: { doubleValue: null } },
      { key: 'none' },
    ])
  })

  it('rejects and reports spans without an ID', async () => {
    const invalid = [
      buildSpanJson('0'.repeat(32)),
      buildSpanJson('xyz'),
      buildSpanJson(newTraceId(), { spanId: '0'.repeat(16) }),
      buildSpanJson(newTraceId(), { spanId: 'abc' }),
    ]
    expect((await post('acme', buildTraceJson(...invalid))).json()).toMatchObject({
      partialSuccess: { rejectedSpans: 4 },
    })
    const response = await post('acme', Buffer.from(''), { 'content-type': protobufContentType })
    expect(response).toMatchObject({ statusCode: 200, body: '' })
    expect(response.headers['content-type']).toBe(protobufContentType)
  })
})
