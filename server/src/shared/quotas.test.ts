import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { snapshot, apiClient, type ApiClient } from '../../test/speak'

const hook = { url: 'https://example.com' }

describe('quotas', () => {
  let backend: Backend
  let acme: ApiClient
  let north: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ config: { quotas: true } })
    acme = apiClient(backend.app, backend.world.keys.acme)
    north = apiClient(backend.app, backend.world.keys.north)
  })
  afterAll(() => backend.close())

  const full = (count: number) => {
    const message = `exceeded limits - you have created ${count} instances of this resource`
    return { status: 422, body: { status: 'fail', message, msg: message } }
  }

  const cases: [string, number, () => string[], (world: Backend['world']) => object][] = [
    [
      'applications',
      50,
      () => ['/Applications'],
      ({ acme: { account } }) => ({
        name: randomUUID(),
        account_sid: account,
        call_hook: hook,
        call_status_hook: hook,
      }),
    ],
    [
      'SIP gateways',
      150,
      () => ['/SipGateways'],
      ({ acme: { voip_carrier } }) => ({
        voip_carrier_sid: voip_carrier,
        ipv4: `sip.${randomUUID()}.example.com`,
        inbound: 0,
        outbound: 1,
      }),
    ],
    [
      'phone numbers',
      200,
      () => ['/PhoneNumbers'],
      ({ acme: { account } }) => ({ number: randomUUID(), account_sid: account }),
    ],
    [
      'carriers, on every path',
      10,
      () => {
        const account = `/Accounts/${backend.world.acme.account}`
        return [
          '/VoipCarriers',
          `${account}/VoipCarriers`,
          `${account}/PredefinedCarriers/17479288-bb9f-421a-89d1-f4ac57af1dca`,
        ]
      },
      ({ acme: { account } }) => ({ name: randomUUID(), account_sid: account }),
    ],
  ]
  it.each(cases)("limit an account's %s to %i, and no other scope", async (_, most, paths, body) => {
    // The test data has one of each already.
    for (let count = 1; count < most; count++)
      expect((await acme('POST', paths()[0]!, body(backend.world))).status, `number ${count + 1}`).toBe(201)
    const initialSnapshot = await snapshot(backend.database)
    for (const path of paths()) expect(await acme('POST', path, body(backend.world))).toMatchObject(full(most))
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    for (const path of paths()) expect((await north('POST', path, body(backend.world))).status).toBe(201)
    expect((await acme('POST', paths()[0]!, body(backend.world))).status).toBe(422)
  })
})

describe('carriers reserved for administrators', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ config: { adminCarrier: true } })
  })
  afterAll(() => backend.close())

  it('cannot be created, updated or removed by accounts, and neither can phone numbers', async () => {
    const { world, app } = backend
    const acme = apiClient(app, world.keys.acme)
    const { account, voip_carrier, sip_gateway, phone_number } = world.acme
    const initialSnapshot = await snapshot(backend.database)
    const gateway = { voip_carrier_sid: voip_carrier, ipv4: '192.0.2.1', inbound: 1, outbound: 1 }
    const refused = { status: 400, body: { msg: 'insufficient privileges' } }
    expect(await acme('POST', '/VoipCarriers', { name: 'x' })).toMatchObject(refused)
    expect(await acme('POST', `/Accounts/${account}/VoipCarriers`, { name: 'x' })).toMatchObject(refused)
    expect(
      await acme('POST', `/Accounts/${account}/PredefinedCarriers/17479288-bb9f-421a-89d1-f4ac57af1dca`),
    ).toMatchObject(refused)
    expect(await acme('PUT', `/VoipCarriers/${voip_carrier}`, { name: 'x' })).toMatchObject(refused)
    expect(await acme('PUT', `/Accounts/${account}/VoipCarriers/${voip_carrier}`, { name: 'x' })).toMatchObject(refused)
    expect(await acme('DELETE', `/VoipCarriers/${voip_carrier}`)).toMatchObject(refused)
    expect(await acme('POST', '/SipGateways', gateway)).toMatchObject(refused)
    expect(await acme('PUT', `/SipGateways/${sip_gateway}`, { is_active: 0 })).toMatchObject(refused)
    expect(await acme('DELETE', `/SipGateways/${sip_gateway}`)).toMatchObject(refused)
    expect(await acme('POST', '/PhoneNumbers', { number: '1' })).toMatchObject(refused)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    // They may still use and release their existing records.
    expect(await acme('PUT', `/PhoneNumbers/${phone_number}`, { application_sid: null })).toMatchObject({ status: 204 })
    expect(await acme('DELETE', `/PhoneNumbers/${phone_number}`)).toMatchObject({ status: 204 })
    // The API has no quota for SMPP gateways.
    const smpp = { voip_carrier_sid: voip_carrier, ipv4: 'smpp.example.com' }
    expect(await acme('POST', '/SmppGateways', smpp)).toMatchObject({ status: 201 })
    const north = apiClient(app, world.keys.north)
    expect(await north('POST', `/Accounts/${account}/VoipCarriers`, { name: 'x' })).toMatchObject({ status: 201 })
    expect(await north('POST', '/SipGateways', gateway)).toMatchObject({ status: 201 })
  })
})
