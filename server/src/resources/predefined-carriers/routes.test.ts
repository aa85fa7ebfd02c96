import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('predefined carriers (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let acme: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
    acme = apiClient(backend.app, backend.world.keys.acme)
  })
  afterAll(() => backend.close())

  const templates = async () =>
    (await apiClient(backend.app)('GET', '/PredefinedCarriers')).body as Record<string, string>[]

  it('are readable without a credential', async () => {
    const rows = await templates()
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.map(({ name }) => name)).toEqual(rows.map(({ name }) => name).sort())
    expect(Object.keys(rows[0]!)).toEqual(
      expect.arrayContaining(['predefined_carrier_sid', 'requires_static_ip', 'trunk_type', 'tech_prefix']),
    )
  })

  it('are copied with all gateways to the tenant of the path', async () => {
    const { db } = backend.database
    const { providers, acme: acmeRecords } = backend.world
    const setups = [
      [admin, `/ServiceProviders/${providers.north}`, { account_sid: null, service_provider_sid: providers.north }],
      [
        admin,
        `/Accounts/${acmeRecords.account}`,
        { account_sid: acmeRecords.account, service_provider_sid: providers.north },
      ],
      [
        acme,
        `/Accounts/${acmeRecords.account}`,
        { account_sid: acmeRecords.account, service_provider_sid: providers.north },
      ],
    ] as const
    for (const { predefined_carrier_sid, name, trunk_type } of await templates()) {
      for (const [setup, [request, path, owner]] of setups.entries()) {
        const { status, body } = await request('POST', `${path}/PredefinedCarriers/${predefined_carrier_sid}`)
        expect({ status, body }).toEqual({ status: 201, body: { sid: expect.any(String) } })
        const row = (await admin('GET', `/VoipCarriers/${body.sid}`)).body
        expect(row).toMatchObject({ ...owner, trunk_type })
        // The second carrier with the same name gets a suffix.
        if (setup === 0) expect(row.name).toBe(name)
        else expect(row.name).toMatch(new RegExp(`^${name!.replace(/\W/g, '\\$&')}-[1-9a-zA-Z]{22}$`))
        const wanted = await db
          .selectFrom('predefined_sip_gateways')
          .selectAll()
          .where('predefined_carrier_sid', '=', predefined_carrier_sid!)
          .execute()
        const gateways = (await admin('GET', `/SipGateways?voip_carrier_sid=${body.sid}`)).body as Record<
          string,
          unknown
        >[]
        const form = ({ ipv4, port, inbound, outbound, netmask }: Record<string, unknown>) =>
          [ipv4, port, inbound, outbound, netmask].join(' ')
        expect(gateways.map(form).sort()).toEqual(wanted.map(form).sort())
        const smpp = await db.selectFrom('smpp_gateways').selectAll().where('voip_carrier_sid', '=', body.sid).execute()
        const wantedSmpp = await db
          .selectFrom('predefined_smpp_gateways')
          .selectAll()
          .where('predefined_carrier_sid', '=', predefined_carrier_sid!)
          .execute()
        expect(smpp).toHaveLength(wantedSmpp.length)
      }
    }
  })

  it('return 404 if carrier or tenant does not exist', async () => {
    const initialSnapshot = await snapshot(backend.database)
    const none = 'abcdef01-0000-4000-8000-000000000000'
    const known = (await templates())[0]!.predefined_carrier_sid
    const gone = { status: 404, body: 'Not Found' }
    expect(
      await admin('POST', `/ServiceProviders/${backend.world.providers.north}/PredefinedCarriers/${none}`),
    ).toMatchObject(gone)
    expect(await admin('POST', `/ServiceProviders/${none}/PredefinedCarriers/${known}`)).toMatchObject(gone)
    expect(await admin('POST', `/Accounts/${none}/PredefinedCarriers/${known}`)).toMatchObject(gone)
    expect(await acme('POST', `/Accounts/${none}/PredefinedCarriers/${known}`)).toMatchObject({
      status: 403,
      body: { message: 'insufficient privileges' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })
})

describe.each(engines)('SBC addresses (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine })
  })
  afterAll(() => backend.close())

  it("are the provider's own, or the platform's if it has none", async () => {
    const { providers, keys } = backend.world
    const as = (name: 'admin' | 'north' | 'south' | 'acme' | 'corp') => apiClient(backend.app, keys[name])
    const add = async (body: object) => (await as('admin')('POST', '/Sbcs', body)).body.sid as string
    const read = async (name: Parameters<typeof as>[0], query = '') =>
      ((await as(name)('GET', `/Sbcs${query}`)).body as { ipv4: string }[]).map(({ ipv4 }) => ipv4)
    expect(await read('acme')).toEqual([])
    const sid = await add({ ipv4: '192.0.2.1', tls_port: 5061 })
    await add({ ipv4: '192.0.2.2', port: 5080, service_provider_sid: providers.north })
    expect((await as('south')('GET', '/Sbcs')).body).toEqual([
      {
        sbc_address_sid: sid,
        ipv4: '192.0.2.1',
        port: 5060,
        tls_port: 5061,
        wss_port: null,
        service_provider_sid: null,
        last_updated: null,
      },
    ])
    for (const name of ['north', 'acme'] as const) expect(await read(name)).toEqual(['192.0.2.2'])
    // Only administrators may read another provider's addresses.
    expect(await read('corp', `?service_provider_sid=${providers.north}`)).toEqual(['192.0.2.1'])
    expect(await read('admin', `?service_provider_sid=${providers.north}`)).toEqual(['192.0.2.2'])
    expect(await read('admin', `?service_provider_sid=${providers.south}`)).toEqual(['192.0.2.1'])
    expect(await as('admin')('POST', '/Sbcs', { port: 1 })).toMatchObject({
      status: 400,
      body: { msg: 'missing field ipv4', field: 'ipv4' },
    })
    expect(await as('admin')('POST', '/Sbcs', { ipv4: 'x', service_provider_sid: sid })).toMatchObject({
      status: 400,
      body: { msg: 'unknown service_provider_sid' },
    })
    expect(await as('admin')('DELETE', `/Sbcs/${sid}`)).toMatchObject({ status: 204, body: undefined })
    expect(await as('admin')('DELETE', `/Sbcs/${sid}`)).toMatchObject({ status: 404, body: 'Not Found' })
  })
})
