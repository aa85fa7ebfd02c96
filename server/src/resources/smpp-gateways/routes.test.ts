import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('SMPP gateways (%s)', (engine) => {
  let backend: Backend
  let acme: ApiClient
  let carrier: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    acme = apiClient(backend.app, backend.world.keys.acme)
    carrier = backend.world.acme.voip_carrier
  })
  afterAll(() => backend.close())

  const draft = (overrides: object = {}) => ({ voip_carrier_sid: carrier, ipv4: 'smpp.example.com', ...overrides })

  it('are created with defaults, and updated in the given fields', async () => {
    const { body } = await acme('POST', '/SmppGateways', draft())
    const recordPath = `/SmppGateways/${body.sid}`
    const fresh = {
      smpp_gateway_sid: body.sid,
      voip_carrier_sid: carrier,
      ipv4: 'smpp.example.com',
      port: 2775,
      netmask: 32,
      is_primary: 1,
      inbound: 0,
      outbound: 1,
      use_tls: 0,
    }
    expect((await acme('GET', recordPath)).body).toEqual(fresh)
    expect(await acme('PUT', recordPath, { use_tls: true, port: 3550 })).toMatchObject({ status: 204 })
    expect((await acme('GET', recordPath)).body).toEqual({ ...fresh, use_tls: 1, port: 3550 })
    const listed = (await acme('GET', `/SmppGateways?voip_carrier_sid=${carrier}`)).body
    expect(listed.map((row: { ipv4: string }) => row.ipv4)).toEqual(['smpp.acme.example.com', 'smpp.example.com'])
  })

  it.each<[object, string, string]>([
    [{ voip_carrier_sid: undefined }, 'missing voip_carrier_sid', 'voip_carrier_sid'],
    [{ ipv4: undefined }, 'missing field ipv4', 'ipv4'],
    [{ ipv4: 'a b' }, 'Gateway must not contain whitespace', 'ipv4'],
    [{ ipv4: 'example.com' }, messages.smpp.subdomain('smpp.example.com'), 'ipv4'],
    [{ ipv4: 'localhost' }, messages.smpp.invalidAddress('outbound'), 'ipv4'],
    [{ ipv4: 'smpp.acme.example.com' }, messages.smpp.duplicate('outbound'), 'ipv4'],
    [{ ipv4: 'in.example.com', inbound: 1, outbound: 0 }, messages.smpp.invalidAddress('inbound'), 'ipv4'],
    // By default, messages are also sent out.
    [{ ipv4: 'both.example.com', inbound: 1 }, messages.smpp.invalidAddress('inbound'), 'ipv4'],
    [{ port: 70000 }, 'port must be at most 65535', 'port'],
    [{ netmask: 0 }, 'netmask must be at least 1', 'netmask'],
    [{ protocol: 'udp' }, 'unknown field protocol', 'protocol'],
  ])('are refused as %j', async (invalid, msg, field) => {
    const initialSnapshot = await snapshot(backend.database)
    expect(await acme('POST', '/SmppGateways', draft(invalid))).toMatchObject({ status: 400, body: { msg, field } })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('that do not exist are refused as an invalid SID', async () => {
    for (const method of ['PUT', 'DELETE'] as const)
      expect(await acme(method, '/SmppGateways/none', {})).toMatchObject({
        status: 400,
        body: { msg: 'invalid smpp_gateway_sid' },
      })
  })
})
