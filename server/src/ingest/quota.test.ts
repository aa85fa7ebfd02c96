import { request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import type { Problem } from '../http/problem'
import { buildIngestApp } from '../composition/ingest-app'
import { readConfig } from '../config/config'
import type { Writer } from './writer'
import { createIngestQuota, type IngestQuota, type IngestQuotas } from './quota'

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

  /** Sends a complete request with these points. */
  const send = (quota: IngestQuota, writer: Writer, points: number) =>
    quota.reserve(writer, { points: 0 }).settle({ points })
  const findRefusal = (quota: IngestQuota, writer: Writer) => catchProblem(() => send(quota, writer, 0))

  it('counts each tenant separately, and refills evenly', () => {
    const tenantQuota = createQuota()
    tenantQuota.reserve(acme, { points: 0, spans: 0 }).settle({ points: 75, spans: 1_000_000 })
    expect(findRefusal(tenantQuota, acme)).toMatchObject({
      status: 429,
      body: { msg: 'Too many call records and alerts: this tenant may send 60 in a minute. Send again in 16 seconds.' },
      headers: { 'retry-after': '16' },
    })
    expect(findRefusal(tenantQuota, bolt)).toBeUndefined()
    expect(findRefusal(tenantQuota, { service_provider_sid: providerSid, account_sid: null })).toBeUndefined()
    now += 16_000
    expect(findRefusal(tenantQuota, acme)).toBeUndefined()
  })

  it('does not count the platform, and never exceeds the amount of one minute', () => {
    const tenantQuota = createQuota()
    send(tenantQuota, { all: true }, 1_000_000)
    expect(findRefusal(tenantQuota, { all: true })).toBeUndefined()
    send(tenantQuota, acme, 0)
    now += 3_600_000
    send(tenantQuota, acme, 60)
    expect(findRefusal(tenantQuota, acme)).toBeDefined()
  })

  it('refuses requests while unfinished ones have reserved the rest', () => {
    const tenantQuota = createQuota()
    const firstReservation = tenantQuota.reserve(acme, { points: 59 })
    const secondReservation = tenantQuota.reserve(acme, { points: 10 })
    expect(findRefusal(tenantQuota, acme)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(findRefusal(tenantQuota, bolt)).toBeUndefined()
    secondReservation.release()
    expect(findRefusal(tenantQuota, acme)).toBeUndefined()
    // A request may exceed the quota itself, but not what others have left.
    firstReservation.add({ points: 100 })
    expect(findRefusal(tenantQuota, acme)).toMatchObject({ headers: { 'retry-after': '1' } })
    firstReservation.settle({ points: 70 })
    firstReservation.release()
    expect(findRefusal(tenantQuota, acme)).toMatchObject({ headers: { 'retry-after': '11' } })
    expect(catchProblem(() => secondReservation.add({ points: 1 }))).toMatchObject({ status: 429 })
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

  it('accept spans of a tenant that has used up its quota of points, and the reverse', async () => {
    const { keys } = backend.testData
    await write(keys.acme)
    expect((await write(keys.acme)).statusCode).toBe(429)
    expect((await sendTrace(keys.acme)).statusCode).toBe(200)
    await sendTrace(keys.bolt)
    expect((await sendTrace(keys.bolt)).statusCode).toBe(429)
    const response = await backend.app.inject({
      method: 'POST',
      url: '/write?db=cdrs',
      headers: { authorization: `Bearer ${keys.bolt}` },
      payload: `cdrs,account_sid=${backend.testData.bolt.account} from="1"`,
    })
    expect(response.statusCode).toBe(204)
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

describe('parallel requests of a tenant', () => {
  const createBackend = (ingestQuotas: IngestQuotas) =>
    startBackend({ config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' }, ingestQuotas } })
  const listStatuses = async (requests: Promise<{ statusCode: number }>[]) =>
    (await Promise.all(requests)).map(({ statusCode }) => statusCode).toSorted()
  const createWrite = ({ app, testData }: Backend, lineCount: number) => {
    const lines = `cdrs,account_sid=${testData.accounts.acme} from="1"\n`.repeat(lineCount)
    return (headers: Record<string, string> = {}, payload: string | Buffer = lines) =>
      app.inject({
        method: 'POST',
        url: '/write?db=cdrs',
        headers: { authorization: `Bearer ${testData.keys.acme}`, ...headers },
        payload,
      })
  }

  it('cannot exceed the quota of points by more than one body', async () => {
    const backend = await createBackend({ points: 1000, spans: 0, bytes: 0 })
    const write = createWrite(backend, 2500)
    const statuses = await listStatuses(Array.from({ length: 4 }, () => write()))
    expect(statuses).toEqual([204, 429, 429, 429])
    await backend.close()
  })

  it('cannot exceed the quota of spans by more than one body', async () => {
    const backend = await createBackend({ points: 0, spans: 2, bytes: 0 })
    const spans = ['b', 'c', 'd'].map((digit) => ({
      traceId: 'a'.repeat(32),
      spanId: digit.repeat(16),
      name: 'x',
    }))
    const sendTrace = () =>
      backend.app.inject({
        method: 'POST',
        url: '/v1/traces',
        headers: { authorization: `Bearer ${backend.testData.keys.acme}`, 'content-type': 'application/json' },
        payload: { resourceSpans: [{ scopeSpans: [{ spans }] }] },
      })
    expect(await listStatuses([sendTrace(), sendTrace(), sendTrace()])).toEqual([200, 429, 429])
    await backend.close()
  })

  it('reserve the bytes of their bodies before these are read', async () => {
    const backend = await createBackend({ points: 0, spans: 0, bytes: 1000 })
    const write = createWrite(backend, 20)
    expect(await listStatuses([write(), write(), write()])).toEqual([204, 429, 429])
    await backend.close()
  })

  it('release the reserved bytes when a body is refused, and count decompressed bytes', async () => {
    const backend = await createBackend({ points: 0, spans: 0, bytes: 1000 })
    const write = createWrite(backend, 20)
    expect(await write({ 'content-encoding': 'gzip' }, 'not gzip')).toMatchObject({ statusCode: 400 })
    expect(await write({ 'content-encoding': 'br' })).toMatchObject({ statusCode: 415 })
    const gzip = gzipSync(`cdrs,account_sid=${backend.testData.accounts.acme} from="1"\n`.repeat(20))
    expect(gzip.length).toBeLessThan(500)
    expect(await write({ 'content-encoding': 'gzip' }, gzip)).toMatchObject({ statusCode: 204 })
    expect(await write()).toMatchObject({ statusCode: 429 })
    await backend.close()
  })

  it('release the reserved bytes when the client leaves', async () => {
    const backend = await createBackend({ points: 0, spans: 0, bytes: 1000 })
    await backend.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = backend.app.server.address() as AddressInfo
    const upload = sendRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/write?db=cdrs',
      headers: { authorization: `Bearer ${backend.testData.keys.acme}`, 'content-length': '5000' },
    })
    upload.on('error', () => undefined)
    upload.write('cdrs')
    const write = createWrite(backend, 1)
    await expect.poll(async () => (await write()).statusCode).toBe(429)
    upload.destroy()
    await expect.poll(async () => (await write()).statusCode).toBe(204)
    await backend.close()
  })
})
