import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import timeSeries from '@jambonz/time-series'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { apiClient, tokenFor } from '../../test/speak'
import { buildIngest } from '../app'
import { readConfig } from '../config/config'
import type { CallHistory } from '../ports/call-history'
import { StorageFullError } from '../ports/service-errors'

type ActorName = 'admin' | 'north' | 'south' | 'acme' | 'bolt' | 'corp'

describe.each(engines)('the routes for call records (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { ingest: { byKey: true, host: '127.0.0.1' } } })
  })
  afterAll(() => backend.close())

  interface Sent {
    db?: string
    precision?: string
    headers?: Record<string, string>
  }
  const send = async (lines: string | Buffer, { db = 'cdrs', precision, headers = {} }: Sent = {}) => {
    const query = new URLSearchParams({ db, ...(precision ? { precision } : {}) })
    const response = await backend.app.inject({
      method: 'POST',
      url: `/write?${query.toString()}`,
      headers,
      payload: lines,
    })
    return {
      status: response.statusCode,
      error: response.body === '' ? undefined : response.json<{ error: string }>().error,
    }
  }
  const as = (actorName: ActorName) => ({
    authorization: `Basic ${Buffer.from(`any:${backend.world.keys[actorName]}`).toString('base64')}`,
  })
  const write = (actorName: ActorName, lines: string, overrides: Sent = {}) =>
    send(lines, { ...overrides, headers: as(actorName) })
  const line = (tags: Record<string, string>, from: string, time = `${Date.now()}000000`) =>
    `cdrs${Object.entries(tags)
      .map(([name, value]) => `,${name}=${value}`)
      .join('')},direction=inbound,answered=true from="${from}",to="1",sip_callid="${randomUUID()}" ${time}`
  const read = async (path: string) =>
    (await apiClient(backend.app, backend.world.keys.admin)('GET', `${path}?page=1&count=100`)).body
  const readRecords = async (account: string, from: string) =>
    (await read(`/Accounts/${account}/RecentCalls`)).data.filter((row: { from: string }) => row.from === from)

  it('require an API key, in every format that clients use', async () => {
    const { keys } = backend.world
    const acme = backend.world.acme.account
    const single = (from: string) => line({ account_sid: acme }, from)
    const key = keys.acme
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    for (const authorization of [`Bearer ${key}`, `Token any:${key}`, `Token ${key}`, basic(`root:${key}`)])
      expect(await send(single('key'), { headers: { authorization } })).toEqual({ status: 204 })
    const inQuery = await backend.app.inject({ method: 'POST', url: `/write?db=cdrs&p=${key}`, payload: single('key') })
    expect(inQuery.statusCode).toBe(204)
    expect(await readRecords(acme, 'key')).toHaveLength(5)
    const session = await tokenFor(backend.app, 'acme')
    const invalid = [
      undefined,
      basic('root:root'),
      `Bearer ${randomUUID()}`,
      `Bearer ${session}`,
      'Basic %%%',
      'Bearer',
    ]
    for (const authorization of invalid)
      expect(await send(single('stranger'), { headers: authorization ? { authorization } : {} })).toEqual({
        status: 401,
        error: 'authorization failed: send an API key as the password or as a bearer token',
      })
    expect(await readRecords(acme, 'stranger')).toEqual([])
  })

  it('are disabled by default', async () => {
    const closed = await startBackend({ engine })
    const response = await closed.app.inject({
      method: 'POST',
      url: '/write?db=cdrs',
      headers: { authorization: `Bearer ${closed.world.keys.admin}` },
    })
    expect(response.statusCode).toBe(404)
    expect(response.json<{ error: string }>().error).toMatch(/Set ENABLE_INGEST/)
    await closed.close()
  })

  it("refuse other tenants, and complete the writer's own", async () => {
    const { acme, bolt, corp, providers } = backend.world
    const cases: [ActorName, Record<string, string>, boolean][] = [
      ['acme', {}, true],
      ['acme', { account_sid: acme.account }, true],
      ['acme', { account_sid: 'undefined', service_provider_sid: providers.north }, true],
      ['acme', { account_sid: bolt.account }, false],
      ['acme', { account_sid: acme.account, service_provider_sid: providers.south }, false],
      ['north', { account_sid: bolt.account }, true],
      ['north', {}, true],
      ['north', { account_sid: corp.account }, false],
      ['north', { account_sid: randomUUID() }, false],
      ['north', { service_provider_sid: providers.south }, false],
      ['admin', { account_sid: corp.account }, true],
      ['admin', { account_sid: 'x' }, false],
      ['admin', {}, false],
    ]
    for (const [actorName, tags, good] of cases) {
      const from = randomUUID()
      const { status, error } = await write(actorName, line(tags, from))
      expect({ actorName, tags, status }).toEqual({ actorName, tags, status: good ? 204 : 400 })
      if (!good) expect(error).toMatch(/^partial write: line 1: .* dropped=1$/)
      const all = await Promise.all(
        [acme, bolt, corp].map(async ({ account }) => (await readRecords(account, from)).length as number),
      )
      const below = await Promise.all(
        Object.values(providers).map(async (sid) =>
          (await read(`/ServiceProviders/${sid}/RecentCalls`)).data.filter(
            (row: { from: string }) => row.from === from,
          ),
        ),
      )
      expect(below.flat()).toHaveLength(good ? 1 : 0)
      expect(all.reduce((sum, index) => sum + index, 0)).toBe(
        good && !(actorName === 'north' && !tags.account_sid) ? 1 : 0,
      )
    }
  })

  it('store valid lines and report the others', async () => {
    const { account } = backend.world.acme
    const body = [
      line({}, 'good 1'),
      'cdrs nonsense',
      line({ account_sid: backend.world.bolt.account }, 'bad'),
      line({}, 'good 2'),
    ]
    const { status, error } = await write('acme', body.join('\n'))
    expect(status).toBe(400)
    expect(error).toBe(
      `partial write: unable to parse line 2 'cdrs nonsense': missing field value\nline 3: this key is not allowed to write for account_sid ${backend.world.bolt.account} dropped=1`,
    )
    expect([(await readRecords(account, 'good 1')).length, (await readRecords(account, 'good 2')).length]).toEqual([
      1, 1,
    ])
    expect(await write('acme', 'nothing')).toEqual({
      status: 400,
      error: "unable to parse line 1 'nothing': missing fields",
    })
    const count = await write('acme', Array.from({ length: 30 }, () => 'x').join('\n'))
    expect(count.error?.split('\n')).toHaveLength(11)
    expect(count.error).toMatch(/and 20 more$/)
    expect(await write('acme', '')).toEqual({ status: 204 })
  })

  it('read timestamps in their unit and compressed bodies, and refuse invalid ones', async () => {
    const { account } = backend.world.acme
    const timestamp = Math.floor(Date.now() / 1000)
    expect((await write('acme', line({}, 'seconds', String(timestamp)), { precision: 's' })).status).toBe(204)
    expect((await readRecords(account, 'seconds'))[0].attempted_at).toBe(new Date(timestamp * 1000).toISOString())
    const packed = gzipSync(line({}, 'packed'))
    expect(await send(packed, { headers: { ...as('acme'), 'content-encoding': 'gzip' } })).toEqual({ status: 204 })
    expect(await readRecords(account, 'packed')).toHaveLength(1)
    const encoded = (payload: Buffer, coding = 'gzip') =>
      send(payload, { headers: { ...as('acme'), 'content-encoding': coding } })
    expect(await encoded(Buffer.from('not gzip'))).toEqual({ status: 400, error: 'the body is not gzip' })
    expect((await encoded(gzipSync(Buffer.alloc(11_000_000, 'x')))).status).toBe(413)
    expect((await encoded(Buffer.from('x'), 'br')).status).toBe(415)
    expect((await write('acme', 'x'.repeat(10_500_000))).status).toBe(413)
    expect(await write('acme', line({}, 'x'), { precision: 'weeks' })).toEqual({
      status: 400,
      error: 'invalid precision',
    })
    expect(await write('acme', line({}, 'x'), { db: '' })).toEqual({ status: 400, error: 'database is required' })
    expect(await write('acme', line({}, 'x'), { db: 'call_counts' })).toEqual({
      status: 404,
      error: 'database call_counts is unknown: this server stores cdrs and alerts',
    })
    for (const time of ['-1', '9223372036854775807'])
      expect((await write('acme', line({}, 'x', time))).error).toMatch(/line 1: time outside range/)
    expect((await write('acme', line({ trunk: 'x'.repeat(256) }, 'x'))).error).toMatch(/tag trunk is longer than 255/)
  })

  it('answer the queries that clients send before they write, and no others', async () => {
    const ask = async (q: string, headers: Record<string, string> = as('acme')) => {
      const response = await backend.app.inject({ url: `/query?q=${encodeURIComponent(q)}`, headers })
      return { status: response.statusCode, body: response.json<unknown>() }
    }
    expect(await ask('SHOW DATABASES')).toMatchObject({
      status: 200,
      body: { results: [{ series: [{ name: 'databases', columns: ['name'], values: [['cdrs'], ['alerts']] }] }] },
    })
    expect((await ask('create database "cdrs"')).body).toEqual({ results: [{ statement_id: 0 }] })
    expect((await ask('create database call_counts')).body).toEqual({
      results: [{ statement_id: 0, error: 'database call_counts is unknown: this server stores cdrs and alerts' }],
    })
    expect((await ask('select * from cdrs')).status).toBe(400)
    expect((await ask('show databases', {})).status).toBe(401)
  })

  it('answer pings', async () => {
    const response = await backend.app.inject('/ping')
    expect([response.statusCode, response.headers['x-influxdb-version']]).toEqual([204, '1.8'])
  })
})

describe('the port without keys', () => {
  let backend: Backend
  let app: FastifyInstance
  const parts = () => ({
    config: readConfig({ JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'b', DATA_DIR: '/tmp', LOG_LEVEL: 'silent' }),
    consoleFolder: '/nowhere',
    version: '0',
  })
  beforeAll(async () => {
    backend = await startBackend()
    app = await buildIngest({ ...parts(), services: backend.services })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await app.close()
    await backend.close()
  })

  it("serves the platform's own client library", async () => {
    const { port } = app.server.address() as { port: number }
    const { acme, providers } = backend.world
    const { writeCdrs, writeAlerts, AlertType } = timeSeries({}, { host: '127.0.0.1', port })
    const attempted_at = new Date(Date.now() - 60_000)
    await writeCdrs({
      account_sid: acme.account,
      service_provider_sid: providers.north,
      direction: 'outbound',
      host: '10.0.0.9',
      trunk: 'my carrier, the "best"',
      answered: true,
      attempted_at,
      call_sid: 'c-1',
      from: '+1 555',
      to: 'sip:a@b;x="1"',
      sip_callid: 'abc@host',
      sip_status: 200,
      duration: 12,
      answered_at: Date.now() - 50_000,
      terminated_at: Date.now(),
      termination_reason: 'caller hungup',
    })
    await writeAlerts({
      alert_type: AlertType.WEBHOOK_STATUS_FAILURE,
      service_provider_sid: providers.north,
      account_sid: acme.account,
      url: 'http://foo.bar',
      status: 404,
      detail: 'more, "of" it',
    })
    const ask = apiClient(backend.app, backend.world.keys.acme)
    const calls = await ask('GET', `/Accounts/${acme.account}/RecentCalls?page=1&count=25&days=1`)
    expect(calls.body).toMatchObject({
      total: 1,
      page: '1',
      page_size: '25',
      data: [
        {
          attempted_at: attempted_at.toISOString(),
          answered: true,
          direction: 'outbound',
          trunk: 'my carrier, the "best"',
          to: 'sip:a@b;x="1"',
          sip_status: 200,
          duration: 12,
        },
      ],
    })
    const alerts = await ask('GET', `/Accounts/${acme.account}/Alerts?page=1&count=25&days=1`)
    expect(alerts.body).toMatchObject({
      total: 1,
      data: [{ alert_type: 'webhook-failure', message: 'http://foo.bar returned 404', detail: 'more, "of" it' }],
    })
  })
})

describe('a full disk', () => {
  it('is reported to the writer each time, and logged once at its start and once at its end', async () => {
    let full = true
    const history = {
      write: () => (full ? Promise.reject(new StorageFullError('its disk is full')) : Promise.resolve()),
    } as unknown as CallHistory
    const backend = await startBackend({
      config: { ingest: { byKey: true, host: '127.0.0.1' } },
      outside: { callHistory: history },
    })
    const write = () =>
      backend.app.inject({
        method: 'POST',
        url: '/write?db=cdrs',
        headers: { authorization: `Bearer ${backend.world.keys.acme}` },
        payload: 'cdrs f=1',
      })
    for (let time = 0; time < 3; time += 1) {
      const { statusCode, headers, body } = await write()
      expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([503, '5', { error: 'its disk is full' }])
    }
    full = false
    expect((await write()).statusCode).toBe(204)
    expect(backend.log().match(/New call records and alerts are refused: its disk is full/g)).toHaveLength(1)
    expect(backend.log().match(/stored again/g)).toHaveLength(1)
    await backend.close()
  })
})
