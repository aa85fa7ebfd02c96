import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient } from '../../../test/speak'
import type { Point } from '../../ports/call-history'
import { overviewOf } from './overview'

const hour = 3_600_000

describe.each(engines)('overview of calls (%s)', (engine) => {
  let backend: Backend
  const begin = Math.floor(Date.now() / hour) * hour - 5 * hour
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const { acme, bolt, providers } = backend.world
    const point = (
      account: string,
      index: number,
      answered: boolean,
      fields: Point['fields'],
      trunk?: string,
    ): Point => ({
      tags: {
        account_sid: account,
        service_provider_sid: providers.north,
        direction: 'inbound',
        answered: String(answered),
        ...(trunk ? { trunk } : {}),
      },
      fields: { from: '1555', to: '4420', ...fields },
      time: BigInt(begin + index) * 1_000_000n,
    })
    await backend.services.callHistory.write('cdrs', [
      point(
        acme.account,
        0,
        true,
        { call_sid: 'a', duration: 30, sip_status: 200, answered_at: begin + 4000 },
        'harbour',
      ),
      point(
        acme.account,
        1,
        true,
        { call_sid: 'b', duration: 61, sip_status: 200, answered_at: begin + 2001 },
        'harbour',
      ),
      point(acme.account, 2 * hour, false, { call_sid: 'c', sip_status: 486 }, 'harbour'),
      point(acme.account, 2 * hour + 1, false, { call_sid: 'd', sip_status: 404 }, 'willow'),
      point(acme.account, 2 * hour + 2, false, { call_sid: 'e', sip_status: 404 }, 'willow'),
      point(bolt.account, 2 * hour, true, { call_sid: 'f', duration: 10, sip_status: 200 }),
    ])
  })
  afterAll(() => backend.close())

  const ask = (path: string) => apiClient(backend.app, backend.world.keys.north)('GET', path)
  const ofAcme = (query = '') => ask(`/Accounts/${backend.world.acme.account}/RecentCallOverview?${query}`)
  const timestamp = (moment: number) => new Date(begin + moment).toISOString()

  it('leaves rounding of averages to clients', async () => {
    const path = `/ServiceProviders/${backend.world.providers.north}/RecentCallOverview?days=1`
    expect(await ask(path)).toMatchObject({ body: { answered: 3, duration: 33.667 } })
  })

  it("summarizes an account's calls", async () => {
    expect(await ofAcme('days=1')).toMatchObject({
      status: 200,
      body: {
        calls: 5,
        answered: 2,
        duration: 45.5,
        post_dial_delay: 3000,
        hours: [
          { start: timestamp(0), calls: 2, answered: 2, seconds: 91 },
          { start: timestamp(2 * hour), calls: 3, answered: 0, seconds: 0 },
        ],
        failures: [
          { sip_status: 404, calls: 2 },
          { sip_status: 486, calls: 1 },
        ],
      } satisfies CallOverview,
    })
  })

  it('groups calls by account and trunk, without calls of other tenants', async () => {
    const { acme, bolt, providers } = backend.world
    const { body } = await ask(`/ServiceProviders/${providers.north}/RecentCallOverview?days=1&by=account`)
    expect((body as CallOverview).groups).toEqual([
      { value: acme.account, account_name: expect.any(String), calls: 5, answered: 2 },
      { value: bolt.account, account_name: expect.any(String), calls: 1, answered: 1 },
    ])
    expect(((await ofAcme('days=1&by=trunk')).body as CallOverview).groups).toEqual([
      // first, although it is smaller: far fewer of its calls are answered
      { value: 'willow', calls: 2, answered: 0 },
      { value: 'harbour', calls: 3, answered: 2 },
    ])
    expect((await ofAcme('days=1')).body).not.toHaveProperty('groups')
    expect(await ofAcme('by=number')).toMatchObject({ status: 400, body: { msg: expect.stringContaining('by') } })
    const south = apiClient(backend.app, backend.world.keys.south)
    expect(await south('GET', `/Accounts/${acme.account}/RecentCallOverview?by=trunk`)).not.toMatchObject({
      status: 200,
    })
  })

  it('summarizes a provider with its accounts, and applies filters', async () => {
    const { body } = await ask(`/ServiceProviders/${backend.world.providers.north}/RecentCallOverview?answered=true`)
    expect(body).toMatchObject({ calls: 3, answered: 3, failures: [] })
    expect((await ofAcme(`start=${timestamp(hour)}&end=${timestamp(2 * hour + 1)}`)).body).toMatchObject({
      calls: 2,
      answered: 0,
    })
    expect((await ofAcme('sip_status=404')).body).toMatchObject({ calls: 2 })
    expect((await ofAcme('filter=nothing')).body).toEqual(overviewOf([]))
  })

  it('counts a call as failed if `answered` is missing', async () => {
    const { corp, providers } = backend.world
    const tags = { account_sid: corp.account, service_provider_sid: providers.south }
    const time = BigInt(begin) * 1_000_000n
    await backend.services.callHistory.write('cdrs', [{ tags, fields: { from: '1555', sip_status: 503 }, time }])
    const south = apiClient(backend.app, backend.world.keys.south)
    const { body } = await south('GET', `/Accounts/${corp.account}/RecentCallOverview?days=1`)
    expect(body).toMatchObject({ calls: 1, answered: 0, failures: [{ sip_status: 503, calls: 1 }] })
  })

  it('matches the list', async () => {
    const list = await ask(
      `/Accounts/${backend.world.acme.account}/RecentCalls?page=1&count=25&answered=false&sip_status=404`,
    )
    expect(list.body).toMatchObject({ total: 2, data: [{ call_sid: 'e' }, { call_sid: 'd' }] })
  })

  it.each([
    ['days=x', 'missing or invalid "days" query arg'],
    ['start=yesterday', 'invalid start'],
    ['sip_status=busy', 'missing or invalid "sip_status" query arg'],
    ['direction=up', 'direction must be one of inbound, outbound'],
  ])('refuses %s', async (query, msg) => {
    expect(await ofAcme(query)).toMatchObject({ status: 400, body: { msg } })
  })
})
