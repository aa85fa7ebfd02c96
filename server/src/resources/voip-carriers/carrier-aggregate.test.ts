import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

const sip = (ipv4: string, overrides: object = {}) => ({ ipv4, inbound: 1, outbound: 0, ...overrides })
const out = { inbound: 0, outbound: 1 }
const smppIn = { inbound: 1, outbound: 0 }

describe.each(engines)('a carrier with its gateways (%s)', (engine) => {
  let backend: Backend
  let acme: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { minimumNetmask: 24, quotas: true } })
    acme = apiClient(backend.app, backend.world.keys.acme)
  })
  afterAll(() => backend.close())

  const family = () => `/Accounts/${backend.world.acme.account}/VoipCarriers`
  const create = async (overrides: object = {}): Promise<string> => {
    const sip_gateways = [sip('192.0.2.1'), sip('sip.example.com', out)]
    const { status, body } = await acme('POST', family(), { name: 'whole', sip_gateways, ...overrides })
    expect({ status, body }).toEqual({ status: 201, body: { sid: expect.any(String) } })
    return body.sid
  }
  const read = (sid: string) => acme('GET', `/VoipCarriers/${sid}`).then(({ body }) => body)
  const gateways = async (kind: 'Sip' | 'Smpp', sid: string) =>
    (await acme('GET', `/${kind}Gateways?voip_carrier_sid=${sid}`)).body as Record<string, unknown>[]
  const gone = async (sid: string) => expect((await acme('DELETE', `/VoipCarriers/${sid}`)).status).toBe(204)

  it('is announced as a server capability', async () => {
    expect((await acme('GET', '/Abilities')).body).toMatchObject({ gateways: true })
  })

  it('is written in one transaction: missing gateways are deleted, a missing list changes nothing', async () => {
    const sid = await create({
      smpp_system_id: 'me',
      smpp_inbound_password: 'secret',
      smpp_gateways: [{ ipv4: 'smpp.example.com' }, { ipv4: '192.0.2.9', netmask: 28, ...smppIn }],
    })
    const [first, second] = await gateways('Sip', sid)
    expect([first, second]).toMatchObject([
      { ipv4: '192.0.2.1', netmask: 32, inbound: 1, outbound: 0, is_active: 1, port: null },
      { ipv4: 'sip.example.com', inbound: 0, outbound: 1 },
    ])
    expect(await gateways('Smpp', sid)).toMatchObject([
      { ipv4: '192.0.2.9', netmask: 28, inbound: 1, outbound: 0 },
      { ipv4: 'smpp.example.com', port: 2775, inbound: 0, outbound: 1 },
    ])
    const list = [{ ...sip('192.0.2.3'), sip_gateway_sid: first!.sip_gateway_sid }, sip('192.0.2.4')]
    const body = { tech_prefix: '123', sip_gateways: list, version: (await read(sid)).version }
    expect(await acme('PUT', `${family()}/${sid}`, body)).toMatchObject({ status: 204 })
    const after = await gateways('Sip', sid)
    expect(after).toMatchObject([{ ipv4: '192.0.2.3', sip_gateway_sid: first!.sip_gateway_sid }, { ipv4: '192.0.2.4' }])
    expect(await gateways('Smpp', sid)).toHaveLength(2)
    expect((await read(sid)).tech_prefix).toBe('123')
    await gone(sid)
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
      { sip_gateways: [sip('192.0.2.1'), sip('sip.example.com')] },
      messages.gateway.fqdnOutboundOnly,
      'sip_gateways.1.ipv4',
    ],
    ['no address', { sip_gateways: [sip('192.0.2')] }, messages.gateway.invalidAddress, 'sip_gateways.0.ipv4'],
    [
      'twins',
      { sip_gateways: [sip('192.0.2.1'), sip('192.0.2.1', { port: 5060 })] },
      messages.gateway.duplicate,
      'sip_gateways.1.ipv4',
    ],
    [
      'no direction',
      { sip_gateways: [sip('192.0.2.1', { inbound: 0 })] },
      messages.gateway.noDirection,
      'sip_gateways.0.inbound',
    ],
    [
      'a port beyond the last',
      { sip_gateways: [sip('192.0.2.1', { port: 65536 })] },
      'sip_gateways.0.port must be at most 65535',
      'sip_gateways.0.port',
    ],
    [
      'a netmask that is too wide',
      { sip_gateways: [sip('192.0.2.1', { netmask: 16 })] },
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
      'an outbound SMPP gateway without an address',
      { smpp_gateways: [{ ipv4: 'smpp' }] },
      messages.smpp.invalidAddress('outbound'),
      'smpp_gateways.0.ipv4',
    ],
    [
      'a domain name for inbound messages',
      { smpp_gateways: [{ ipv4: '192.0.2.7' }, { ipv4: 'smpp.example.com', ...smppIn }] },
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
      { smpp_inbound_password: 'p', smpp_gateways: [1, 2].map(() => ({ ipv4: '192.0.2.7', ...smppIn })) },
      messages.smpp.duplicate('inbound'),
      'smpp_gateways.1.ipv4',
    ],
    [
      'no password for inbound SMPP gateways',
      { smpp_gateways: [{ ipv4: '192.0.2.7', ...smppIn }] },
      'smpp_inbound_password is required for inbound SMPP gateways',
      'smpp_inbound_password',
    ],
    [
      'a gateway of another carrier',
      {
        sip_gateways: [
          sip('192.0.2.1'),
          { ...sip('192.0.2.2'), sip_gateway_sid: 'abcdef01-0000-4000-8000-000000000000' },
        ],
      },
      'invalid sip_gateway_sid',
      'sip_gateways.1.sip_gateway_sid',
    ],
  ])('is refused with %s, all of it', async (_, invalid, msg, field) => {
    const sid = await create()
    const initialSnapshot = await snapshot(backend.database)
    const body = { name: 'never', tech_prefix: '999', ...invalid }
    expect(await acme('POST', family(), body)).toMatchObject({ status: 400, body: { msg, field } })
    expect(await acme('PUT', `${family()}/${sid}`, body)).toMatchObject({ status: 400, body: { msg, field } })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    await gone(sid)
  })

  it('refuses to overwrite a parallel change of the carrier or a gateway', async () => {
    const sid = await create()
    const recordPath = `${family()}/${sid}`
    const [gateway] = await gateways('Sip', sid)
    const others = [
      () => acme('PUT', recordPath, { diversion: '123' }),
      () => acme('PUT', `/SipGateways/${String(gateway!.sip_gateway_sid)}`, { port: 5070 }),
      () => acme('POST', '/SmppGateways', { voip_carrier_sid: sid, ipv4: 'smpp.example.com' }),
    ]
    for (const other of others) {
      const { version } = await read(sid)
      expect((await other()).status).toBeLessThan(300)
      const initialSnapshot = await snapshot(backend.database)
      const ownRecord = { tech_prefix: '999', sip_gateways: [sip('192.0.2.8')], version }
      expect(await acme('PUT', recordPath, ownRecord)).toMatchObject({
        status: 409,
        body: { msg: messages.changedMeanwhile },
      })
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    }
    // Columns that the SIP servers write do not change the version.
    const { version } = await read(sid)
    await backend.database.db
      .updateTable('voip_carriers')
      .set({ register_status: JSON.stringify({ status: 'fail' }) })
      .where('voip_carrier_sid', '=', sid)
      .execute()
    expect(await acme('PUT', recordPath, { tech_prefix: '777', version })).toMatchObject({ status: 204 })
    // Of two parallel updates, one is refused.
    const timestamp = (await read(sid)).version
    const both = await Promise.all(
      ['1', '2'].map((item) => acme('PUT', recordPath, { diversion: item, version: timestamp })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
    await gone(sid)
  })

  it('respects the gateway quota', async () => {
    const count = Array.from({ length: 150 }, (_, index) => sip(`198.51.100.${index}`))
    const initialSnapshot = await snapshot(backend.database)
    expect(await acme('POST', family(), { name: 'many', sip_gateways: count })).toMatchObject({ status: 422 })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })
})
