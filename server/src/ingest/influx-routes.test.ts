import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { createApiClient, fetchToken } from '../../test/api-client'
import type { CallHistory } from '../ports/call-history'
import { StorageFullError } from '../ports/service-errors'

type ActorName = 'admin' | 'north' | 'south' | 'acme' | 'bolt' | 'corp'

describe.each(databaseEngines)('the routes for call records (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } } })
  })
  afterAll(() => backend.close())

  interface WriteOptions {
    db?: string
    precision?: string
    headers?: Record<string, string>
  }
  const send = async (lines: string | Buffer, { db = 'cdrs', precision, headers = {} }: WriteOptions = {}) => {
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
  const authorizationOf = (actorName: ActorName) => ({
    authorization: `Basic ${Buffer.from(`any:${backend.testData.keys[actorName]}`).toString('base64')}`,
  })
  const write = (actorName: ActorName, lines: string, overrides: WriteOptions = {}) =>
    send(lines, { ...overrides, headers: authorizationOf(actorName) })
  const formatLine = (tags: Record<string, string>, from: string, time = `${Date.now()}000000`) =>
    `cdrs${Object.entries(tags)
      .map(([name, value]) => `,${name}=${value}`)
      .join('')},direction=inbound,answered=true from="${from}",to="1",sip_callid="${randomUUID()}" ${time}`
  const read = async (path: string) =>
    (await createApiClient(backend.app, backend.testData.keys.admin)('GET', `${path}?page=1&count=100`)).body
  const readRecords = async (account: string, from: string) =>
    (await read(`/Accounts/${account}/RecentCalls`)).data.filter((row: { from: string }) => row.from === from)

  it('require an API key, in every format that clients use', async () => {
    const { keys } = backend.testData
    const acme = backend.testData.acme.account
    const lineOfAcme = (from: string) => formatLine({ account_sid: acme }, from)
    const key = keys.acme
    const basicAuth = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    for (const authorization of [`Bearer ${key}`, `Token any:${key}`, `Token ${key}`, basicAuth(`root:${key}`)])
      expect(await send(lineOfAcme('key'), { headers: { authorization } })).toEqual({ status: 204 })
    const queryResponse = await backend.app.inject({
      method: 'POST',
      url: `/write?db=cdrs&p=${key}`,
      payload: lineOfAcme('key'),
    })
    expect(queryResponse.statusCode).toBe(204)
    expect(await readRecords(acme, 'key')).toHaveLength(5)
    const session = await fetchToken(backend.app, 'acme')
    const invalidHeaders = [
      undefined,
      basicAuth('root:root'),
      `Bearer ${randomUUID()}`,
      `Bearer ${session}`,
      'Basic %%%',
      'Bearer',
    ]
    for (const authorization of invalidHeaders)
      expect(await send(lineOfAcme('foreign'), { headers: authorization ? { authorization } : {} })).toEqual({
        status: 401,
        error: 'authorization failed: send an API key as the password or as a bearer token',
      })
    expect(await readRecords(acme, 'foreign')).toEqual([])
  })

  it('are disabled by default', async () => {
    const disabledBackend = await startBackend({ databaseEngine })
    const response = await disabledBackend.app.inject({
      method: 'POST',
      url: '/write?db=cdrs',
      headers: { authorization: `Bearer ${disabledBackend.testData.keys.admin}` },
    })
    expect(response.statusCode).toBe(404)
    expect(response.json<{ error: string }>().error).toMatch(/Set ENABLE_INGEST/)
    await disabledBackend.close()
  })

  it("refuse other tenants, and complete the owner of the writer's records", async () => {
    const { acme, bolt, corp, providers } = backend.testData
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
    for (const [actorName, tags, isAllowed] of cases) {
      const from = randomUUID()
      const { status, error } = await write(actorName, formatLine(tags, from))
      expect({ actorName, tags, status }).toEqual({ actorName, tags, status: isAllowed ? 204 : 400 })
      if (!isAllowed) expect(error).toMatch(/^partial write: line 1: .* dropped=1$/)
      const accountCounts = await Promise.all(
        [acme, bolt, corp].map(async ({ account }) => (await readRecords(account, from)).length as number),
      )
      const providerRecords = await Promise.all(
        Object.values(providers).map(async (sid) =>
          (await read(`/ServiceProviders/${sid}/RecentCalls`)).data.filter(
            (row: { from: string }) => row.from === from,
          ),
        ),
      )
      expect(providerRecords.flat()).toHaveLength(isAllowed ? 1 : 0)
      expect(accountCounts.reduce((sum, count) => sum + count, 0)).toBe(
        isAllowed && !(actorName === 'north' && !tags.account_sid) ? 1 : 0,
      )
    }
  })

  it('store valid lines and report the others', async () => {
    const { account } = backend.testData.acme
    const body = [
      formatLine({}, 'good 1'),
      'cdrs nonsense',
      formatLine({ account_sid: backend.testData.bolt.account }, 'bad'),
      formatLine({}, 'good 2'),
    ]
    const { status, error } = await write('acme', body.join('\n'))
    expect(status).toBe(400)
    expect(error).toBe(
      `partial write: unable to parse line 2 'cdrs nonsense': missing field value\nline 3: this key is not allowed to write for account_sid ${backend.testData.bolt.account} dropped=1`,
    )
    expect([(await readRecords(account, 'good 1')).length, (await readRecords(account, 'good 2')).length]).toEqual([
      1, 1,
    ])
    expect(await write('acme', 'nothing')).toEqual({
      status: 400,
      error: "unable to parse line 1 'nothing': missing fields",
    })
    const manyErrors = await write('acme', Array.from({ length: 30 }, () => 'x').join('\n'))
    expect(manyErrors.error?.split('\n')).toHaveLength(11)
    expect(manyErrors.error).toMatch(/and 20 more$/)
    expect(await write('acme', '')).toEqual({ status: 204 })
  })

  it('store calls whose outcome is named like a property of every object as not answered', async () => {
    const { account } = backend.testData.acme
    const line = formatLine({}, 'outcome').replace('answered=true', 'answered=constructor')
    expect(await write('acme', line)).toEqual({ status: 204 })
    expect(await readRecords(account, 'outcome')).toMatchObject([{ answered: false }])
  })

  it('read timestamps in their unit and compressed bodies, and refuse invalid ones', async () => {
    const { account } = backend.testData.acme
    const timestamp = Math.floor(Date.now() / 1000)
    expect((await write('acme', formatLine({}, 'seconds', String(timestamp)), { precision: 's' })).status).toBe(204)
    expect((await readRecords(account, 'seconds'))[0].attempted_at).toBe(new Date(timestamp * 1000).toISOString())
    const compressedLine = gzipSync(formatLine({}, 'compressed'))
    expect(await send(compressedLine, { headers: { ...authorizationOf('acme'), 'content-encoding': 'gzip' } })).toEqual(
      { status: 204 },
    )
    expect(await readRecords(account, 'compressed')).toHaveLength(1)
    const sendEncoded = (payload: Buffer, coding = 'gzip') =>
      send(payload, { headers: { ...authorizationOf('acme'), 'content-encoding': coding } })
    expect(await sendEncoded(Buffer.from('not gzip'))).toEqual({ status: 400, error: 'the body is not gzip' })
    expect((await sendEncoded(gzipSync(Buffer.alloc(11_000_000, 'x')))).status).toBe(413)
    expect((await sendEncoded(Buffer.from('x'), 'br')).status).toBe(415)
    expect((await write('acme', 'x'.repeat(10_500_000))).status).toBe(413)
    for (const precision of ['weeks', 'constructor'])
      expect(await write('acme', formatLine({}, 'x'), { precision })).toEqual({
        status: 400,
        error: 'invalid precision',
      })
    expect(await write('acme', formatLine({}, 'x'), { db: '' })).toEqual({ status: 400, error: 'database is required' })
    expect(await write('acme', formatLine({}, 'x'), { db: 'call_counts' })).toEqual({
      status: 404,
      error: 'database call_counts is unknown: this server stores cdrs and alerts',
    })
    for (const time of ['-1', '9223372036854775807'])
      expect((await write('acme', formatLine({}, 'x', time))).error).toMatch(/line 1: time outside range/)
    expect((await write('acme', formatLine({ trunk: 'x'.repeat(256) }, 'x'))).error).toMatch(
      /tag trunk is longer than 255/,
    )
  })

  it('respond to the queries that clients send before they write, and to no others', async () => {
    const sendQuery = async (q: string, headers: Record<string, string> = authorizationOf('acme')) => {
      const response = await backend.app.inject({ url: `/query?q=${encodeURIComponent(q)}`, headers })
      return { status: response.statusCode, body: response.json<unknown>() }
    }
    expect(await sendQuery('SHOW DATABASES')).toMatchObject({
      status: 200,
      body: { results: [{ series: [{ name: 'databases', columns: ['name'], values: [['cdrs'], ['alerts']] }] }] },
    })
    expect((await sendQuery('create database "cdrs"')).body).toEqual({ results: [{ statement_id: 0 }] })
    expect((await sendQuery('create database call_counts')).body).toEqual({
      results: [{ statement_id: 0, error: 'database call_counts is unknown: this server stores cdrs and alerts' }],
    })
    expect((await sendQuery('select * from cdrs')).status).toBe(400)
    expect((await sendQuery('show databases', {})).status).toBe(401)
  })

  it('respond to pings', async () => {
    const response = await backend.app.inject('/ping')
    expect([response.statusCode, response.headers['x-influxdb-version']]).toEqual([204, '1.8'])
  })
})

describe('a full disk', () => {
  it('is reported to the writer each time, and logged once at its start and once at its end', async () => {
    let isFull = true
    const history = {
      writePoints: () => (isFull ? Promise.reject(new StorageFullError('its disk is full')) : Promise.resolve()),
    } as unknown as CallHistory
    const backend = await startBackend({
      config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } },
      externalServices: { callHistory: history },
    })
    const write = (line = 'cdrs f=1') =>
      backend.app.inject({
        method: 'POST',
        url: '/write?db=cdrs',
        headers: { authorization: `Bearer ${backend.testData.keys.acme}` },
        payload: line,
      })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { statusCode, headers, body } = await write()
      expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([503, '5', { error: 'its disk is full' }])
    }
    isFull = false
    // Nothing of these is stored.
    expect((await write(`cdrs,account_sid=${backend.testData.bolt.account} f=1`)).statusCode).toBe(400)
    expect((await write('cdrs_by_end f=1')).statusCode).toBe(204)
    expect(backend.log()).not.toContain('Storage has recovered')
    expect((await write()).statusCode).toBe(204)
    expect(backend.log().match(/New call records and alerts are refused: its disk is full/g)).toHaveLength(1)
    expect(backend.log().match(/Storage has recovered/g)).toHaveLength(1)
    await backend.close()
  })
})
