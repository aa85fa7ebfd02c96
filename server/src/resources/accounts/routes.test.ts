import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { orphans } from '../../../test/orphans'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('accounts (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let north: ApiClient
  let acme: ApiClient
  let path: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const as = (name: 'admin' | 'north' | 'acme') => apiClient(backend.app, backend.world.keys[name])
    ;[admin, north, acme] = [as('admin'), as('north'), as('acme')]
    path = `/Accounts/${backend.world.acme.account}`
  })
  afterAll(() => backend.close())

  const stored = (request = acme) => request('GET', path).then(({ body }) => body)

  it('are created with defaults and a webhook secret', async () => {
    const { body } = await north('POST', '/Accounts', {
      name: ' New ',
      webhook_secret: 'mine',
      sip_realm: 'New.Example.COM',
    })
    const { body: row } = await north('GET', `/Accounts/${body.sid}`)
    expect(row).toEqual({
      account_sid: body.sid,
      name: 'New',
      service_provider_sid: backend.world.providers.north,
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
    await north('DELETE', `/Accounts/${body.sid}`)
  })

  it('belong to the provider that creates them, whatever the body contains', async () => {
    const { body } = await north('POST', '/Accounts', {
      name: 'Mine',
      service_provider_sid: backend.world.providers.south,
    })
    expect((await admin('GET', `/Accounts/${body.sid}`)).body.service_provider_sid).toBe(backend.world.providers.north)
  })

  it('accept flags, words and dates in every form, and return one form', async () => {
    const changes = {
      record_all_calls: true,
      disable_cdrs: 1,
      enable_debug_log: false,
      plan_type: 'PAID',
      trial_end_date: '2027-01-02T03:04:05+02:00',
      created_at: 'whatever',
    }
    expect(await north('PUT', path, changes)).toMatchObject({ status: 204, body: undefined })
    expect(await stored()).toMatchObject({
      record_all_calls: 1,
      disable_cdrs: 1,
      enable_debug_log: 0,
      plan_type: 'paid',
      trial_end_date: '2027-01-02T01:04:05.000Z',
    })
    for (const trial_end_date of ['2027-01-02 03:04:05', '2027-01-02T03:04:05Z', '2027-01-02T03:04:05.999'])
      expect(await north('PUT', path, { trial_end_date }).then(stored.bind(null, north))).toMatchObject({
        trial_end_date: '2027-01-02T03:04:05.000Z',
      })
    await north('PUT', path, { trial_end_date: null, plan_type: 'trial' })
    expect(await stored()).toMatchObject({ trial_end_date: null, plan_type: 'trial' })
  })

  it.each<[string, object, string, string?]>([
    ['no name', { service_provider_sid: 'N' }, 'missing field name', 'name'],
    ['no provider', { name: 'x' }, 'missing field service_provider_sid', 'service_provider_sid'],
    [
      'an unknown provider',
      { name: 'x', service_provider_sid: 'abcdef01-0000-4000-8000-000000000000' },
      'service_provider not found for sid abcdef01-0000-4000-8000-000000000000',
    ],
    [
      'a webhook that is a string',
      { name: 'x', service_provider_sid: 'N', registration_hook: 'x' },
      "'registration_hook' must be an object when adding an account",
    ],
    [
      'an application of another account',
      { name: 'x', service_provider_sid: 'N', siprec_hook_sid: 'APP' },
      'unknown siprec_hook_sid',
      'siprec_hook_sid',
    ],
    [
      'an unknown vendor',
      { name: 'x', service_provider_sid: 'N', bucket_credential: { vendor: 'ftp' } },
      'unknown storage vendor: ftp',
    ],
  ])('are not created with %s', async (_, body, msg, field) => {
    const { north: N } = backend.world.providers
    const sent = JSON.parse(
      JSON.stringify(body).replace('"N"', `"${N}"`).replace('"APP"', `"${backend.world.acme.application}"`),
    )
    const initialSnapshot = await snapshot(backend.database)
    expect(await admin('POST', '/Accounts', sent)).toMatchObject({
      status: 400,
      body: { msg, ...(field ? { field } : {}) },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('refuse a duplicate SIP realm in any case', async () => {
    const initialSnapshot = await snapshot(backend.database)
    const taken = {
      status: 422,
      body: { msg: "Duplicate entry 'bolt.example.com' for key 'sip_realm'", field: 'sip_realm' },
    }
    expect(await north('PUT', path, { sip_realm: 'BOLT.example.com' })).toMatchObject(taken)
    expect(await north('POST', '/Accounts', { name: 'x', sip_realm: 'Bolt.Example.com' })).toMatchObject(taken)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(await north('PUT', path, { sip_realm: 'ACME.example.com' })).toMatchObject({ status: 204 })
  })

  it('refuse a duplicate name within a provider only', async () => {
    const initialSnapshot = await snapshot(backend.database)
    const taken = { status: 422, body: { msg: "Duplicate entry 'Bolt' for key 'name'", field: 'name' } }
    expect(await acme('PUT', path, { name: 'Bolt' })).toMatchObject(taken)
    expect(await north('POST', '/Accounts', { name: ' Bolt ' })).toMatchObject(taken)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    // A record can be sent back unchanged.
    expect(await acme('PUT', path, { name: (await stored()).name })).toMatchObject({ status: 204 })
    const otherLocation = { name: 'bolt', service_provider_sid: backend.world.providers.south }
    const { status, body } = await admin('POST', '/Accounts', otherLocation)
    expect(status).toBe(201)
    await admin('DELETE', `/Accounts/${body.sid}`)
    // Of two parallel requests, only one gets the name.
    const rush = await Promise.all(Array.from({ length: 8 }, () => north('POST', '/Accounts', { name: 'rush' })))
    expect(rush.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(422)])
    await admin('DELETE', `/Accounts/${rush.find((item) => item.status === 201)!.body.sid}`)
  })

  it('keep their provider and, for their own users, their SIP realm', async () => {
    const initialSnapshot = await snapshot(backend.database)
    const { north: N, south: S } = backend.world.providers
    for (const service_provider_sid of [N, S])
      expect(await admin('PUT', path, { service_provider_sid })).toMatchObject({
        status: 400,
        body: { msg: 'service_provider_sid may not be modified' },
      })
    expect(await acme('PUT', path, { sip_realm: 'other.example.com' })).toMatchObject({
      status: 400,
      body: { msg: 'use POST /Accounts/:sid/sip_realm/:realm to set or change the sip realm' },
    })
    expect(await acme('PUT', path, { account_sid: backend.world.acme.account })).toMatchObject({
      status: 400,
      body: { msg: 'primary key account_sid is immutable', field: 'account_sid' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    // The form of an existing console always sends the realm.
    expect(await acme('PUT', path, { name: 'acme', sip_realm: 'acme.example.com' })).toMatchObject({ status: 204 })
  })

  it('refer to their own applications only', async () => {
    const { acme: acmeRecords, bolt, corp } = backend.world
    for (const other of [bolt.application, corp.application, acmeRecords.account])
      expect(await admin('PUT', path, { device_calling_application_sid: other })).toMatchObject({
        status: 400,
        body: { msg: 'unknown device_calling_application_sid' },
      })
    expect(await acme('PUT', path, { device_calling_application_sid: acmeRecords.application })).toMatchObject({
      status: 204,
    })
    expect(await acme('PUT', path, { device_calling_application_sid: null })).toMatchObject({ status: 204 })
  })

  it('update webhooks in place and leave none unused', async () => {
    const count = async () => (await backend.database.db.selectFrom('webhooks').select('webhook_sid').execute()).length
    const initialValue = await count()
    const hook = { url: 'https://example.com/register', method: 'get', username: 'u', password: 'p' }
    for (let save = 0; save < 3; save++)
      expect(await acme('PUT', path, { registration_hook: hook })).toMatchObject({ status: 204 })
    expect(await count()).toBe(initialValue + 1)
    expect((await stored()).registration_hook).toEqual({ ...hook, method: 'GET' })
    await acme('PUT', path, { name: 'acme' })
    expect((await stored()).registration_hook).toMatchObject({ url: hook.url })
    await acme('PUT', path, { registration_hook: { url: 'https://example.com/2' } })
    expect((await stored()).registration_hook).toMatchObject({ url: 'https://example.com/2', method: 'GET' })
    for (const cleared of [null, { url: '' }]) {
      await acme('PUT', path, { queue_event_hook: { ...hook, method: 'POST' } })
      expect(await count()).toBe(initialValue + 2)
      await acme('PUT', path, { queue_event_hook: cleared })
      expect((await stored()).queue_event_hook).toBeNull()
    }
    await acme('PUT', path, { registration_hook: null })
    expect(await count()).toBe(initialValue)
    expect(await orphans(backend.database)).toEqual([])
  })

  it('require POST for queue events unless GET is already stored', async () => {
    const hook = { url: 'https://example.com/queue', method: 'GET' }
    const refusal = {
      status: 400,
      body: { msg: 'queue_event_hook.method must be POST', field: 'queue_event_hook.method' },
    }
    const initialSnapshot = await snapshot(backend.database)
    expect(await acme('PUT', path, { queue_event_hook: hook })).toMatchObject(refusal)
    expect(await north('POST', '/Accounts', { name: 'x', queue_event_hook: hook })).toMatchObject(refusal)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)

    await acme('PUT', path, { queue_event_hook: { url: hook.url } })
    await backend.database.db.updateTable('webhooks').set({ method: 'GET' }).where('url', '=', hook.url).execute()
    expect(await acme('PUT', path, { queue_event_hook: { ...hook, url: `${hook.url}/2` } })).toMatchObject({
      status: 204,
    })
    expect((await stored()).queue_event_hook).toMatchObject({ url: `${hook.url}/2`, method: 'GET' })
    await acme('PUT', path, { queue_event_hook: null })
  })

  it('may repeat but not change contract fields', async () => {
    const agreed = { trial_end_date: '2027-01-02T03:04:05.000Z', deactivated_reason: 'none', stripe_customer_id: 'c1' }
    await north('PUT', path, agreed)
    const initialSnapshot = await snapshot(backend.database)
    for (const [field, value] of Object.entries({
      is_active: false,
      plan_type: 'paid',
      trial_end_date: '2027-01-02T03:04:06Z',
      device_to_call_ratio: 50,
      deactivated_reason: null,
      stripe_customer_id: 'c2',
    }))
      expect(await acme('PUT', path, { [field]: value })).toMatchObject({
        status: 403,
        body: { msg: `insufficient permissions to change ${field}`, field },
      })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    const whole = { ...agreed, is_active: true, plan_type: 'trial', device_to_call_ratio: 5 }
    for (const trial_end_date of [agreed.trial_end_date, '2027-01-02 03:04:05'])
      expect(await acme('PUT', path, { ...whole, trial_end_date, disable_cdrs: 1 })).toMatchObject({ status: 204 })
    expect(await stored()).toMatchObject({ ...agreed, is_active: 1, plan_type: 'trial', disable_cdrs: 1 })
  })

  it.each([
    ['opus', 'record_format must be one of mp3, wav'],
    ['', 'record_format must be one of mp3, wav'],
  ])('are not recorded as %j', async (record_format, msg) => {
    const refusal = { status: 400, body: { msg, field: 'record_format' } }
    expect(await acme('PUT', path, { record_format })).toMatchObject(refusal)
  })

  it('return their webhook secret, and regenerate it on request', async () => {
    const secret = async (query = '') => (await acme('GET', `${path}/WebhookSecret${query}`)).body.webhook_secret
    const first = await secret()
    expect(await secret('?regenerate=')).toBe(first)
    const second = await secret('?regenerate=true')
    expect(second).toMatch(/^wh_secret_/)
    expect(second).not.toBe(first)
    expect(await secret()).toBe(second)
    expect((await stored()).webhook_secret).toBe(second)
  })
})
