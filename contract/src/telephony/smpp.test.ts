import { describe, expect, it } from 'vitest'
import { messages, type Direction } from '../messages/voip-carrier'
import { findMissingOutboundError, findSmppErrors, type SmppEntry } from './smpp'

const smppMessages = messages.smpp

describe('the rules of SMPP gateways', () => {
  it.each<[Direction, SmppEntry[], [number, string][]]>([
    ['outbound', [{ ipv4: 'smpp.example.com' }, { ipv4: '192.0.2.1' }], []],
    ['outbound', [{ ipv4: 'example.com' }], [[0, smppMessages.subdomain('smpp.example.com')]]],
    ['outbound', [{ ipv4: 'localhost' }], [[0, smppMessages.invalidAddress('outbound')]]],
    [
      'outbound',
      [{ ipv4: 'a.example.com' }, { ipv4: 'A.example.com', port: 2775 }],
      [[1, smppMessages.duplicate('outbound')]],
    ],
    ['outbound', [{ ipv4: '192.0.2.1' }, { ipv4: '192.0.2.1', port: 2776 }], []],
    ['outbound', [{ ipv4: '192.0.2.1', port: 65536 }], [[0, messages.gateway.invalidPort(65535)]]],
    ['inbound', [{ ipv4: '192.0.2.1', netmask: 24 }], []],
    ['inbound', [{ ipv4: 'smpp.example.com' }], [[0, smppMessages.invalidAddress('inbound')]]],
    ['inbound', [{ ipv4: '192.0.2.1' }, { ipv4: '192.0.2.1', port: 1 }], [[1, smppMessages.duplicate('inbound')]]],
    ['inbound', [{ ipv4: '192.0.2.1', netmask: 33 }], [[0, messages.gateway.invalidNetmask(32)]]],
  ])('check %s gateways: %j', (direction, gateways, errors) => {
    expect(findSmppErrors(direction, gateways).map(({ row, message }) => [row, message])).toEqual(errors)
  })

  it('require an outbound gateway if the carrier has SMPP credentials', () => {
    expect(findMissingOutboundError({ smpp_system_id: 'me' }, [])).toBe(smppMessages.atLeastOneOutbound)
    expect(findMissingOutboundError({ smpp_password: 'secret' }, [])).toBe(smppMessages.atLeastOneOutbound)
    expect(findMissingOutboundError({ smpp_system_id: 'me' }, [1])).toBeUndefined()
    expect(findMissingOutboundError({}, [])).toBeUndefined()
  })
})
