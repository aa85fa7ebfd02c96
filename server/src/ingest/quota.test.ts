import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import type { Problem } from '../http/problem'
import { buildIngest } from '../app'
import { readConfig } from '../config/config'
import type { Writer } from './writer'
import { ingestQuota } from './quota'

const provider = 'provider'
const acme: Writer = { service_provider_sid: provider, account_sid: 'acme' }
const bolt: Writer = { service_provider_sid: provider, account_sid: 'bolt' }

describe('a quota', () => {
  let now = 0
  const quota = () => ingestQuota({ points: 60, spans: 0, bytes: 0 }, () => now)
  const refusal = (run: () => void): Problem | undefined => {
    try {
      run()
    } catch (error) {
      return error as Problem
    }
    return undefined
  }

  it('is used up by one tenant alone, and refills evenly', () => {
    const tenantQuota = quota()
    tenantQuota.check(acme)
    tenantQuota.spend(acme, { points: 75, spans: 1_000_000 })
    expect(refusal(() => tenantQuota.check(acme))).toMatchObject({
      status: 429,
      body: { msg: 'Too many call records and alerts: this tenant may send 60 in a minute. Send again in 16 seconds.' },
      headers: { 'retry-after': '16' },
    })
    expect(refusal(() => tenantQuota.check(bolt))).toBeUndefined()
    expect(refusal(() => tenantQuota.check({ service_provider_sid: provider, account_sid: null }))).toBeUndefined()
    now += 16_000
    expect(refusal(() => tenantQuota.check(acme))).toBeUndefined()
  })

  it('does not count the platform, and never grows beyond a minute', () => {
    const tenantQuota = quota()
    tenantQuota.spend({ all: true }, { points: 1_000_000 })
    expect(refusal(() => tenantQuota.check({ all: true }))).toBeUndefined()
    tenantQuota.check(acme)
    now += 3_600_000
    tenantQuota.spend(acme, { points: 60 })
    expect(refusal(() => tenantQuota.check(acme))).toBeDefined()
  })
})

describe('the ingest routes', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({
      config: {
        ingest: { byKey: true, host: '127.0.0.1' },
        ingestQuotas: { points: 2, spans: 1, bytes: 0 },
      },
    })
  })
  afterAll(() => backend.close())

  const point = () => `cdrs,account_sid=${backend.world.acme.account} from="1"`
  const write = (key: string, app = backend.app) =>
    app.inject({
      method: 'POST',
      url: '/write?db=cdrs',
      headers: { authorization: `Bearer ${key}` },
      payload: `${point()}\n${point()}`,
    })
  const trace = (key: string) =>
    backend.app.inject({
      method: 'POST',
      url: '/v1/traces',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: {
        resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x' }] }] }],
      },
    })

  it("respond with 429 in InfluxDB's format", async () => {
    const { keys } = backend.world
    expect((await write(keys.acme)).statusCode).toBe(204)
    const refused = await write(keys.acme)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json()).toEqual({ error: refused.headers['x-influxdb-error'] })
    expect(refused.json<{ error: string }>().error).toContain('this tenant may send 2 in a minute')
    expect((await write(keys.north)).statusCode).toBe(204)
  })

  it("respond with 429 in OpenTelemetry's format", async () => {
    const { keys } = backend.world
    expect((await trace(keys.bolt)).statusCode).toBe(200)
    const refused = await trace(keys.bolt)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json()).toEqual({ code: 8, message: expect.stringContaining('Too many spans') })
  })

  it('have no quota for an administrator’s key and on the port without keys', async () => {
    const { keys } = backend.world
    const keyless = await buildIngest({
      config: { ...readConfig({}), ingestQuotas: { points: 2, spans: 1, bytes: 0 }, logLevel: 'silent' },
      services: backend.services,
      consoleFolder: '',
      version: '0.0.0',
    })
    for (let item = 0; item < 3; item += 1) {
      expect((await write(keys.admin)).statusCode).toBe(204)
      expect((await write(keys.acme, keyless)).statusCode).toBe(204)
    }
    await keyless.close()
  })
})
