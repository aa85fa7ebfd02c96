import { messages } from '@trunkline/contract/messages/voip-carrier'
import { describe, expect, it } from 'vitest'
import { newGateway } from './gateways'
import { newSmppGateway, smppRows } from './smpp-gateways'
import { carrierErrors, carrierDraft, carrierValues, type CarrierValues } from './values'

const sipGateway = { ...newGateway(), ipv4: '192.0.2.1' }
const smppGateway = (ipv4: string, changes: object = {}) => ({ ...newSmppGateway(), ipv4, ...changes })

const values = (changes: Partial<CarrierValues> = {}): CarrierValues => ({
  ...carrierValues(undefined, null),
  name: 'x',
  gateways: [sipGateway],
  ...changes,
})

describe('the field errors of a carrier', () => {
  const errors = messages.smpp
  it.each<[string, Partial<CarrierValues>, Record<string, string>]>([
    ['nothing', {}, {}],
    ['a short tech prefix', { tech_prefix: '12' }, { tech_prefix: messages.shortTechPrefix(3) }],
    ['a username without a password', { register_username: 'me' }, { register_password: messages.incompleteAuth }],
    ['a password without a username', { register_password: 'p' }, { register_username: messages.incompleteAuth }],
    ['both', { register_username: 'me', register_password: 'p' }, {}],
    ['an invalid proxy', { outbound_sip_proxy: 'sip:proxy' }, { outbound_sip_proxy: messages.invalidProxy }],
    ['a proxy with blanks', { outbound_sip_proxy: ' proxy.example.com ' }, {}],
    [
      'an auth trunk without a username',
      { trunk_type: 'auth', inbound_auth_password: 'p' },
      { inbound_auth_username: messages.incompleteInboundAuth },
    ],
    [
      'an auth trunk without a password',
      { trunk_type: 'auth', inbound_auth_username: 'u' },
      { inbound_auth_password: messages.incompleteInboundAuth },
    ],
    ['no SIP gateway', { gateways: [] }, { gateways: messages.gateway.atLeastOne }],
    ['a system ID without an outbound gateway', { smpp_system_id: 'me' }, { smppOutbound: errors.atLeastOneOutbound }],
    ['a password without an outbound gateway', { smpp_password: 'p' }, { smppOutbound: errors.atLeastOneOutbound }],
    [
      'an outbound domain without a subdomain',
      { smppOutbound: [smppGateway('example.com')] },
      { 'smppOutbound.0.ipv4': errors.subdomain('smpp.example.com') },
    ],
    [
      'an outbound gateway without an address',
      { smppOutbound: [smppGateway('smpp.example.com'), smppGateway('')] },
      { 'smppOutbound.1.ipv4': errors.invalidAddress('outbound') },
    ],
    [
      'duplicate outbound gateways',
      { smppOutbound: [smppGateway('192.0.2.7'), smppGateway('192.0.2.7', { port: null })] },
      { 'smppOutbound.1.ipv4': errors.duplicate('outbound') },
    ],
    [
      'a port that is a word',
      { smppOutbound: [smppGateway('192.0.2.7', { port: 'smpp' })] },
      { 'smppOutbound.0.port': messages.gateway.invalidPort(65535) },
    ],
    [
      'a domain name for an inbound gateway',
      { smppInbound: [smppGateway('smpp.example.com')] },
      { 'smppInbound.0.ipv4': errors.invalidAddress('inbound') },
    ],
    [
      'duplicate inbound gateways',
      { smppInbound: [smppGateway('192.0.2.7'), smppGateway('192.0.2.7')] },
      { 'smppInbound.1.ipv4': errors.duplicate('inbound') },
    ],
    [
      'a netmask of 0',
      { smppInbound: [smppGateway('192.0.2.7', { netmask: 0 })] },
      { 'smppInbound.0.netmask': messages.gateway.invalidNetmask(32) },
    ],
  ])('reports the errors of %s', (_, changes, faults) => {
    expect(carrierErrors(values(changes))).toEqual(faults)
  })
})

describe('the body of a carrier', () => {
  it('sends null for blank texts, requires_register for a registration trunk, and only fields that the trunk type uses', () => {
    const body = carrierDraft(values({ name: ' x ', outbound_sip_proxy: ' a . b ', trunk_type: 'reg', diversion: ' ' }))
    expect(body).toMatchObject({ name: 'x', outbound_sip_proxy: 'a.b', requires_register: 1, diversion: null })
    for (const name of ['inbound_auth_username', 'gateways', 'smppOutbound', 'version'])
      expect(body).not.toHaveProperty(name)
    expect(carrierDraft(values({ trunk_type: 'auth', inbound_auth_username: 'u' }))).toMatchObject({
      inbound_auth_username: 'u',
      inbound_auth_password: null,
      requires_register: 0,
    })
  })
})

it('shows a two-way SMPP gateway in both lists, with its SID only in the outbound list', () => {
  const twoWayGateway = {
    voip_carrier_sid: 'c',
    port: 2775,
    netmask: 32,
    is_primary: 1,
    use_tls: null,
    inbound: 1,
    outbound: 1,
  }
  const rows = [{ ...twoWayGateway, smpp_gateway_sid: 'sid', ipv4: '192.0.2.7' }]
  const lists = smppRows(rows)
  expect(lists.smppOutbound).toMatchObject([{ key: 'sid', ipv4: '192.0.2.7', use_tls: 0 }])
  expect(lists.smppInbound).toMatchObject([{ key: expect.not.stringMatching(/^sid$/), ipv4: '192.0.2.7' }])
  // a draft is compared with the stored gateways, so the generated keys must be stable
  expect(smppRows(rows)).toEqual(lists)
})
