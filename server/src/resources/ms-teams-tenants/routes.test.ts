import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('Microsoft Teams tenants (%s)', (engine) => {
  let backend: Backend
  let acme: ApiClient
  let north: ApiClient
  let admin: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    acme = apiClient(backend.app, backend.world.keys.acme)
    north = apiClient(backend.app, backend.world.keys.north)
    admin = apiClient(backend.app, backend.world.keys.admin)
  })
  afterAll(() => backend.close())

  const path = '/MicrosoftTeamsTenants'
  let count = 0
  const fqdn = () => `tenant-${count++}.example.com`

  it("belong to the actor's account and its provider", async () => {
    const { world } = backend
    const tenant_fqdn = fqdn()
    const { status, body } = await acme('POST', path, { tenant_fqdn, application_sid: world.acme.application })
    expect(status).toBe(201)
    expect((await acme('GET', `${path}/${body.sid}`)).body).toEqual({
      ms_teams_tenant_sid: body.sid,
      tenant_fqdn,
      account_sid: world.acme.account,
      account_name: 'acme',
      service_provider_sid: world.providers.north,
      application_sid: world.acme.application,
      application_name: 'acme app',
    })
  })

  it('require a unique domain across all owners', async () => {
    const tenant_fqdn = fqdn()
    await acme('POST', path, { tenant_fqdn })
    const draft = {
      tenant_fqdn,
      account_sid: backend.world.corp.account,
      service_provider_sid: backend.world.providers.south,
    }
    const initialSnapshot = await snapshot(backend.database)
    expect(await admin('POST', path, draft)).toMatchObject({
      status: 422,
      body: { msg: expect.stringMatching(/^Duplicate entry/), field: 'tenant_fqdn' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it.each<[string, object, object]>([
    ['no domain', { tenant_fqdn: '' }, { msg: 'missing field tenant_fqdn', field: 'tenant_fqdn' }],
    ['blanks in the domain', { tenant_fqdn: 'a b' }, { msg: 'tenant_fqdn cannot contain whitespace' }],
    ['a long domain', { tenant_fqdn: 'x'.repeat(256) }, { msg: 'tenant_fqdn must be at most 255 characters' }],
    ['no account', { account_sid: undefined }, { msg: 'missing field account_sid' }],
    ['no provider', { service_provider_sid: undefined }, { msg: 'missing field service_provider_sid' }],
    ['an unknown field', { fqdn: 'x' }, { msg: 'unknown field fqdn' }],
  ])('are refused with %s', async (_, invalid, body) => {
    const { world } = backend
    const draft = {
      tenant_fqdn: fqdn(),
      account_sid: world.acme.account,
      service_provider_sid: world.providers.north,
      ...invalid,
    }
    const initialSnapshot = await snapshot(backend.database)
    expect(await admin('POST', path, draft)).toMatchObject({ status: 400, body })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('require an account of the provider and an application of the account', async () => {
    const { world } = backend
    const draft = {
      tenant_fqdn: fqdn(),
      account_sid: world.acme.account,
      service_provider_sid: world.providers.south,
    }
    expect(await admin('POST', path, draft)).toMatchObject({ status: 400, body: { field: 'service_provider_sid' } })
    expect(await acme('POST', path, { tenant_fqdn: fqdn(), application_sid: world.bolt.application })).toMatchObject({
      status: 400,
      body: { msg: 'unknown application_sid', field: 'application_sid' },
    })
  })

  it('keep their application only if they stay in its account', async () => {
    const { world } = backend
    const { body } = await acme('POST', path, { tenant_fqdn: fqdn(), application_sid: world.acme.application })
    const recordPath = `${path}/${body.sid}`
    const initialSnapshot = await snapshot(backend.database)
    expect(await north('PUT', recordPath, { account_sid: world.bolt.account })).toMatchObject({
      status: 400,
      body: { field: 'application_sid' },
    })
    expect(await acme('PUT', recordPath, { account_sid: world.bolt.account, application_sid: null })).toMatchObject({
      status: 403,
      body: { msg: 'insufficient privileges' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(await north('PUT', recordPath, { account_sid: world.bolt.account, application_sid: null })).toMatchObject({
      status: 204,
    })
    expect((await north('GET', recordPath)).body).toMatchObject({ account_name: 'bolt', application_sid: null })
  })

  it('prevent the deletion of their application', async () => {
    const hook = { url: 'https://example.com' }
    const app = await acme('POST', '/Applications', { name: 'teams', call_hook: hook, call_status_hook: hook })
    const tenant_fqdn = fqdn()
    const { body } = await acme('POST', path, { tenant_fqdn, application_sid: app.body.sid })
    expect(await acme('DELETE', `/Applications/${app.body.sid}`)).toMatchObject({
      status: 422,
      body: { dependents: [{ kind: 'ms_teams_tenant', sid: body.sid, title: tenant_fqdn }] },
    })
  })

  it('are found by domain and account', async () => {
    const { body } = await north('GET', `${path}?name=bolt.TEAMS`)
    expect(body).toMatchObject([{ tenant_fqdn: 'bolt.teams.example.com' }])
    expect((await north('GET', `${path}?account_sid=${backend.world.corp.account}`)).body).toEqual([])
  })
})
