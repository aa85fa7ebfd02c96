import { describe, expect, it } from 'vitest'
import {
  findMatchingCalls,
  findMatchingIds,
  encodeCall,
  removeCall,
  type IndexedCall,
  type BlockFilter,
} from './call-block'
import { callKinds, firstIdOfHour, idsPerHour, maxId } from './time-ids'

const hour = 498_000
const firstId = firstIdOfHour(hour)
const allCalls: BlockFilter = { text: '', ids: new Set(), kinds: new Set(callKinds), low: 0, high: maxId }

const buildIndexedCall = (overrides: Partial<IndexedCall>): IndexedCall => ({
  id: firstId,
  service_provider_sid: 'north',
  account_sid: null,
  direction: 'inbound',
  answered: 1,
  sip_status: 200,
  seconds: 61,
  delay: 1500,
  trunk: 'twilio',
  numbers: Buffer.from('1617\n1857'),
  point: '{}',
  ...overrides,
})

describe('a call block', () => {
  it('contains the first and the last id of an hour', () => {
    const ids = [firstId, firstId + idsPerHour - 1]
    expect(
      findMatchingIds(hour, Buffer.concat(ids.map((id) => encodeCall(buildIndexedCall({ id })))), allCalls),
    ).toEqual(ids)
  })

  it('returns the measures of calls, limited to the size of their fields', () => {
    const calls = [
      buildIndexedCall({}),
      buildIndexedCall({ delay: null, sip_status: 0, answered: null, direction: null, seconds: 0 }),
      buildIndexedCall({ delay: 2 ** 31 - 1, sip_status: 2 ** 31 - 1, seconds: 2 ** 31 - 1 }),
    ]
    expect(findMatchingCalls(hour, Buffer.concat(calls.map(encodeCall)), allCalls)).toEqual([
      { kind: 5, sip_status: 200, seconds: 61, delay: 1500 },
      { kind: 0, sip_status: 0, seconds: 0, delay: null },
      { kind: 5, sip_status: 65_535, seconds: 2 ** 24 - 1, delay: 2 ** 24 - 2 },
    ])
  })

  it('finds a text in either number, and calls with matching ids', () => {
    const numbers = ['111\n222', '333\n444', '\n', '222\n']
    const block = Buffer.concat(
      numbers.map((numberPair, index) =>
        encodeCall(buildIndexedCall({ id: firstId + index, numbers: Buffer.from(numberPair) })),
      ),
    )
    expect(findMatchingIds(hour, block, { ...allCalls, text: '22' })).toEqual([firstId, firstId + 3])
    expect(findMatchingIds(hour, block, { ...allCalls, text: '4', ids: new Set([firstId + 2]) })).toEqual([
      firstId + 1,
      firstId + 2,
    ])
    // neither in other fields, nor across two calls
    expect(findMatchingIds(hour, block, { ...allCalls, text: String.fromCharCode(200) })).toEqual([])
    expect(findMatchingIds(hour, block, { ...allCalls, text: '222\u0000' })).toEqual([])
    expect(findMatchingIds(hour, block, { ...allCalls, text: '22', low: firstId + 1, high: firstId + 2 })).toEqual([])
  })

  it('removes a call, whatever the order of the calls', () => {
    const calls = [3, 1, 2].map((index) =>
      buildIndexedCall({ id: firstId + index, numbers: Buffer.from(`n${index}\nm`) }),
    )
    const block = Buffer.concat(calls.map(encodeCall))
    const remainingCalls = removeCall(block, firstId + 1)
    expect(remainingCalls).toEqual(Buffer.concat([calls[0]!, calls[2]!].map(encodeCall)))
    expect(removeCall(remainingCalls, firstId + 1)).toEqual(remainingCalls)
  })
})
