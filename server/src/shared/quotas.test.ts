import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { takeSnapshot, createApiClient, type ApiClient } from '../../test/api-client'

const webhookDraft = { url: 'https://example.com' }

describe('quotas', () => {
  let backend: Backend
  let acmeClient: ApiClient
  let northClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ config: { enforceQuotas: true } })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    northClient = createApiClient(backend.app, backend.testData.keys.north)
  })
  afterAll(() => backend.close())

  const quotaRefusal = (count: number) => {
    const message = `exceeded limits - you have created ${count} instances of this resource`
    return { status: 422, body: { status: 'fail', message, msg: message } }
  }

  const cases: [string, number, () => string[], (testData: Backend['testData']) => object][] = [
    [
      'applications',
      50,
      () => ['/Applications'],
      ({ acme: { account } }) => ({
        name: randomUUID(),
        account_sid: account,
        call_hook: webhookDraft,
        call_status_hook: webhookDraft,
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
        const account = `/Accounts/${backend.testData.acme.account}`
        return [
          '/VoipCarriers',
          `${account}/VoipCarriers`,
          `${account}/PredefinedCarriers/17479288-bb9f-421a-89d1-f4ac57af1dca`,
        ]
      },
      ({ acme: { account } }) => ({ name: randomUUID(), account_sid: account }),
    ],
  ]
  it.each(cases)(
    "limit an account's %s to %i, but not those that its provider adds",
    async (_, maxRecords, paths, body) => {
      // The test data has one of each already.
      for (let count = 1; count < maxRecords; count++)
        expect((await acmeClient('POST', paths()[0]!, body(backend.testData))).status, `number ${count + 1}`).toBe(201)
      const initialSnapshot = await takeSnapshot(backend.database)
      for (const path of paths())
        expect(await acmeClient('POST', path, body(backend.testData))).toMatchObject(quotaRefusal(maxRecords))
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
      for (const path of paths()) expect((await northClient('POST', path, body(backend.testData))).status).toBe(201)
      expect((await acmeClient('POST', paths()[0]!, body(backend.testData))).status).toBe(422)
    },
  )
})

describe('the quota of SIP gateways', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ config: { enforceQuotas: true } })
  })
  afterAll(() => backend.close())

  it('includes all gateways of a predefined carrier', async () => {
    const { app, database, testData } = backend
    const { db } = database
    const { account, voip_carrier: voip_carrier_sid } = testData.acme
    const predefined_carrier_sid = '17479288-bb9f-421a-89d1-f4ac57af1dca'
    const predefinedGateways = await db
      .selectFrom('predefined_sip_gateways')
      .selectAll()
      .where('predefined_carrier_sid', '=', predefined_carrier_sid)
      .execute()
    // The account already has one gateway from the test data.
    const addedGateways = 150 - predefinedGateways.length
    for (let index = 0; index < addedGateways; index++)
      await db
        .insertInto('sip_gateways')
        .values({
          sip_gateway_sid: randomUUID(),
          voip_carrier_sid,
          ipv4: `sip${index}.example.com`,
          inbound: 0,
          outbound: 1,
        })
        .execute()
    const copyCarrier = () =>
      createApiClient(app, testData.keys.acme)(
        'POST',
        `/Accounts/${account}/PredefinedCarriers/${predefined_carrier_sid}`,
      )
    const initialSnapshot = await takeSnapshot(database)
    const msg = `exceeded limits - you have created ${addedGateways + 1} instances of this resource`
    expect(await copyCarrier()).toMatchObject({ status: 422, body: { status: 'fail', msg } })
    expect(await takeSnapshot(database)).toEqual(initialSnapshot)
    await db.deleteFrom('sip_gateways').where('ipv4', '=', 'sip0.example.com').execute()
    expect(await copyCarrier()).toMatchObject({ status: 201 })
  })
})

describe('carriers reserved for administrators', () => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ config: { adminCarrier: true } })
  })
  afterAll(() => backend.close())

  it('cannot be created, updated or removed by accounts, and neither can phone numbers', async () => {
    const { testData, app } = backend
    const acmeClient = createApiClient(app, testData.keys.acme)
    const { account, voip_carrier, sip_gateway, phone_number } = testData.acme
    const initialSnapshot = await takeSnapshot(backend.database)
    const gateway = { voip_carrier_sid: voip_carrier, ipv4: '192.0.2.1', inbound: 1, outbound: 1 }
    const insufficientPrivileges = { status: 400, body: { msg: 'insufficient privileges' } }
    expect(await acmeClient('POST', '/VoipCarriers', { name: 'x' })).toMatchObject(insufficientPrivileges)
    expect(await acmeClient('POST', `/Accounts/${account}/VoipCarriers`, { name: 'x' })).toMatchObject(
      insufficientPrivileges,
    )
    expect(
      await acmeClient('POST', `/Accounts/${account}/PredefinedCarriers/17479288-bb9f-421a-89d1-f4ac57af1dca`),
    ).toMatchObject(insufficientPrivileges)
    expect(await acmeClient('PUT', `/VoipCarriers/${voip_carrier}`, { name: 'x' })).toMatchObject(
      insufficientPrivileges,
    )
    expect(await acmeClient('PUT', `/Accounts/${account}/VoipCarriers/${voip_carrier}`, { name: 'x' })).toMatchObject(
      insufficientPrivileges,
    )
    expect(await acmeClient('DELETE', `/VoipCarriers/${voip_carrier}`)).toMatchObject(insufficientPrivileges)
    expect(await acmeClient('POST', '/SipGateways', gateway)).toMatchObject(insufficientPrivileges)
    expect(await acmeClient('PUT', `/SipGateways/${sip_gateway}`, { is_active: 0 })).toMatchObject(
      insufficientPrivileges,
    )
    expect(await acmeClient('DELETE', `/SipGateways/${sip_gateway}`)).toMatchObject(insufficientPrivileges)
    expect(await acmeClient('POST', '/PhoneNumbers', { number: '1' })).toMatchObject(insufficientPrivileges)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    // They may still use and release their existing records.
    expect(await acmeClient('PUT', `/PhoneNumbers/${phone_number}`, { application_sid: null })).toMatchObject({
      status: 204,
    })
    expect(await acmeClient('DELETE', `/PhoneNumbers/${phone_number}`)).toMatchObject({ status: 204 })
    // The API has no quota for SMPP gateways.
    const smpp = { voip_carrier_sid: voip_carrier, ipv4: 'smpp.example.com' }
    expect(await acmeClient('POST', '/SmppGateways', smpp)).toMatchObject({ status: 201 })
    const northClient = createApiClient(app, testData.keys.north)
    expect(await northClient('POST', `/Accounts/${account}/VoipCarriers`, { name: 'x' })).toMatchObject({ status: 201 })
    expect(await northClient('POST', '/SipGateways', gateway)).toMatchObject({ status: 201 })
  })
})
