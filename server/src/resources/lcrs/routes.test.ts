import { beforeEach, afterEach, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/lcr'
import { messages as routeMessages } from '@trunkline/contract/messages/lcr-route'
import type { LcrRoute } from '@trunkline/contract/shapes/lcr'
import { newDefaultRoute } from '@trunkline/contract/telephony/lcr'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('LCRs (%s)', (databaseEngine) => {
  let backend: Backend
  let northClient: ApiClient
  let acmeClient: ApiClient
  /** The shared carrier and the LCR of the provider `north`, created before each test. */
  let carrierSid: string
  let lcrSid: string
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
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
  const createDefaultRouteDraft = () => ({ ...newDefaultRoute, lcr_carrier_set_entries: [createEntryDraft()] })
  const fetchRoutes = async (): Promise<LcrRoute[]> => (await northClient('GET', `/LcrRoutes?lcr_sid=${lcrSid}`)).body
  const fetchLcr = async () => (await northClient('GET', `/Lcrs/${lcrSid}`)).body

  it('save a list of routes, with the route of priority 9999 as the default', async () => {
    expect(
      await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [
        createRouteDraft('1', 0),
        createRouteDraft('44', 1),
        createDefaultRouteDraft(),
      ]),
    ).toMatchObject({
      status: 204,
    })
    const savedRoutes = await fetchRoutes()
    expect(savedRoutes.map(({ regex, priority }) => [regex, priority])).toEqual([
      ['1', 0],
      ['44', 1],
      ['.*', 9999],
    ])
    expect(await fetchLcr()).toMatchObject({
      number_routes: 3,
      default_carrier_set_entry_sid: savedRoutes[2]!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid,
    })
  })

  it('keep routes that are missing from a list, unless the list is saved with the LCR', async () => {
    expect((await northClient('GET', '/Abilities')).body).toMatchObject({ routes: true })
    await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [
      createRouteDraft('1', 0),
      createRouteDraft('44', 1),
      createDefaultRouteDraft(),
    ])
    const [firstRoute, secondRoute, defaultRouteRow] = await fetchRoutes()
    const foreignCarrierSid = backend.testData.acme.voip_carrier
    // A route with a SID is updated, and one without is added.
    const changedRoute = {
      ...secondRoute!,
      priority: 0,
      lcr_carrier_set_entries: [{ ...secondRoute!.lcr_carrier_set_entries[0]! }],
    }
    expect(await northClient('PUT', `/Lcrs/${lcrSid}/Routes`, [changedRoute, createRouteDraft('49', 1)])).toMatchObject(
      {
        status: 204,
      },
    )
    expect((await fetchRoutes()).map(({ regex }) => regex).sort()).toEqual(['.*', '1', '44', '49'])
    expect(await northClient('PUT', `/Lcrs/${lcrSid}`, { routes: [changedRoute, defaultRouteRow] })).toMatchObject({
      status: 204,
    })
    const updatedRoutes = await fetchRoutes()
    expect(updatedRoutes.map(({ regex }) => regex)).toEqual(['44', '.*'])
    expect(updatedRoutes[0]!.lcr_route_sid).toBe(secondRoute!.lcr_route_sid)
    expect(updatedRoutes.map(({ lcr_route_sid }) => lcr_route_sid)).not.toContain(firstRoute!.lcr_route_sid)
    expect((await fetchLcr()).default_carrier_set_entry_sid).toBe(
      defaultRouteRow!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid,
    )
    // A provider's LCR cannot use an account's carrier.
    const initialSnapshot = await takeSnapshot(backend.database)
    const routesWithForeignCarrier = [
      createRouteDraft('6', 0),
      createRouteDraft('7', 1, { lcr_carrier_set_entries: [createEntryDraft(), createEntryDraft(foreignCarrierSid)] }),
    ]
    for (const [path, body, pathPrefix] of [
      [`/Lcrs/${lcrSid}/Routes`, routesWithForeignCarrier, ''],
      [`/Lcrs/${lcrSid}`, { name: 'x', routes: routesWithForeignCarrier }, 'routes.'],
    ] as const) {
      const field = `${pathPrefix}1.lcr_carrier_set_entries.1.voip_carrier_sid`
      expect(await northClient('PUT', path, body)).toMatchObject({
        status: 400,
        body: { msg: 'unknown voip_carrier_sid', field },
      })
    }
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are written with their routes in one transaction', async () => {
    await northClient('DELETE', `/Lcrs/${lcrSid}`)
    const initialSnapshot = await takeSnapshot(backend.database)
    const invalidRoutes = [createRouteDraft('1', 0), createRouteDraft('(44', 1)]
    expect(await northClient('POST', '/Lcrs', { name: 'North', routes: invalidRoutes })).toMatchObject({
      status: 400,
      body: { msg: routeMessages.invalidPattern, field: 'routes.1.regex' },
    })
    const routesWithUnknownCarrier = [createRouteDraft('1', 0, { lcr_carrier_set_entries: [createEntryDraft('x')] })]
    expect((await northClient('POST', '/Lcrs', { name: 'North', routes: routesWithUnknownCarrier })).status).toBe(400)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    const manyRoutes = Array.from({ length: 1000 }, (_, index) =>
      createRouteDraft(String(index), index, { description: 'x'.repeat(60) }),
    )
    const lcrResponse = await northClient('POST', '/Lcrs', {
      name: 'North',
      routes: [...manyRoutes, createDefaultRouteDraft()],
    })
    expect(lcrResponse.status).toBe(201)
    lcrSid = lcrResponse.body.sid
    expect(await fetchLcr()).toMatchObject({
      number_routes: 1001,
      service_provider_sid: backend.testData.providers.north,
    })
    expect((await fetchRoutes()).slice(-2).map(({ regex }) => regex)).toEqual(['999', '.*'])
  })

  it('are not overwritten if they have changed since they were read', async () => {
    await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [createRouteDraft('1', 0), createDefaultRouteDraft()])
    const { version } = await fetchLcr()
    expect(await northClient('PUT', `/Lcrs/${lcrSid}`, { name: 'One', version })).toMatchObject({ status: 204 })
    const [firstRoute, defaultRouteRow] = await fetchRoutes()
    const outdatedUpdate = { name: 'Two', routes: [defaultRouteRow], version }
    expect(await northClient('PUT', `/Lcrs/${lcrSid}`, outdatedUpdate)).toMatchObject({
      status: 409,
      body: { msg: messages.changedMeanwhile },
    })
    // Changes of routes and their carriers count too.
    const entrySid = firstRoute!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid
    for (const [path, body] of [
      [`/LcrRoutes/${firstRoute!.lcr_route_sid}`, { regex: '2' }],
      [`/LcrCarrierSetEntries/${entrySid}`, { workload: 7 }],
    ] as const) {
      const versionBefore = (await fetchLcr()).version
      await northClient('PUT', path, body)
      expect(await northClient('PUT', `/Lcrs/${lcrSid}`, { ...outdatedUpdate, version: versionBefore })).toMatchObject({
        status: 409,
      })
    }
    expect((await fetchRoutes()).map(({ regex }) => regex)).toEqual(['2', '.*'])
    expect((await fetchLcr()).name).toBe('One')
    expect(
      await northClient('PUT', `/Lcrs/${lcrSid}`, { ...outdatedUpdate, version: (await fetchLcr()).version }),
    ).toMatchObject({
      status: 204,
    })
    expect((await fetchRoutes()).map(({ regex }) => regex)).toEqual(['.*'])
    // Without a version, updates are never refused: clients of other v1 servers send none.
    expect(await northClient('PUT', `/Lcrs/${lcrSid}`, { name: 'Three' })).toMatchObject({ status: 204 })
  })

  it.each<[string, unknown, string]>([
    ['a body that is not a list', {}, 'a list of routes is required'],
    ['no pattern', [{ priority: 0, lcr_carrier_set_entries: [{ voip_carrier_sid: 'x' }] }], 'missing field regex'],
    ['a long pattern', [{ regex: 'x'.repeat(33), priority: 0 }], '0.regex must be at most 32 characters'],
    ['an incomplete regex', [{ regex: '(44', priority: 0 }], routeMessages.invalidPattern],
    ['a pattern that is too slow', [{ regex: '(\\d+)+$', priority: 0 }], routeMessages.slowPattern],
    ['no carriers', [{ regex: '1', priority: 0 }], 'Lcr Route batch process require lcr_carrier_set_entries'],
    [
      'an empty carrier',
      [{ regex: '1', priority: 0, lcr_carrier_set_entries: [{ priority: 0 }] }],
      'One of lcr_carrier_set_entries is missing voip_carrier_sid',
    ],
    [
      'an unknown carrier',
      [{ regex: '1', priority: 0, lcr_carrier_set_entries: [{ voip_carrier_sid: 'x' }] }],
      'unknown voip_carrier_sid',
    ],
  ])('refuse the complete list of routes with %s', async (_, body, msg) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    for (const method of ['POST', 'PUT'] as const)
      expect(await northClient(method, `/Lcrs/${lcrSid}/Routes`, body)).toMatchObject({ status: 400, body: { msg } })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('add a new route or carrier if the list repeats a SID', async () => {
    await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [createDefaultRouteDraft()])
    const [savedRoute] = await fetchRoutes()
    const [savedEntry] = savedRoute!.lcr_carrier_set_entries
    const routes = [
      { ...savedRoute!, lcr_carrier_set_entries: [createEntryDraft()] },
      { ...savedRoute!, regex: '44', lcr_carrier_set_entries: [savedEntry, savedEntry] },
    ]
    expect(await northClient('PUT', `/Lcrs/${lcrSid}`, { routes })).toMatchObject({ status: 204 })
    const updatedRoutes = await fetchRoutes()
    expect(updatedRoutes.map(({ regex }) => regex).sort()).toEqual(['.*', '44'])
    expect(updatedRoutes.find(({ regex }) => regex === '44')!.lcr_carrier_set_entries).toHaveLength(2)
  })

  it('allow the deletion of single routes and carriers, including the default', async () => {
    await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [createRouteDraft('1', 0), createDefaultRouteDraft()])
    const defaultRouteRow = (await fetchRoutes())[1]!
    expect(await northClient('DELETE', `/LcrRoutes/${defaultRouteRow.lcr_route_sid}`)).toMatchObject({ status: 204 })
    expect(await fetchLcr()).toMatchObject({ number_routes: 1, default_carrier_set_entry_sid: null })
    const [remainingRoute] = await fetchRoutes()
    const entryResponse = await northClient('POST', '/LcrCarrierSetEntries', {
      lcr_route_sid: remainingRoute!.lcr_route_sid,
      voip_carrier_sid: carrierSid,
      priority: 5,
    })
    expect(entryResponse.status).toBe(201)
    expect(await northClient('PUT', `/LcrCarrierSetEntries/${entryResponse.body.sid}`, { workload: 3 })).toMatchObject({
      status: 204,
    })
    expect((await northClient('GET', `/LcrCarrierSetEntries/${entryResponse.body.sid}`)).body).toMatchObject({
      workload: 3,
      priority: 5,
    })
    expect(await northClient('PUT', `/LcrRoutes/${remainingRoute!.lcr_route_sid}`, { regex: '1617' })).toMatchObject({
      status: 204,
    })
    expect((await fetchRoutes())[0]).toMatchObject({ regex: '1617', priority: 0 })
    expect(await northClient('DELETE', `/LcrCarrierSetEntries/${entryResponse.body.sid}`)).toMatchObject({
      status: 204,
    })
  })

  it('accept only a carrier of their own routes as the default', async () => {
    await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [createRouteDraft('1', 0)])
    const entrySid = (await fetchRoutes())[0]!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid
    expect(
      await acmeClient('PUT', `/Lcrs/${backend.testData.acme.lcr}`, { default_carrier_set_entry_sid: entrySid }),
    ).toMatchObject({
      status: 400,
      body: { field: 'default_carrier_set_entry_sid' },
    })
    expect(
      await northClient('PUT', `/Lcrs/${lcrSid}`, { default_carrier_set_entry_sid: entrySid, account_sid: '' }),
    ).toMatchObject({
      status: 204,
    })
    expect(await fetchLcr()).toMatchObject({ default_carrier_set_entry_sid: entrySid, account_sid: null })
  })

  it('are deleted with their routes', async () => {
    await northClient('POST', `/Lcrs/${lcrSid}/Routes`, [createRouteDraft('1', 0), createDefaultRouteDraft()])
    expect(await northClient('DELETE', `/Lcrs/${lcrSid}`)).toMatchObject({ status: 204 })
    expect(await northClient('GET', `/Lcrs/${lcrSid}`)).toMatchObject({ status: 404 })
    const remainingRoutes = await backend.database.db
      .selectFrom('lcr_routes')
      .selectAll()
      .where('lcr_sid', '=', lcrSid)
      .execute()
    expect(remainingRoutes).toEqual([])
    expect(await northClient('DELETE', `/VoipCarriers/${carrierSid}`)).toMatchObject({ status: 204 })
  })
})
