import { messages } from '@trunkline/contract/messages/voip-carrier'
import { describe, expect, it } from 'vitest'
import { createEmptyGateway } from './gateways'
import { createEmptySmppGateway, toSmppLists } from './smpp-gateways'
import { findCarrierErrors, toCarrierBody, toCarrierValues, type CarrierValues } from './values'

const sipGateway = { ...createEmptyGateway(), ipv4: '192.0.2.1' }
const createSmppGateway = (ipv4: string, changes: object = {}) => ({ ...createEmptySmppGateway(), ipv4, ...changes })

const createValues = (changes: Partial<CarrierValues> = {}): CarrierValues => ({
  ...toCarrierValues(undefined, null),
  name: 'x',
  gateways: [sipGateway],
  ...changes,
})

describe('the field errors of a carrier', () => {
  const smppMessages = messages.smpp
  it.each<[string, Partial<CarrierValues>, Record<string, string>]>([
    ['a valid carrier', {}, {}],
    ['a short tech prefix', { tech_prefix: '12' }, { tech_prefix: messages.shortTechPrefix(3) }],
    ['a username without a password', { register_username: 'me' }, { register_password: messages.incompleteAuth }],
    ['a password without a username', { register_password: 'p' }, { register_username: messages.incompleteAuth }],
    ['a username with a password', { register_username: 'me', register_password: 'p' }, {}],
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
    [
      'a system ID without an outbound gateway',
      { smpp_system_id: 'me' },
      { smppOutbound: smppMessages.atLeastOneOutbound },
    ],
    [
      'a password without an outbound gateway',
      { smpp_password: 'p' },
      { smppOutbound: smppMessages.atLeastOneOutbound },
    ],
    [
      'an outbound domain without a subdomain',
      { smppOutbound: [createSmppGateway('example.com')] },
      { 'smppOutbound.0.ipv4': smppMessages.subdomain('smpp.example.com') },
    ],
    [
      'an outbound gateway without an address',
      { smppOutbound: [createSmppGateway('smpp.example.com'), createSmppGateway('')] },
      { 'smppOutbound.1.ipv4': smppMessages.invalidAddress('outbound') },
    ],
    [
      'duplicate outbound gateways',
      { smppOutbound: [createSmppGateway('192.0.2.7'), createSmppGateway('192.0.2.7', { port: null })] },
      { 'smppOutbound.1.ipv4': smppMessages.duplicate('outbound') },
    ],
    [
      'a port that is a word',
      { smppOutbound: [createSmppGateway('192.0.2.7', { port: 'smpp' })] },
      { 'smppOutbound.0.port': messages.gateway.invalidPort(65535) },
    ],
    [
      'a domain name for an inbound gateway',
      { smppInbound: [createSmppGateway('smpp.example.com')] },
      { 'smppInbound.0.ipv4': smppMessages.invalidAddress('inbound') },
    ],
    [
      'duplicate inbound gateways',
      { smppInbound: [createSmppGateway('192.0.2.7'), createSmppGateway('192.0.2.7')] },
      { 'smppInbound.1.ipv4': smppMessages.duplicate('inbound') },
    ],
    [
      'a netmask of 0',
      { smppInbound: [createSmppGateway('192.0.2.7', { netmask: 0 })] },
      { 'smppInbound.0.netmask': messages.gateway.invalidNetmask(32) },
    ],
  ])('reports the errors of %s', (_, changes, expectedErrors) => {
    expect(findCarrierErrors(createValues(changes))).toEqual(expectedErrors)
  })
})

describe('the body of a carrier', () => {
  it('contains trimmed texts, a proxy without blanks, and null for blank texts', () => {
    const body = toCarrierBody(createValues({ name: ' x ', outbound_sip_proxy: ' a . b ', diversion: ' ' }))
    expect(body).toMatchObject({ name: 'x', outbound_sip_proxy: 'a.b', diversion: null })
  })

  it('sets requires_register for a registration trunk', () => {
    expect(toCarrierBody(createValues({ trunk_type: 'reg' }))).toMatchObject({ requires_register: 1 })
    expect(toCarrierBody(createValues({ trunk_type: 'auth' }))).toMatchObject({ requires_register: 0 })
    expect(toCarrierBody(createValues({ requires_register: 1 }))).toMatchObject({ requires_register: 1 })
  })

  it('contains inbound credentials only for an auth trunk', () => {
    const values = createValues({ inbound_auth_username: 'u' })
    expect(toCarrierBody({ ...values, trunk_type: 'reg' })).not.toHaveProperty('inbound_auth_username')
    expect(toCarrierBody({ ...values, trunk_type: 'auth' })).toMatchObject({
      inbound_auth_username: 'u',
      inbound_auth_password: null,
    })
  })

  it('does not contain the gateways or the version', () => {
    const body = toCarrierBody(createValues())
    for (const name of ['gateways', 'smppOutbound', 'version']) expect(body).not.toHaveProperty(name)
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
  const lists = toSmppLists(rows)
  expect(lists.smppOutbound).toMatchObject([{ key: 'sid', ipv4: '192.0.2.7', use_tls: 0 }])
  expect(lists.smppInbound).toMatchObject([{ key: expect.not.stringMatching(/^sid$/), ipv4: '192.0.2.7' }])
  // the form compares its values with these lists to detect changes, so the generated keys must be stable
  expect(toSmppLists(rows)).toEqual(lists)
})
