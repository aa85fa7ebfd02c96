import { describe, expect, it } from 'vitest'
import { classifyAddress, isHost, isIPv4, isSipHost } from './address'

describe('classifyAddress', () => {
  it.each([
    ['192.0.2.1', 'ip'],
    ['255.255.255.255', 'ip'],
    ['256.0.0.1', 'invalid'],
    ['192.0.2', 'invalid'],
    ['192.0.2.1.5', 'invalid'],
    ['sip.example.com', 'fqdn'],
    ['a.b.c.example.co', 'fqdn'],
    ['example.com', 'fqdn-top-level'],
    ['localhost', 'invalid'],
    ['', 'invalid'],
    ['sip..example.com', 'invalid'],
    ['-sip.example.com', 'invalid'],
    ['sip example.com', 'invalid'],
    [`${'a'.repeat(64)}.example.com`, 'invalid'],
    ['<your-domain>.pstn.twilio.com', 'invalid'],
  ])('%s is %s', (address, kind) => {
    expect(classifyAddress(address)).toBe(kind)
  })
})

describe('isIPv4', () => {
  it.each(['01.2.3.4', '1.2.3.4/24', ' 1.2.3.4', '::1'])('refuses %s', (address) => {
    expect(isIPv4(address)).toBe(false)
  })
})

describe('isSipHost', () => {
  it.each([
    ['sip.example.com', true],
    ['192.0.2.1', true],
    ['sip:example.com', false],
    ['SIPS:example.com', false],
    ['exam ple.com', false],
    ['example', false],
  ])('%s: %s', (host, expected) => {
    expect(isSipHost(host)).toBe(expected)
  })
})

describe('isHost', () => {
  it.each([
    ['proxy', true],
    ['proxy.example.com:5080', true],
    ['192.0.2.1', true],
    ['192.0.2.1:5060', true],
    ['192.0.2', false],
    ['sip:proxy.example.com', false],
    ['proxy.example.com:port', false],
    ['a..b', false],
    ['', false],
  ])('%s: %s', (address, expected) => {
    expect(isHost(address)).toBe(expected)
  })
})
