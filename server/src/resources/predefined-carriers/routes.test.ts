import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('predefined carriers (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
  })
  afterAll(() => backend.close())

  const listTemplates = async () =>
    (await createApiClient(backend.app)('GET', '/PredefinedCarriers')).body as Record<string, string>[]

  it('are readable without a credential', async () => {
    const rows = await listTemplates()
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.map(({ name }) => name)).toEqual(rows.map(({ name }) => name).sort())
    expect(Object.keys(rows[0]!)).toEqual(
      expect.arrayContaining(['predefined_carrier_sid', 'requires_static_ip', 'trunk_type', 'tech_prefix']),
    )
  })

  it('are copied with all gateways to the tenant in the path', async () => {
    const { db } = backend.database
    const { providers, acme: acmeRecords } = backend.testData
    const cases = [
      [
        adminClient,
        `/ServiceProviders/${providers.north}`,
        { account_sid: null, service_provider_sid: providers.north },
      ],
      [
        adminClient,
        `/Accounts/${acmeRecords.account}`,
        { account_sid: acmeRecords.account, service_provider_sid: providers.north },
      ],
      [
        acmeClient,
        `/Accounts/${acmeRecords.account}`,
        { account_sid: acmeRecords.account, service_provider_sid: providers.north },
      ],
    ] as const
    for (const { predefined_carrier_sid, name, trunk_type } of await listTemplates()) {
      for (const [caseIndex, [client, path, owner]] of cases.entries()) {
        const { status, body } = await client('POST', `${path}/PredefinedCarriers/${predefined_carrier_sid}`)
        expect({ status, body }).toEqual({ status: 201, body: { sid: expect.any(String) } })
        const row = (await adminClient('GET', `/VoipCarriers/${body.sid}`)).body
        expect(row).toMatchObject({ ...owner, trunk_type })
        // The second carrier with the same name gets a suffix.
        if (caseIndex === 0) expect(row.name).toBe(name)
        else expect(row.name).toMatch(new RegExp(`^${name!.replace(/\W/g, '\\$&')}-[1-9a-zA-Z]{22}$`))
        const predefinedSip = await db
          .selectFrom('predefined_sip_gateways')
          .selectAll()
          .where('predefined_carrier_sid', '=', predefined_carrier_sid!)
          .execute()
        const sipGateways = (await adminClient('GET', `/SipGateways?voip_carrier_sid=${body.sid}`)).body as Record<
          string,
          unknown
        >[]
        const gatewayText = ({ ipv4, port, inbound, outbound, netmask }: Record<string, unknown>) =>
          [ipv4, port, inbound, outbound, netmask].join(' ')
        expect(sipGateways.map(gatewayText).sort()).toEqual(predefinedSip.map(gatewayText).sort())
        const smppGateways = await db
          .selectFrom('smpp_gateways')
          .selectAll()
          .where('voip_carrier_sid', '=', body.sid)
          .execute()
        const predefinedSmpp = await db
          .selectFrom('predefined_smpp_gateways')
          .selectAll()
          .where('predefined_carrier_sid', '=', predefined_carrier_sid!)
          .execute()
        expect(smppGateways.map(gatewayText).sort()).toEqual(predefinedSmpp.map(gatewayText).sort())
      }
    }
  })

  it('cause a 404 if the carrier or tenant does not exist', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const unknownSid = 'abcdef01-0000-4000-8000-000000000000'
    const knownSid = (await listTemplates())[0]!.predefined_carrier_sid
    const notFound = { status: 404, body: 'Not Found' }
    expect(
      await adminClient(
        'POST',
        `/ServiceProviders/${backend.testData.providers.north}/PredefinedCarriers/${unknownSid}`,
      ),
    ).toMatchObject(notFound)
    expect(await adminClient('POST', `/ServiceProviders/${unknownSid}/PredefinedCarriers/${knownSid}`)).toMatchObject(
      notFound,
    )
    expect(await adminClient('POST', `/Accounts/${unknownSid}/PredefinedCarriers/${knownSid}`)).toMatchObject(notFound)
    expect(await acmeClient('POST', `/Accounts/${unknownSid}/PredefinedCarriers/${knownSid}`)).toMatchObject({
      status: 403,
      body: { message: 'insufficient privileges' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })
})
