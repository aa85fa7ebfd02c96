import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildApp } from '../composition/app'
import { readConfig } from '../config/config'
import { createMetrics, listenForMetrics, type Metrics } from './metrics'
import { createRegistry } from './registry'

describe('the text format', () => {
  it('has cumulative buckets, and escapes labels', async () => {
    const registry = createRegistry()
    const observe = registry.createHistogram('duration_seconds', 'Durations.', [0.1, 1])
    for (const seconds of [0.05, 0.5, 0.1, 7]) observe(seconds, { route: 'a"b\\c\nd' })
    const count = registry.createCounter('failures_total', 'Failures.')
    count()
    count({}, 2)
    registry.addReading('broken', 'gauge', 'Fails.', () => Promise.reject(new Error('no value')))
    expect(await registry.format()).toBe(
      [
        '# HELP duration_seconds Durations.',
        '# TYPE duration_seconds histogram',
        String.raw`duration_seconds_bucket{route="a\"b\\c\nd",le="0.1"} 2`,
        String.raw`duration_seconds_bucket{route="a\"b\\c\nd",le="1"} 3`,
        String.raw`duration_seconds_bucket{route="a\"b\\c\nd",le="+Inf"} 4`,
        String.raw`duration_seconds_sum{route="a\"b\\c\nd"} 7.65`,
        String.raw`duration_seconds_count{route="a\"b\\c\nd"} 4`,
        '# HELP failures_total Failures.',
        '# TYPE failures_total counter',
        'failures_total 3',
        '',
      ].join('\n'),
    )
  })
})

describe('the metrics of a server', () => {
  let metrics: Metrics
  let app: Awaited<ReturnType<typeof buildApp>>
  beforeEach(async () => {
    metrics = createMetrics('1.2.3')
    const config = readConfig({ API_BASE_URL: 'https://api.example.com/v1', LOG_LEVEL: 'silent' })
    app = await buildApp({ config, consoleFolder: '/none', version: '1.2.3', metrics })
  })
  afterEach(() => app.close())

  it('count requests by route, never by their path', async () => {
    await app.inject('/livez')
    await app.inject('/livez?secret=1')
    await app.inject('/v1/Accounts/5d2fbd1e-8c5b-4f9a-9f51-4a1d6e5a0b11')
    const text = await metrics.format()
    expect(text).toMatch(/_seconds_count{listener="main",method="GET",route="\/livez",status="2xx"} 2\n/)
    expect(text).toMatch(/_seconds_count{listener="main",method="GET",route="none",status="4xx"} 1\n/)
    expect(text).not.toMatch(/secret|5d2fbd1e/)
    expect(text).toContain(`trunkline_info{version="1.2.3",node="${process.version}"} 1\n`)
    expect(text).toContain('trunkline_http_requests_in_progress 0\n')
  })

  it('include statements of the database, jobs and dropped captures', async () => {
    metrics.observeStatement(3, false)
    metrics.observeStatement(30_000, true)
    metrics.countJobFailure('pruning')
    metrics.observeTask('pruning', 2000, true)
    metrics.observeTask('billing', 50, false)
    metrics.countDroppedCaptures('wrongKey', 2)
    metrics.countDroppedCaptures('wrongKey', 1)
    const text = await metrics.format()
    expect(text).toContain('trunkline_database_statement_duration_seconds_bucket{le="0.005"} 1\n')
    expect(text).toContain('trunkline_database_statement_duration_seconds_count 2\n')
    expect(text).toContain('trunkline_database_statement_errors_total 1\n')
    expect(text).toContain('trunkline_job_failures_total{task="pruning"} 1\n')
    expect(text).toContain('trunkline_job_duration_seconds_sum{task="pruning"} 2\n')
    expect(text).toContain('trunkline_job_duration_seconds_bucket{task="billing",le="0.1"} 1\n')
    // Only a success has a time.
    expect(text.match(/trunkline_job_last_success_timestamp_seconds{task="\w+"} \d+/g)).toEqual([
      expect.stringMatching(/^trunkline_job_last_success_timestamp_seconds{task="billing"} 1\d{9}/),
    ])
    expect(text).toContain('trunkline_captures_dropped_total{reason="wrongKey"} 3\n')
  })

  it('are served at /metrics of their own port only', async () => {
    const server = await listenForMetrics(metrics, 0, '127.0.0.1')
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const response = await fetch(`${url}/metrics`)
      expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0.0.4/)
      expect(await response.text()).toContain('process_resident_memory_bytes ')
      expect((await fetch(`${url}/`)).status).toBe(404)
      expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404)
      expect((await app.inject('/metrics')).statusCode).toBe(404)
    } finally {
      server.close()
    }
  })
})
