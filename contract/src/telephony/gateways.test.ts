import { describe, expect, it } from 'vitest'
import { messages } from '../messages/voip-carrier'
import { findGatewayErrors, findGatewayRefusal, findMissingGatewaysError } from './gateways'

const inbound = { ipv4: '192.0.2.1', inbound: 1, outbound: 0 }
const outbound = { ipv4: 'sip.example.com', inbound: 0, outbound: 1 }

const listErrors = (...gateways: Parameters<typeof findGatewayErrors>[0]) =>
  findGatewayErrors(gateways).map(({ row, message }) => [row, message])

describe('findGatewayErrors', () => {
  it('accepts an inbound IP address and an outbound host name', () => {
    expect(listErrors(inbound, outbound)).toEqual([])
  })

  it('requires a gateway unless the trunk uses auth, and an outbound one for registration', () => {
    expect(findMissingGatewaysError([])).toBe(messages.gateway.atLeastOne)
    expect(findMissingGatewaysError([inbound])).toBeUndefined()
    expect(findMissingGatewaysError([], 'auth')).toBeUndefined()
    expect(findMissingGatewaysError([inbound], 'reg')).toBe(messages.gateway.outboundForRegistration)
    expect(findMissingGatewaysError([outbound], 'reg')).toBeUndefined()
  })

  it('refuses inbound gateways with a host name', () => {
    expect(listErrors(inbound, { ...outbound, inbound: 1 })).toEqual([[1, messages.gateway.fqdnOutboundOnly]])
  })

  it('requires a direction', () => {
    expect(listErrors({ ...inbound, inbound: 0 })).toEqual([[0, messages.gateway.noDirection]])
  })

  it.each(['', 'nonsense', '300.1.1.1', 'a b.example.com'])('refuses the address %j', (ipv4) => {
    expect(listErrors({ ...inbound, ipv4 })).toEqual([[0, messages.gateway.invalidAddress]])
  })

  it('finds duplicates by address and port, ignoring case, with 5060 as the default port', () => {
    expect(listErrors(outbound, { ...outbound, ipv4: 'SIP.example.com', port: 5060 })).toEqual([
      [1, messages.gateway.duplicate],
    ])
    expect(listErrors(outbound, { ...outbound, port: 5061 })).toEqual([])
  })
})

describe('findGatewayRefusal', () => {
  it.each([
    [{ ...inbound, ipv4: '192.0.2.1 ' }, 'Gateway must not contain whitespace', 'ipv4'],
    [{ ...outbound, inbound: true }, 'Inbound gateway must be IPv4 address', 'ipv4'],
    [{ ...outbound, netmask: 24 }, 'For outbound only gateway netmask can only be 32', 'netmask'],
    [{ ...inbound, netmask: 8 }, 'netmask required to have value equal or greater than 16', 'netmask'],
  ])('refuses %j', (gateway, msg, field) => {
    expect(findGatewayRefusal(gateway, 16)).toEqual({ msg, field })
  })

  it('accepts large networks if no minimum netmask is set', () => {
    expect(findGatewayRefusal({ ...inbound, netmask: 8 })).toBeUndefined()
  })
})
