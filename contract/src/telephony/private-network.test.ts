import { expect, it } from 'vitest'
import { parsePrivateNetworks, findInvalidNetwork } from './private-network'

it.each([
  ['', undefined],
  ['  ', undefined],
  ['10.0.0.0/8', undefined],
  ['192.168.1.1', undefined],
  ['10.0.0.0/8, 172.16.0.0/12 ,192.168.0.0/16', undefined],
  ['0.0.0.0/0', undefined],
  ['10.0.0.0/33', '10.0.0.0/33'],
  ['10.0.0.0/', '10.0.0.0/'],
  ['10.0.0.0/8/8', '10.0.0.0/8/8'],
  ['10.0.0.0/-1', '10.0.0.0/-1'],
  ['10.0.0/8', '10.0.0/8'],
  ['10.0.0.256', '10.0.0.256'],
  ['10.0.0.0/8,', ''],
  ['10.0.0.0/8,,10.1.1.1', ''],
  ['fd00::/8', 'fd00::/8'],
  ['example.com', 'example.com'],
])('findInvalidNetwork of %j returns %j', (list, expected) => expect(findInvalidNetwork(list)).toBe(expected))

it('parsePrivateNetworks removes whitespace between networks', () =>
  expect(parsePrivateNetworks(' 10.0.0.0/8 , 10.1.1.1')).toHaveLength(2))
