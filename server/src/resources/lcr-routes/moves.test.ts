import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LcrRoute } from '@trunkline/contract/shapes/lcr'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('moving a route or carrier to another LCR (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  /** The LCR of the provider `north`, with two routes that use its shared carrier. The second is the default. */
  let northLcrSid: string
  let acmeLcrSid: string
  let defaultLcrRoute: LcrRoute
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
    const { testData } = backend
    adminClient = createApiClient(backend.app, testData.keys.admin)
    const lcrDraft = { name: 'North', service_provider_sid: testData.providers.north }
    northLcrSid = (await adminClient('POST', '/Lcrs', lcrDraft)).body.sid
    acmeLcrSid = testData.acme.lcr
    const lcr_carrier_set_entries = [{ voip_carrier_sid: testData.shared.north.voip_carrier }]
    await adminClient('POST', `/Lcrs/${northLcrSid}/Routes`, [
      { regex: '44', priority: 0, lcr_carrier_set_entries },
      { regex: '.*', priority: 9999, lcr_carrier_set_entries },
    ])
    defaultLcrRoute = (await fetchRoutes(northLcrSid))[1]!
  })
  afterEach(() => backend.close())

  const fetchRoutes = async (lcrSid: string): Promise<LcrRoute[]> =>
    (await adminClient('GET', `/LcrRoutes?lcr_sid=${lcrSid}`)).body
  const fetchDefaultEntrySid = async (lcrSid: string): Promise<string | null> =>
    (await adminClient('GET', `/Lcrs/${lcrSid}`)).body.default_carrier_set_entry_sid
  const getDefaultEntrySid = () => defaultLcrRoute.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid

  it('refuses a route with a carrier that the owner of the new LCR may not use', async () => {
    const { testData } = backend
    const { sid: lcr_route_sid } = (
      await adminClient('POST', '/LcrRoutes', { lcr_sid: acmeLcrSid, regex: '1', priority: 5 })
    ).body
    await adminClient('POST', '/LcrCarrierSetEntries', { lcr_route_sid, voip_carrier_sid: testData.acme.voip_carrier })
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await adminClient('PUT', `/LcrRoutes/${lcr_route_sid}`, { lcr_sid: northLcrSid })).toMatchObject({
      status: 400,
      body: { msg: 'unknown voip_carrier_sid', field: 'lcr_sid' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    // The route may still be saved in its own LCR.
    expect(
      await adminClient('PUT', `/LcrRoutes/${lcr_route_sid}`, { lcr_sid: acmeLcrSid, regex: '2', priority: 5 }),
    ).toMatchObject({ status: 204 })
  })

  it('moves a route with its carriers, and clears the default of the previous LCR', async () => {
    const { lcr_route_sid } = defaultLcrRoute
    expect(await adminClient('PUT', `/LcrRoutes/${lcr_route_sid}`, { regex: '.*' })).toMatchObject({ status: 204 })
    expect(await fetchDefaultEntrySid(northLcrSid)).toBe(getDefaultEntrySid())
    expect(await adminClient('PUT', `/LcrRoutes/${lcr_route_sid}`, { lcr_sid: acmeLcrSid })).toMatchObject({
      status: 204,
    })
    expect(await fetchDefaultEntrySid(northLcrSid)).toBeNull()
    expect((await fetchRoutes(northLcrSid)).map(({ regex }) => regex)).toEqual(['44'])
    expect(await fetchRoutes(acmeLcrSid)).toContainEqual({ ...defaultLcrRoute, lcr_sid: acmeLcrSid })
  })

  it('moves a route without carriers', async () => {
    const { sid } = (await adminClient('POST', '/LcrRoutes', { lcr_sid: northLcrSid, regex: '1', priority: 5 })).body
    expect(await adminClient('PUT', `/LcrRoutes/${sid}`, { lcr_sid: acmeLcrSid })).toMatchObject({ status: 204 })
    expect(await fetchDefaultEntrySid(northLcrSid)).toBe(getDefaultEntrySid())
  })

  it('moves a carrier, and clears the default only if the carrier leaves its LCR', async () => {
    const path = `/LcrCarrierSetEntries/${getDefaultEntrySid()}`
    const [otherRoute] = await fetchRoutes(northLcrSid)
    expect(await adminClient('PUT', path, { lcr_route_sid: otherRoute!.lcr_route_sid })).toMatchObject({ status: 204 })
    expect(await fetchDefaultEntrySid(northLcrSid)).toBe(getDefaultEntrySid())
    const [acmeRoute] = await fetchRoutes(acmeLcrSid)
    expect(await adminClient('PUT', path, { lcr_route_sid: acmeRoute!.lcr_route_sid })).toMatchObject({ status: 204 })
    expect(await fetchDefaultEntrySid(northLcrSid)).toBeNull()
    expect((await adminClient('GET', path)).body).toMatchObject({ lcr_route_sid: acmeRoute!.lcr_route_sid })
  })
})
