import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'
import type { Point } from '../../ports/call-history'

const hourMs = 3_600_000

describe.each(databaseEngines)('recent calls and alerts over the API (%s)', (databaseEngine) => {
  let backend: Backend
  const now = Date.now()
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const { acme, bolt, corp, providers } = backend.testData
    const buildPoint = (account: string, provider: string, ageMs: number, tags = {}, fields = {}): Point => ({
      tags: { account_sid: account, service_provider_sid: provider, ...tags },
      fields: { from: '1555', to: '4420', message: 'it failed', ...fields },
      timeNs: BigInt(now - ageMs) * 1_000_000n,
    })
    const { north, south } = providers
    await backend.services.callHistory.writePoints('cdrs', [
      buildPoint(
        acme.account,
        north,
        0,
        { direction: 'inbound', answered: 'true' },
        { from: '+1.555', call_sid: 'c-1' },
      ),
      buildPoint(acme.account, north, 30 * hourMs, { direction: 'outbound', answered: 'false' }, { call_sid: 'c-2' }),
      buildPoint(bolt.account, north, hourMs),
      buildPoint(corp.account, south, hourMs),
    ])
    await backend.services.callHistory.writePoints('alerts', [
      buildPoint(acme.account, north, 0, { alert_type: 'no-tts' }),
      buildPoint(bolt.account, north, hourMs, { alert_type: 'no-carrier' }),
    ])
  })
  afterAll(() => backend.close())

  const get = (path: string) => createApiClient(backend.app, backend.testData.keys.north)('GET', path)
  const listOfAcme = (query: string, list = 'RecentCalls') =>
    get(`/Accounts/${backend.testData.acme.account}/${list}?${query}`)
  const firstPage = 'page=1&count=25'
  const countCalls = async (query: string) => {
    const { status, body } = await listOfAcme(`${firstPage}&${query}`)
    expect({ query, status }).toEqual({ query, status: 200 })
    return body.total as number
  }

  it('return the page number and size as strings', async () => {
    const { status, body } = await listOfAcme('page=2&count=1')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { total: 2, page: '2', page_size: '1', data: [{ call_sid: 'c-2', answered: false }] },
    })
    expect((await listOfAcme('page=9&count=25')).body).toEqual({ total: 2, page: '9', page_size: '25', data: [] })
  })

  it.each(['RecentCalls', 'Alerts'])('%s of a provider include all its accounts', async (list) => {
    const { body } = await get(`/ServiceProviders/${backend.testData.providers.north}/${list}?${firstPage}`)
    const owners = new Set((body.data as { account_sid: string }[]).map(({ account_sid }) => account_sid))
    expect([...owners].sort()).toEqual([backend.testData.acme.account, backend.testData.bolt.account].sort())
  })

  it('are listed with the oldest call first if requested', async () => {
    const { body } = await listOfAcme(`${firstPage}&order=asc`)
    expect((body.data as { call_sid: string }[]).map(({ call_sid }) => call_sid)).toEqual(['c-2', 'c-1'])
    expect((await listOfAcme(`${firstPage}&order=up`)).status).toBe(400)
  })

  it('are grouped by message in the list of alert groups', async () => {
    const { body } = await listOfAcme(firstPage, 'AlertGroups')
    expect(body).toMatchObject({ total: 1, page: '1', data: [{ message: 'it failed', count: 1, accounts: 1 }] })
    expect(body.data[0].account_name).toEqual(expect.any(String))
    const groupsOfProvider = await get(`/ServiceProviders/${backend.testData.providers.north}/AlertGroups?${firstPage}`)
    expect(groupsOfProvider.body.total).toBe(2)
  })

  it('return alert groups by account, and with their history', async () => {
    const { acme, bolt, providers } = backend.testData
    const listGroups = (query: string) => get(`/ServiceProviders/${providers.north}/AlertGroups?${firstPage}&${query}`)
    const { body } = await listGroups('by=account&history=week')
    const groups = body.data as { account_sid: string; history: number[] }[]
    expect(groups.map(({ account_sid }) => account_sid)).toEqual([acme.account, bolt.account])
    expect(groups.map(({ history }) => [history.length, history.at(-1)])).toEqual([
      [28, 1],
      [28, 1],
    ])
    expect((await listGroups('by=')).body.data[0]).not.toHaveProperty('history')
    expect(await listGroups('by=trunk')).toMatchObject({ status: 400 })
    expect(await listGroups('history=year')).toMatchObject({ status: 400 })
  })

  it('are filtered by time, property and text', async () => {
    const timestampBefore = (ageMs: number) => encodeURIComponent(new Date(now - ageMs).toISOString())
    expect(await countCalls('days=1')).toBe(1)
    expect(await countCalls(`days=2&start=${timestampBefore(0)}`)).toBe(2)
    expect(await countCalls(`start=${timestampBefore(0)}`)).toBe(1)
    expect(await countCalls(`end=${timestampBefore(1)}`)).toBe(1)
    expect(await countCalls(`start=${timestampBefore(30 * hourMs)}&end=${timestampBefore(30 * hourMs)}`)).toBe(1)
    expect(await countCalls('direction=inbound')).toBe(1)
    expect(await countCalls('answered=false')).toBe(1)
    expect(await countCalls('answered=maybe')).toBe(2)
    expect(await countCalls('filter=.')).toBe(1)
    expect(await countCalls('filter=c-2')).toBe(1)
    expect(await countCalls('filter=&direction=&days=&trunk=')).toBe(2)
    expect((await listOfAcme(`${firstPage}&alert_type=no-tts`, 'Alerts')).body.total).toBe(1)
    expect((await listOfAcme(`${firstPage}&filter=IT%20FAILED`, 'Alerts')).body.total).toBe(1)
    expect((await listOfAcme(`${firstPage}&message=it`, 'Alerts')).body.total).toBe(0)
    expect((await listOfAcme(`${firstPage}&alert_type=no-carrier`, 'Alerts')).body.total).toBe(0)
  })

  it('are filtered by the whole phone number', async () => {
    expect(await countCalls('number=4420')).toBe(1)
    expect(await countCalls('number=%2B4420&direction=inbound')).toBe(1)
    expect(await countCalls('number=4420&direction=outbound')).toBe(0)
    // the calling number of the outbound call
    expect(await countCalls('number=1555&days=2')).toBe(1)
    expect(await countCalls('number=1555&days=1')).toBe(0)
    // neither a part of the number, nor a pattern
    for (const number of ['442', '44200', '44%', '442_', '4420*', '.*', "' or '1'='1", '"', '\\', '4420\n1', '0'])
      expect([number, await countCalls(`number=${encodeURIComponent(number)}`)]).toEqual([number, 0])
    expect(await countCalls('number=')).toBe(2)
    expect((await listOfAcme('number=4420', 'RecentCallOverview')).body).toMatchObject({ calls: 1 })
  })

  it('of other tenants are not found by number', async () => {
    const { acme, bolt, keys, providers } = backend.testData
    const find = async (as: 'bolt' | 'south', path: string) => {
      const { status, body } = await createApiClient(backend.app, keys[as])(
        'GET',
        `${path}/RecentCalls?${firstPage}&number=4420`,
      )
      return [status, body.total]
    }
    expect(await find('bolt', `/Accounts/${bolt.account}`)).toEqual([200, 0])
    expect(await find('south', `/ServiceProviders/${providers.south}`)).toEqual([200, 0])
    expect(await find('bolt', `/Accounts/${acme.account}`)).toEqual([403, undefined])
    expect(await find('south', `/ServiceProviders/${providers.north}`)).toEqual([403, undefined])
  })

  it.each([
    ['without a character besides plus', '%2B', 'missing or invalid "number" query arg'],
    ['that is too long', '4'.repeat(10_000), 'number must be at most 255 characters'],
    ['that is repeated', '4420&number=1555', 'number must be a string'],
    ['that is repeated and empty', '4420&number=', 'number must be a string'],
  ])('refuse a number %s', async (_case, number, msg) => {
    for (const list of ['RecentCalls', 'RecentCallOverview'])
      expect(await listOfAcme(`${firstPage}&number=${number}`, list)).toMatchObject({
        status: 400,
        body: { msg, field: 'number' },
      })
  })

  it.each([
    ['count=25', 'missing or invalid "page" query arg'],
    ['page=&count=25', 'missing or invalid "page" query arg'],
    ['page=0&count=25', 'missing or invalid "page" query arg'],
    ['page=x&count=25', 'missing or invalid "page" query arg'],
    ['page=1', 'missing or invalid "count" query arg'],
    ['page=1&count=501', 'missing or invalid "count" query arg'],
    ['page=1&count=-1', 'missing or invalid "count" query arg'],
    [`${firstPage}&days=x`, 'missing or invalid "days" query arg'],
    [`${firstPage}&start=yesterday`, 'invalid start'],
    [`${firstPage}&end=2026-13-01`, 'invalid end'],
  ])('refuse the query %s', async (query, msg) => {
    for (const list of ['RecentCalls', 'Alerts'])
      expect(await listOfAcme(query, list)).toMatchObject({ status: 400, body: { msg } })
  })

  it('refuse an unknown direction and a malformed SID', async () => {
    expect(await listOfAcme(`${firstPage}&direction=up`)).toMatchObject({
      status: 400,
      body: { msg: 'direction must be one of inbound, outbound' },
    })
    expect(await get(`/Accounts/x/RecentCalls?${firstPage}`)).toMatchObject({
      status: 400,
      body: { message: 'invalid AccountsSid format' },
    })
  })

  it('include the name of their account, and of their application if it belongs to the account', async () => {
    const { acme, bolt, providers } = backend.testData
    const deletedSid = 'abcdef01-0000-4000-8000-000000000000'
    const callPoint = (account_sid: string, application_sid: string, ageMs: number): Point => ({
      tags: { account_sid, service_provider_sid: providers.south },
      fields: { from: '1', to: '2', application_sid },
      timeNs: BigInt(now - ageMs) * 1_000_000n,
    })
    await backend.services.callHistory.writePoints('cdrs', [
      callPoint(acme.account, acme.application, 1),
      callPoint(acme.account, bolt.application, 2),
      callPoint(deletedSid, deletedSid, 3),
    ])
    const southClient = createApiClient(backend.app, backend.testData.keys.south)
    const listOfSouth = (list: string) =>
      southClient('GET', `/ServiceProviders/${providers.south}/${list}?${firstPage}`)
    expect((await listOfSouth('RecentCalls')).body.data).toMatchObject([
      { account_name: 'acme', application_name: 'acme app' },
      { account_name: 'acme', application_name: null },
      { account_sid: deletedSid, account_name: null, application_name: null },
      { account_name: 'corp' },
    ])
    expect((await listOfAcme(firstPage, 'Alerts')).body.data).toMatchObject([{ account_name: 'acme' }])
  })
})
