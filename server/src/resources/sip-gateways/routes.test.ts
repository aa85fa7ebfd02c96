import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('SIP gateways (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  let northClient: ApiClient
  let carrierSid: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { minimumNetmask: 24 } })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    carrierSid = backend.testData.acme.voip_carrier
  })
  afterAll(() => backend.close())

  /** The last byte of the latest address. Each gateway has a different address. */
  let lastHost = 0
  const draft = (overrides: object = {}) => ({
    voip_carrier_sid: carrierSid,
    ipv4: `198.18.0.${++lastHost}`,
    inbound: 1,
    outbound: 1,
    ...overrides,
  })
  const create = async (overrides: object = {}): Promise<string> =>
    (await acmeClient('POST', '/SipGateways', draft(overrides))).body.sid
  const read = (sid: string) => acmeClient('GET', `/SipGateways/${sid}`).then(({ body }) => body)

  it('are created with defaults', async () => {
    const sid = await create()
    expect(await read(sid)).toEqual({
      sip_gateway_sid: sid,
      voip_carrier_sid: carrierSid,
      ipv4: `198.18.0.${lastHost}`,
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
    const gatewayCounts = async () => {
      const { inbound_gateways, outbound_gateways } = (await acmeClient('GET', `/VoipCarriers/${carrierSid}`)).body
      return [inbound_gateways, outbound_gateways] as [number, number]
    }
    const [inbound, outbound] = await gatewayCounts()
    await create({ inbound: true, outbound: false })
    expect(await gatewayCounts()).toEqual([inbound + 1, outbound])
    await create({ inbound: 0, outbound: 1, ipv4: 'counted.example.com' })
    expect(await gatewayCounts()).toEqual([inbound + 1, outbound + 1])
  })

  it('accept flags as booleans or numbers, and protocols in any case', async () => {
    const sid = await create({
      inbound: false,
      outbound: true,
      ipv4: 'flags.example.com',
      protocol: 'TLS/SRTP',
      pad_crypto: true,
      port: 0,
    })
    expect(await read(sid)).toMatchObject({ inbound: 0, outbound: 1, protocol: 'tls/srtp', pad_crypto: 1, port: 0 })
    expect(
      await acmeClient('PUT', `/SipGateways/${sid}`, { protocol: null, port: null, is_active: false }),
    ).toMatchObject({
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
    ['a direction that is text', { outbound: 'yes' }, 'outbound must be a boolean or 0 or 1', 'outbound'],
    ['whitespace in the address', { ipv4: '192.0.2.1 ' }, 'Gateway must not contain whitespace', 'ipv4'],
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
  ])('are neither created nor updated with %s', async (_, invalidFields, msg, field) => {
    const sid = await create()
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await acmeClient('POST', '/SipGateways', draft(invalidFields))).toMatchObject({
      status: 400,
      body: { msg, field },
    })
    if (!Object.values(invalidFields).includes(undefined))
      expect(await acmeClient('PUT', `/SipGateways/${sid}`, invalidFields)).toMatchObject({
        status: 400,
        body: { msg, field },
      })
    expect(await acmeClient('PUT', `/SipGateways/${sid}`, { sip_gateway_sid: sid })).toMatchObject({
      status: 400,
      body: { msg: 'primary key sip_gateway_sid is immutable' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are validated with the values after the update', async () => {
    const sid = await create({ netmask: 24 })
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await acmeClient('PUT', `/SipGateways/${sid}`, { inbound: 0 })).toMatchObject({
      status: 400,
      body: { field: 'netmask' },
    })
    expect(await acmeClient('PUT', `/SipGateways/${sid}`, { ipv4: 'sip.example.com' })).toMatchObject({
      status: 400,
      body: { field: 'ipv4' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(
      await acmeClient('PUT', `/SipGateways/${sid}`, { inbound: 0, netmask: 32, ipv4: 'sip.example.com' }),
    ).toMatchObject({ status: 204 })
  })

  it('require a unique address, also for parallel requests', async () => {
    const sameDraft = draft()
    const responses = await Promise.all(Array.from({ length: 8 }, () => acmeClient('POST', '/SipGateways', sameDraft)))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(400)])
    // Another port makes it a different gateway.
    expect((await acmeClient('POST', '/SipGateways', { ...sameDraft, port: 5061 })).status).toBe(201)
  })

  it('that older clients stored with invalid values can be updated in fields without rules', async () => {
    const sid = await create({ inbound: 0 })
    const { db } = backend.database
    await db.updateTable('sip_gateways').set({ ipv4: 'localhost' }).where('sip_gateway_sid', '=', sid).execute()
    const storedValues = { ipv4: 'localhost', inbound: false, outbound: true }
    expect(await acmeClient('PUT', `/SipGateways/${sid}`, { ...storedValues, is_active: 0 })).toMatchObject({
      status: 204,
    })
    expect(await acmeClient('PUT', `/SipGateways/${sid}`, { ...storedValues, port: 5070 })).toMatchObject({
      status: 400,
    })
    // An invalid stored gateway does not prevent adding another gateway.
    await create()
  })

  it('cannot move to a carrier that the actor may not change', async () => {
    const sid = await create()
    const { bolt, corp, shared } = backend.testData
    const initialSnapshot = await takeSnapshot(backend.database)
    const insufficientPrivileges = { status: 403, body: { msg: 'insufficient privileges' } }
    for (const voip_carrier_sid of [
      bolt.voip_carrier,
      corp.voip_carrier,
      shared.north.voip_carrier,
      shared.south.voip_carrier,
    ])
      expect(await acmeClient('PUT', `/SipGateways/${sid}`, { voip_carrier_sid })).toMatchObject(insufficientPrivileges)
    expect(await northClient('PUT', `/SipGateways/${sid}`, { voip_carrier_sid: corp.voip_carrier })).toMatchObject(
      insufficientPrivileges,
    )
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await northClient('PUT', `/SipGateways/${sid}`, { voip_carrier_sid: bolt.voip_carrier })).toMatchObject({
      status: 204,
    })
  })

  it('of a deleted or unknown carrier are an empty list', async () => {
    const { body } = await acmeClient('POST', '/VoipCarriers', { name: 'short-lived' })
    await acmeClient('DELETE', `/VoipCarriers/${body.sid}`)
    for (const sid of [body.sid, 'x'])
      for (const kind of ['Sip', 'Smpp'])
        expect(await acmeClient('GET', `/${kind}Gateways?voip_carrier_sid=${sid}`)).toMatchObject({
          status: 200,
          body: [],
        })
  })

  it('are listed by carrier only', async () => {
    for (const query of ['', '?voip_carrier_sid=', '?page=1'])
      expect(await acmeClient('GET', `/SipGateways${query}`)).toMatchObject({
        status: 400,
        body: { msg: 'missing voip_carrier_sid' },
      })
    const { body } = await acmeClient(
      'GET',
      `/SipGateways?voip_carrier_sid=${backend.testData.shared.north.voip_carrier}`,
    )
    expect(body).toMatchObject([{ ipv4: '198.51.100.1', port: 5060 }])
  })
})
