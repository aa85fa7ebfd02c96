import { randomUUID } from 'node:crypto'
import { messages } from '@trunkline/contract/messages/service-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { orphans } from '../../../test/orphans'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

const hook = { url: 'https://example.com/register', method: 'POST', username: 'u', password: 'p' }

describe.each(engines)('service providers (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let north: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
    north = apiClient(backend.app, backend.world.keys.north)
  })
  afterAll(() => backend.close())

  let serial = 0
  const create = async (overrides: object = {}): Promise<string> =>
    (await admin('POST', '/ServiceProviders', { name: `provider ${++serial}`, ...overrides })).body.sid
  const read = (sid: string) => admin('GET', `/ServiceProviders/${sid}`).then(({ body }) => body)

  it('are created and read with their webhook', async () => {
    const sid = await create({
      description: 'd',
      root_domain: `${serial}.example.com`,
      ms_teams_fqdn: 'teams.example.com',
      registration_hook: hook,
    })
    expect(await read(sid)).toMatchObject({
      service_provider_sid: sid,
      description: 'd',
      ms_teams_fqdn: 'teams.example.com',
      registration_hook: hook,
    })
    expect((await read(await create())).registration_hook).toBeNull()
  })

  it('keep their webhook if omitted, update it in place, and remove it by null', async () => {
    const sid = await create({ registration_hook: hook })
    const path = `/ServiceProviders/${sid}`
    const { webhook_sid } = (await read(sid)).registration_hook
    for (const silent of [{ description: 'x' }, {}, { registration_hook: {} }]) {
      expect(await admin('PUT', path, silent)).toMatchObject({ status: 204, body: undefined })
      expect((await read(sid)).registration_hook).toMatchObject(hook)
    }
    await admin('PUT', path, { registration_hook: { ...hook, url: 'https://example.com/2' } })
    expect((await read(sid)).registration_hook).toMatchObject({
      url: 'https://example.com/2',
      ...(webhook_sid ? { webhook_sid } : {}),
    })
    expect(await orphans(backend.database)).toEqual([])
    expect(await admin('PUT', path, { registration_hook: null })).toMatchObject({ status: 204 })
    expect((await read(sid)).registration_hook).toBeNull()
    expect(await orphans(backend.database)).toEqual([])
  })

  it('require unique names and domains', async () => {
    await create({ name: 'Taken', root_domain: 'taken.example.com' })
    const initialSnapshot = await snapshot(backend.database)
    const name = {
      status: 422,
      body: { msg: expect.stringMatching(/^Duplicate entry 'taken' for key '.*name'$/i), field: 'name' },
    }
    expect(await admin('POST', '/ServiceProviders', { name: 'taken' })).toMatchObject(name)
    expect(await admin('PUT', `/ServiceProviders/${backend.world.providers.north}`, { name: 'TAKEN' })).toMatchObject(
      name,
    )
    const root_domain = { status: 422, body: { field: 'root_domain' } }
    expect(await admin('POST', '/ServiceProviders', { name: 'free', root_domain: 'taken.example.com' })).toMatchObject(
      root_domain,
    )
    expect(await admin('POST', '/ServiceProviders', { name: 'x', lcr_sid: null })).toMatchObject({
      status: 400,
      body: { msg: 'unknown field lcr_sid' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it.each([
    ['registration_hook.url', { registration_hook: { ...hook, url: 'nonsense' } }, 'registration_hook URL is invalid'],
    ['ms_teams_fqdn', { ms_teams_fqdn: 'https://teams.example.com' }, messages.invalidTeamsDomain],
    ['ms_teams_fqdn', { ms_teams_fqdn: '10.0.0.1' }, messages.invalidTeamsDomain],
  ])('refuse an invalid %s', async (field, invalid, msg) => {
    const initialSnapshot = await snapshot(backend.database)
    const refused = { status: 400, body: { msg, field } }
    expect(await admin('POST', '/ServiceProviders', { name: 'unmade', ...invalid })).toMatchObject(refused)
    const path = `/ServiceProviders/${backend.world.providers.north}`
    expect(await north('PUT', path, invalid)).toMatchObject(refused)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('may repeat stored invalid values', async () => {
    const sid = await create()
    const { db } = backend.database
    await db
      .updateTable('service_providers')
      .set({ ms_teams_fqdn: 'x' })
      .where('service_provider_sid', '=', sid)
      .execute()
    expect(await admin('PUT', `/ServiceProviders/${sid}`, { ms_teams_fqdn: 'x' })).toMatchObject({ status: 204 })
  })

  it('are updated by their own users', async () => {
    const path = `/ServiceProviders/${backend.world.providers.north}`
    expect(await north('PUT', path, { name: 'Northwind', ms_teams_fqdn: null })).toMatchObject({ status: 204 })
    expect(await north('PUT', path, { service_provider_sid: backend.world.providers.north })).toMatchObject({
      status: 400,
      body: { msg: 'primary key service_provider_sid is immutable' },
    })
  })

  it('are not removed while they have accounts or users', async () => {
    const initialSnapshot = await snapshot(backend.database)
    const { providers, accounts, users } = backend.world
    const { status, body } = await admin('DELETE', `/ServiceProviders/${providers.south}`)
    expect({ status, msg: body.msg }).toEqual({ status: 403, msg: 'insufficient privileges' })
    expect(body.dependents).toEqual(
      expect.arrayContaining([
        { kind: 'account', sid: accounts.corp, title: 'corp' },
        { kind: 'user', sid: users.south, title: 'south' },
      ]),
    )
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are removed with their records that belong to no account', async () => {
    const { db } = backend.database
    const service_provider_sid = await create({ registration_hook: hook })
    const [lcr_sid, lcr_route_sid, entry] = [randomUUID(), randomUUID(), randomUUID()]
    const total = (await admin('GET', '/VoipCarriers?page=1')).body.total
    const { body: carrier } = await admin(
      'POST',
      `/ServiceProviders/${service_provider_sid}/PredefinedCarriers/17479288-bb9f-421a-89d1-f4ac57af1dca`,
    )
    expect((await admin('GET', '/VoipCarriers?page=1')).body.total).toBe(total + 1)
    await admin('POST', '/ApiKeys', { service_provider_sid })
    await admin('POST', '/Sbcs', { service_provider_sid, ipv4: '192.0.2.77' })
    await db
      .insertInto('service_provider_limits')
      .values({ service_provider_limits_sid: randomUUID(), service_provider_sid, category: 'device', quantity: 1 })
      .execute()
    await db
      .insertInto('speech_credentials')
      .values({ speech_credential_sid: randomUUID(), service_provider_sid, vendor: 'x', credential: 'x' })
      .execute()
    await db.insertInto('lcr').values({ lcr_sid, service_provider_sid }).execute()
    await db.insertInto('lcr_routes').values({ lcr_route_sid, lcr_sid, regex: '.*', priority: 1 }).execute()
    await db
      .insertInto('lcr_carrier_set_entry')
      .values({ lcr_carrier_set_entry_sid: entry, lcr_route_sid, voip_carrier_sid: carrier.sid })
      .execute()
    await db.updateTable('lcr').set({ default_carrier_set_entry_sid: entry }).where('lcr_sid', '=', lcr_sid).execute()
    expect(await admin('DELETE', `/ServiceProviders/${service_provider_sid}`)).toMatchObject({
      status: 204,
      body: undefined,
    })
    for (const table of [
      'voip_carriers',
      'api_keys',
      'sbc_addresses',
      'service_provider_limits',
      'speech_credentials',
      'lcr',
    ] as const)
      expect(
        await db
          .selectFrom(table)
          .selectAll()
          .where('service_provider_sid' as never, '=', service_provider_sid as never)
          .execute(),
      ).toEqual([])
    expect(await orphans(backend.database)).toEqual([])
    expect((await admin('GET', '/VoipCarriers?page=1')).body.total).toBe(total)
  })

  it('are not removed while they have an application or number without account', async () => {
    const { db } = backend.database
    const service_provider_sid = await create()
    const application_sid = randomUUID()
    await db.insertInto('applications').values({ application_sid, name: 'left over', service_provider_sid }).execute()
    const path = `/ServiceProviders/${service_provider_sid}`
    expect(await admin('DELETE', path)).toMatchObject({
      status: 403,
      body: { dependents: [{ kind: 'application', title: 'left over' }] },
    })
    await db.deleteFrom('applications').where('application_sid', '=', application_sid).execute()
    const { body } = await admin('POST', '/PhoneNumbers', { number: '4711', service_provider_sid })
    expect(await admin('DELETE', path)).toMatchObject({
      status: 403,
      body: { dependents: [{ kind: 'phone_number', sid: body.sid }] },
    })
    await admin('DELETE', `/PhoneNumbers/${body.sid}`)
    const ms_teams_tenant_sid = randomUUID()
    await db
      .insertInto('ms_teams_tenants')
      .values({
        ms_teams_tenant_sid,
        service_provider_sid,
        account_sid: backend.world.accounts.acme,
        tenant_fqdn: 'tenant.example.com',
      })
      .execute()
    expect(await admin('DELETE', path)).toMatchObject({
      status: 403,
      body: { dependents: [{ kind: 'ms_teams_tenant', sid: ms_teams_tenant_sid, title: 'tenant.example.com' }] },
    })
    await db.deleteFrom('ms_teams_tenants').where('ms_teams_tenant_sid', '=', ms_teams_tenant_sid).execute()
    expect(await admin('DELETE', path)).toMatchObject({ status: 204 })
  })

  it('can all be removed, as API clients expect; only the console keeps the last one', async () => {
    const owner = await startBackend({ engine })
    try {
      const { db } = owner.database
      const boss = apiClient(owner.app, owner.world.keys.admin)
      for (const account of Object.values(owner.world.accounts)) await boss('DELETE', `/Accounts/${account}`)
      const all = (await boss('GET', '/ServiceProviders')).body as { service_provider_sid: string }[]
      for (const { service_provider_sid } of all) {
        const { body } = await boss('GET', `/ServiceProviders/${service_provider_sid}/Accounts`)
        for (const { account_sid } of body) await boss('DELETE', `/Accounts/${account_sid}`)
      }
      await db.deleteFrom('users').where('service_provider_sid', 'is not', null).execute()
      for (const { service_provider_sid } of all)
        expect(await boss('DELETE', `/ServiceProviders/${service_provider_sid}`)).toMatchObject({ status: 204 })
      expect((await boss('GET', '/ServiceProviders')).body).toEqual([])
      expect((await boss('POST', '/ServiceProviders', { name: 'Anew' })).status).toBe(201)
    } finally {
      await owner.close()
    }
  })
})
