import { messages } from '@trunkline/contract/messages/voip-carrier'
import { describe, expect, it } from 'vitest'
import { newGateway, gatewayBody, gatewayRowErrors, gatewaysToSend, type GatewayValues } from './gateways'

const row = (values: Partial<GatewayValues>): GatewayValues => ({ ...newGateway(), ipv4: '192.0.2.1', ...values })

describe('the field errors of gateway rows', () => {
  const errors = messages.gateway
  it.each<[string, Partial<GatewayValues>[], Record<string, string>]>([
    ['no gateway at all', [], { gateways: errors.atLeastOne }],
    ['a blank address', [{ ipv4: '' }], { 'gateways.0.ipv4': errors.invalidAddress }],
    ['an incomplete address', [{ ipv4: '192.0.2' }], { 'gateways.0.ipv4': errors.invalidAddress }],
    ['an address with a number above 255', [{ ipv4: '192.0.2.256' }], { 'gateways.0.ipv4': errors.invalidAddress }],
    ['a domain name for inbound calls', [{ ipv4: 'sip.example.com' }], { 'gateways.0.ipv4': errors.fqdnOutboundOnly }],
    ['a domain name for outbound calls', [{ ipv4: 'sip.example.com', inbound: 0, outbound: 1 }], {}],
    ['no direction', [{ inbound: 0 }], { 'gateways.0.inbound': errors.noDirection }],
    ['the same address twice', [{}, {}], { 'gateways.1.ipv4': errors.duplicate }],
    [
      'the same address, once with the usual port',
      [{ port: null }, { port: 5060 }],
      { 'gateways.1.ipv4': errors.duplicate },
    ],
    ['the same address on two ports', [{ port: 5060 }, { port: 5062 }], {}],
    ['a port above the maximum', [{ port: 65536 }], { 'gateways.0.port': errors.invalidPort(65535) }],
    ['a port that is a word', [{ port: 'sip' }], { 'gateways.0.port': errors.invalidPort(65535) }],
    ['a netmask of 0', [{ netmask: 0 }], { 'gateways.0.netmask': errors.invalidNetmask(32) }],
    ['a netmask above the maximum', [{ netmask: 33 }], { 'gateways.0.netmask': errors.invalidNetmask(32) }],
    [
      'a network for outbound calls',
      [{ inbound: 0, outbound: 1, netmask: 24 }],
      { 'gateways.0.netmask': 'For outbound only gateway netmask can only be 32' },
    ],
    ['blanks around the address', [{ ipv4: ' 192.0.2.1 ' }], {}],
  ])('reports the errors of %s', (_, rows, faults) => {
    expect(gatewayRowErrors(rows.map(row))).toEqual(faults)
  })
})

describe('the body of a gateway row', () => {
  it('trims the address, and sends netmask 32 for a host name', () => {
    const body = gatewayBody(row({ ipv4: ' sip.example.com ', netmask: 24, inbound: 0, outbound: 1 }))
    expect(body).toMatchObject({ ipv4: 'sip.example.com', netmask: 32, port: null, outbound: 1, inbound: 0 })
  })

  it('leaves out rows that the trunk type does not use, and reports the errors of the rest at their original index', () => {
    const rows = [row({}), row({ ipv4: 'no', inbound: 1, outbound: 1 }), row({ ipv4: 'sip.example.com', outbound: 1 })]
    expect(gatewaysToSend(rows, 'reg')).toMatchObject([
      { path: 'gateways.1', body: { ipv4: 'no', inbound: 0, outbound: 1 } },
      { path: 'gateways.2', body: { ipv4: 'sip.example.com', inbound: 0, outbound: 1 } },
    ])
    expect(gatewayRowErrors(rows, 'reg')).toEqual({ 'gateways.1.ipv4': messages.gateway.invalidAddress })
    expect(gatewayRowErrors([row({})], 'reg')).toEqual({ gateways: messages.gateway.outboundForRegistration })
    expect(gatewayRowErrors([row({})], 'auth')).toEqual({})
  })
})
