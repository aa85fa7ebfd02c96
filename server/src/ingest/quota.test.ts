import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import type { Problem } from '../http/problem'
import { buildIngestApp } from '../composition/ingest-app'
import { readConfig } from '../config/config'
import type { Writer } from './writer'
import { createIngestQuota } from './quota'

const providerSid = 'provider'
const acme: Writer = { service_provider_sid: providerSid, account_sid: 'acme' }
const bolt: Writer = { service_provider_sid: providerSid, account_sid: 'bolt' }

describe('a quota', () => {
  let now = 0
  const createQuota = () => createIngestQuota({ points: 60, spans: 0, bytes: 0 }, () => now)
  /** Returns the problem that an action throws. */
  const catchProblem = (action: () => void): Problem | undefined => {
    try {
      action()
    } catch (error) {
      return error as Problem
    }
    return undefined
  }

  it('counts each tenant separately, and refills evenly', () => {
    const tenantQuota = createQuota()
    tenantQuota.check(acme)
    tenantQuota.spend(acme, { points: 75, spans: 1_000_000 })
    expect(catchProblem(() => tenantQuota.check(acme))).toMatchObject({
      status: 429,
      body: { msg: 'Too many call records and alerts: this tenant may send 60 in a minute. Send again in 16 seconds.' },
      headers: { 'retry-after': '16' },
    })
    expect(catchProblem(() => tenantQuota.check(bolt))).toBeUndefined()
    expect(
      catchProblem(() => tenantQuota.check({ service_provider_sid: providerSid, account_sid: null })),
    ).toBeUndefined()
    now += 16_000
    expect(catchProblem(() => tenantQuota.check(acme))).toBeUndefined()
  })

  it('does not count the platform, and never exceeds the amount of one minute', () => {
    const tenantQuota = createQuota()
    tenantQuota.spend({ all: true }, { points: 1_000_000 })
    expect(catchProblem(() => tenantQuota.check({ all: true }))).toBeUndefined()
    tenantQuota.check(acme)
    now += 3_600_000
    tenantQuota.spend(acme, { points: 60 })
    expect(catchProblem(() => tenantQuota.check(acme))).toBeDefined()
  })
})

describe('the ingest routes', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({
      config: {
        ingest: { acceptsApiKeys: true, host: '127.0.0.1' },
        ingestQuotas: { points: 2, spans: 1, bytes: 0 },
      },
    })
  })
  afterAll(() => backend.close())

  const formatPoint = () => `cdrs,account_sid=${backend.testData.acme.account} from="1"`
  const write = (key: string, app = backend.app) =>
    app.inject({
      method: 'POST',
      url: '/write?db=cdrs',
      headers: { authorization: `Bearer ${key}` },
      payload: `${formatPoint()}\n${formatPoint()}`,
    })
  const sendTrace = (key: string) =>
    backend.app.inject({
      method: 'POST',
      url: '/v1/traces',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: {
        resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x' }] }] }],
      },
    })

  it("respond with 429 in InfluxDB's format", async () => {
    const { keys } = backend.testData
    expect((await write(keys.acme)).statusCode).toBe(204)
    const response = await write(keys.acme)
    expect(response.statusCode).toBe(429)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(response.json()).toEqual({ error: response.headers['x-influxdb-error'] })
    expect(response.json<{ error: string }>().error).toContain('this tenant may send 2 in a minute')
    expect((await write(keys.north)).statusCode).toBe(204)
  })

  it("respond with 429 in OpenTelemetry's format", async () => {
    const { keys } = backend.testData
    expect((await sendTrace(keys.bolt)).statusCode).toBe(200)
    const response = await sendTrace(keys.bolt)
    expect(response.statusCode).toBe(429)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(response.json()).toEqual({ code: 8, message: expect.stringContaining('Too many spans') })
  })

  it("have no quota for an administrator's key and on the port without keys", async () => {
    const { keys } = backend.testData
    const ingestApp = await buildIngestApp({
      config: { ...readConfig({}), ingestQuotas: { points: 2, spans: 1, bytes: 0 }, logLevel: 'silent' },
      services: backend.services,
      consoleFolder: '',
      version: '0.0.0',
    })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await write(keys.admin)).statusCode).toBe(204)
      expect((await write(keys.acme, ingestApp)).statusCode).toBe(204)
    }
    await ingestApp.close()
  })
})
