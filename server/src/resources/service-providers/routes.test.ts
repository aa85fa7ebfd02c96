import { randomUUID } from 'node:crypto'
import { messages } from '@trunkline/contract/messages/service-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { findOrphanedWebhooks } from '../../../test/orphans'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const hook = { url: 'https://example.com/register', method: 'POST', username: 'u', password: 'p' }

describe.each(databaseEngines)('service providers (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let northClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    northClient = createApiClient(backend.app, backend.testData.keys.north)
  })
  afterAll(() => backend.close())

  let lastSerial = 0
  const create = async (overrides: object = {}): Promise<string> =>
    (await adminClient('POST', '/ServiceProviders', { name: `provider ${++lastSerial}`, ...overrides })).body.sid
  const read = (sid: string) => adminClient('GET', `/ServiceProviders/${sid}`).then(({ body }) => body)

  it('are created and read with their webhook', async () => {
    const sid = await create({
      description: 'd',
      root_domain: `${lastSerial}.example.com`,
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

  it('keep a webhook that is omitted, update it in place, and remove it if it is null', async () => {
    const sid = await create({ registration_hook: hook })
    const path = `/ServiceProviders/${sid}`
    const readWebhookSid = async () =>
      (
        await backend.database.db
          .selectFrom('service_providers')
          .select('registration_hook_sid')
          .where('service_provider_sid', '=', sid)
          .executeTakeFirstOrThrow()
      ).registration_hook_sid
    const webhookSid = await readWebhookSid()
    for (const unchangedHook of [{ description: 'x' }, {}, { registration_hook: {} }]) {
      expect(await adminClient('PUT', path, unchangedHook)).toMatchObject({ status: 204, body: undefined })
      expect((await read(sid)).registration_hook).toMatchObject(hook)
    }
    await adminClient('PUT', path, { registration_hook: { ...hook, url: 'https://example.com/2' } })
    expect((await read(sid)).registration_hook).toMatchObject({ url: 'https://example.com/2' })
    expect(await readWebhookSid()).toBe(webhookSid)
    expect(await findOrphanedWebhooks(backend.database)).toEqual([])
    expect(await adminClient('PUT', path, { registration_hook: null })).toMatchObject({ status: 204 })
    expect((await read(sid)).registration_hook).toBeNull()
    expect(await findOrphanedWebhooks(backend.database)).toEqual([])
  })

  it('require unique names and domains', async () => {
    await create({ name: 'Taken', root_domain: 'taken.example.com' })
    const initialSnapshot = await takeSnapshot(backend.database)
    const duplicateName = {
      status: 422,
      body: { msg: expect.stringMatching(/^Duplicate entry 'taken' for key '.*name'$/i), field: 'name' },
    }
    expect(await adminClient('POST', '/ServiceProviders', { name: 'taken' })).toMatchObject(duplicateName)
    expect(
      await adminClient('PUT', `/ServiceProviders/${backend.testData.providers.north}`, { name: 'TAKEN' }),
    ).toMatchObject(duplicateName)
    const duplicateDomain = { status: 422, body: { field: 'root_domain' } }
    expect(
      await adminClient('POST', '/ServiceProviders', { name: 'free', root_domain: 'taken.example.com' }),
    ).toMatchObject(duplicateDomain)
    expect(await adminClient('POST', '/ServiceProviders', { name: 'x', lcr_sid: null })).toMatchObject({
      status: 400,
      body: { msg: 'unknown field lcr_sid' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it.each([
    ['registration_hook.url', { registration_hook: { ...hook, url: 'nonsense' } }, 'registration_hook URL is invalid'],
    ['ms_teams_fqdn', { ms_teams_fqdn: 'https://teams.example.com' }, messages.invalidTeamsDomain],
    ['ms_teams_fqdn', { ms_teams_fqdn: '10.0.0.1' }, messages.invalidTeamsDomain],
  ])('refuse an invalid %s', async (field, invalidFields, msg) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const refusal = { status: 400, body: { msg, field } }
    expect(await adminClient('POST', '/ServiceProviders', { name: 'not created', ...invalidFields })).toMatchObject(
      refusal,
    )
    const path = `/ServiceProviders/${backend.testData.providers.north}`
    expect(await northClient('PUT', path, invalidFields)).toMatchObject(refusal)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('accept stored invalid values in an update', async () => {
    const sid = await create()
    const { db } = backend.database
    await db
      .updateTable('service_providers')
      .set({ ms_teams_fqdn: 'x' })
      .where('service_provider_sid', '=', sid)
      .execute()
    expect(await adminClient('PUT', `/ServiceProviders/${sid}`, { ms_teams_fqdn: 'x' })).toMatchObject({ status: 204 })
  })

  it('are updated by their own users', async () => {
    const path = `/ServiceProviders/${backend.testData.providers.north}`
    expect(await northClient('PUT', path, { name: 'Northwind', ms_teams_fqdn: null })).toMatchObject({ status: 204 })
    expect(await northClient('PUT', path, { service_provider_sid: backend.testData.providers.north })).toMatchObject({
      status: 400,
      body: { msg: 'primary key service_provider_sid is immutable' },
    })
  })

  it('are not removed while they have accounts or users', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const { providers, accounts, users } = backend.testData
    const { status, body } = await adminClient('DELETE', `/ServiceProviders/${providers.south}`)
    expect({ status, msg: body.msg }).toEqual({ status: 403, msg: 'insufficient privileges' })
    expect(body.dependents).toEqual(
      expect.arrayContaining([
        { kind: 'account', sid: accounts.corp, title: 'corp' },
        { kind: 'user', sid: users.south, title: 'south' },
      ]),
    )
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are removed with all records that belong to no account', async () => {
    const { db } = backend.database
    const service_provider_sid = await create({ registration_hook: hook })
    const [lcr_sid, lcr_route_sid, entrySid] = [randomUUID(), randomUUID(), randomUUID()]
    const carrierCount = (await adminClient('GET', '/VoipCarriers?page=1')).body.total
    const { body: carrier } = await adminClient(
      'POST',
      `/ServiceProviders/${service_provider_sid}/PredefinedCarriers/17479288-bb9f-421a-89d1-f4ac57af1dca`,
    )
    expect((await adminClient('GET', '/VoipCarriers?page=1')).body.total).toBe(carrierCount + 1)
    await adminClient('POST', '/ApiKeys', { service_provider_sid, name: 'Voice agent' })
    await adminClient('POST', '/Sbcs', { service_provider_sid, ipv4: '192.0.2.77' })
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
      .values({ lcr_carrier_set_entry_sid: entrySid, lcr_route_sid, voip_carrier_sid: carrier.sid })
      .execute()
    await db
      .updateTable('lcr')
      .set({ default_carrier_set_entry_sid: entrySid })
      .where('lcr_sid', '=', lcr_sid)
      .execute()
    expect(await adminClient('DELETE', `/ServiceProviders/${service_provider_sid}`)).toMatchObject({
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
    expect(
      await db.selectFrom('sip_gateways').selectAll().where('voip_carrier_sid', '=', carrier.sid).execute(),
    ).toEqual([])
    expect(await db.selectFrom('lcr_routes').selectAll().where('lcr_sid', '=', lcr_sid).execute()).toEqual([])
    expect(await db.selectFrom('trunkline_api_key_names').selectAll().execute()).toEqual([])
    expect(await findOrphanedWebhooks(backend.database)).toEqual([])
    expect((await adminClient('GET', '/VoipCarriers?page=1')).body.total).toBe(carrierCount)
  })

  it('are not removed while they have an application or number without account', async () => {
    const { db } = backend.database
    const service_provider_sid = await create()
    const application_sid = randomUUID()
    await db.insertInto('applications').values({ application_sid, name: 'left over', service_provider_sid }).execute()
    const path = `/ServiceProviders/${service_provider_sid}`
    expect(await adminClient('DELETE', path)).toMatchObject({
      status: 403,
      body: { dependents: [{ kind: 'application', title: 'left over' }] },
    })
    await db.deleteFrom('applications').where('application_sid', '=', application_sid).execute()
    const { body } = await adminClient('POST', '/PhoneNumbers', { number: '4711', service_provider_sid })
    expect(await adminClient('DELETE', path)).toMatchObject({
      status: 403,
      body: { dependents: [{ kind: 'phone_number', sid: body.sid }] },
    })
    await adminClient('DELETE', `/PhoneNumbers/${body.sid}`)
    const ms_teams_tenant_sid = randomUUID()
    await db
      .insertInto('ms_teams_tenants')
      .values({
        ms_teams_tenant_sid,
        service_provider_sid,
        account_sid: backend.testData.accounts.acme,
        tenant_fqdn: 'tenant.example.com',
      })
      .execute()
    expect(await adminClient('DELETE', path)).toMatchObject({
      status: 403,
      body: { dependents: [{ kind: 'ms_teams_tenant', sid: ms_teams_tenant_sid, title: 'tenant.example.com' }] },
    })
    await db.deleteFrom('ms_teams_tenants').where('ms_teams_tenant_sid', '=', ms_teams_tenant_sid).execute()
    expect(await adminClient('DELETE', path)).toMatchObject({ status: 204 })
  })

  it('can all be removed over the API', async () => {
    const otherBackend = await startBackend({ databaseEngine })
    try {
      const { db } = otherBackend.database
      const otherAdminClient = createApiClient(otherBackend.app, otherBackend.testData.keys.admin)
      for (const account of Object.values(otherBackend.testData.accounts))
        await otherAdminClient('DELETE', `/Accounts/${account}`)
      const providers = (await otherAdminClient('GET', '/ServiceProviders')).body as { service_provider_sid: string }[]
      for (const { service_provider_sid } of providers) {
        const { body } = await otherAdminClient('GET', `/ServiceProviders/${service_provider_sid}/Accounts`)
        for (const { account_sid } of body) await otherAdminClient('DELETE', `/Accounts/${account_sid}`)
      }
      await db.deleteFrom('users').where('service_provider_sid', 'is not', null).execute()
      for (const { service_provider_sid } of providers)
        expect(await otherAdminClient('DELETE', `/ServiceProviders/${service_provider_sid}`)).toMatchObject({
          status: 204,
        })
      expect((await otherAdminClient('GET', '/ServiceProviders')).body).toEqual([])
      expect((await otherAdminClient('POST', '/ServiceProviders', { name: 'New' })).status).toBe(201)
    } finally {
      await otherBackend.close()
    }
  })
})
