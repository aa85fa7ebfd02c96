import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient } from '../../../test/speak'
import type { Point } from '../../ports/call-history'

const hour = 3_600_000

describe.each(engines)('recent calls and alerts over the API (%s)', (engine) => {
  let backend: Backend
  const now = Date.now()
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const { acme, bolt, corp, providers } = backend.world
    const point = (account: string, provider: string, ageMs: number, tags = {}, fields = {}): Point => ({
      tags: { account_sid: account, service_provider_sid: provider, ...tags },
      fields: { from: '1555', to: '4420', message: 'it failed', ...fields },
      time: BigInt(now - ageMs) * 1_000_000n,
    })
    const { north, south } = providers
    await backend.services.callHistory.write('cdrs', [
      point(acme.account, north, 0, { direction: 'inbound', answered: 'true' }, { from: '+1.555', call_sid: 'c-1' }),
      point(acme.account, north, 30 * hour, { direction: 'outbound', answered: 'false' }, { call_sid: 'c-2' }),
      point(bolt.account, north, hour),
      point(corp.account, south, hour),
    ])
    await backend.services.callHistory.write('alerts', [
      point(acme.account, north, 0, { alert_type: 'no-tts' }),
      point(bolt.account, north, hour, { alert_type: 'no-carrier' }),
    ])
  })
  afterAll(() => backend.close())

  const send = (path: string) => apiClient(backend.app, backend.world.keys.north)('GET', path)
  const ofAcme = (query: string, list = 'RecentCalls') =>
    send(`/Accounts/${backend.world.acme.account}/${list}?${query}`)
  const page = 'page=1&count=25'
  const total = async (query: string) => {
    const { status, body } = await ofAcme(`${page}&${query}`)
    expect({ query, status }).toEqual({ query, status: 200 })
    return body.total as number
  }

  it('return page number and size as strings', async () => {
    const { status, body } = await ofAcme('page=2&count=1')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { total: 2, page: '2', page_size: '1', data: [{ call_sid: 'c-2', answered: false }] },
    })
    expect((await ofAcme('page=9&count=25')).body).toEqual({ total: 2, page: '9', page_size: '25', data: [] })
  })

  it.each(['RecentCalls', 'Alerts'])('%s of a provider include all its accounts', async (list) => {
    const { body } = await send(`/ServiceProviders/${backend.world.providers.north}/${list}?${page}`)
    const owners = new Set((body.data as { account_sid: string }[]).map(({ account_sid }) => account_sid))
    expect([...owners].sort()).toEqual([backend.world.acme.account, backend.world.bolt.account].sort())
  })

  it('are listed with the oldest call first', async () => {
    const { body } = await ofAcme(`${page}&order=asc`)
    expect((body.data as { call_sid: string }[]).map(({ call_sid }) => call_sid)).toEqual(['c-2', 'c-1'])
    expect((await ofAcme(`${page}&order=up`)).status).toBe(400)
  })

  it('group alerts', async () => {
    const { body } = await ofAcme(page, 'AlertGroups')
    expect(body).toMatchObject({ total: 1, page: '1', data: [{ message: 'it failed', count: 1, accounts: 1 }] })
    expect(body.data[0].account_name).toEqual(expect.any(String))
    const all = await send(`/ServiceProviders/${backend.world.providers.north}/AlertGroups?${page}`)
    expect(all.body.total).toBe(2)
  })

  it('are filtered', async () => {
    const timestamp = (ago: number) => encodeURIComponent(new Date(now - ago).toISOString())
    expect(await total('days=1')).toBe(1)
    expect(await total(`days=2&start=${timestamp(0)}`)).toBe(2)
    expect(await total(`start=${timestamp(0)}`)).toBe(1)
    expect(await total(`end=${timestamp(1)}`)).toBe(1)
    expect(await total(`start=${timestamp(30 * hour)}&end=${timestamp(30 * hour)}`)).toBe(1)
    expect(await total('direction=inbound')).toBe(1)
    expect(await total('answered=false')).toBe(1)
    expect(await total('answered=maybe')).toBe(2)
    expect(await total('filter=.')).toBe(1)
    expect(await total('filter=c-2')).toBe(1)
    expect(await total('filter=&direction=&days=&trunk=')).toBe(2)
    expect((await ofAcme(`${page}&alert_type=no-tts`, 'Alerts')).body.total).toBe(1)
    expect((await ofAcme(`${page}&filter=IT%20FAILED`, 'Alerts')).body.total).toBe(1)
    expect((await ofAcme(`${page}&message=it`, 'Alerts')).body.total).toBe(0)
    expect((await ofAcme(`${page}&alert_type=no-carrier`, 'Alerts')).body.total).toBe(0)
  })

  it.each([
    ['count=25', 'missing or invalid "page" query arg'],
    ['page=&count=25', 'missing or invalid "page" query arg'],
    ['page=0&count=25', 'missing or invalid "page" query arg'],
    ['page=x&count=25', 'missing or invalid "page" query arg'],
    ['page=1', 'missing or invalid "count" query arg'],
    ['page=1&count=501', 'missing or invalid "count" query arg'],
    ['page=1&count=-1', 'missing or invalid "count" query arg'],
    [`${page}&days=x`, 'missing or invalid "days" query arg'],
    [`${page}&start=yesterday`, 'invalid start'],
    [`${page}&end=2026-13-01`, 'invalid end'],
  ])('refuse %s', async (query, msg) => {
    for (const list of ['RecentCalls', 'Alerts'])
      expect(await ofAcme(query, list)).toMatchObject({ status: 400, body: { msg } })
  })

  it('refuse an unknown direction and a malformed SID', async () => {
    expect(await ofAcme(`${page}&direction=up`)).toMatchObject({
      status: 400,
      body: { msg: 'direction must be one of inbound, outbound' },
    })
    expect(await send(`/Accounts/x/RecentCalls?${page}`)).toMatchObject({
      status: 400,
      body: { message: 'invalid AccountsSid format' },
    })
  })

  it('include the names of their account and of its applications only', async () => {
    const { acme, bolt, providers } = backend.world
    const gone = 'abcdef01-0000-4000-8000-000000000000'
    const call = (account_sid: string, application_sid: string, index: number): Point => ({
      tags: { account_sid, service_provider_sid: providers.south },
      fields: { from: '1', to: '2', application_sid },
      time: BigInt(now - index) * 1_000_000n,
    })
    await backend.services.callHistory.write('cdrs', [
      call(acme.account, acme.application, 1),
      call(acme.account, bolt.application, 2),
      call(gone, gone, 3),
    ])
    const south = apiClient(backend.app, backend.world.keys.south)
    const expectedOwner = (list: string) => south('GET', `/ServiceProviders/${providers.south}/${list}?${page}`)
    expect((await expectedOwner('RecentCalls')).body.data).toMatchObject([
      { account_name: 'acme', application_name: 'acme app' },
      { account_name: 'acme', application_name: null },
      { account_sid: gone, account_name: null, application_name: null },
      { account_name: 'corp' },
    ])
    expect((await ofAcme(page, 'Alerts')).body.data).toMatchObject([{ account_name: 'acme' }])
  })
})
