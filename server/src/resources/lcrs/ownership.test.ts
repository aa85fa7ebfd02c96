import { beforeEach, afterEach, describe, expect, it } from 'vitest'
import type { LcrRoute } from '@trunkline/contract/shapes/lcr'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('LCRs and their owners (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let northClient: ApiClient
  let acmeClient: ApiClient
  /** The shared carrier and the LCR of the provider `north`, created before each test. */
  let carrierSid: string
  let lcrSid: string
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    carrierSid = backend.testData.shared.north.voip_carrier
    lcrSid = (await northClient('POST', '/Lcrs', { name: 'North', account_sid: '' })).body.sid
  })
  afterEach(() => backend.close())

  const createEntryDraft = (voip_carrier_sid = carrierSid) => ({ voip_carrier_sid, priority: 0, lcr_route_sid: '' })
  const createRouteDraft = (regex: string, priority: number, overrides: object = {}) => ({
    regex,
    priority,
    lcr_route_sid: '',
    lcr_carrier_set_entries: [createEntryDraft()],
    ...overrides,
  })
  const fetchRoutes = async (): Promise<LcrRoute[]> => (await northClient('GET', `/LcrRoutes?lcr_sid=${lcrSid}`)).body
  const fetchLcr = async () => (await northClient('GET', `/Lcrs/${lcrSid}`)).body

  it('belong to a provider or an account, one per owner', async () => {
    const { testData } = backend
    expect(await fetchLcr()).toEqual({
      lcr_sid: lcrSid,
      name: 'North',
      is_active: 1,
      default_carrier_set_entry_sid: null,
      service_provider_sid: testData.providers.north,
      service_provider_name: 'Northwind',
      account_sid: null,
      account_name: null,
      number_routes: 0,
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await northClient('POST', '/Lcrs', { name: 'x' })).toMatchObject({
      status: 400,
      body: { msg: 'Service Provider: Northwind already \n      has an active call routing table.' },
    })
    expect(await acmeClient('POST', '/Lcrs', { name: 'x', account_sid: testData.bolt.account })).toMatchObject({
      status: 400,
      body: { msg: 'Account: acme  already has an active call routing table.', field: 'account_sid' },
    })
    for (const service_provider_sid of [testData.acme.account, 'x'])
      expect(await adminClient('POST', '/Lcrs', { name: 'x', service_provider_sid })).toMatchObject({
        status: 400,
        body: { msg: 'unknown service_provider_sid' },
      })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    // LCRs of a provider and of its accounts do not exclude each other.
    await acmeClient('DELETE', `/Lcrs/${testData.acme.lcr}`)
    expect(await acmeClient('POST', '/Lcrs', { name: 'x' })).toMatchObject({ status: 201 })
  })

  it('of administrators may have no owner, and may use carriers without an owner', async () => {
    const { body } = await adminClient('POST', '/Lcrs', {
      name: 'ownerless',
      account_sid: '',
      service_provider_sid: '',
    })
    const fetchOwnerlessLcr = () => adminClient('GET', `/Lcrs/${body.sid}`)
    expect(await fetchOwnerlessLcr()).toMatchObject({
      status: 200,
      body: { account_sid: null, service_provider_sid: null },
    })
    expect((await adminClient('POST', '/Lcrs', { name: 'ownerless 2' })).status).toBe(201)
    const { sid: ownerlessCarrierSid } = (await adminClient('POST', '/VoipCarriers', { name: 'ownerless' })).body
    const routeResponse = await adminClient('POST', `/Lcrs/${body.sid}/Routes`, [
      createRouteDraft('44', 0, { lcr_carrier_set_entries: [createEntryDraft(ownerlessCarrierSid)] }),
    ])
    expect(routeResponse).toMatchObject({ status: 204 })
    expect((await fetchOwnerlessLcr()).body.number_routes).toBe(1)
    for (const request of [northClient, acmeClient])
      expect((await request('GET', `/Lcrs/${body.sid}`)).status).toBe(404)
  })

  it('keep a carrier without an owner that an administrator chose when their owner saves them', async () => {
    const { sid: ownerlessCarrierSid } = (await adminClient('POST', '/VoipCarriers', { name: 'ownerless' })).body
    await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [createRouteDraft('44', 0)])
    const [route] = await fetchRoutes()
    const { lcr_route_sid } = route!
    const unknownCarrier = { status: 400, body: { msg: 'unknown voip_carrier_sid', field: 'voip_carrier_sid' } }
    const draft = { lcr_route_sid, voip_carrier_sid: ownerlessCarrierSid, workload: 1, priority: 1 }
    expect(await northClient('POST', '/LcrCarrierSetEntries', draft)).toMatchObject(unknownCarrier)
    const { body } = await adminClient('POST', '/LcrCarrierSetEntries', draft)
    expect(body).toEqual({ sid: expect.any(String) })
    expect((await northClient('PUT', `/LcrCarrierSetEntries/${body.sid}`, { workload: 2 })).status).toBe(204)
    expect(await northClient('PUT', `/Lcrs/${lcrSid}`, { name: 'North 2', routes: await fetchRoutes() })).toMatchObject(
      {
        status: 204,
      },
    )
    expect((await fetchRoutes())[0]?.lcr_carrier_set_entries.map(({ voip_carrier_sid }) => voip_carrier_sid)).toEqual([
      carrierSid,
      ownerlessCarrierSid,
    ])
    await northClient('DELETE', `/LcrCarrierSetEntries/${body.sid}`)
    expect(await northClient('POST', '/LcrCarrierSetEntries', draft)).toMatchObject(unknownCarrier)
  })

  it('get a new owner only if that owner may use their carriers', async () => {
    const { bolt, corp } = backend.testData
    for (const { lcr } of [bolt, corp]) await adminClient('DELETE', `/Lcrs/${lcr}`)
    // The carrier of this route is shared by the provider `north`, which has the account `bolt`, but not `corp`.
    await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [createRouteDraft('44', 0)])
    const initialSnapshot = await takeSnapshot(backend.database)
    for (const newOwner of [
      { account_sid: corp.account },
      { service_provider_sid: backend.testData.providers.south },
    ] as const)
      expect(await adminClient('PUT', `/Lcrs/${lcrSid}`, newOwner)).toMatchObject({
        status: 400,
        body: { msg: 'unknown voip_carrier_sid', field: Object.keys(newOwner)[0] },
      })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await adminClient('PUT', `/Lcrs/${lcrSid}`, { account_sid: bolt.account })).toMatchObject({ status: 204 })
    const routes = [createRouteDraft('44', 0, { lcr_carrier_set_entries: [createEntryDraft(corp.voip_carrier)] })]
    expect(await adminClient('PUT', `/Lcrs/${lcrSid}`, { account_sid: corp.account, routes })).toMatchObject({
      status: 204,
    })
  })

  it('can be saved with their stored owner even if it may no longer use one of their carriers', async () => {
    await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [createRouteDraft('44', 0)])
    await backend.database.db
      .updateTable('lcr_carrier_set_entry')
      .set({ voip_carrier_sid: backend.testData.corp.voip_carrier })
      .where('voip_carrier_sid', '=', carrierSid)
      .execute()
    const { service_provider_sid } = await fetchLcr()
    expect(await adminClient('PUT', `/Lcrs/${lcrSid}`, { name: 'Renamed', service_provider_sid })).toMatchObject({
      status: 204,
    })
  })

  it('are limited to one per owner, even with parallel requests', async () => {
    const { acme: acmeRecords, bolt, corp } = backend.testData
    for (const sid of [acmeRecords.lcr, bolt.lcr, corp.lcr, lcrSid]) await adminClient('DELETE', `/Lcrs/${sid}`)
    const createInParallel = async (request: ApiClient, owner: object) => {
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => request('POST', '/Lcrs', { name: 'x', ...owner })),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(400)])
      return responses.find(({ status }) => status === 201)!.body.sid as string
    }
    const lcrOfAccount = await createInParallel(acmeClient, {})
    const lcrOfProvider = await createInParallel(northClient, {})
    const newOwner = { account_sid: bolt.account }
    const moveResponses = await Promise.all(
      [lcrOfAccount, lcrOfProvider].map((sid) => adminClient('PUT', `/Lcrs/${sid}`, newOwner)),
    )
    expect(moveResponses.map(({ status }) => status).sort()).toEqual([204, 400])
    const remainingLcrs = (await adminClient('GET', '/Lcrs')).body as { account_sid: string | null }[]
    expect(remainingLcrs).toHaveLength(2)
    expect(remainingLcrs.filter(({ account_sid }) => account_sid === bolt.account)).toHaveLength(1)
  })
})
