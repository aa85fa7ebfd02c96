import { beforeEach, afterEach, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/lcr'
import type { LcrRoute } from '@trunkline/contract/shapes/lcr'
import { defaultRoute } from '@trunkline/contract/telephony/lcr'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('LCRs (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let north: ApiClient
  let acme: ApiClient
  /** The provider's carrier and LCR, which each test starts with. */
  let carrier: string
  let table: string
  beforeEach(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
    north = apiClient(backend.app, backend.world.keys.north)
    acme = apiClient(backend.app, backend.world.keys.acme)
    carrier = backend.world.shared.north.voip_carrier
    table = (await north('POST', '/Lcrs', { name: 'North', account_sid: '' })).body.sid
  })
  afterEach(() => backend.close())

  const entry = (voip_carrier_sid = carrier) => ({ voip_carrier_sid, priority: 0, lcr_route_sid: '' })
  const listed = (regex: string, priority: number, overrides: object = {}) => ({
    regex,
    priority,
    lcr_route_sid: '',
    lcr_carrier_set_entries: [entry()],
    ...overrides,
  })
  const last = () => ({ ...defaultRoute, lcr_carrier_set_entries: [entry()] })
  const routes = async (): Promise<LcrRoute[]> => (await north('GET', `/LcrRoutes?lcr_sid=${table}`)).body
  const read = async () => (await north('GET', `/Lcrs/${table}`)).body

  it('belong to a provider or an account, one per owner', async () => {
    const { world } = backend
    expect(await read()).toEqual({
      lcr_sid: table,
      name: 'North',
      is_active: 1,
      default_carrier_set_entry_sid: null,
      service_provider_sid: world.providers.north,
      service_provider_name: 'Northwind',
      account_sid: null,
      account_name: null,
      number_routes: 0,
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    const second = await snapshot(backend.database)
    expect(await north('POST', '/Lcrs', { name: 'x' })).toMatchObject({
      status: 400,
      body: { msg: 'Service Provider: Northwind already \n      has an active call routing table.' },
    })
    expect(await acme('POST', '/Lcrs', { name: 'x', account_sid: world.bolt.account })).toMatchObject({
      status: 400,
      body: { msg: 'Account: acme  already has an active call routing table.', field: 'account_sid' },
    })
    for (const service_provider_sid of [world.acme.account, 'x'])
      expect(await admin('POST', '/Lcrs', { name: 'x', service_provider_sid })).toMatchObject({
        status: 400,
        body: { msg: 'unknown service_provider_sid' },
      })
    expect(await snapshot(backend.database)).toEqual(second)
    // LCRs of a provider and of its accounts do not exclude each other.
    await acme('DELETE', `/Lcrs/${world.acme.lcr}`)
    expect(await acme('POST', '/Lcrs', { name: 'x' })).toMatchObject({ status: 201 })
  })

  it('of administrators may have no owner and use carriers without owner', async () => {
    const { body } = await admin('POST', '/Lcrs', { name: 'nobody', account_sid: '', service_provider_sid: '' })
    const read = () => admin('GET', `/Lcrs/${body.sid}`)
    expect(await read()).toMatchObject({ status: 200, body: { account_sid: null, service_provider_sid: null } })
    expect((await admin('POST', '/Lcrs', { name: 'nobody 2' })).status).toBe(201)
    const { sid: ownerless } = (await admin('POST', '/VoipCarriers', { name: 'ownerless' })).body
    const saved = await admin('POST', `/Lcrs/${body.sid}/Routes`, [
      listed('44', 0, { lcr_carrier_set_entries: [entry(ownerless)] }),
    ])
    expect(saved).toMatchObject({ status: 204 })
    expect((await read()).body.number_routes).toBe(1)
    for (const request of [north, acme]) expect((await request('GET', `/Lcrs/${body.sid}`)).status).toBe(404)
  })

  it('keep a carrier without owner that an administrator chose, when their owner saves them', async () => {
    const { sid: ownerless } = (await admin('POST', '/VoipCarriers', { name: 'ownerless' })).body
    await north('POST', `/Lcrs/${table}/Routes`, [listed('44', 0)])
    const [route] = await routes()
    const { lcr_route_sid } = route!
    const unknown = { status: 400, body: { msg: 'unknown voip_carrier_sid', field: 'voip_carrier_sid' } }
    const draft = { lcr_route_sid, voip_carrier_sid: ownerless, workload: 1, priority: 1 }
    expect(await north('POST', '/LcrCarrierSetEntries', draft)).toMatchObject(unknown)
    const { body } = await admin('POST', '/LcrCarrierSetEntries', draft)
    expect(body).toEqual({ sid: expect.any(String) })
    expect((await north('PUT', `/LcrCarrierSetEntries/${body.sid}`, { workload: 2 })).status).toBe(204)
    expect(await north('PUT', `/Lcrs/${table}`, { name: 'North 2', routes: await routes() })).toMatchObject({
      status: 204,
    })
    expect((await routes())[0]?.lcr_carrier_set_entries.map(({ voip_carrier_sid }) => voip_carrier_sid)).toEqual([
      carrier,
      ownerless,
    ])
    await north('DELETE', `/LcrCarrierSetEntries/${body.sid}`)
    expect(await north('POST', '/LcrCarrierSetEntries', draft)).toMatchObject(unknown)
  })

  it('are limited to one per owner, also for parallel requests', async () => {
    const { acme: acmeRecords, bolt, corp } = backend.world
    for (const sid of [acmeRecords.lcr, bolt.lcr, corp.lcr, table]) await admin('DELETE', `/Lcrs/${sid}`)
    const rush = async (request: ApiClient, expectedOwner: object) => {
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => request('POST', '/Lcrs', { name: 'x', ...expectedOwner })),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(400)])
      return replies.find(({ status }) => status === 201)!.body.sid as string
    }
    const ofAccount = await rush(acme, {})
    const ofProvider = await rush(north, {})
    const to = { account_sid: bolt.account }
    const moved = await Promise.all([ofAccount, ofProvider].map((sid) => admin('PUT', `/Lcrs/${sid}`, to)))
    expect(moved.map(({ status }) => status).sort()).toEqual([204, 400])
    const left = (await admin('GET', '/Lcrs')).body as { account_sid: string | null }[]
    expect(left).toHaveLength(2)
    expect(left.filter(({ account_sid }) => account_sid === bolt.account)).toHaveLength(1)
  })

  it('save routes as a list, with the last as default', async () => {
    expect(await north('POST', `/Lcrs/${table}/Routes`, [listed('1', 0), listed('44', 1), last()])).toMatchObject({
      status: 204,
    })
    const result = await routes()
    expect(result.map(({ regex, priority }) => [regex, priority])).toEqual([
      ['1', 0],
      ['44', 1],
      ['.*', 9999],
    ])
    expect(await read()).toMatchObject({
      number_routes: 3,
      default_carrier_set_entry_sid: result[2]!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid,
    })
  })

  it('keep routes missing from a list, unless the list is saved with the LCR', async () => {
    expect((await north('GET', '/Abilities')).body).toMatchObject({ routes: true })
    await north('POST', `/Lcrs/${table}/Routes`, [listed('1', 0), listed('44', 1), last()])
    const [first, second, rest] = await routes()
    const other = backend.world.acme.voip_carrier
    // A route with a SID is updated, and one without is added.
    const changed = { ...second!, priority: 0, lcr_carrier_set_entries: [{ ...second!.lcr_carrier_set_entries[0]! }] }
    expect(await north('PUT', `/Lcrs/${table}/Routes`, [changed, listed('49', 1)])).toMatchObject({ status: 204 })
    expect((await routes()).map(({ regex }) => regex).sort()).toEqual(['.*', '1', '44', '49'])
    expect(await north('PUT', `/Lcrs/${table}`, { routes: [changed, rest] })).toMatchObject({ status: 204 })
    const after = await routes()
    expect(after.map(({ regex }) => regex)).toEqual(['44', '.*'])
    expect(after[0]!.lcr_route_sid).toBe(second!.lcr_route_sid)
    expect(after.map(({ lcr_route_sid }) => lcr_route_sid)).not.toContain(first!.lcr_route_sid)
    expect((await read()).default_carrier_set_entry_sid).toBe(
      rest!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid,
    )
    // A provider's LCR cannot use an account's carrier.
    const initialSnapshot = await snapshot(backend.database)
    const foreign = [listed('6', 0), listed('7', 1, { lcr_carrier_set_entries: [entry(), entry(other)] })]
    for (const [path, body, under] of [
      [`/Lcrs/${table}/Routes`, foreign, ''],
      [`/Lcrs/${table}`, { name: 'x', routes: foreign }, 'routes.'],
    ] as const) {
      const field = `${under}1.lcr_carrier_set_entries.1.voip_carrier_sid`
      expect(await north('PUT', path, body)).toMatchObject({
        status: 400,
        body: { msg: 'unknown voip_carrier_sid', field },
      })
    }
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are written with their routes in one transaction', async () => {
    await north('DELETE', `/Lcrs/${table}`)
    const none = await snapshot(backend.database)
    const faulty = [listed('1', 0), listed('(44', 1)]
    expect(await north('POST', '/Lcrs', { name: 'North', routes: faulty })).toMatchObject({
      status: 400,
      body: { msg: messages.invalidPattern, field: 'routes.1.regex' },
    })
    const foreign = [listed('1', 0, { lcr_carrier_set_entries: [entry('x')] })]
    expect((await north('POST', '/Lcrs', { name: 'North', routes: foreign })).status).toBe(400)
    expect(await snapshot(backend.database)).toEqual(none)
    const count = Array.from({ length: 1000 }, (_, index) =>
      listed(String(index), index, { description: 'x'.repeat(60) }),
    )
    const created = await north('POST', '/Lcrs', { name: 'North', routes: [...count, last()] })
    expect(created.status).toBe(201)
    table = created.body.sid
    expect(await read()).toMatchObject({ number_routes: 1001, service_provider_sid: backend.world.providers.north })
    expect((await routes()).slice(-2).map(({ regex }) => regex)).toEqual(['999', '.*'])
  })

  it('refuse to overwrite a parallel change', async () => {
    await north('POST', `/Lcrs/${table}/Routes`, [listed('1', 0), last()])
    const { version } = await read()
    expect(await north('PUT', `/Lcrs/${table}`, { name: 'One', version })).toMatchObject({ status: 204 })
    const [first, rest] = await routes()
    const late = { name: 'Two', routes: [rest], version }
    expect(await north('PUT', `/Lcrs/${table}`, late)).toMatchObject({
      status: 409,
      body: { msg: messages.changedMeanwhile },
    })
    // Changes of routes and their carriers count too.
    const entrySid = first!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid
    for (const [path, body] of [
      [`/LcrRoutes/${first!.lcr_route_sid}`, { regex: '2' }],
      [`/LcrCarrierSetEntries/${entrySid}`, { workload: 7 }],
    ] as const) {
      const initialValue = (await read()).version
      await north('PUT', path, body)
      expect(await north('PUT', `/Lcrs/${table}`, { ...late, version: initialValue })).toMatchObject({ status: 409 })
    }
    expect((await routes()).map(({ regex }) => regex)).toEqual(['2', '.*'])
    expect((await read()).name).toBe('One')
    expect(await north('PUT', `/Lcrs/${table}`, { ...late, version: (await read()).version })).toMatchObject({
      status: 204,
    })
    expect((await routes()).map(({ regex }) => regex)).toEqual(['.*'])
    // Without a version, updates always win, as for clients of version 1.
    expect(await north('PUT', `/Lcrs/${table}`, { name: 'Three' })).toMatchObject({ status: 204 })
  })

  it.each<[string, unknown, string]>([
    ['a body that is not a list', {}, 'a list of routes is required'],
    ['no pattern', [{ priority: 0, lcr_carrier_set_entries: [{ voip_carrier_sid: 'x' }] }], 'missing field regex'],
    ['a long pattern', [{ regex: 'x'.repeat(33), priority: 0 }], '0.regex must be at most 32 characters'],
    ['an incomplete regex', [{ regex: '(44', priority: 0 }], messages.invalidPattern],
    ['a pattern that is too slow', [{ regex: '(\\d+)+$', priority: 0 }], messages.slowPattern],
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
  ])('are refused with %s, all of them', async (_, body, msg) => {
    const initialSnapshot = await snapshot(backend.database)
    for (const method of ['POST', 'PUT'] as const)
      expect(await north(method, `/Lcrs/${table}/Routes`, body)).toMatchObject({ status: 400, body: { msg } })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('delete routes and carriers one by one, including the default', async () => {
    await north('POST', `/Lcrs/${table}/Routes`, [listed('1', 0), last()])
    const rest = (await routes())[1]!
    expect(await north('DELETE', `/LcrRoutes/${rest.lcr_route_sid}`)).toMatchObject({ status: 204 })
    expect(await read()).toMatchObject({ number_routes: 1, default_carrier_set_entry_sid: null })
    const [only] = await routes()
    const created = await north('POST', '/LcrCarrierSetEntries', {
      lcr_route_sid: only!.lcr_route_sid,
      voip_carrier_sid: carrier,
      priority: 5,
    })
    expect(created.status).toBe(201)
    expect(await north('PUT', `/LcrCarrierSetEntries/${created.body.sid}`, { workload: 3 })).toMatchObject({
      status: 204,
    })
    expect((await north('GET', `/LcrCarrierSetEntries/${created.body.sid}`)).body).toMatchObject({
      workload: 3,
      priority: 5,
    })
    expect(await north('PUT', `/LcrRoutes/${only!.lcr_route_sid}`, { regex: '1617' })).toMatchObject({ status: 204 })
    expect((await routes())[0]).toMatchObject({ regex: '1617', priority: 0 })
    expect(await north('DELETE', `/LcrCarrierSetEntries/${created.body.sid}`)).toMatchObject({ status: 204 })
  })

  it('accept only a default from their own routes', async () => {
    await north('POST', `/Lcrs/${table}/Routes`, [listed('1', 0)])
    const owner = (await routes())[0]!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid
    expect(
      await acme('PUT', `/Lcrs/${backend.world.acme.lcr}`, { default_carrier_set_entry_sid: owner }),
    ).toMatchObject({
      status: 400,
      body: { field: 'default_carrier_set_entry_sid' },
    })
    expect(
      await north('PUT', `/Lcrs/${table}`, { default_carrier_set_entry_sid: owner, account_sid: '' }),
    ).toMatchObject({
      status: 204,
    })
    expect(await read()).toMatchObject({ default_carrier_set_entry_sid: owner, account_sid: null })
  })

  it('are deleted with their routes', async () => {
    await north('POST', `/Lcrs/${table}/Routes`, [listed('1', 0), last()])
    expect(await north('DELETE', `/Lcrs/${table}`)).toMatchObject({ status: 204 })
    expect(await north('GET', `/Lcrs/${table}`)).toMatchObject({ status: 404 })
    const left = await backend.database.db.selectFrom('lcr_routes').selectAll().where('lcr_sid', '=', table).execute()
    expect(left).toEqual([])
    expect(await north('DELETE', `/VoipCarriers/${carrier}`)).toMatchObject({ status: 204 })
  })
})
