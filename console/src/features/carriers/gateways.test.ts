import { messages } from '@trunkline/contract/messages/voip-carrier'
import { describe, expect, it } from 'vitest'
import {
  createEmptyGateway,
  toGatewayBody,
  findGatewayRowErrors,
  listGatewaysToSend,
  type GatewayValues,
} from './gateways'

const createRow = (values: Partial<GatewayValues>): GatewayValues => ({
  ...createEmptyGateway(),
  ipv4: '192.0.2.1',
  ...values,
})

describe('the field errors of gateway rows', () => {
  const gatewayMessages = messages.gateway
  it.each<[string, Partial<GatewayValues>[], Record<string, string>]>([
    ['no gateway at all', [], { gateways: gatewayMessages.atLeastOne }],
    ['a blank address', [{ ipv4: '' }], { 'gateways.0.ipv4': gatewayMessages.invalidAddress }],
    ['an incomplete address', [{ ipv4: '192.0.2' }], { 'gateways.0.ipv4': gatewayMessages.invalidAddress }],
    [
      'an address with a number above 255',
      [{ ipv4: '192.0.2.256' }],
      { 'gateways.0.ipv4': gatewayMessages.invalidAddress },
    ],
    [
      'a domain name for inbound calls',
      [{ ipv4: 'sip.example.com' }],
      { 'gateways.0.ipv4': gatewayMessages.fqdnOutboundOnly },
    ],
    ['a domain name for outbound calls', [{ ipv4: 'sip.example.com', inbound: 0, outbound: 1 }], {}],
    ['no direction', [{ inbound: 0 }], { 'gateways.0.inbound': gatewayMessages.noDirection }],
    ['the same address twice', [{}, {}], { 'gateways.1.ipv4': gatewayMessages.duplicate }],
    [
      'the same address, once with the usual port',
      [{ port: null }, { port: 5060 }],
      { 'gateways.1.ipv4': gatewayMessages.duplicate },
    ],
    ['the same address on two ports', [{ port: 5060 }, { port: 5062 }], {}],
    ['a port above the maximum', [{ port: 65536 }], { 'gateways.0.port': gatewayMessages.invalidPort(65535) }],
    ['a port that is a word', [{ port: 'sip' }], { 'gateways.0.port': gatewayMessages.invalidPort(65535) }],
    ['a netmask of 0', [{ netmask: 0 }], { 'gateways.0.netmask': gatewayMessages.invalidNetmask(32) }],
    ['a netmask above the maximum', [{ netmask: 33 }], { 'gateways.0.netmask': gatewayMessages.invalidNetmask(32) }],
    [
      'a network for outbound calls',
      [{ inbound: 0, outbound: 1, netmask: 24 }],
      { 'gateways.0.netmask': 'For outbound only gateway netmask can only be 32' },
    ],
    ['blanks around the address', [{ ipv4: ' 192.0.2.1 ' }], {}],
  ])('reports the errors of %s', (_, rows, expectedErrors) => {
    expect(findGatewayRowErrors(rows.map(createRow))).toEqual(expectedErrors)
  })
})

describe('the body of a gateway row', () => {
  it('trims the address, and sends netmask 32 for a host name', () => {
    const body = toGatewayBody(createRow({ ipv4: ' sip.example.com ', netmask: 24, inbound: 0, outbound: 1 }))
    expect(body).toMatchObject({ ipv4: 'sip.example.com', netmask: 32, port: null, outbound: 1, inbound: 0 })
  })

  it('leaves out rows that the trunk type does not use, and reports the errors of the rest at their original index', () => {
    const rows = [
      createRow({}),
      createRow({ ipv4: 'no', inbound: 1, outbound: 1 }),
      createRow({ ipv4: 'sip.example.com', outbound: 1 }),
    ]
    expect(listGatewaysToSend(rows, 'reg')).toMatchObject([
      { path: 'gateways.1', body: { ipv4: 'no', inbound: 0, outbound: 1 } },
      { path: 'gateways.2', body: { ipv4: 'sip.example.com', inbound: 0, outbound: 1 } },
    ])
    expect(findGatewayRowErrors(rows, 'reg')).toEqual({ 'gateways.1.ipv4': messages.gateway.invalidAddress })
    expect(findGatewayRowErrors([createRow({})], 'reg')).toEqual({ gateways: messages.gateway.outboundForRegistration })
    expect(findGatewayRowErrors([createRow({})], 'auth')).toEqual({})
  })
})
