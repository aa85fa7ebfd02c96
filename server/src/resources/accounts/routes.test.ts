import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { findOrphanedWebhooks } from '../../../test/orphans'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('accounts (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let northClient: ApiClient
  let acmeClient: ApiClient
  let accountPath: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const clientOf = (name: 'admin' | 'north' | 'acme') => createApiClient(backend.app, backend.testData.keys[name])
    ;[adminClient, northClient, acmeClient] = [clientOf('admin'), clientOf('north'), clientOf('acme')]
    accountPath = `/Accounts/${backend.testData.acme.account}`
  })
  afterAll(() => backend.close())

  const fetchAccount = (request = acmeClient) => request('GET', accountPath).then(({ body }) => body)

  it('are created with defaults and a webhook secret', async () => {
    const { body } = await northClient('POST', '/Accounts', {
      name: ' New ',
      webhook_secret: 'chosen-by-client',
      sip_realm: 'New.Example.COM',
    })
    const { body: row } = await northClient('GET', `/Accounts/${body.sid}`)
    expect(row).toEqual({
      account_sid: body.sid,
      name: 'New',
      service_provider_sid: backend.testData.providers.north,
      sip_realm: 'new.example.com',
      registration_hook: null,
      queue_event_hook: null,
      device_calling_application_sid: null,
      siprec_hook_sid: null,
      is_active: 1,
      disable_cdrs: 0,
      record_all_calls: 0,
      record_format: 'mp3',
      enable_debug_log: 0,
      plan_type: 'trial',
      webhook_secret: expect.stringMatching(/^wh_secret_[1-9a-zA-Z]{22}$/),
      bucket_credential: null,
      trial_end_date: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      device_to_call_ratio: 5,
      deactivated_reason: null,
      stripe_customer_id: null,
      subspace_client_id: null,
      subspace_client_secret: null,
      subspace_sip_teleport_id: null,
      subspace_sip_teleport_destinations: null,
    })
    await northClient('DELETE', `/Accounts/${body.sid}`)
  })

  it('belong to the provider that creates them, whatever the body contains', async () => {
    const { body } = await northClient('POST', '/Accounts', {
      name: 'Another',
      service_provider_sid: backend.testData.providers.south,
    })
    expect((await adminClient('GET', `/Accounts/${body.sid}`)).body.service_provider_sid).toBe(
      backend.testData.providers.north,
    )
  })

  it('accept several notations of flags, plans and dates, and always return the same one', async () => {
    const changes = {
      record_all_calls: true,
      disable_cdrs: 1,
      enable_debug_log: false,
      plan_type: 'PAID',
      trial_end_date: '2027-01-02T03:04:05+02:00',
      created_at: 'not a date',
    }
    expect(await northClient('PUT', accountPath, changes)).toMatchObject({ status: 204, body: undefined })
    expect(await fetchAccount()).toMatchObject({
      record_all_calls: 1,
      disable_cdrs: 1,
      enable_debug_log: 0,
      plan_type: 'paid',
      trial_end_date: '2027-01-02T01:04:05.000Z',
    })
    for (const trial_end_date of ['2027-01-02 03:04:05', '2027-01-02T03:04:05Z', '2027-01-02T03:04:05.999'])
      expect(
        await northClient('PUT', accountPath, { trial_end_date }).then(() => fetchAccount(northClient)),
      ).toMatchObject({
        trial_end_date: '2027-01-02T03:04:05.000Z',
      })
    await northClient('PUT', accountPath, { trial_end_date: null, plan_type: 'trial' })
    expect(await fetchAccount()).toMatchObject({ trial_end_date: null, plan_type: 'trial' })
  })

  it.each<[string, object, string, string?]>([
    ['no name', { service_provider_sid: 'PROVIDER' }, 'missing field name', 'name'],
    ['no provider', { name: 'x' }, 'missing field service_provider_sid', 'service_provider_sid'],
    [
      'an unknown provider',
      { name: 'x', service_provider_sid: 'abcdef01-0000-4000-8000-000000000000' },
      'service_provider not found for sid abcdef01-0000-4000-8000-000000000000',
    ],
    [
      'a webhook that is a string',
      { name: 'x', service_provider_sid: 'PROVIDER', registration_hook: 'x' },
      "'registration_hook' must be an object when adding an account",
    ],
    [
      'an application of another account',
      { name: 'x', service_provider_sid: 'PROVIDER', siprec_hook_sid: 'APPLICATION' },
      'unknown siprec_hook_sid',
      'siprec_hook_sid',
    ],
    [
      'an unknown vendor',
      { name: 'x', service_provider_sid: 'PROVIDER', bucket_credential: { vendor: 'ftp' } },
      'unknown storage vendor: ftp',
    ],
  ])('are not created with %s', async (_, body, msg, field) => {
    const { north: northSid } = backend.testData.providers
    const draft = JSON.parse(
      JSON.stringify(body)
        .replace('"PROVIDER"', `"${northSid}"`)
        .replace('"APPLICATION"', `"${backend.testData.acme.application}"`),
    )
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await adminClient('POST', '/Accounts', draft)).toMatchObject({
      status: 400,
      body: { msg, ...(field ? { field } : {}) },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('refuse a duplicate SIP realm, ignoring case', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const duplicateRefusal = {
      status: 422,
      body: { msg: "Duplicate entry 'bolt.example.com' for key 'sip_realm'", field: 'sip_realm' },
    }
    expect(await northClient('PUT', accountPath, { sip_realm: 'BOLT.example.com' })).toMatchObject(duplicateRefusal)
    expect(await northClient('POST', '/Accounts', { name: 'x', sip_realm: 'Bolt.Example.com' })).toMatchObject(
      duplicateRefusal,
    )
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await northClient('PUT', accountPath, { sip_realm: 'ACME.example.com' })).toMatchObject({ status: 204 })
  })

  it('refuse a duplicate name within a provider only', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const duplicateRefusal = { status: 422, body: { msg: "Duplicate entry 'Bolt' for key 'name'", field: 'name' } }
    expect(await acmeClient('PUT', accountPath, { name: 'Bolt' })).toMatchObject(duplicateRefusal)
    expect(await northClient('POST', '/Accounts', { name: ' Bolt ' })).toMatchObject(duplicateRefusal)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    // A record can be sent back unchanged.
    expect(await acmeClient('PUT', accountPath, { name: (await fetchAccount()).name })).toMatchObject({ status: 204 })
    const sameNameDraft = { name: 'bolt', service_provider_sid: backend.testData.providers.south }
    const { status, body } = await adminClient('POST', '/Accounts', sameNameDraft)
    expect(status).toBe(201)
    await adminClient('DELETE', `/Accounts/${body.sid}`)
    // Only one of several parallel requests gets the name.
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => northClient('POST', '/Accounts', { name: 'parallel' })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(422)])
    await adminClient('DELETE', `/Accounts/${responses.find(({ status: code }) => code === 201)!.body.sid}`)
  })

  it('cannot change their provider, and their own users cannot change their SIP realm', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const { north: northSid, south: southSid } = backend.testData.providers
    for (const service_provider_sid of [northSid, southSid])
      expect(await adminClient('PUT', accountPath, { service_provider_sid })).toMatchObject({
        status: 400,
        body: { msg: 'service_provider_sid may not be modified' },
      })
    expect(await acmeClient('PUT', accountPath, { sip_realm: 'other.example.com' })).toMatchObject({
      status: 400,
      body: { msg: 'use POST /Accounts/:sid/sip_realm/:realm to set or change the sip realm' },
    })
    expect(await acmeClient('PUT', accountPath, { account_sid: backend.testData.acme.account })).toMatchObject({
      status: 400,
      body: { msg: 'primary key account_sid is immutable', field: 'account_sid' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    // Existing clients always send the realm.
    expect(await acmeClient('PUT', accountPath, { name: 'acme', sip_realm: 'acme.example.com' })).toMatchObject({
      status: 204,
    })
  })

  it('refer to their own applications only', async () => {
    const { acme: acmeRecords, bolt, corp } = backend.testData
    for (const foreignSid of [bolt.application, corp.application, acmeRecords.account])
      expect(await adminClient('PUT', accountPath, { device_calling_application_sid: foreignSid })).toMatchObject({
        status: 400,
        body: { msg: 'unknown device_calling_application_sid' },
      })
    expect(
      await acmeClient('PUT', accountPath, { device_calling_application_sid: acmeRecords.application }),
    ).toMatchObject({
      status: 204,
    })
    expect(await acmeClient('PUT', accountPath, { device_calling_application_sid: null })).toMatchObject({
      status: 204,
    })
  })

  it('update webhooks in place and delete those that become unused', async () => {
    const countWebhooks = async () =>
      (await backend.database.db.selectFrom('webhooks').select('webhook_sid').execute()).length
    const initialCount = await countWebhooks()
    const webhook = { url: 'https://example.com/register', method: 'get', username: 'u', password: 'p' }
    for (let update = 0; update < 3; update++)
      expect(await acmeClient('PUT', accountPath, { registration_hook: webhook })).toMatchObject({ status: 204 })
    expect(await countWebhooks()).toBe(initialCount + 1)
    expect((await fetchAccount()).registration_hook).toEqual({ ...webhook, method: 'GET' })
    await acmeClient('PUT', accountPath, { name: 'acme' })
    expect((await fetchAccount()).registration_hook).toMatchObject({ url: webhook.url })
    await acmeClient('PUT', accountPath, { registration_hook: { url: 'https://example.com/2' } })
    expect((await fetchAccount()).registration_hook).toMatchObject({ url: 'https://example.com/2', method: 'GET' })
    for (const emptyWebhook of [null, { url: '' }]) {
      await acmeClient('PUT', accountPath, { queue_event_hook: { ...webhook, method: 'POST' } })
      expect(await countWebhooks()).toBe(initialCount + 2)
      await acmeClient('PUT', accountPath, { queue_event_hook: emptyWebhook })
      expect((await fetchAccount()).queue_event_hook).toBeNull()
    }
    await acmeClient('PUT', accountPath, { registration_hook: null })
    expect(await countWebhooks()).toBe(initialCount)
    expect(await findOrphanedWebhooks(backend.database)).toEqual([])
  })

  it('require POST for queue events unless GET is already stored', async () => {
    const webhook = { url: 'https://example.com/queue', method: 'GET' }
    const refusal = {
      status: 400,
      body: { msg: 'queue_event_hook.method must be POST', field: 'queue_event_hook.method' },
    }
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await acmeClient('PUT', accountPath, { queue_event_hook: webhook })).toMatchObject(refusal)
    expect(await northClient('POST', '/Accounts', { name: 'x', queue_event_hook: webhook })).toMatchObject(refusal)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)

    await acmeClient('PUT', accountPath, { queue_event_hook: { url: webhook.url } })
    await backend.database.db.updateTable('webhooks').set({ method: 'GET' }).where('url', '=', webhook.url).execute()
    expect(
      await acmeClient('PUT', accountPath, { queue_event_hook: { ...webhook, url: `${webhook.url}/2` } }),
    ).toMatchObject({
      status: 204,
    })
    expect((await fetchAccount()).queue_event_hook).toMatchObject({ url: `${webhook.url}/2`, method: 'GET' })
    await acmeClient('PUT', accountPath, { queue_event_hook: null })
  })

  it('accept unchanged but not changed commercial fields from their own users', async () => {
    const commercialValues = {
      trial_end_date: '2027-01-02T03:04:05.000Z',
      deactivated_reason: 'none',
      stripe_customer_id: 'c1',
    }
    await northClient('PUT', accountPath, commercialValues)
    const initialSnapshot = await takeSnapshot(backend.database)
    for (const [field, value] of Object.entries({
      is_active: false,
      plan_type: 'paid',
      trial_end_date: '2027-01-02T03:04:06Z',
      device_to_call_ratio: 50,
      deactivated_reason: null,
      stripe_customer_id: 'c2',
    }))
      expect(await acmeClient('PUT', accountPath, { [field]: value })).toMatchObject({
        status: 403,
        body: { msg: `insufficient permissions to change ${field}`, field },
      })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    const unchangedValues = { ...commercialValues, is_active: true, plan_type: 'trial', device_to_call_ratio: 5 }
    for (const trial_end_date of [commercialValues.trial_end_date, '2027-01-02 03:04:05'])
      expect(
        await acmeClient('PUT', accountPath, { ...unchangedValues, trial_end_date, disable_cdrs: 1 }),
      ).toMatchObject({
        status: 204,
      })
    expect(await fetchAccount()).toMatchObject({
      ...commercialValues,
      is_active: 1,
      plan_type: 'trial',
      disable_cdrs: 1,
    })
  })

  it.each([
    ['opus', 'record_format must be one of mp3, wav'],
    ['', 'record_format must be one of mp3, wav'],
  ])('refuse the recording format %j', async (record_format, msg) => {
    const refusal = { status: 400, body: { msg, field: 'record_format' } }
    expect(await acmeClient('PUT', accountPath, { record_format })).toMatchObject(refusal)
  })

  it('return their webhook secret, and regenerate it on request', async () => {
    const fetchSecret = async (query = '') =>
      (await acmeClient('GET', `${accountPath}/WebhookSecret${query}`)).body.webhook_secret
    const initialSecret = await fetchSecret()
    expect(await fetchSecret('?regenerate=')).toBe(initialSecret)
    const newSecret = await fetchSecret('?regenerate=true')
    expect(newSecret).toMatch(/^wh_secret_/)
    expect(newSecret).not.toBe(initialSecret)
    expect(await fetchSecret()).toBe(newSecret)
    expect((await fetchAccount()).webhook_secret).toBe(newSecret)
  })
})
