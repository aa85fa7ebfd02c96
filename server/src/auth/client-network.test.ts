import { expect, it } from 'vitest'
import { networkOf } from './client-network'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1:aaaa::7', '2001:db8:0:1'],
  ['2001:0DB8:0:1::8', '2001:db8:0:1'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
])('maps the address %s to the network %s', (ip, network) => expect(networkOf(ip)).toBe(network))
