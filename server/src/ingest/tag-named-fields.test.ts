import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, isDatabaseEngine, openCallStore, newTenants } from '../../test/call-stores'
import { startBackend, type Backend } from '../../test/backend'
import { createApiClient } from '../../test/api-client'

type WriterName = 'acme' | 'north' | 'corp'

describe.each(callStores)('writing for foreign tenants (%s)', (kind) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({
      config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } },
      ...(isDatabaseEngine(kind)
        ? { databaseEngine: kind }
        : { externalServices: { callHistory: (await openCallStore(kind, Date.now)).history } }),
    })
  })
  afterAll(() => backend.close())

  const write = async (actorName: WriterName, db: string, payload: string) => {
    const response = await backend.app.inject({
      method: 'POST',
      url: `/write?db=${db}`,
      headers: { authorization: `Bearer ${backend.testData.keys[actorName]}` },
      payload,
    })
    return { status: response.statusCode, error: response.body === '' ? '' : response.json<{ error: string }>().error }
  }
  const listRecords = async (collection: 'RecentCalls' | 'Alerts') => {
    const readClient = createApiClient(backend.app, backend.testData.keys.corp)
    const { body } = await readClient(
      'GET',
      `/Accounts/${backend.testData.corp.account}/${collection}?page=1&count=100&direction=inbound`,
    )
    return body as { total: number; data: Record<string, unknown>[] }
  }

  it('is refused if a field names the owner', async () => {
    const { corp, providers } = backend.testData
    expect(
      (await write('corp', 'cdrs', 'cdrs,direction=inbound,trunk=a from="own",to="1",sip_callid="x"')).status,
    ).toBe(204)
    expect((await write('corp', 'alerts', 'alerts,alert_type=x message="own"')).status).toBe(204)
    const claims = [`account_sid="${corp.account}"`, `service_provider_sid="${providers.south}"`]
    for (const actorName of ['acme', 'north'] as const)
      for (const claim of claims) {
        const [name, sid] = claim.replaceAll('"', '').split('=')
        const error = `partial write: line 1: this key is not allowed to write for ${name} ${sid} dropped=1`
        expect(await write(actorName, 'cdrs', `cdrs from="forged",sip_callid="x",${claim}`)).toEqual({
          status: 400,
          error,
        })
        expect(await write(actorName, 'alerts', `alerts message="forged",${claim}`)).toEqual({ status: 400, error })
      }
    // The existing records are unchanged.
    expect((await listRecords('RecentCalls')).data.map(({ from }) => from)).toEqual(['own'])
    expect((await listRecords('Alerts')).data.map(({ message }) => message)).toEqual(['own'])
  })

  it('turns other fields that are named like tags into tags', async () => {
    const tags = 'host="h",trunk="t 1",direction="outbound",answered=true'
    const owner = `account_sid="${backend.testData.bolt.account}"`
    expect((await write('north', 'cdrs', `cdrs from="f",sip_callid="x",${owner},${tags}`)).status).toBe(204)
    expect((await write('north', 'alerts', `alerts message="m",${owner},vendor=1,alert_type="t"`)).status).toBe(204)
    const readClient = createApiClient(backend.app, backend.testData.keys.bolt)
    const readRecords = async (path: string) =>
      (await readClient('GET', `/Accounts/${backend.testData.bolt.account}/${path}&page=1&count=5`)).body
        .data as object[]
    const query = 'RecentCalls?trunk=t%201&direction=outbound&answered=true'
    expect(await readRecords(query)).toMatchObject([{ from: 'f', host: 'h', trunk: 't 1', answered: true }])
    expect(await readRecords('Alerts?alert_type=t')).toMatchObject([{ message: 'm', vendor: '1' }])
    expect((await write('acme', 'cdrs', 'cdrs,trunk=a from="1",trunk="b"')).error).toMatch(
      /is a tag and a field with different values/,
    )
    expect((await write('acme', 'cdrs', 'cdrs trunk="b"')).error).toMatch(/line 1: no field besides trunk/)
  })

  it('does not change the type of a field for other writers', async () => {
    const initialTotal = (await listRecords('RecentCalls')).total
    const unusualFields = `from=15551230000,to=true,sip_callid=5,duration="12",sip_status="486",answered_at="2026-01-02T03:04:05.000Z",terminated_at="1767323046000"`
    expect(await write('acme', 'cdrs', `cdrs,host=${randomUUID()} ${unusualFields}`)).toEqual({
      status: 204,
      error: '',
    })
    const usualFields = `from="1",to="2",sip_callid="c",duration=7,sip_status=200,answered_at=1767323045000,terminated_at=1767323046000`
    expect(await write('corp', 'cdrs', `cdrs,direction=inbound ${usualFields}`)).toEqual({ status: 204, error: '' })
    const { total, data } = await listRecords('RecentCalls')
    expect(total).toBe(initialTotal + 1)
    expect(data[0]).toMatchObject({ from: '1', duration: 7, answered_at: '2026-01-02T03:04:05.000Z' })
    const readClient = createApiClient(backend.app, backend.testData.keys.acme)
    const { body } = await readClient('GET', `/Accounts/${backend.testData.acme.account}/RecentCalls?page=1&count=1`)
    expect(body.data[0]).toMatchObject({
      from: '15551230000',
      to: 'true',
      duration: 12,
      sip_status: 486,
      answered_at: '2026-01-02T03:04:05.000Z',
      terminated_at: '2026-01-02T03:04:06.000Z',
    })
  })
})

describe.each(callStores)('reading from foreign tenants (%s)', (kind) => {
  it('does not reveal the field names of other tenants', async () => {
    const { history, database } = await openCallStore(kind, Date.now)
    const [first, second] = [newTenants(), newTenants()]
    const secretField = `secret${randomUUID().slice(0, 8)}`
    const buildPoint = ({ north, acme }: typeof first, fields: Record<string, string>) =>
      callPoint({ service_provider_sid: north, account_sid: acme }, { timeMs: Date.now(), fields })
    await history.writePoints('cdrs', [
      buildPoint(first, { [secretField]: 'x' }),
      buildPoint(second, { ownField: 'y' }),
    ])
    const readFirstRow = async (tenant: typeof first) =>
      (await history.listCalls({ account_sid: tenant.acme }, { page: 1, count: 1 })).rows[0]
    expect(await readFirstRow(first)).toMatchObject({ [secretField]: 'x' })
    expect(Object.keys((await readFirstRow(second))!)).not.toContain(secretField)
    expect(await readFirstRow(second)).toMatchObject({ ownField: 'y', recording_url: null })
    await database?.close()
  })
})

const externalStores = callStores.filter((kind) => !isDatabaseEngine(kind))

describe.runIf(externalStores.length > 0)('an external call store', () => {
  it.each(externalStores)('receives only the points with valid numbers (%s)', async (kind) => {
    const { history } = await openCallStore(kind, Date.now)
    const account_sid = randomUUID()
    const buildPoint = (duration: string | number) => ({
      tags: { account_sid },
      fields: { from: '1', duration },
      timeNs: BigInt(Date.now()) * 1_000_000n + BigInt(Math.floor(Math.random() * 1e6)),
    })
    const writePromise = history.writePoints('cdrs', [buildPoint('soon'), buildPoint(3), buildPoint('')])
    await expect(writePromise).rejects.toThrow('not a number: duration')
    const { rows } = await history.listCalls({ account_sid }, { page: 1, count: 5 })
    expect(rows.map(({ duration }) => duration).toSorted()).toEqual([3, null])
  })
})
