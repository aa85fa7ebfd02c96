import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRedisCache } from '../adapters/cache/redis'
import { addTelemetryReadings } from '../composition/metric-readings'
import { createMetrics } from '../metrics/metrics'
import { spanKinds, startOtlpCollector } from '../../test/doubles/otlp-collector'
import { startHttpServer, sendJson } from '../../test/doubles/http-server'
import { openTelemetry, type Telemetry, type TelemetryOptions } from './telemetry'

const redisUrl = process.env.TEST_REDIS_URL
const target = {
  headers: {},
  resourceAttributes: { 'service.name': 'trunkline' },
  sampler: { name: 'parentbased_always_on', ratio: 1 },
  timeoutMs: 10_000,
  tracedUrls: [],
  version: '1.2.3',
} satisfies Partial<TelemetryOptions>

let collector: Awaited<ReturnType<typeof startOtlpCollector>>
let telemetry: Telemetry
let warnings: string[]
const open = async (options: Partial<TelemetryOptions> = {}) => {
  telemetry = await openTelemetry({
    ...target,
    url: `${collector.url}/v1/traces`,
    warn: (message) => void warnings.push(message),
    ...options,
  })
}
beforeEach(async () => {
  warnings = []
  collector = await startOtlpCollector()
})
afterEach(async () => {
  await telemetry.close()
  await collector.stop()
})

/** Runs work in a span, sends all spans and returns those below it. */
const collectSpans = async (work: () => Promise<unknown>) => {
  await telemetry.runTask('test', async () => {
    await work()
  })
  await telemetry.close()
  const root = collector.spans.find(({ name }) => name === 'job test')
  return { root, spans: collector.spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId) }
}

describe('background jobs', () => {
  it('are spans with the error of a failed task', async () => {
    await open()
    await expect(telemetry.runTask('pruning', () => Promise.reject(new RangeError('secret')))).rejects.toThrow('secret')
    await telemetry.close()
    expect(collector.spans).toMatchObject([
      {
        name: 'job pruning',
        kind: spanKinds.internal,
        attributes: { 'trunkline.job': 'pruning', 'error.type': 'RangeError' },
        status: { code: 2 },
        resource: { 'service.name': 'trunkline', 'service.version': '1.2.3' },
      },
    ])
    expect(JSON.stringify(collector.spans)).not.toContain('secret')
  })
})

describe('statements of the database', () => {
  it('are spans of the job or request that they belong to, with their time and without values', async () => {
    await open()
    const text = 'select "name" from "accounts" where "account_sid" = ?'
    const { spans } = await collectSpans(async () =>
      telemetry.observeStatement({
        text,
        engine: 'sqlite',
        durationMs: 250,
        error: Object.assign(new Error('value 4711'), { code: 'SQLITE_BUSY' }),
      }),
    )
    expect(spans).toMatchObject([
      {
        name: 'select accounts',
        kind: spanKinds.client,
        attributes: {
          'db.system.name': 'sqlite',
          'db.query.text': text,
          'db.operation.name': 'select',
          'db.collection.name': 'accounts',
          'error.type': 'SQLITE_BUSY',
        },
      },
    ])
    const [span] = spans
    expect(BigInt(span!.endTimeUnixNano) - BigInt(span!.startTimeUnixNano)).toBeGreaterThanOrEqual(249_000_000n)
    expect(JSON.stringify(spans)).not.toContain('4711')
  })

  it('are no spans outside of requests and jobs', async () => {
    await open()
    telemetry.observeStatement({ text: 'select 1', engine: 'sqlite', durationMs: 1 })
    await telemetry.close()
    expect(collector.spans).toEqual([])
  })
})

describe('outgoing requests', () => {
  it.each(['fetch', 'http'] as const)('of %s are spans without the path, and without headers', async (client) => {
    await open()
    const server = await startHttpServer((_, response) => sendJson(response, 503, {}))
    const url = `${server.address}/secret-path?token=secret-token`
    const headers = { authorization: 'Bearer secret-header' }
    const { spans } = await collectSpans(async () => {
      if (client === 'fetch') return (await fetch(url, { headers })).text()
      return new Promise((resolve, reject) => {
        httpRequest(url, { headers }, (response) => response.resume().on('close', resolve))
          .on('error', reject)
          .end()
      })
    })
    await server.stop()
    expect(spans).toMatchObject([
      {
        name: 'GET',
        kind: spanKinds.client,
        attributes: {
          'http.request.method': 'GET',
          'url.scheme': 'http',
          'server.address': '127.0.0.1',
          'server.port': Number(new URL(server.address).port),
          'http.response.status_code': 503,
          'error.type': '503',
        },
      },
    ])
    expect(JSON.stringify(spans)).not.toContain('secret')
  })

  it.each(['fetch', 'http'] as const)('of %s that fail have the code of the error', async (client) => {
    await open()
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const { spans } = await collectSpans(async () => {
      if (client === 'fetch') return fetch(`http://127.0.0.1:${port}`).catch(() => undefined)
      return new Promise((resolve) =>
        httpRequest({ port, host: '127.0.0.1' })
          .on('error', () => undefined)
          .on('close', resolve)
          .end(),
      )
    })
    expect(spans).toMatchObject([{ attributes: { 'error.type': 'ECONNREFUSED', 'server.port': port } }])
  })

  /** Sends a request in a job to a server that may be one of the settings. Returns its headers and the span. */
  const sendTraced = async (client: 'fetch' | 'http', isConfigured: boolean) => {
    const received: IncomingHttpHeaders[] = []
    const server = await startHttpServer(({ headers }, response) => {
      received.push(headers)
      sendJson(response, 200, {})
    })
    await open({ tracedUrls: isConfigured ? [`${server.address}/database`] : ['http://127.0.0.1:1'] })
    const { spans } = await collectSpans(async () => {
      if (client === 'fetch') return (await fetch(server.address)).text()
      return new Promise((resolve, reject) => {
        httpRequest(server.address, (response) => response.resume().on('close', resolve))
          .on('error', reject)
          .end()
      })
    })
    await server.stop()
    return { headers: received[0]!, span: spans[0]! }
  }

  // Node 20 publishes requests of node:http too late for a header.
  const tracedClients = ['fetch', ...(process.versions.node.startsWith('20.') ? [] : ['http'])] as ('fetch' | 'http')[]
  it.each(tracedClients)('of %s to a service of the settings continue the trace', async (client) => {
    const { headers, span } = await sendTraced(client, true)
    expect(headers.traceparent).toBe(`00-${span.traceId}-${span.spanId}-01`)
  })

  it.each(['fetch', 'http'] as const)('of %s to other servers have no header of a trace', async (client) => {
    const { headers, span } = await sendTraced(client, false)
    expect(span.attributes['server.address']).toBe('127.0.0.1')
    expect(headers).not.toHaveProperty('traceparent')
  })

  it('to the collector itself are no spans', async () => {
    await open()
    await telemetry.runTask('test', () => Promise.resolve())
    await telemetry.close()
    expect(collector.spans.map(({ name }) => name)).toEqual(['job test'])
  })
})

describe.skipIf(!redisUrl)('commands to Redis', () => {
  it('are spans without keys and values', async () => {
    await open()
    const cache = createRedisCache(redisUrl!)
    const { spans } = await collectSpans(() => cache.set('secret-key', 'secret-value', 1))
    await cache.close()
    expect(spans.filter(({ name }) => name === 'SET')).toMatchObject([
      { kind: spanKinds.client, attributes: { 'db.system.name': 'redis', 'db.operation.name': 'SET' } },
    ])
    expect(JSON.stringify(spans)).not.toContain('secret')
  })
})

describe('the sampler', () => {
  it.each([
    ['always_off', 1, 0],
    ['traceidratio', 0, 0],
    ['traceidratio', 1, 20],
    ['parentbased_traceidratio', 0, 0],
    ['parentbased_always_off', 1, 0],
    ['always_on', 0, 20],
  ] as const)('%s with the ratio %d records %d of 20 jobs', async (name, ratio, expected) => {
    await open({ sampler: { name, ratio } })
    for (let index = 0; index < 20; index += 1) await telemetry.runTask('test', () => Promise.resolve())
    await telemetry.close()
    expect(collector.spans).toHaveLength(expected)
  })
})

describe('a collector that does not accept spans', () => {
  const runTasks = async (count: number) => {
    for (let index = 0; index < count; index += 1) await telemetry.runTask('test', () => Promise.resolve())
  }

  it('loses spans that are counted, with one message', async () => {
    await open()
    collector.behave(401)
    await runTasks(600)
    await expect.poll(() => telemetry.counts.dropped, { timeout: 10_000 }).toBe(512)
    await telemetry.close()
    expect(telemetry.counts).toEqual({ sent: 0, dropped: 600 })
    const metrics = createMetrics('1.2.3')
    addTelemetryReadings(metrics, telemetry)
    expect(await metrics.format()).toContain('trunkline_spans_dropped_total 600\n')
    expect(warnings).toEqual(['512 spans could not be sent to the OpenTelemetry collector: Unauthorized, 401'])
  })

  it('cannot fill the memory if it hangs', async () => {
    await open()
    collector.behave('hang')
    // 512 are being sent, and 2048 wait.
    await runTasks(3000)
    await expect.poll(() => telemetry.counts.dropped, { timeout: 10_000 }).toBe(3000 - 512 - 2048)
    expect(warnings).toEqual(['1 spans could not be sent to the OpenTelemetry collector: too many are waiting'])
  })

  it('gets spans again once it has recovered', async () => {
    // on a busy machine, a response takes more than the 100 ms of the other tests
    await open({ timeoutMs: 1000 })
    collector.behave('hang')
    await runTasks(512)
    await expect.poll(() => telemetry.counts.dropped, { timeout: 10_000 }).toBe(512)
    collector.behave('accept')
    await runTasks(512)
    await expect.poll(() => telemetry.counts.sent, { timeout: 10_000 }).toBe(512)
  })
})
