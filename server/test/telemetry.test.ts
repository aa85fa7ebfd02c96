import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { spanKinds, startOtlpCollector } from './doubles/otlp-collector'
import { bundleServer, createTemporaryFolder, killAllServers, startProcess } from './process'

const { folder, remove } = createTemporaryFolder()
beforeAll(bundleServer)
afterAll(() => {
  killAllServers()
  remove()
})

const slowTests = { timeout: 60_000 }
const password = 'correct-horse-battery'
let folderCount = 0
const startServer = (settings: Record<string, string>) => {
  const dataFolder = join(folder, `data-${++folderCount}`)
  mkdirSync(dataFolder)
  return startProcess({
    DATA_DIR: dataFolder,
    JWT_SECRET: 'a secret of some length',
    ENCRYPTION_SECRET: 'another secret of some length',
    INITIAL_ADMIN_PASSWORD: password,
    ...settings,
  })
}

const startCollector = async () => {
  const collector = await startOtlpCollector()
  onTestFinished(() => collector.stop())
  return collector
}

const signIn = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ username: 'admin', password }),
  })

const stop = async (server: ReturnType<typeof startProcess>) => {
  server.kill('SIGTERM')
  return server.exitStatus
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpanId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${callerSpanId}-01`

describe('a server with a collector', slowTests, () => {
  it('sends the spans of a request with its statements, as part of the trace of its caller', async () => {
    const collector = await startCollector()
    const server = startServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
    const response = await signIn(await server.ready, { traceparent })
    expect(response.status).toBe(200)
    const { token } = (await response.json()) as { token: string }
    // The spans are not due yet, so they are sent because the server stops.
    expect(await stop(server)).toBe(0)
    expect(server.stderr()).toBe('')

    expect(collector.requestHeaders.every(({ authorization }) => authorization === 'Bearer collector-token')).toBe(true)
    const requestSpan = collector.spans.find(({ kind }) => kind === spanKinds.server)!
    expect(requestSpan).toMatchObject({
      name: 'POST /v1/login',
      traceId,
      parentSpanId: callerSpanId,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/login',
        'url.path': '/v1/login',
        'url.scheme': 'http',
        'http.response.status_code': 200,
        'trunkline.listener': 'main',
      },
      resource: { 'service.name': 'trunkline', 'deployment.environment.name': 'test' },
    })
    const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === requestSpan.spanId)
    expect(statements.map(({ name }) => name)).toContain('select users')
    for (const statement of statements) expect(statement).toMatchObject({ traceId, kind: spanKinds.client })

    // The line of the log has the IDs of the span.
    const line = server
      .stdout()
      .split('\n')
      .find((text) => text.includes('/v1/login'))!
    expect(JSON.parse(line)).toMatchObject({
      trace_id: traceId,
      span_id: requestSpan.spanId,
      reqId: requestSpan.attributes['trunkline.request_id'],
    })

    const text = JSON.stringify(collector.spans)
    for (const secret of [password, token, 'collector-token', 'a secret of']) expect(text).not.toContain(secret)
    // The values of the statements: the name of the user is one of them.
    expect(statements.some(({ attributes }) => String(attributes['db.query.text']).includes('?'))).toBe(true)
    expect(JSON.stringify(statements)).not.toMatch(/"admin"/)
  })

  it('sends the spans of background jobs with their statements', async () => {
    const collector = await startCollector()
    const server = startServer({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` })
    await server.ready
    expect(await stop(server)).toBe(0)
    const jobs = collector.spans.filter(({ name }) => name === 'job pruning')
    expect(jobs.length).toBeGreaterThan(0)
    for (const { kind, parentSpanId } of jobs) expect([kind, parentSpanId ?? '']).toEqual([spanKinds.internal, ''])
    const statements = collector.spans.filter(({ parentSpanId }) => jobs.some(({ spanId }) => spanId === parentSpanId))
    expect(statements.length).toBeGreaterThan(0)
  })

  it('describes requests without values of the URL, and failed ones by their status', async () => {
    const collector = await startCollector()
    const server = startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'console' })
    const url = await server.ready
    await fetch(`${url}/livez?secret=1`)
    await fetch(`${url}/unknown/secret`)
    await fetch(`${url}/v1/Accounts/secret@example.com`)
    expect(await stop(server)).toBe(0)
    const spans = collector.spans.filter(({ kind }) => kind === spanKinds.server)
    expect(spans.map(({ name, attributes }) => [name, attributes['url.path']])).toEqual([
      ['GET /livez', '/livez'],
      ['GET', undefined],
      ['GET /v1/Accounts/:account_sid', '/v1/Accounts/:account_sid'],
    ])
    expect(spans.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([200, 404, 401])
    expect(spans[0]!.resource['service.name']).toBe('console')
    expect(JSON.stringify(collector.spans)).not.toContain('secret')
  })

  it.each([
    ['fails', 500],
    ['does not respond', 'hang'],
  ] as const)('responds to requests and stops if the collector %s', async (_, behaviour) => {
    const collector = await startCollector()
    collector.behave(behaviour)
    const server = startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'warn', METRICS_PORT: '0' })
    const url = await server.ready
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${url}/readyz`)).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await signIn(url)).status).toBe(200)
    expect(await stop(server)).toBe(0)
    expect(server.stderr()).not.toContain('SHUTDOWN_TIMEOUT')
    expect(server.stderr().split('\n').filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  it('records nothing with OTEL_SDK_DISABLED', async () => {
    const collector = await startCollector()
    const server = startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' })
    await signIn(await server.ready, { traceparent })
    expect(await stop(server)).toBe(0)
    expect(collector.requestHeaders).toEqual([])
    expect(server.stdout()).not.toContain('trace_id')
  })
})
