import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('carriers (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let north: ApiClient
  let acme: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const as = (name: 'admin' | 'north' | 'acme') => apiClient(backend.app, backend.world.keys[name])
    ;[admin, north, acme] = [as('admin'), as('north'), as('acme')]
  })
  afterAll(() => backend.close())

  let serial = 0
  /** The three families of paths, each with an actor. */
  const families = [
    { family: 'plain', speak: () => acme, path: () => '/VoipCarriers' },
    {
      family: 'provider',
      speak: () => north,
      path: () => `/ServiceProviders/${backend.world.providers.north}/VoipCarriers/`,
    },
    { family: 'account', speak: () => acme, path: () => `/Accounts/${backend.world.acme.account}/VoipCarriers/` },
  ]
  const create = async (request: ApiClient, path: string, overrides: object = {}): Promise<string> => {
    const { status, body } = await request('POST', path, { name: `carrier ${++serial}`, ...overrides })
    expect({ status, body }).toEqual({ status: 201, body: { sid: expect.any(String) } })
    return body.sid
  }
  const read = (sid: string) => north('GET', `/VoipCarriers/${sid}`).then(({ body }) => body)

  it('are created with defaults', async () => {
    const sid = await create(acme, '/VoipCarriers')
    expect(await read(sid)).toEqual({
      voip_carrier_sid: sid,
      name: expect.any(String),
      description: null,
      account_sid: backend.world.acme.account,
      account_name: 'acme',
      service_provider_sid: backend.world.providers.north,
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

  it('belong to the tenant of path and actor', async () => {
    const { acme: acmeRecords, corp, providers } = backend.world
    const owner = async (sid: string) => {
      const { account_sid, service_provider_sid } = await read(sid)
      return { account_sid, service_provider_sid }
    }
    const ofAcme = { account_sid: acmeRecords.account, service_provider_sid: providers.north }
    const ofNorth = { account_sid: null, service_provider_sid: providers.north }
    const strange = { account_sid: corp.account, service_provider_sid: providers.south }
    expect(await owner(await create(acme, '/VoipCarriers', strange))).toEqual(ofAcme)
    expect(await owner(await create(acme, `/Accounts/${acmeRecords.account}/VoipCarriers`, strange))).toEqual(ofAcme)
    expect(await owner(await create(north, `/Accounts/${acmeRecords.account}/VoipCarriers`))).toEqual(ofAcme)
    expect(await owner(await create(admin, `/Accounts/${acmeRecords.account}/VoipCarriers`))).toEqual(ofAcme)
    expect(await owner(await create(north, '/VoipCarriers'))).toEqual(ofNorth)
    const provider = `/ServiceProviders/${providers.north}/VoipCarriers`
    expect(
      await owner(await create(north, provider, { service_provider_sid: providers.south, account_sid: '' })),
    ).toEqual(ofNorth)
    expect(await owner(await create(north, provider, { account_sid: acmeRecords.account }))).toEqual(ofAcme)
    const initialSnapshot = await snapshot(backend.database)
    expect(await north('POST', provider, { name: 'x', account_sid: corp.account })).toMatchObject({
      status: 400,
      body: { msg: 'unknown account_sid', field: 'account_sid' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  const rules: [string, object, string, string][] = [
    ['no name', { name: undefined }, 'missing field name', 'name'],
    [
      'registration without a name',
      { requires_register: 1, register_password: 'p' },
      'register_username is required when requires_register is true',
      'register_username',
    ],
    [
      'a trunk that registers, without a name',
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
      'blanks in the name to register',
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
      'a from-domain with blanks',
      { register_from_domain: 'example .com' },
      'register_from_domain must be a valid domain or IP address (no sip: prefix, no spaces)',
      'register_from_domain',
    ],
    ['an unknown kind of tone', { dtmf_type: 'morse' }, 'dtmf_type must be one of rfc2833, tones, info', 'dtmf_type'],
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
  describe.each(families)('on the $family path', ({ speak: request, path }) => {
    const filled = (body: object) =>
      JSON.parse(
        JSON.stringify(body)
          .replace('"ACME"', `"${backend.world.acme.account}"`)
          .replace('"BOLT"', `"${backend.world.bolt.application}"`),
      ) as object

    it.each(rules)('are refused with %s', async (_, invalid, msg, field) => {
      const initialSnapshot = await snapshot(backend.database)
      expect(await request()('POST', path(), filled({ name: 'x', ...invalid }))).toMatchObject({
        status: 400,
        body: { msg, field },
      })
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    })

    it("may register without a realm, at their gateway's address", async () => {
      const login = { requires_register: 1, register_username: 'u', register_password: 'p', register_sip_realm: null }
      const sid = await create(request(), path(), login)
      expect(
        (await apiClient(backend.app, backend.world.keys.admin)('GET', `/VoipCarriers/${sid}`)).body,
      ).toMatchObject(login)
    })

    it('follow the same rules on update', async () => {
      const sid = await create(request(), path(), { account_sid: backend.world.acme.account })
      const recordPath = `${path().replace(/\/$/, '')}/${sid}`
      const initialSnapshot = await snapshot(backend.database)
      for (const [, invalid, msg, field] of rules.slice(1))
        expect(await request()('PUT', recordPath, filled(invalid))).toMatchObject({ status: 400, body: { msg, field } })
      expect(await request()('PUT', recordPath, { voip_carrier_sid: sid })).toMatchObject({ status: 400 })
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
      const good = {
        requires_register: true,
        register_username: 'u',
        register_password: 'p',
        register_sip_realm: '192.0.2.1',
        dtmf_type: 'TONES',
        tech_prefix: '',
      }
      expect(await request()('PUT', recordPath, good)).toMatchObject({ status: 204, body: undefined })
      expect(await read(sid)).toMatchObject({ requires_register: 1, register_password: 'p', dtmf_type: 'tones' })
      await request()('PUT', recordPath, { requires_register: false })
      expect(await request()('PUT', recordPath, { trunk_type: 'reg' })).toMatchObject({ status: 204 })
      expect(await read(sid)).toMatchObject({ trunk_type: 'reg', requires_register: 1 })
      // Registration stays enabled, so its required fields cannot be removed.
      expect(await request()('PUT', recordPath, { register_password: null })).toMatchObject({
        status: 400,
        body: { field: 'register_password' },
      })
    })
  })
})
