import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'
import type { Point } from '../../ports/call-history'
import { buildOverview } from './overview'

const hourMs = 3_600_000

describe.each(databaseEngines)('overview of calls (%s)', (databaseEngine) => {
  let backend: Backend
  const startMs = Math.floor(Date.now() / hourMs) * hourMs - 5 * hourMs
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const { acme, bolt, providers } = backend.testData
    const buildPoint = (
      account: string,
      offsetMs: number,
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
      timeNs: BigInt(startMs + offsetMs) * 1_000_000n,
    })
    await backend.services.callHistory.writePoints('cdrs', [
      buildPoint(
        acme.account,
        0,
        true,
        { call_sid: 'a', duration: 30, sip_status: 200, answered_at: startMs + 4000 },
        'harbour',
      ),
      buildPoint(
        acme.account,
        1,
        true,
        { call_sid: 'b', duration: 61, sip_status: 200, answered_at: startMs + 2001 },
        'harbour',
      ),
      buildPoint(acme.account, 2 * hourMs, false, { call_sid: 'c', sip_status: 486 }, 'harbour'),
      buildPoint(acme.account, 2 * hourMs + 1, false, { call_sid: 'd', sip_status: 404 }, 'willow'),
      buildPoint(acme.account, 2 * hourMs + 2, false, { call_sid: 'e', sip_status: 404 }, 'willow'),
      buildPoint(bolt.account, 2 * hourMs, true, { call_sid: 'f', duration: 10, sip_status: 200 }),
    ])
  })
  afterAll(() => backend.close())

  const get = (path: string) => createApiClient(backend.app, backend.testData.keys.north)('GET', path)
  const getAcmeOverview = (query = '') => get(`/Accounts/${backend.testData.acme.account}/RecentCallOverview?${query}`)
  const timestamp = (offsetMs: number) => new Date(startMs + offsetMs).toISOString()

  it('leaves rounding of averages to clients', async () => {
    const path = `/ServiceProviders/${backend.testData.providers.north}/RecentCallOverview?days=1`
    expect(await get(path)).toMatchObject({ body: { answered: 3, duration: 33.667 } })
  })

  it("summarizes an account's calls", async () => {
    expect(await getAcmeOverview('days=1')).toMatchObject({
      status: 200,
      body: {
        calls: 5,
        answered: 2,
        duration: 45.5,
        post_dial_delay: 3000,
        hours: [
          { start: timestamp(0), calls: 2, answered: 2, seconds: 91 },
          { start: timestamp(2 * hourMs), calls: 3, answered: 0, seconds: 0 },
        ],
        failures: [
          { sip_status: 404, calls: 2 },
          { sip_status: 486, calls: 1 },
        ],
      } satisfies CallOverview,
    })
  })

  it('groups calls by account and trunk, without calls of other tenants', async () => {
    const { acme, bolt, providers } = backend.testData
    const { body } = await get(`/ServiceProviders/${providers.north}/RecentCallOverview?days=1&by=account`)
    expect((body as CallOverview).groups).toEqual([
      { value: acme.account, account_name: expect.any(String), calls: 5, answered: 2 },
      { value: bolt.account, account_name: expect.any(String), calls: 1, answered: 1 },
    ])
    expect(((await getAcmeOverview('days=1&by=trunk')).body as CallOverview).groups).toEqual([
      // The smaller trunk is first, because more of its calls are unanswered.
      { value: 'willow', calls: 2, answered: 0 },
      { value: 'harbour', calls: 3, answered: 2 },
    ])
    expect((await getAcmeOverview('days=1')).body).not.toHaveProperty('groups')
    expect(await getAcmeOverview('by=number')).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('by') },
    })
    const southClient = createApiClient(backend.app, backend.testData.keys.south)
    expect(await southClient('GET', `/Accounts/${acme.account}/RecentCallOverview?by=trunk`)).not.toMatchObject({
      status: 200,
    })
  })

  it('summarizes the calls of all accounts of a provider, and applies filters', async () => {
    const { body } = await get(`/ServiceProviders/${backend.testData.providers.north}/RecentCallOverview?answered=true`)
    expect(body).toMatchObject({ calls: 3, answered: 3, failures: [] })
    expect((await getAcmeOverview(`start=${timestamp(hourMs)}&end=${timestamp(2 * hourMs + 1)}`)).body).toMatchObject({
      calls: 2,
      answered: 0,
    })
    expect((await getAcmeOverview('sip_status=404')).body).toMatchObject({ calls: 2 })
    expect((await getAcmeOverview('filter=nothing')).body).toEqual(buildOverview([]))
  })

  it('counts a call as unanswered if `answered` is missing', async () => {
    const { corp, providers } = backend.testData
    const tags = { account_sid: corp.account, service_provider_sid: providers.south }
    const time = BigInt(startMs) * 1_000_000n
    await backend.services.callHistory.writePoints('cdrs', [
      { tags, fields: { from: '1555', sip_status: 503 }, timeNs: time },
    ])
    const southClient = createApiClient(backend.app, backend.testData.keys.south)
    const { body } = await southClient('GET', `/Accounts/${corp.account}/RecentCallOverview?days=1`)
    expect(body).toMatchObject({ calls: 1, answered: 0, failures: [{ sip_status: 503, calls: 1 }] })
  })

  it('returns a percentile of the time to answer on request, for every filter', async () => {
    const getPercentile = async (query: string) =>
      ((await getAcmeOverview(query)).body as CallOverview).post_dial_delay_percentile
    expect(await getPercentile('percentile=95')).toBe(4000)
    expect(await getPercentile('percentile=50')).toBe(2000)
    expect(await getPercentile('percentile=95&trunk=harbour&filter=1555')).toBe(4000)
    expect(await getPercentile('percentile=95&answered=false')).toBeNull()
    expect(await getPercentile('percentile=95&trunk=willow')).toBeNull()
    expect((await getAcmeOverview('days=1')).body).not.toHaveProperty('post_dial_delay_percentile')
  })

  it('counts the calls that the list shows for the same filter', async () => {
    const response = await get(
      `/Accounts/${backend.testData.acme.account}/RecentCalls?page=1&count=25&answered=false&sip_status=404`,
    )
    expect(response.body).toMatchObject({ total: 2, data: [{ call_sid: 'e' }, { call_sid: 'd' }] })
  })

  it.each([
    ['days=x', 'missing or invalid "days" query arg'],
    ['start=yesterday', 'invalid start'],
    ['sip_status=busy', 'missing or invalid "sip_status" query arg'],
    ['percentile=100', 'missing or invalid "percentile" query arg'],
    ['direction=up', 'direction must be one of inbound, outbound'],
  ])('refuses %s', async (query, msg) => {
    expect(await getAcmeOverview(query)).toMatchObject({ status: 400, body: { msg } })
  })
})
