import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('Microsoft Teams tenants (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  let northClient: ApiClient
  let adminClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterAll(() => backend.close())

  const path = '/MicrosoftTeamsTenants'
  let fqdnCount = 0
  const createUniqueFqdn = () => `tenant-${fqdnCount++}.example.com`

  it("belong to the actor's account and its provider", async () => {
    const { testData } = backend
    const tenant_fqdn = createUniqueFqdn()
    const { status, body } = await acmeClient('POST', path, { tenant_fqdn, application_sid: testData.acme.application })
    expect(status).toBe(201)
    expect((await acmeClient('GET', `${path}/${body.sid}`)).body).toEqual({
      ms_teams_tenant_sid: body.sid,
      tenant_fqdn,
      account_sid: testData.acme.account,
      account_name: 'acme',
      service_provider_sid: testData.providers.north,
      application_sid: testData.acme.application,
      application_name: 'acme app',
    })
  })

  it('require a unique domain across all owners', async () => {
    const tenant_fqdn = createUniqueFqdn()
    await acmeClient('POST', path, { tenant_fqdn })
    const draft = {
      tenant_fqdn,
      account_sid: backend.testData.corp.account,
      service_provider_sid: backend.testData.providers.south,
    }
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await adminClient('POST', path, draft)).toMatchObject({
      status: 422,
      body: { msg: expect.stringMatching(/^Duplicate entry/), field: 'tenant_fqdn' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it.each<[string, object, object]>([
    ['no domain', { tenant_fqdn: '' }, { msg: 'missing field tenant_fqdn', field: 'tenant_fqdn' }],
    ['blanks in the domain', { tenant_fqdn: 'a b' }, { msg: 'tenant_fqdn cannot contain whitespace' }],
    ['a long domain', { tenant_fqdn: 'x'.repeat(256) }, { msg: 'tenant_fqdn must be at most 255 characters' }],
    ['no account', { account_sid: undefined }, { msg: 'missing field account_sid' }],
    ['no provider', { service_provider_sid: undefined }, { msg: 'missing field service_provider_sid' }],
    ['an unknown field', { fqdn: 'x' }, { msg: 'unknown field fqdn' }],
  ])('are refused with %s', async (_, invalidFields, body) => {
    const { testData } = backend
    const draft = {
      tenant_fqdn: createUniqueFqdn(),
      account_sid: testData.acme.account,
      service_provider_sid: testData.providers.north,
      ...invalidFields,
    }
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await adminClient('POST', path, draft)).toMatchObject({ status: 400, body })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('require an account of the provider and an application of the account', async () => {
    const { testData } = backend
    const draft = {
      tenant_fqdn: createUniqueFqdn(),
      account_sid: testData.acme.account,
      service_provider_sid: testData.providers.south,
    }
    expect(await adminClient('POST', path, draft)).toMatchObject({
      status: 400,
      body: { field: 'service_provider_sid' },
    })
    expect(
      await acmeClient('POST', path, { tenant_fqdn: createUniqueFqdn(), application_sid: testData.bolt.application }),
    ).toMatchObject({
      status: 400,
      body: { msg: 'unknown application_sid', field: 'application_sid' },
    })
  })

  it('cannot keep an application of the account that they leave', async () => {
    const { testData } = backend
    const { body } = await acmeClient('POST', path, {
      tenant_fqdn: createUniqueFqdn(),
      application_sid: testData.acme.application,
    })
    const recordPath = `${path}/${body.sid}`
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await northClient('PUT', recordPath, { account_sid: testData.bolt.account })).toMatchObject({
      status: 400,
      body: { field: 'application_sid' },
    })
    expect(
      await acmeClient('PUT', recordPath, { account_sid: testData.bolt.account, application_sid: null }),
    ).toMatchObject({
      status: 403,
      body: { msg: 'insufficient privileges' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(
      await northClient('PUT', recordPath, { account_sid: testData.bolt.account, application_sid: null }),
    ).toMatchObject({
      status: 204,
    })
    expect((await northClient('GET', recordPath)).body).toMatchObject({ account_name: 'bolt', application_sid: null })
  })

  it('prevent the deletion of their application', async () => {
    const hook = { url: 'https://example.com' }
    const application = await acmeClient('POST', '/Applications', {
      name: 'teams',
      call_hook: hook,
      call_status_hook: hook,
    })
    const tenant_fqdn = createUniqueFqdn()
    const { body } = await acmeClient('POST', path, { tenant_fqdn, application_sid: application.body.sid })
    expect(await acmeClient('DELETE', `/Applications/${application.body.sid}`)).toMatchObject({
      status: 422,
      body: { dependents: [{ kind: 'ms_teams_tenant', sid: body.sid, title: tenant_fqdn }] },
    })
  })

  it('are found by domain and account', async () => {
    const { body } = await northClient('GET', `${path}?name=bolt.TEAMS`)
    expect(body).toMatchObject([{ tenant_fqdn: 'bolt.teams.example.com' }])
    const listAccounts = async (account_sid: string) =>
      ((await northClient('GET', `${path}?account_sid=${account_sid}`)).body as { account_sid: string }[]).map(
        (tenant) => tenant.account_sid,
      )
    const { acme, corp } = backend.testData
    expect(new Set(await listAccounts(acme.account))).toEqual(new Set([acme.account]))
    expect(await listAccounts(corp.account)).toEqual([])
  })
})
