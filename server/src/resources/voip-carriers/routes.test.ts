import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('carriers (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let northClient: ApiClient
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const clientOf = (name: 'admin' | 'north' | 'acme') => createApiClient(backend.app, backend.testData.keys[name])
    ;[adminClient, northClient, acmeClient] = [clientOf('admin'), clientOf('north'), clientOf('acme')]
  })
  afterAll(() => backend.close())

  let lastSerial = 0
  /** The three families of paths, each with a client that may use it. */
  const pathFamilies = [
    { family: 'plain', client: () => acmeClient, path: () => '/VoipCarriers' },
    {
      family: 'provider',
      client: () => northClient,
      path: () => `/ServiceProviders/${backend.testData.providers.north}/VoipCarriers/`,
    },
    {
      family: 'account',
      client: () => acmeClient,
      path: () => `/Accounts/${backend.testData.acme.account}/VoipCarriers/`,
    },
  ]
  const create = async (client: ApiClient, path: string, overrides: object = {}): Promise<string> => {
    const { status, body } = await client('POST', path, { name: `carrier ${++lastSerial}`, ...overrides })
    expect({ status, body }).toEqual({ status: 201, body: { sid: expect.any(String) } })
    return body.sid
  }
  const read = (sid: string) => northClient('GET', `/VoipCarriers/${sid}`).then(({ body }) => body)

  it('are created with defaults', async () => {
    const sid = await create(acmeClient, '/VoipCarriers')
    expect(await read(sid)).toEqual({
      voip_carrier_sid: sid,
      name: expect.any(String),
      description: null,
      account_sid: backend.testData.acme.account,
      account_name: 'acme',
      service_provider_sid: backend.testData.providers.north,
      application_sid: null,
      e164_leading_plus: 0,
      requires_register: 0,
      register_username: null,
      register_sip_realm: null,
      register_password: null,
      tech_prefix: null,
      inbound_auth_username: null,
      inbound_auth_password: null,
      diversion: null,
      is_active: 1,
      created_at: expect.stringMatching(/Z$/),
      smpp_system_id: null,
      smpp_password: null,
      smpp_enquire_link_interval: 0,
      smpp_inbound_system_id: null,
      smpp_inbound_password: null,
      register_from_user: null,
      register_from_domain: null,
      register_public_ip_in_contact: 0,
      register_status: {},
      dtmf_type: 'rfc2833',
      outbound_sip_proxy: null,
      trunk_type: 'static_ip',
      inbound_gateways: 0,
      outbound_gateways: 0,
      version: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  it('belong to the tenant in the path, within the scope of the actor', async () => {
    const { acme: acmeRecords, corp, providers } = backend.testData
    const ownerOf = async (sid: string) => {
      const { account_sid, service_provider_sid } = await read(sid)
      return { account_sid, service_provider_sid }
    }
    const acmeOwner = { account_sid: acmeRecords.account, service_provider_sid: providers.north }
    const northOwner = { account_sid: null, service_provider_sid: providers.north }
    const foreignTenant = { account_sid: corp.account, service_provider_sid: providers.south }
    expect(await ownerOf(await create(acmeClient, '/VoipCarriers', foreignTenant))).toEqual(acmeOwner)
    expect(
      await ownerOf(await create(acmeClient, `/Accounts/${acmeRecords.account}/VoipCarriers`, foreignTenant)),
    ).toEqual(acmeOwner)
    expect(await ownerOf(await create(northClient, `/Accounts/${acmeRecords.account}/VoipCarriers`))).toEqual(acmeOwner)
    expect(await ownerOf(await create(adminClient, `/Accounts/${acmeRecords.account}/VoipCarriers`))).toEqual(acmeOwner)
    expect(await ownerOf(await create(northClient, '/VoipCarriers'))).toEqual(northOwner)
    const providerPath = `/ServiceProviders/${providers.north}/VoipCarriers`
    expect(
      await ownerOf(
        await create(northClient, providerPath, { service_provider_sid: providers.south, account_sid: '' }),
      ),
    ).toEqual(northOwner)
    expect(await ownerOf(await create(northClient, providerPath, { account_sid: acmeRecords.account }))).toEqual(
      acmeOwner,
    )
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await northClient('POST', providerPath, { name: 'x', account_sid: corp.account })).toMatchObject({
      status: 400,
      body: { msg: 'unknown account_sid', field: 'account_sid' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  const invalidCarriers: [string, object, string, string][] = [
    ['no name', { name: undefined }, 'missing field name', 'name'],
    [
      'registration without a username',
      { requires_register: 1, register_password: 'p' },
      'register_username is required when requires_register is true',
      'register_username',
    ],
    [
      'the registration trunk type without a username',
      { trunk_type: 'reg', register_password: 'p' },
      'register_username is required when requires_register is true',
      'register_username',
    ],
    [
      'registration without a password',
      { requires_register: true, register_username: 'u' },
      'register_password is required when requires_register is true',
      'register_password',
    ],
    [
      'whitespace in the registration username',
      { register_username: 'a b' },
      'register_username must not contain whitespace',
      'register_username',
    ],
    [
      'an empty realm',
      { register_sip_realm: '' },
      'register_sip_realm must not be empty string; use null to fall back to gateway IP',
      'register_sip_realm',
    ],
    [
      'a realm with a scheme',
      { register_sip_realm: 'sip:example.com' },
      'register_sip_realm must be a valid domain or IP address (no sip: prefix, no spaces)',
      'register_sip_realm',
    ],
    [
      'a realm of one label',
      { register_sip_realm: 'localhost' },
      'register_sip_realm must be a valid domain or IP address (no sip: prefix, no spaces)',
      'register_sip_realm',
    ],
    [
      'whitespace in the from-domain',
      { register_from_domain: 'example .com' },
      'register_from_domain must be a valid domain or IP address (no sip: prefix, no spaces)',
      'register_from_domain',
    ],
    ['an unknown DTMF type', { dtmf_type: 'morse' }, 'dtmf_type must be one of rfc2833, tones, info', 'dtmf_type'],
    ['a malformed account', { account_sid: 'xxxx' }, 'unknown account_sid', 'account_sid'],
    ['a malformed application', { application_sid: 'xxx' }, 'unknown application_sid', 'application_sid'],
    [
      'an unknown application',
      { application_sid: 'abcdef01-0000-4000-8000-000000000000', account_sid: 'ACME' },
      'unknown application_sid',
      'application_sid',
    ],
    [
      'an application of another account',
      { application_sid: 'BOLT', account_sid: 'ACME' },
      'application_sid does not exist for specified account_sid',
      'application_sid',
    ],
  ]
  describe.each(pathFamilies)('on the $family path', ({ client, path }) => {
    const withTestSids = (body: object) =>
      JSON.parse(
        JSON.stringify(body)
          .replace('"ACME"', `"${backend.testData.acme.account}"`)
          .replace('"BOLT"', `"${backend.testData.bolt.application}"`),
      ) as object

    it.each(invalidCarriers)('are refused with %s', async (_, invalidFields, msg, field) => {
      const initialSnapshot = await takeSnapshot(backend.database)
      expect(await client()('POST', path(), withTestSids({ name: 'x', ...invalidFields }))).toMatchObject({
        status: 400,
        body: { msg, field },
      })
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    })

    it("can register without a realm, at their gateway's address", async () => {
      const registration = {
        requires_register: 1,
        register_username: 'u',
        register_password: 'p',
        register_sip_realm: null,
      }
      const sid = await create(client(), path(), registration)
      expect(
        (await createApiClient(backend.app, backend.testData.keys.admin)('GET', `/VoipCarriers/${sid}`)).body,
      ).toMatchObject(registration)
    })

    it('follow the same rules on update', async () => {
      const sid = await create(client(), path(), { account_sid: backend.testData.acme.account })
      const recordPath = `${path().replace(/\/$/, '')}/${sid}`
      const initialSnapshot = await takeSnapshot(backend.database)
      for (const [, invalidFields, msg, field] of invalidCarriers.slice(1))
        expect(await client()('PUT', recordPath, withTestSids(invalidFields))).toMatchObject({
          status: 400,
          body: { msg, field },
        })
      expect(await client()('PUT', recordPath, { voip_carrier_sid: sid })).toMatchObject({ status: 400 })
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
      const validChanges = {
        requires_register: true,
        register_username: 'u',
        register_password: 'p',
        register_sip_realm: '192.0.2.1',
        dtmf_type: 'TONES',
        tech_prefix: '',
      }
      expect(await client()('PUT', recordPath, validChanges)).toMatchObject({ status: 204, body: undefined })
      expect(await read(sid)).toMatchObject({ requires_register: 1, register_password: 'p', dtmf_type: 'tones' })
      await client()('PUT', recordPath, { requires_register: false })
      expect(await client()('PUT', recordPath, { trunk_type: 'reg' })).toMatchObject({ status: 204 })
      expect(await read(sid)).toMatchObject({ trunk_type: 'reg', requires_register: 1 })
      // Registration stays enabled, so its required fields cannot be removed.
      expect(await client()('PUT', recordPath, { register_password: null })).toMatchObject({
        status: 400,
        body: { field: 'register_password' },
      })
    })
  })
})
