import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('SMPP gateways (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  let carrierSid: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    carrierSid = backend.testData.acme.voip_carrier
  })
  afterAll(() => backend.close())

  const draft = (overrides: object = {}) => ({ voip_carrier_sid: carrierSid, ipv4: 'smpp.example.com', ...overrides })

  it('are created with defaults, and updated field by field', async () => {
    const { body } = await acmeClient('POST', '/SmppGateways', draft())
    const recordPath = `/SmppGateways/${body.sid}`
    const defaults = {
      smpp_gateway_sid: body.sid,
      voip_carrier_sid: carrierSid,
      ipv4: 'smpp.example.com',
      port: 2775,
      netmask: 32,
      is_primary: 1,
      inbound: 0,
      outbound: 1,
      use_tls: 0,
    }
    expect((await acmeClient('GET', recordPath)).body).toEqual(defaults)
    expect(await acmeClient('PUT', recordPath, { use_tls: true, port: 3550 })).toMatchObject({ status: 204 })
    expect((await acmeClient('GET', recordPath)).body).toEqual({ ...defaults, use_tls: 1, port: 3550 })
    const gateways = (await acmeClient('GET', `/SmppGateways?voip_carrier_sid=${carrierSid}`)).body
    expect(gateways.map((row: { ipv4: string }) => row.ipv4)).toEqual(['smpp.acme.example.com', 'smpp.example.com'])
  })

  it.each<[object, string, string]>([
    [{ voip_carrier_sid: undefined }, 'missing voip_carrier_sid', 'voip_carrier_sid'],
    [{ ipv4: undefined }, 'missing field ipv4', 'ipv4'],
    [{ ipv4: 'a b' }, 'Gateway must not contain whitespace', 'ipv4'],
    [{ ipv4: 'example.com' }, messages.smpp.subdomain('smpp.example.com'), 'ipv4'],
    [{ ipv4: 'localhost' }, messages.smpp.invalidAddress('outbound'), 'ipv4'],
    [{ ipv4: 'smpp.acme.example.com' }, messages.smpp.duplicate('outbound'), 'ipv4'],
    [{ ipv4: 'in.example.com', inbound: 1, outbound: 0 }, messages.smpp.invalidAddress('inbound'), 'ipv4'],
    // `outbound` is 1 by default.
    [{ ipv4: 'both.example.com', inbound: 1 }, messages.smpp.invalidAddress('inbound'), 'ipv4'],
    [{ port: 70000 }, 'port must be at most 65535', 'port'],
    [{ netmask: 0 }, 'netmask must be at least 1', 'netmask'],
    [{ protocol: 'udp' }, 'unknown field protocol', 'protocol'],
  ])('are refused with %j', async (invalidFields, msg, field) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await acmeClient('POST', '/SmppGateways', draft(invalidFields))).toMatchObject({
      status: 400,
      body: { msg, field },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are neither updated nor removed if their SID is unknown', async () => {
    for (const method of ['PUT', 'DELETE'] as const)
      expect(await acmeClient(method, '/SmppGateways/none', {})).toMatchObject({
        status: 400,
        body: { msg: 'invalid smpp_gateway_sid' },
      })
  })
})
