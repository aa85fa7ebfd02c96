import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const unknownSid = 'abcdef01-0000-4000-8000-000000000000'

describe.each(databaseEngines)('phone numbers (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let northClient: ApiClient
  let acmeClient: ApiClient
  let path: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const clientOf = (name: 'admin' | 'north' | 'acme') => createApiClient(backend.app, backend.testData.keys[name])
    ;[adminClient, northClient, acmeClient] = [clientOf('admin'), clientOf('north'), clientOf('acme')]
    path = `/PhoneNumbers/${backend.testData.acme.phone_number}`
  })
  afterAll(() => backend.close())

  let lastSerial = 0
  const create = async (client: ApiClient, overrides: object = {}): Promise<string> => {
    const { status, body } = await client('POST', '/PhoneNumbers', { number: `4420${++lastSerial}`, ...overrides })
    expect({ status, body }).toEqual({ status: 201, body: { sid: expect.any(String) } })
    return body.sid
  }
  const read = (sid: string) => adminClient('GET', `/PhoneNumbers/${sid}`).then(({ body }) => body)

  it('are stored without a leading plus, and returned with the names of their references', async () => {
    const { acme: acmeRecords } = backend.testData
    const sid = await create(acmeClient, {
      number: '+15551230000',
      voip_carrier_sid: acmeRecords.voip_carrier,
      application_sid: acmeRecords.application,
    })
    expect(await read(sid)).toEqual({
      phone_number_sid: sid,
      number: '15551230000',
      voip_carrier_sid: acmeRecords.voip_carrier,
      voip_carrier_name: 'acme trunk',
      account_sid: acmeRecords.account,
      account_name: 'acme',
      application_sid: acmeRecords.application,
      application_name: 'acme app',
      service_provider_sid: null,
    })
  })

  it("belong to the requested owner within the actor's scope", async () => {
    const { providers, acme: acmeRecords, corp } = backend.testData
    const readOwner = async (sid: string) => {
      const { account_sid, service_provider_sid } = await read(sid)
      return [account_sid, service_provider_sid]
    }
    expect(await readOwner(await create(northClient))).toEqual([null, providers.north])
    expect(await readOwner(await create(northClient, { account_sid: acmeRecords.account }))).toEqual([
      acmeRecords.account,
      providers.north,
    ])
    // No number can be created in another tenant.
    expect(
      await readOwner(await create(acmeClient, { account_sid: corp.account, service_provider_sid: providers.south })),
    ).toEqual([acmeRecords.account, null])
    expect(await readOwner(await create(northClient, { service_provider_sid: providers.south }))).toEqual([
      null,
      providers.north,
    ])
    expect(await readOwner(await create(adminClient, { service_provider_sid: providers.south }))).toEqual([
      null,
      providers.south,
    ])
    expect(await readOwner(await create(adminClient))).toEqual([null, null])
    // A number without account is in its provider's list.
    const northNumbers = (await northClient('GET', '/PhoneNumbers')).body as { account_sid: string | null }[]
    expect(northNumbers.filter(({ account_sid }) => account_sid === null)).toHaveLength(2)
  })

  it.each<[string, (testData: Backend['testData']) => object, string, string]>([
    ['no number', () => ({ number: undefined }), 'number is required', 'number'],
    ['an empty number', () => ({ number: '' }), 'number is required', 'number'],
    ['a null number', () => ({ number: null }), 'number is required', 'number'],
    ['only a plus', () => ({ number: '+' }), 'number is required', 'number'],
    ['whitespace in the number', () => ({ number: '1 2' }), 'number cannot contain whitespace', 'number'],
    ['a number of another type', () => ({ number: 1234 }), 'number must be text', 'number'],
    [
      'a number that is too long',
      () => ({ number: '1'.repeat(133) }),
      'number must be at most 132 characters',
      'number',
    ],
    [
      'an unknown carrier',
      () => ({ voip_carrier_sid: unknownSid }),
      `voip_carrier not found for sid ${unknownSid}`,
      'voip_carrier_sid',
    ],
    ['a malformed carrier', () => ({ voip_carrier_sid: 'x' }), 'voip_carrier not found for sid x', 'voip_carrier_sid'],
    [
      'a carrier of another provider',
      ({ corp }) => ({ voip_carrier_sid: corp.voip_carrier }),
      'voip_carrier not found for sid',
      'voip_carrier_sid',
    ],
    [
      'a carrier of another account',
      ({ bolt }) => ({ voip_carrier_sid: bolt.voip_carrier }),
      'voip_carrier_sid does not belong to the account',
      'voip_carrier_sid',
    ],
    ['an unknown application', () => ({ application_sid: unknownSid }), 'unknown application_sid', 'application_sid'],
    [
      'an application of another account',
      ({ bolt }) => ({ application_sid: bolt.application }),
      'unknown application_sid',
      'application_sid',
    ],
    ['an unknown account', () => ({ account_sid: unknownSid }), 'unknown account_sid', 'account_sid'],
    [
      'a provider that differs from the account’s',
      ({ providers }) => ({ service_provider_sid: providers.south }),
      'unknown service_provider_sid',
      'service_provider_sid',
    ],
  ])('are not created with %s', async (_, invalidFields, msg, field) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const body = { number: '999', account_sid: backend.testData.acme.account, ...invalidFields(backend.testData) }
    expect(await adminClient('POST', '/PhoneNumbers', body)).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining(msg), field },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('without account have no application', async () => {
    const { bolt, corp, shared } = backend.testData
    const sharedCarrier = { voip_carrier_sid: shared.north.voip_carrier }
    const initialSnapshot = await takeSnapshot(backend.database)
    const accountMissing = { status: 400, body: { msg: 'account_sid missing', field: 'account_sid' } }
    for (const client of [adminClient, northClient])
      for (const { application } of [bolt, corp])
        expect(
          await client('POST', '/PhoneNumbers', { number: '98', ...sharedCarrier, application_sid: application }),
        ).toMatchObject(accountMissing)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    await create(adminClient, sharedCarrier)
  })

  it('are unique per carrier only', async () => {
    const { acme: acmeRecords, shared } = backend.testData
    const initialSnapshot = await takeSnapshot(backend.database)
    for (const number of ['15550000011', '+15550000011'])
      expect(
        await acmeClient('POST', '/PhoneNumbers', { number, voip_carrier_sid: acmeRecords.voip_carrier }),
      ).toMatchObject({
        status: 422,
        body: { msg: expect.any(String), field: 'number' },
      })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    await create(acmeClient, { number: '15550000011', voip_carrier_sid: shared.north.voip_carrier })
    await create(acmeClient, { number: '15550000011' })
    await create(acmeClient, { number: '15550000011', voip_carrier_sid: null })
  })

  it('keep their number and carrier', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const { acme: acmeRecords, providers } = backend.testData
    for (const [body, msg] of [
      [{ number: '123' }, 'number may not be modified'],
      [{ voip_carrier_sid: acmeRecords.voip_carrier }, 'voip_carrier_sid may not be modified'],
      [{ phone_number_sid: acmeRecords.phone_number }, 'primary key phone_number_sid is immutable'],
      [{ service_provider_sid: providers.south }, 'service_provider_sid may not be modified'],
      [{ account_name: 'x' }, 'unknown field account_name'],
    ] as const)
      expect(await adminClient('PUT', path, body)).toMatchObject({ status: 400, body: { msg } })
    expect(await acmeClient('PUT', path, { number: '', voip_carrier_sid: null })).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('on a carrier without owner can be created by administrators and assigned to accounts', async () => {
    const { acme: acmeRecords, bolt } = backend.testData
    const { sid: voip_carrier_sid } = (await adminClient('POST', '/VoipCarriers', { name: 'ownerless' })).body
    const draft = { number: '15550190', voip_carrier_sid }
    const notFound = { status: 400, body: { msg: `voip_carrier not found for sid ${voip_carrier_sid}` } }
    for (const client of [northClient, acmeClient])
      expect(await client('POST', '/PhoneNumbers', draft)).toMatchObject(notFound)
    const { body } = await adminClient('POST', '/PhoneNumbers', draft)
    const recordPath = `/PhoneNumbers/${body.sid}`
    expect(await adminClient('PUT', recordPath, { account_sid: acmeRecords.account })).toMatchObject({ status: 204 })
    expect((await acmeClient('GET', recordPath)).body).toMatchObject({
      account_sid: acmeRecords.account,
      voip_carrier_sid,
    })
    expect(await northClient('PUT', recordPath, { account_sid: bolt.account })).toMatchObject({ status: 204 })
    expect(
      await adminClient('POST', '/PhoneNumbers', { ...draft, number: '15550191', account_sid: acmeRecords.account }),
    ).toMatchObject({ status: 201 })
  })

  it('change their application together with their account', async () => {
    const { acme: acmeRecords, bolt, corp, shared } = backend.testData
    const sid = await create(acmeClient, {
      voip_carrier_sid: shared.north.voip_carrier,
      application_sid: acmeRecords.application,
    })
    const recordPath = `/PhoneNumbers/${sid}`
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await acmeClient('PUT', recordPath, { application_sid: bolt.application })).toMatchObject({
      status: 400,
      body: { msg: 'unknown application_sid' },
    })
    expect(await northClient('PUT', recordPath, { account_sid: bolt.account })).toMatchObject({
      status: 400,
      body: { msg: 'unknown application_sid' },
    })
    expect(await acmeClient('PUT', recordPath, { account_sid: bolt.account, application_sid: null })).toMatchObject({
      status: 403,
    })
    expect(await acmeClient('PUT', recordPath, { account_sid: null, application_sid: null })).toMatchObject({
      status: 403,
      body: { msg: 'insufficient privileges' },
    })
    expect(await northClient('PUT', recordPath, { account_sid: corp.account, application_sid: null })).toMatchObject({
      status: 403,
      body: { msg: 'insufficient privileges' },
    })
    // The carrier of this number belongs to acme, so bolt cannot get the number.
    expect(await northClient('PUT', path, { account_sid: bolt.account, application_sid: null })).toMatchObject({
      status: 400,
      body: { msg: 'voip_carrier_sid does not belong to the account' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(
      await northClient('PUT', recordPath, { account_sid: bolt.account, application_sid: bolt.application }),
    ).toMatchObject({
      status: 204,
    })
    expect(await read(sid)).toMatchObject({ account_sid: bolt.account, application_sid: bolt.application })
    // Without account it stays with the provider.
    expect(await northClient('PUT', recordPath, { account_sid: null, application_sid: null })).toMatchObject({
      status: 204,
    })
    expect(await northClient('GET', recordPath)).toMatchObject({
      status: 200,
      body: { account_sid: null, service_provider_sid: backend.testData.providers.north },
    })
    expect(await acmeClient('GET', recordPath)).toMatchObject({ status: 404, body: undefined })
  })
})
