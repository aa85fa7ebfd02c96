import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from './backend'
import { databaseEngines } from './databases'
import { createApiClient, type ApiClient } from './api-client'

/** The forms for account users have no account field, and send an empty string. */
describe.each(databaseEngines)('an empty account_sid (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  let adminClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterAll(() => backend.close())

  const hook = { url: 'https://example.com/hook' }
  const drafts: [path: string, draft: object][] = [
    ['/Clients', { username: 'front-desk' }],
    ['/Applications', { name: 'front desk', call_hook: hook, call_status_hook: hook }],
    ['/PhoneNumbers', { number: '15550100' }],
    ['/Users', { name: 'joan', email: 'joan@example.com', initial_password: 'Correct-horse-2' }],
    ['/MicrosoftTeamsTenants', { tenant_fqdn: 'front-desk.example.com', service_provider_sid: '' }],
  ]

  it.each(drafts)('in POST %s by an account user means their account', async (path, draft) => {
    const creation = await acmeClient('POST', path, { ...draft, account_sid: '' })
    expect(creation).toMatchObject({ status: 201 })
    const sid = creation.body.sid ?? creation.body.user_sid
    expect((await acmeClient('GET', `${path}/${sid}`)).body).toMatchObject({
      account_sid: backend.testData.acme.account,
    })
  })

  it('in POST of carriers, LCRs and speech credentials by an account user means their account', async () => {
    const accountFields = { account_sid: backend.testData.acme.account }
    const { body } = await acmeClient('POST', '/VoipCarriers', { name: 'front desk', account_sid: '' })
    expect((await acmeClient('GET', `/VoipCarriers/${body.sid}`)).body).toMatchObject(accountFields)
    await acmeClient('DELETE', `/Lcrs/${backend.testData.acme.lcr}`)
    const createdLcr = await acmeClient('POST', '/Lcrs', {
      name: 'front desk',
      account_sid: '',
      service_provider_sid: '',
    })
    expect((await acmeClient('GET', `/Lcrs/${createdLcr.body.sid}`)).body).toMatchObject(accountFields)
    const credentialsPath = `/Accounts/${backend.testData.acme.account}/SpeechCredentials`
    const createdCredential = await acmeClient('POST', credentialsPath, {
      vendor: 'wellsaid',
      api_key: 'x',
      account_sid: '',
    })
    expect(createdCredential).toMatchObject({ status: 201 })
    expect((await acmeClient('GET', `${credentialsPath}/${createdCredential.body.sid}`)).body).toMatchObject(
      accountFields,
    )
  })

  it('in PUT by an account user leaves the record in its account', async () => {
    const { acme: records, users } = backend.testData
    const accountFields = { account_sid: records.account }
    const changes: [path: string, change: object][] = [
      [`/Clients/${records.client}`, { is_active: 0 }],
      [`/Applications/${records.application}`, { name: 'acme app 2' }],
      [`/PhoneNumbers/${records.phone_number}`, { application_sid: null }],
      [`/Users/${users.acme}`, { email: 'acme2@example.com' }],
      [`/MicrosoftTeamsTenants/${records.ms_teams_tenant}`, { tenant_fqdn: 'acme2.example.com' }],
    ]
    for (const [path, change] of changes) {
      expect(await acmeClient('PUT', path, { ...change, account_sid: '' }), path).toMatchObject({ status: 204 })
      expect((await acmeClient('GET', path)).body, path).toMatchObject({ ...change, ...accountFields })
    }
  })

  it('by an administrator counts as missing', async () => {
    const missingFieldResponse = { status: 400, body: { msg: 'missing field account_sid', field: 'account_sid' } }
    for (const [path, draft] of drafts.slice(0, 2))
      expect(await adminClient('POST', path, { ...draft, account_sid: '' })).toMatchObject(missingFieldResponse)
  })

  it('does not disable the check of SIDs', async () => {
    for (const [path, draft] of drafts)
      expect(await acmeClient('POST', path, { ...draft, account_sid: 'x' }), path).toMatchObject({
        status: 400,
        body: { msg: 'invalid account_sid', field: 'account_sid' },
      })
  })
})
