import { messages } from '@trunkline/contract/messages/voip-carrier'
import { describe, expect, it } from 'vitest'
import { blankGateway } from './gateways'
import { blankSmpp, smppRows } from './smpp-gateways'
import { carrierFaults, carrierSent, carrierValues, type CarrierValues } from './values'

const sip = { ...blankGateway(), ipv4: '192.0.2.1' }
const smpp = (ipv4: string, more: object = {}) => ({ ...blankSmpp(), ipv4, ...more })

const values = (part: Partial<CarrierValues> = {}): CarrierValues => ({
  ...carrierValues(undefined, null),
  name: 'x',
  gateways: [sip],
  ...part,
})

describe('the field errors of a carrier', () => {
  const said = messages.smpp
  it.each<[string, Partial<CarrierValues>, Record<string, string>]>([
    ['nothing', {}, {}],
    ['a short tech prefix', { tech_prefix: '12' }, { tech_prefix: messages.shortTechPrefix(3) }],
    ['a username alone', { register_username: 'me' }, { register_password: messages.authTogether }],
    ['a password alone', { register_password: 'p' }, { register_username: messages.authTogether }],
    ['both', { register_username: 'me', register_password: 'p' }, {}],
    ['a proxy that is none', { outbound_sip_proxy: 'sip:proxy' }, { outbound_sip_proxy: messages.badProxy }],
    ['a proxy with blanks', { outbound_sip_proxy: ' proxy.example.com ' }, {}],
    [
      'a password trunk without a user',
      { trunk_type: 'auth', inbound_auth_password: 'p' },
      { inbound_auth_username: messages.inboundAuthTogether },
    ],
    [
      'a password trunk without a password',
      { trunk_type: 'auth', inbound_auth_username: 'u' },
      { inbound_auth_password: messages.inboundAuthTogether },
    ],
    ['no SIP gateway', { gateways: [] }, { gateways: messages.gateway.atLeastOne }],
    ['a system ID and no way out', { smpp_system_id: 'me' }, { smppOutbound: said.atLeastOneOutbound }],
    ['a password and no way out', { smpp_password: 'p' }, { smppOutbound: said.atLeastOneOutbound }],
    [
      'a bare domain out',
      { smppOutbound: [smpp('example.com')] },
      { 'smppOutbound.0.ipv4': said.subdomain('smpp.example.com') },
    ],
    [
      'nothing out',
      { smppOutbound: [smpp('smpp.example.com'), smpp('')] },
      { 'smppOutbound.1.ipv4': said.invalidAddress('outbound') },
    ],
    [
      'twins out',
      { smppOutbound: [smpp('192.0.2.7'), smpp('192.0.2.7', { port: null })] },
      { 'smppOutbound.1.ipv4': said.duplicate('outbound') },
    ],
    [
      'a port that is a word',
      { smppOutbound: [smpp('192.0.2.7', { port: 'smpp' })] },
      { 'smppOutbound.0.port': messages.gateway.badPort(65535) },
    ],
    [
      'a name that comes in',
      { smppInbound: [smpp('smpp.example.com')] },
      { 'smppInbound.0.ipv4': said.invalidAddress('inbound') },
    ],
    [
      'twins in',
      { smppInbound: [smpp('192.0.2.7'), smpp('192.0.2.7')] },
      { 'smppInbound.1.ipv4': said.duplicate('inbound') },
    ],
    [
      'a netmask of nothing',
      { smppInbound: [smpp('192.0.2.7', { netmask: 0 })] },
      { 'smppInbound.0.netmask': messages.gateway.badNetmask(32) },
    ],
  ])('reports the errors of %s', (_, part, faults) => {
    expect(carrierFaults(values(part))).toEqual(faults)
  })
})

describe('the body of a carrier', () => {
  it('sends null for blank texts, requires_register for a registration trunk, and only fields that the trunk type uses', () => {
    const sent = carrierSent(values({ name: ' x ', outbound_sip_proxy: ' a . b ', trunk_type: 'reg', diversion: ' ' }))
    expect(sent).toMatchObject({ name: 'x', outbound_sip_proxy: 'a.b', requires_register: 1, diversion: null })
    for (const name of ['inbound_auth_username', 'gateways', 'smppOutbound', 'version'])
      expect(sent).not.toHaveProperty(name)
    expect(carrierSent(values({ trunk_type: 'auth', inbound_auth_username: 'u' }))).toMatchObject({
      inbound_auth_username: 'u',
      inbound_auth_password: null,
      requires_register: 0,
    })
  })
})

it('shows a two-way SMPP gateway in both lists, with its SID only in the outbound list', () => {
  const stored = {
    voip_carrier_sid: 'c',
    port: 2775,
    netmask: 32,
    is_primary: 1,
    use_tls: null,
    inbound: 1,
    outbound: 1,
  }
  const rows = [{ ...stored, smpp_gateway_sid: 'sid', ipv4: '192.0.2.7' }]
  const lists = smppRows(rows)
  expect(lists.smppOutbound).toMatchObject([{ key: 'sid', ipv4: '192.0.2.7', use_tls: 0 }])
  expect(lists.smppInbound).toMatchObject([{ key: expect.not.stringMatching(/^sid$/), ipv4: '192.0.2.7' }])
  // a draft is compared with the stored gateways, so the generated keys must be stable
  expect(smppRows(rows)).toEqual(lists)
})
