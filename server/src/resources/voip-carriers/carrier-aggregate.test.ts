import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const sipGateway = (ipv4: string, overrides: object = {}) => ({ ipv4, inbound: 1, outbound: 0, ...overrides })
const outbound = { inbound: 0, outbound: 1 }
const inbound = { inbound: 1, outbound: 0 }
/** A stored gateway as an entry of the list that replaces the gateways of its carrier. */
const toListEntry = ({ voip_carrier_sid: _, ...gateway }: Record<string, unknown>) => gateway

describe.each(databaseEngines)('a carrier with its gateways (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { minimumNetmask: 24, enforceQuotas: true } })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
  })
  afterAll(() => backend.close())

  const carriersPath = () => `/Accounts/${backend.testData.acme.account}/VoipCarriers`
  const create = async (overrides: object = {}): Promise<string> => {
    const sip_gateways = [sipGateway('192.0.2.1'), sipGateway('sip.example.com', outbound)]
    const { status, body } = await acmeClient('POST', carriersPath(), { name: 'aggregate', sip_gateways, ...overrides })
    expect({ status, body }).toEqual({ status: 201, body: { sid: expect.any(String) } })
    return body.sid
  }
  const read = (sid: string) => acmeClient('GET', `/VoipCarriers/${sid}`).then(({ body }) => body)
  const listGateways = async (kind: 'Sip' | 'Smpp', sid: string) =>
    (await acmeClient('GET', `/${kind}Gateways?voip_carrier_sid=${sid}`)).body as Record<string, unknown>[]
  const removeCarrier = async (sid: string) =>
    expect((await acmeClient('DELETE', `/VoipCarriers/${sid}`)).status).toBe(204)

  it('is reported as a server capability', async () => {
    expect((await acmeClient('GET', '/Abilities')).body).toMatchObject({ gateways: true })
  })

  it('loses gateways that are missing from a list, and keeps all if the list is missing', async () => {
    const sid = await create({
      smpp_system_id: 'me',
      smpp_inbound_password: 'secret',
      smpp_gateways: [{ ipv4: 'smpp.example.com' }, { ipv4: '192.0.2.9', netmask: 28, ...inbound }],
    })
    const [firstGateway, secondGateway] = await listGateways('Sip', sid)
    expect([firstGateway, secondGateway]).toMatchObject([
      { ipv4: '192.0.2.1', netmask: 32, inbound: 1, outbound: 0, is_active: 1, port: null },
      { ipv4: 'sip.example.com', inbound: 0, outbound: 1 },
    ])
    expect(await listGateways('Smpp', sid)).toMatchObject([
      { ipv4: '192.0.2.9', netmask: 28, inbound: 1, outbound: 0 },
      { ipv4: 'smpp.example.com', port: 2775, inbound: 0, outbound: 1 },
    ])
    const sipGateways = [
      { ...sipGateway('192.0.2.3'), sip_gateway_sid: firstGateway!.sip_gateway_sid },
      sipGateway('192.0.2.4'),
    ]
    const body = { tech_prefix: '123', sip_gateways: sipGateways, version: (await read(sid)).version }
    expect(await acmeClient('PUT', `${carriersPath()}/${sid}`, body)).toMatchObject({ status: 204 })
    const updatedGateways = await listGateways('Sip', sid)
    expect(updatedGateways).toMatchObject([
      { ipv4: '192.0.2.3', sip_gateway_sid: firstGateway!.sip_gateway_sid },
      { ipv4: '192.0.2.4' },
    ])
    expect(await listGateways('Smpp', sid)).toHaveLength(2)
    expect((await read(sid)).tech_prefix).toBe('123')
    await removeCarrier(sid)
  })

  it.each<[string, object, string, string]>([
    ['no SIP gateway', { sip_gateways: [] }, messages.gateway.atLeastOne, 'sip_gateways'],
    [
      'a registration without an outbound gateway',
      { trunk_type: 'reg', register_username: 'u', register_password: 'p', sip_gateways: [] },
      messages.gateway.outboundForRegistration,
      'sip_gateways',
    ],
    [
      'a domain name for inbound calls',
      { sip_gateways: [sipGateway('192.0.2.1'), sipGateway('sip.example.com')] },
      messages.gateway.fqdnOutboundOnly,
      'sip_gateways.1.ipv4',
    ],
    [
      'an invalid address',
      { sip_gateways: [sipGateway('192.0.2')] },
      messages.gateway.invalidAddress,
      'sip_gateways.0.ipv4',
    ],
    [
      'duplicate SIP gateways',
      { sip_gateways: [sipGateway('192.0.2.1'), sipGateway('192.0.2.1', { port: 5060 })] },
      messages.gateway.duplicate,
      'sip_gateways.1.ipv4',
    ],
    [
      'a gateway without direction',
      { sip_gateways: [sipGateway('192.0.2.1', { inbound: 0 })] },
      messages.gateway.noDirection,
      'sip_gateways.0.inbound',
    ],
    [
      'a port that is too high',
      { sip_gateways: [sipGateway('192.0.2.1', { port: 65536 })] },
      'sip_gateways.0.port must be at most 65535',
      'sip_gateways.0.port',
    ],
    [
      'a netmask that is too wide',
      { sip_gateways: [sipGateway('192.0.2.1', { netmask: 16 })] },
      'netmask required to have value equal or greater than 24',
      'sip_gateways.0.netmask',
    ],
    [
      'a system ID without an outbound gateway',
      { smpp_system_id: 'me', smpp_gateways: [] },
      messages.smpp.atLeastOneOutbound,
      'smpp_gateways',
    ],
    [
      'a bare domain for messages',
      { smpp_gateways: [{ ipv4: 'example.com' }] },
      messages.smpp.subdomain('smpp.example.com'),
      'smpp_gateways.0.ipv4',
    ],
    [
      'an invalid outbound SMPP address',
      { smpp_gateways: [{ ipv4: 'smpp' }] },
      messages.smpp.invalidAddress('outbound'),
      'smpp_gateways.0.ipv4',
    ],
    [
      'a domain name for inbound messages',
      { smpp_gateways: [{ ipv4: '192.0.2.7' }, { ipv4: 'smpp.example.com', ...inbound }] },
      messages.smpp.invalidAddress('inbound'),
      'smpp_gateways.1.ipv4',
    ],
    [
      'duplicate outbound SMPP gateways',
      { smpp_gateways: [{ ipv4: '192.0.2.7' }, { ipv4: '192.0.2.7', port: 2775 }] },
      messages.smpp.duplicate('outbound'),
      'smpp_gateways.1.ipv4',
    ],
    [
      'duplicate inbound SMPP gateways',
      { smpp_inbound_password: 'p', smpp_gateways: [1, 2].map(() => ({ ipv4: '192.0.2.7', ...inbound })) },
      messages.smpp.duplicate('inbound'),
      'smpp_gateways.1.ipv4',
    ],
    [
      'no password for inbound SMPP gateways',
      { smpp_gateways: [{ ipv4: '192.0.2.7', ...inbound }] },
      'smpp_inbound_password is required for inbound SMPP gateways',
      'smpp_inbound_password',
    ],
    [
      'a gateway of another carrier',
      {
        sip_gateways: [
          sipGateway('192.0.2.1'),
          { ...sipGateway('192.0.2.2'), sip_gateway_sid: 'abcdef01-0000-4000-8000-000000000000' },
        ],
      },
      'invalid sip_gateway_sid',
      'sip_gateways.1.sip_gateway_sid',
    ],
  ])('is refused with %s, and nothing is written', async (_, invalidFields, msg, field) => {
    const sid = await create()
    const initialSnapshot = await takeSnapshot(backend.database)
    const body = { name: 'not created', tech_prefix: '999', ...invalidFields }
    expect(await acmeClient('POST', carriersPath(), body)).toMatchObject({ status: 400, body: { msg, field } })
    expect(await acmeClient('PUT', `${carriersPath()}/${sid}`, body)).toMatchObject({
      status: 400,
      body: { msg, field },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    await removeCarrier(sid)
  })

  it('is checked with the stored values of gateways that the list contains in part', async () => {
    const sid = await create({
      sip_gateways: [sipGateway('192.0.2.0', { netmask: 24 }), sipGateway('192.0.2.5', { port: 5070 })],
      smpp_inbound_password: 'secret',
      smpp_gateways: [{ ipv4: '192.0.2.7', ...inbound }],
    })
    const [wideGateway, gatewayWithPort] = await listGateways('Sip', sid)
    const [smppGateway] = await listGateways('Smpp', sid)
    const { sip_gateway_sid } = wideGateway!
    const update = (body: object) => acmeClient('PUT', `${carriersPath()}/${sid}`, body)
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await update({ sip_gateways: [{ ...outbound, ipv4: '192.0.2.0', sip_gateway_sid }] })).toMatchObject({
      status: 400,
      body: { field: 'sip_gateways.0.netmask' },
    })
    const sameAddress = [
      sipGateway('192.0.2.5', { sip_gateway_sid: gatewayWithPort!.sip_gateway_sid }),
      sipGateway('192.0.2.5', { port: 5070 }),
    ]
    expect(await update({ sip_gateways: sameAddress })).toMatchObject({
      status: 400,
      body: { msg: messages.gateway.duplicate, field: 'sip_gateways.1.ipv4' },
    })
    const { smpp_gateway_sid } = smppGateway!
    expect(await update({ smpp_gateways: [{ ipv4: 'smpp.example.com', smpp_gateway_sid }] })).toMatchObject({
      status: 400,
      body: { msg: messages.smpp.invalidAddress('inbound'), field: 'smpp_gateways.0.ipv4' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await update({ smpp_gateways: [{ ipv4: '192.0.2.8', smpp_gateway_sid }] })).toMatchObject({ status: 204 })
    expect(await listGateways('Smpp', sid)).toMatchObject([{ ipv4: '192.0.2.8', ...inbound }])
    await removeCarrier(sid)
  })

  it('refuses to overwrite a parallel change of the carrier or a gateway', async () => {
    const sid = await create()
    const recordPath = `${carriersPath()}/${sid}`
    const [gateway] = await listGateways('Sip', sid)
    const parallelChanges = [
      () => acmeClient('PUT', recordPath, { diversion: '123' }),
      () => acmeClient('PUT', `/SipGateways/${String(gateway!.sip_gateway_sid)}`, { port: 5070 }),
      () => acmeClient('POST', '/SmppGateways', { voip_carrier_sid: sid, ipv4: 'smpp.example.com' }),
    ]
    for (const changeInParallel of parallelChanges) {
      const { version } = await read(sid)
      expect((await changeInParallel()).status).toBeLessThan(300)
      const initialSnapshot = await takeSnapshot(backend.database)
      const staleUpdate = { tech_prefix: '999', sip_gateways: [sipGateway('192.0.2.8')], version }
      expect(await acmeClient('PUT', recordPath, staleUpdate)).toMatchObject({
        status: 409,
        body: { msg: messages.changedMeanwhile },
      })
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    }
    // Columns that the SIP servers write do not change the version.
    const { version } = await read(sid)
    await backend.database.db
      .updateTable('voip_carriers')
      .set({ register_status: JSON.stringify({ status: 'fail' }) })
      .where('voip_carrier_sid', '=', sid)
      .execute()
    expect(await acmeClient('PUT', recordPath, { tech_prefix: '777', version })).toMatchObject({ status: 204 })
    // Of two parallel updates, one is refused.
    const currentVersion = (await read(sid)).version
    const responses = await Promise.all(
      ['1', '2'].map((diversion) => acmeClient('PUT', recordPath, { diversion, version: currentVersion })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
    await removeCarrier(sid)
  })

  it('respects the gateway quota, which counts the gateways after the update', async () => {
    // The limit is 150 gateways per account, and the test data has one already.
    const gatewayDrafts = (count: number, thirdByte: number) =>
      Array.from({ length: count }, (_, index) => sipGateway(`198.51.${thirdByte}.${index}`))
    const quotaRefusal = {
      status: 422,
      body: { msg: 'exceeded limits - you have created 150 instances of this resource' },
    }
    expect(
      await acmeClient('POST', carriersPath(), { name: 'too many', sip_gateways: gatewayDrafts(150, 100) }),
    ).toMatchObject({ status: 422 })
    const sid = await create({ sip_gateways: gatewayDrafts(149, 100) })
    const update = (body: object) => acmeClient('PUT', `${carriersPath()}/${sid}`, body)
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await update({ sip_gateways: gatewayDrafts(150, 101) })).toMatchObject(quotaRefusal)
    expect(
      await update({ sip_gateways: [...(await listGateways('Sip', sid)).map(toListEntry), sipGateway('192.0.2.7')] }),
    ).toMatchObject(quotaRefusal)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await update({ sip_gateways: gatewayDrafts(149, 101) })).toMatchObject({ status: 204 })
    expect((await listGateways('Sip', sid)).every(({ ipv4 }) => String(ipv4).startsWith('198.51.101.'))).toBe(true)
    expect(await update({ sip_gateways: gatewayDrafts(148, 100) })).toMatchObject({ status: 204 })
    expect(await update({ tech_prefix: '123' })).toMatchObject({ status: 204 })
    await removeCarrier(sid)
  })

  it('can shrink while the account exceeds the gateway quota', async () => {
    const sid = await create({ sip_gateways: [sipGateway('192.0.2.1')] })
    const rows = Array.from({ length: 150 }, (_, index) => ({
      sip_gateway_sid: randomUUID(),
      voip_carrier_sid: sid,
      ipv4: `198.51.100.${index}`,
      inbound: 1,
      outbound: 0,
    }))
    await backend.database.db.insertInto('sip_gateways').values(rows).execute()
    const sip_gateways = rows.slice(1).map(({ ipv4 }) => sipGateway(ipv4))
    expect(await acmeClient('PUT', `${carriersPath()}/${sid}`, { sip_gateways })).toMatchObject({ status: 204 })
    expect(await listGateways('Sip', sid)).toHaveLength(149)
    await removeCarrier(sid)
  })
})
