import { randomUUID } from 'node:crypto'
import type { Dependent } from '@trunkline/contract/kit/problem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const usedByNumbersMessage = 'cannot delete voip carrier with active phone numbers'

describe.each(databaseEngines)('ownership of carriers (%s)', (databaseEngine) => {
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
  const create = async (client: ApiClient, path: string): Promise<string> =>
    (await client('POST', path, { name: `carrier ${++lastSerial}` })).body.sid
  const read = (sid: string) => northClient('GET', `/VoipCarriers/${sid}`).then(({ body }) => body)

  it('are not found at the URL of another tenant, and accounts cannot update foreign carriers', async () => {
    const { acme: acmeRecords, bolt, corp, shared, providers } = backend.testData
    const initialSnapshot = await takeSnapshot(backend.database)
    const notFound = { status: 404, body: 'Not Found' }
    expect(
      await northClient('PUT', `/ServiceProviders/${providers.north}/VoipCarriers/${corp.voip_carrier}`, { name: 'x' }),
    ).toMatchObject(notFound)
    expect(
      await adminClient('PUT', `/ServiceProviders/${providers.north}/VoipCarriers/${corp.voip_carrier}`, { name: 'x' }),
    ).toMatchObject(notFound)
    expect(
      await northClient('PUT', `/Accounts/${acmeRecords.account}/VoipCarriers/${bolt.voip_carrier}`, { name: 'x' }),
    ).toMatchObject(notFound)
    for (const sid of [bolt.voip_carrier, shared.north.voip_carrier])
      expect(
        await acmeClient('PUT', `/Accounts/${acmeRecords.account}/VoipCarriers/${sid}`, { name: 'x' }),
      ).toMatchObject({
        status: 422,
        body: { msg: 'carrier belongs to a different user' },
      })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('cannot move to a foreign tenant, or to another account while phone numbers use them', async () => {
    const { acme: acmeRecords, bolt, corp, shared, providers } = backend.testData
    const initialSnapshot = await takeSnapshot(backend.database)
    const path = `/VoipCarriers/${acmeRecords.voip_carrier}`
    expect(await acmeClient('PUT', path, { account_sid: bolt.account })).toMatchObject({ status: 422 })
    expect(await acmeClient('PUT', path, { account_sid: null })).toMatchObject({ status: 422 })
    expect(
      await northClient('PUT', `/VoipCarriers/${shared.north.voip_carrier}`, { service_provider_sid: providers.south }),
    ).toMatchObject({ status: 404 })
    expect(
      await northClient('PUT', `/VoipCarriers/${shared.north.voip_carrier}`, { account_sid: corp.account }),
    ).toMatchObject({ status: 404 })
    expect(await northClient('PUT', path, { account_sid: bolt.account })).toMatchObject({
      status: 422,
      body: { dependents: [{ kind: 'phone_number', sid: acmeRecords.phone_number }] },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await northClient('PUT', path, { account_sid: null })).toMatchObject({ status: 204 })
    expect(await northClient('PUT', path, { account_sid: acmeRecords.account })).toMatchObject({ status: 204 })
  })

  it('cannot move to another account while an LCR uses them', async () => {
    const { acme: acmeRecords, bolt } = backend.testData
    const voip_carrier_sid = await create(acmeClient, '/VoipCarriers')
    const entry = { lcr_route_sid: acmeRecords.lcr_route, voip_carrier_sid }
    expect(await acmeClient('POST', '/LcrCarrierSetEntries', entry)).toMatchObject({ status: 201 })
    const path = `/VoipCarriers/${voip_carrier_sid}`
    expect(await northClient('PUT', path, { account_sid: bolt.account })).toMatchObject({
      status: 422,
      body: { dependents: [{ kind: 'lcr', sid: acmeRecords.lcr }] },
    })
    // The LCR of an account may also use carriers that the provider shares.
    expect(await northClient('PUT', path, { account_sid: null })).toMatchObject({ status: 204 })
  })

  it('return their registration state, which clients cannot overwrite', async () => {
    const sid = await create(acmeClient, '/VoipCarriers')
    const storeStatus = (register_status: string | null) =>
      backend.database.db
        .updateTable('voip_carriers')
        .set({ register_status })
        .where('voip_carrier_sid', '=', sid)
        .execute()
    const cases: [string | null, object][] = [
      [
        '{"status":"fail","reason":"403","cseq":"1 REGISTER","callId":"x"}',
        { status: 'fail', reason: '403', cseq: '1 REGISTER', callId: 'x' },
      ],
      ['{"status":7,"cseq":12}', { cseq: 12 }],
      ['nonsense', {}],
      ['[]', {}],
      ['', {}],
      [null, {}],
    ]
    for (const [storedStatus, returnedStatus] of cases) {
      await storeStatus(storedStatus)
      expect((await read(sid)).register_status).toEqual(returnedStatus)
      expect((await acmeClient('GET', '/VoipCarriers?page=1')).status).toBe(200)
    }
    await storeStatus('{"status":"ok"}')
    await acmeClient('PUT', `/VoipCarriers/${sid}`, { register_status: { status: 'fail' }, created_at: 'x', name: 'y' })
    expect(await read(sid)).toMatchObject({ name: 'y', register_status: { status: 'ok' } })
  })

  it('report the number of dependents if not all are listed', async () => {
    const sid = await create(acmeClient, '/VoipCarriers')
    const rows = Array.from({ length: 103 }, (_, index) => ({
      number: `1555900${index + 1000}`,
      voip_carrier_sid: sid,
    }))
    expect((await acmeClient('POST', '/PhoneNumbers/Import', { rows, write: 'all' })).body.written).toBe(103)
    const { dependents } = (await acmeClient('DELETE', `/VoipCarriers/${sid}`)).body as { dependents: Dependent[] }
    expect(dependents).toHaveLength(100)
    expect(dependents[0]).toEqual({ kind: 'phone_number', sid: expect.any(String), title: '15559001000', total: 103 })
    await backend.database.db.deleteFrom('phone_numbers').where('voip_carrier_sid', '=', sid).execute()
    expect((await acmeClient('DELETE', `/VoipCarriers/${sid}`)).status).toBe(204)
  })

  it('are deleted with their gateways, but not while phone numbers or routes use them', async () => {
    const { acme: acmeRecords } = backend.testData
    const { db } = backend.database
    const initialSnapshot = await takeSnapshot(backend.database)
    const dependents = [{ kind: 'phone_number', sid: acmeRecords.phone_number, title: '15550000011' }]
    for (const client of [acmeClient, northClient, adminClient])
      expect(await client('DELETE', `/VoipCarriers/${acmeRecords.voip_carrier}`)).toMatchObject({
        status: 422,
        body: { msg: usedByNumbersMessage, dependents },
      })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)

    const sid = await create(acmeClient, '/VoipCarriers')
    await acmeClient('POST', '/SipGateways', { voip_carrier_sid: sid, ipv4: '192.0.2.9', inbound: 1, outbound: 0 })
    await db
      .insertInto('smpp_gateways')
      .values({ smpp_gateway_sid: randomUUID(), voip_carrier_sid: sid, ipv4: '192.0.2.9' })
      .execute()
    const [lcr_sid, lcr_route_sid] = [randomUUID(), randomUUID()]
    await db.insertInto('lcr').values({ lcr_sid, name: 'routes', account_sid: acmeRecords.account }).execute()
    await db.insertInto('lcr_routes').values({ lcr_route_sid, lcr_sid, regex: '.*', priority: 1 }).execute()
    await db
      .insertInto('lcr_carrier_set_entry')
      .values({ lcr_carrier_set_entry_sid: randomUUID(), lcr_route_sid, voip_carrier_sid: sid })
      .execute()
    expect(await acmeClient('DELETE', `/VoipCarriers/${sid}`)).toMatchObject({
      status: 422,
      body: {
        msg: 'cannot delete voip carrier with outbound call routes',
        dependents: [{ kind: 'lcr', sid: lcr_sid, title: 'routes' }],
      },
    })
    expect((await acmeClient('GET', `/SipGateways?voip_carrier_sid=${sid}`)).body).toHaveLength(1)
    await db.deleteFrom('lcr_carrier_set_entry').execute()
    expect(await acmeClient('DELETE', `/VoipCarriers/${sid}`)).toMatchObject({ status: 204, body: undefined })
    for (const table of ['sip_gateways', 'smpp_gateways'] as const)
      expect(await db.selectFrom(table).selectAll().where('voip_carrier_sid', '=', sid).execute()).toEqual([])
  })

  it('shared by a provider hide their passwords from its accounts', async () => {
    const sid = backend.testData.shared.north.voip_carrier
    const passwords = {
      register_password: 'r3gister',
      smpp_password: 'smpp',
      smpp_inbound_password: 'smpp inbound',
      inbound_auth_password: 'inbound',
    }
    expect((await adminClient('PUT', `/VoipCarriers/${sid}`, passwords)).status).toBe(204)
    const read = async (name: 'acme' | 'north') => {
      const { body } = await createApiClient(backend.app, backend.testData.keys[name])('GET', '/VoipCarriers')
      return (body as Record<string, unknown>[]).find((row) => row.voip_carrier_sid === sid)
    }
    expect(await read('north')).toMatchObject(passwords)
    expect(await read('acme')).toMatchObject({
      name: 'North shared',
      register_password: null,
      smpp_password: null,
      smpp_inbound_password: null,
      inbound_auth_password: null,
    })
  })
})
