import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('SIP gateways (%s)', (engine) => {
  let backend: Backend
  let acme: ApiClient
  let north: ApiClient
  let carrier: string
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { minimumNetmask: 24 } })
    acme = apiClient(backend.app, backend.world.keys.acme)
    north = apiClient(backend.app, backend.world.keys.north)
    carrier = backend.world.acme.voip_carrier
  })
  afterAll(() => backend.close())

  /** Each gateway has a different address. */
  let serial = 0
  const draft = (overrides: object = {}) => ({
    voip_carrier_sid: carrier,
    ipv4: `198.18.0.${++serial}`,
    inbound: 1,
    outbound: 1,
    ...overrides,
  })
  const create = async (overrides: object = {}): Promise<string> =>
    (await acme('POST', '/SipGateways', draft(overrides))).body.sid
  const read = (sid: string) => acme('GET', `/SipGateways/${sid}`).then(({ body }) => body)

  it('are created with defaults', async () => {
    const sid = await create()
    expect(await read(sid)).toEqual({
      sip_gateway_sid: sid,
      voip_carrier_sid: carrier,
      ipv4: `198.18.0.${serial}`,
      netmask: 32,
      port: null,
      inbound: 1,
      outbound: 1,
      is_active: 1,
      send_options_ping: 0,
      use_sips_scheme: 0,
      pad_crypto: 0,
      protocol: 'udp',
      remove_ice: 0,
      dtls_off: 0,
    })
  })

  it('are counted on their carrier', async () => {
    const expectedOwner = async () => {
      const { inbound_gateways, outbound_gateways } = (await acme('GET', `/VoipCarriers/${carrier}`)).body
      return [inbound_gateways, outbound_gateways] as [number, number]
    }
    const [inbound, outbound] = await expectedOwner()
    await create({ inbound: true, outbound: false })
    expect(await expectedOwner()).toEqual([inbound + 1, outbound])
    await create({ inbound: 0, outbound: 1, ipv4: 'counted.example.com' })
    expect(await expectedOwner()).toEqual([inbound + 1, outbound + 1])
  })

  it('accept every form of flag and word', async () => {
    const sid = await create({
      inbound: false,
      outbound: true,
      ipv4: 'words.example.com',
      protocol: 'TLS/SRTP',
      pad_crypto: true,
      port: 0,
    })
    expect(await read(sid)).toMatchObject({ inbound: 0, outbound: 1, protocol: 'tls/srtp', pad_crypto: 1, port: 0 })
    expect(await acme('PUT', `/SipGateways/${sid}`, { protocol: null, port: null, is_active: false })).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await read(sid)).toMatchObject({ protocol: null, port: null, is_active: 0 })
  })

  it.each<[string, object, string, string]>([
    ['no carrier', { voip_carrier_sid: undefined }, 'missing voip_carrier_sid', 'voip_carrier_sid'],
    [
      'an unknown carrier',
      { voip_carrier_sid: 'abcdef01-0000-4000-8000-000000000000' },
      'invalid voip_carrier_sid',
      'voip_carrier_sid',
    ],
    ['no address', { ipv4: undefined }, 'missing field ipv4', 'ipv4'],
    ['an empty address', { ipv4: '' }, 'ipv4 must not be empty', 'ipv4'],
    ['no directions', { inbound: undefined }, 'missing field inbound', 'inbound'],
    ['a direction that is a word', { outbound: 'yes' }, 'outbound must be a boolean or 0 or 1', 'outbound'],
    ['blanks in the address', { ipv4: '192.0.2.1 ' }, 'Gateway must not contain whitespace', 'ipv4'],
    ['inbound calls from a domain name', { ipv4: 'sip.example.com' }, 'Inbound gateway must be IPv4 address', 'ipv4'],
    ['inbound calls from an incomplete address', { ipv4: '192.0.2' }, 'Inbound gateway must be IPv4 address', 'ipv4'],
    [
      'outbound calls to an incomplete address',
      { inbound: 0, ipv4: '192.0.2' },
      messages.gateway.invalidAddress,
      'ipv4',
    ],
    ['outbound calls to an invalid domain', { inbound: 0, ipv4: 'localhost' }, messages.gateway.invalidAddress, 'ipv4'],
    ['neither direction', { inbound: 0, outbound: 0 }, messages.gateway.noDirection, 'inbound'],
    ['the address of another gateway', { ipv4: '192.0.2.11', port: 5060 }, messages.gateway.duplicate, 'ipv4'],
    [
      'a wide netmask for outbound calls only',
      { inbound: 0, netmask: 30 },
      'For outbound only gateway netmask can only be 32',
      'netmask',
    ],
    [
      'a wider netmask than allowed',
      { netmask: 23 },
      'netmask required to have value equal or greater than 24',
      'netmask',
    ],
    ['an invalid netmask', { netmask: 33 }, 'netmask must be at most 32', 'netmask'],
    ['an invalid port', { port: 65536 }, 'port must be at most 65535', 'port'],
    ['an unknown protocol', { protocol: 'smtp' }, 'protocol must be one of udp, tcp, tls, tls/srtp', 'protocol'],
    [
      'an address that is too long',
      { ipv4: `${'a'.repeat(128)}.b`, inbound: 0 },
      'ipv4 must be at most 128 characters',
      'ipv4',
    ],
  ])('are not created with %s, nor changed to it', async (_, invalid, msg, field) => {
    const sid = await create()
    const initialSnapshot = await snapshot(backend.database)
    expect(await acme('POST', '/SipGateways', draft(invalid))).toMatchObject({ status: 400, body: { msg, field } })
    if (!Object.values(invalid).includes(undefined))
      expect(await acme('PUT', `/SipGateways/${sid}`, invalid)).toMatchObject({ status: 400, body: { msg, field } })
    expect(await acme('PUT', `/SipGateways/${sid}`, { sip_gateway_sid: sid })).toMatchObject({
      status: 400,
      body: { msg: 'primary key sip_gateway_sid is immutable' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('apply the minimum netmask to the updated gateway', async () => {
    const sid = await create({ netmask: 24 })
    const initialSnapshot = await snapshot(backend.database)
    expect(await acme('PUT', `/SipGateways/${sid}`, { inbound: 0 })).toMatchObject({
      status: 400,
      body: { field: 'netmask' },
    })
    expect(await acme('PUT', `/SipGateways/${sid}`, { ipv4: 'sip.example.com' })).toMatchObject({
      status: 400,
      body: { field: 'ipv4' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(
      await acme('PUT', `/SipGateways/${sid}`, { inbound: 0, netmask: 32, ipv4: 'sip.example.com' }),
    ).toMatchObject({ status: 204 })
  })

  it('require a unique address, also for parallel requests', async () => {
    const single = draft()
    const rush = await Promise.all(Array.from({ length: 8 }, () => acme('POST', '/SipGateways', single)))
    expect(rush.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(400)])
    // Another port makes it a different gateway.
    expect((await acme('POST', '/SipGateways', { ...single, port: 5061 })).status).toBe(201)
  })

  it('from older clients can be updated in fields without rules', async () => {
    const sid = await create({ inbound: 0 })
    const { db } = backend.database
    await db.updateTable('sip_gateways').set({ ipv4: 'localhost' }).where('sip_gateway_sid', '=', sid).execute()
    const same = { ipv4: 'localhost', inbound: false, outbound: true }
    expect(await acme('PUT', `/SipGateways/${sid}`, { ...same, is_active: 0 })).toMatchObject({ status: 204 })
    expect(await acme('PUT', `/SipGateways/${sid}`, { ...same, port: 5070 })).toMatchObject({ status: 400 })
    // It does not prevent others from being added.
    await create()
  })

  it('cannot move to a carrier that the actor may not change', async () => {
    const sid = await create()
    const { bolt, corp, shared } = backend.world
    const initialSnapshot = await snapshot(backend.database)
    const denied = { status: 403, body: { msg: 'insufficient privileges' } }
    for (const voip_carrier_sid of [
      bolt.voip_carrier,
      corp.voip_carrier,
      shared.north.voip_carrier,
      shared.south.voip_carrier,
    ])
      expect(await acme('PUT', `/SipGateways/${sid}`, { voip_carrier_sid })).toMatchObject(denied)
    expect(await north('PUT', `/SipGateways/${sid}`, { voip_carrier_sid: corp.voip_carrier })).toMatchObject(denied)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(await north('PUT', `/SipGateways/${sid}`, { voip_carrier_sid: bolt.voip_carrier })).toMatchObject({
      status: 204,
    })
  })

  it('of a deleted or unknown carrier are an empty list', async () => {
    const { body } = await acme('POST', '/VoipCarriers', { name: 'short-lived' })
    await acme('DELETE', `/VoipCarriers/${body.sid}`)
    for (const sid of [body.sid, 'x'])
      for (const kind of ['Sip', 'Smpp'])
        expect(await acme('GET', `/${kind}Gateways?voip_carrier_sid=${sid}`)).toMatchObject({ status: 200, body: [] })
  })

  it('are listed by carrier only', async () => {
    for (const query of ['', '?voip_carrier_sid=', '?page=1'])
      expect(await acme('GET', `/SipGateways${query}`)).toMatchObject({
        status: 400,
        body: { msg: 'missing voip_carrier_sid' },
      })
    const { body } = await acme('GET', `/SipGateways?voip_carrier_sid=${backend.world.shared.north.voip_carrier}`)
    expect(body).toMatchObject([{ ipv4: '198.51.100.1', port: 5060 }])
  })
})
