import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

const unreachable = 'abcdef01-0000-4000-8000-000000000000'

describe.each(engines)('phone numbers (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let north: ApiClient
  let acme: ApiClient
  let path: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const as = (name: 'admin' | 'north' | 'acme') => apiClient(backend.app, backend.world.keys[name])
    ;[admin, north, acme] = [as('admin'), as('north'), as('acme')]
    path = `/PhoneNumbers/${backend.world.acme.phone_number}`
  })
  afterAll(() => backend.close())

  let serial = 0
  const create = async (request: ApiClient, overrides: object = {}): Promise<string> => {
    const { status, body } = await request('POST', '/PhoneNumbers', { number: `4420${++serial}`, ...overrides })
    expect({ status, body }).toEqual({ status: 201, body: { sid: expect.any(String) } })
    return body.sid
  }
  const read = (sid: string) => admin('GET', `/PhoneNumbers/${sid}`).then(({ body }) => body)

  it('are stored without a leading plus, and returned with the names of their references', async () => {
    const { acme: acmeRecords } = backend.world
    const sid = await create(acme, {
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

  it("belong to the given owner, within the actor's scope", async () => {
    const { providers, acme: acmeRecords, corp } = backend.world
    const owner = async (sid: string) => {
      const { account_sid, service_provider_sid } = await read(sid)
      return [account_sid, service_provider_sid]
    }
    expect(await owner(await create(north))).toEqual([null, providers.north])
    expect(await owner(await create(north, { account_sid: acmeRecords.account }))).toEqual([
      acmeRecords.account,
      providers.north,
    ])
    // No number can be created in another tenant.
    expect(
      await owner(await create(acme, { account_sid: corp.account, service_provider_sid: providers.south })),
    ).toEqual([acmeRecords.account, null])
    expect(await owner(await create(north, { service_provider_sid: providers.south }))).toEqual([null, providers.north])
    expect(await owner(await create(admin, { service_provider_sid: providers.south }))).toEqual([null, providers.south])
    expect(await owner(await create(admin))).toEqual([null, null])
    // A number without account is in its provider's list.
    const sids = ((await north('GET', '/PhoneNumbers')).body as { account_sid: string | null }[]).filter(
      ({ account_sid }) => account_sid === null,
    )
    expect(sids).toHaveLength(2)
  })

  it.each<[string, (world: Backend['world']) => object, string, string]>([
    ['no number', () => ({ number: undefined }), 'number is required', 'number'],
    ['an empty number', () => ({ number: '' }), 'number is required', 'number'],
    ['a null number', () => ({ number: null }), 'number is required', 'number'],
    ['only a plus', () => ({ number: '+' }), 'number is required', 'number'],
    ['blanks', () => ({ number: '1 2' }), 'number cannot contain whitespace', 'number'],
    ['a number of another type', () => ({ number: 1234 }), 'number must be text', 'number'],
    [
      'a number that is too long',
      () => ({ number: '1'.repeat(133) }),
      'number must be at most 132 characters',
      'number',
    ],
    [
      'an unknown carrier',
      () => ({ voip_carrier_sid: unreachable }),
      `voip_carrier not found for sid ${unreachable}`,
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
    ['an unknown application', () => ({ application_sid: unreachable }), 'unknown application_sid', 'application_sid'],
    [
      'an application of another account',
      ({ bolt }) => ({ application_sid: bolt.application }),
      'unknown application_sid',
      'application_sid',
    ],
    ['an unknown account', () => ({ account_sid: unreachable }), 'unknown account_sid', 'account_sid'],
    [
      'a provider that differs from the account’s',
      ({ providers }) => ({ service_provider_sid: providers.south }),
      'unknown service_provider_sid',
      'service_provider_sid',
    ],
  ])('are not created with %s', async (_, invalid, msg, field) => {
    const initialSnapshot = await snapshot(backend.database)
    const body = { number: '999', account_sid: backend.world.acme.account, ...invalid(backend.world) }
    expect(await admin('POST', '/PhoneNumbers', body)).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining(msg), field },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('without account have no application', async () => {
    const { bolt, corp, shared } = backend.world
    const over = { voip_carrier_sid: shared.north.voip_carrier }
    const initialSnapshot = await snapshot(backend.database)
    const missing = { status: 400, body: { msg: 'account_sid missing', field: 'account_sid' } }
    for (const request of [admin, north])
      for (const { application } of [bolt, corp])
        expect(
          await request('POST', '/PhoneNumbers', { number: '98', ...over, application_sid: application }),
        ).toMatchObject(missing)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    await create(admin, over)
  })

  it('are unique per carrier only', async () => {
    const { acme: acmeRecords, shared } = backend.world
    const initialSnapshot = await snapshot(backend.database)
    for (const number of ['15550000011', '+15550000011'])
      expect(await acme('POST', '/PhoneNumbers', { number, voip_carrier_sid: acmeRecords.voip_carrier })).toMatchObject(
        {
          status: 422,
          body: { msg: expect.any(String), field: 'number' },
        },
      )
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    await create(acme, { number: '15550000011', voip_carrier_sid: shared.north.voip_carrier })
    await create(acme, { number: '15550000011' })
    await create(acme, { number: '15550000011', voip_carrier_sid: null })
  })

  it('cannot change number or carrier', async () => {
    const initialSnapshot = await snapshot(backend.database)
    const { acme: acmeRecords, providers } = backend.world
    for (const [body, msg] of [
      [{ number: '123' }, 'number may not be modified'],
      [{ voip_carrier_sid: acmeRecords.voip_carrier }, 'voip_carrier_sid may not be modified'],
      [{ phone_number_sid: acmeRecords.phone_number }, 'primary key phone_number_sid is immutable'],
      [{ service_provider_sid: providers.south }, 'service_provider_sid may not be modified'],
      [{ account_name: 'x' }, 'unknown field account_name'],
    ] as const)
      expect(await admin('PUT', path, body)).toMatchObject({ status: 400, body: { msg } })
    expect(await acme('PUT', path, { number: '', voip_carrier_sid: null })).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('on a carrier without owner are created by administrators and assigned to accounts', async () => {
    const { acme: acmeRecords, bolt } = backend.world
    const { sid: voip_carrier_sid } = (await admin('POST', '/VoipCarriers', { name: 'ownerless' })).body
    const draft = { number: '15550190', voip_carrier_sid }
    const notFound = { status: 400, body: { msg: `voip_carrier not found for sid ${voip_carrier_sid}` } }
    for (const request of [north, acme]) expect(await request('POST', '/PhoneNumbers', draft)).toMatchObject(notFound)
    const { body } = await admin('POST', '/PhoneNumbers', draft)
    const recordPath = `/PhoneNumbers/${body.sid}`
    expect(await admin('PUT', recordPath, { account_sid: acmeRecords.account })).toMatchObject({ status: 204 })
    expect((await acme('GET', recordPath)).body).toMatchObject({ account_sid: acmeRecords.account, voip_carrier_sid })
    expect(await north('PUT', recordPath, { account_sid: bolt.account })).toMatchObject({ status: 204 })
    expect(
      await admin('POST', '/PhoneNumbers', { ...draft, number: '15550191', account_sid: acmeRecords.account }),
    ).toMatchObject({ status: 201 })
  })

  it('change application and account together', async () => {
    const { acme: acmeRecords, bolt, corp, shared } = backend.world
    const sid = await create(acme, {
      voip_carrier_sid: shared.north.voip_carrier,
      application_sid: acmeRecords.application,
    })
    const recordPath = `/PhoneNumbers/${sid}`
    const initialSnapshot = await snapshot(backend.database)
    expect(await acme('PUT', recordPath, { application_sid: bolt.application })).toMatchObject({
      status: 400,
      body: { msg: 'unknown application_sid' },
    })
    expect(await north('PUT', recordPath, { account_sid: bolt.account })).toMatchObject({
      status: 400,
      body: { msg: 'unknown application_sid' },
    })
    expect(await acme('PUT', recordPath, { account_sid: bolt.account, application_sid: null })).toMatchObject({
      status: 403,
    })
    expect(await acme('PUT', recordPath, { account_sid: null, application_sid: null })).toMatchObject({
      status: 403,
      body: { msg: 'insufficient privileges' },
    })
    expect(await north('PUT', recordPath, { account_sid: corp.account, application_sid: null })).toMatchObject({
      status: 403,
      body: { msg: 'insufficient privileges' },
    })
    // Its carrier belongs to acme, so bolt cannot have it.
    expect(await north('PUT', path, { account_sid: bolt.account, application_sid: null })).toMatchObject({
      status: 400,
      body: { msg: 'voip_carrier_sid does not belong to the account' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(
      await north('PUT', recordPath, { account_sid: bolt.account, application_sid: bolt.application }),
    ).toMatchObject({
      status: 204,
    })
    expect(await read(sid)).toMatchObject({ account_sid: bolt.account, application_sid: bolt.application })
    // Without account it stays with the provider.
    expect(await north('PUT', recordPath, { account_sid: null, application_sid: null })).toMatchObject({ status: 204 })
    expect(await north('GET', recordPath)).toMatchObject({
      status: 200,
      body: { account_sid: null, service_provider_sid: backend.world.providers.north },
    })
    expect(await acme('GET', recordPath)).toMatchObject({ status: 404, body: undefined })
  })

  describe('many phone numbers', () => {
    const assign = (request: ApiClient, phone_number_sids: unknown, application_sid: unknown) =>
      request('PUT', '/PhoneNumbers', { phone_number_sids, application_sid })

    it('get one application or none', async () => {
      // More than one statement can hold.
      const rows = Array.from({ length: 510 }, (_, index) => ({
        phone_number_sid: randomUUID(),
        number: `8800${index}`,
        account_sid: backend.world.acme.account,
      }))
      await backend.database.db.insertInto('phone_numbers').values(rows).execute()
      const sids = rows.map(({ phone_number_sid }) => phone_number_sid)
      const { application } = backend.world.acme
      expect(await assign(acme, [...sids, sids[0]], application)).toMatchObject({
        status: 200,
        body: { changed: 510 },
      })
      const { body } = await acme('GET', '/PhoneNumbers?filter=8800')
      expect(body.filter((row: { application_sid: string }) => row.application_sid === application).length).toBe(510)
      expect(await assign(acme, sids.slice(0, 2), null)).toMatchObject({ status: 200, body: { changed: 2 } })
      expect((await read(sids[0]!)).application_sid).toBeNull()
    })

    it('are all changed, or none if one is foreign', async () => {
      const { acme: acmeRecords, bolt, corp } = backend.world
      const initialSnapshot = await snapshot(backend.database)
      const unknown = { status: 400, body: { msg: 'unknown phone_number_sid', field: 'phone_number_sids' } }
      expect(await assign(acme, [acmeRecords.phone_number, bolt.phone_number], acmeRecords.application)).toMatchObject(
        unknown,
      )
      expect(await assign(north, [acmeRecords.phone_number, corp.phone_number], null)).toMatchObject(unknown)
      expect(await assign(acme, [acmeRecords.phone_number, unreachable], null)).toMatchObject(unknown)
      const invalid = { status: 400, body: { msg: 'unknown application_sid', field: 'application_sid' } }
      expect(await assign(acme, [acmeRecords.phone_number], bolt.application)).toMatchObject(invalid)
      expect(await assign(north, [acmeRecords.phone_number, bolt.phone_number], acmeRecords.application)).toMatchObject(
        invalid,
      )
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
      expect(await assign(north, [acmeRecords.phone_number, bolt.phone_number], null)).toMatchObject({
        status: 200,
        body: { changed: 2 },
      })
    })

    it.each([
      ['nothing', [], null, 'choose at least one phone number', 'phone_number_sids'],
      ['sids that are not a list', 'x', null, 'phone_number_sids must be a list', 'phone_number_sids'],
      ['no sid', ['x'], null, 'invalid phone_number_sids.0', 'phone_number_sids.0'],
      ['no application', [unreachable], undefined, 'missing field application_sid', 'application_sid'],
      [
        'too many numbers',
        Array.from({ length: 10_001 }, () => unreachable),
        null,
        'phone_number_sids must be at most 10000 entries',
        'phone_number_sids',
      ],
    ])('are refused with %s', async (_, sids, application, msg, field) => {
      expect(await assign(acme, sids, application)).toMatchObject({ status: 400, body: { msg, field } })
    })
  })
})
