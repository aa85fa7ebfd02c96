import { describe, expect, it } from 'vitest'
import { matchingCalls, matchingIds, encodeCall, withoutCall, type IndexedCall, type BlockFilter } from './call-block'
import { callKinds, firstIdOfHour, idsPerHour, lastId } from './time-ids'

const hour = 498_000
const first = firstIdOfHour(hour)
const all: BlockFilter = { text: '', ids: new Set(), kinds: new Set(callKinds), low: 0, high: lastId }

const call = (overrides: Partial<IndexedCall>): IndexedCall => ({
  id: first,
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
    const ids = [first, first + idsPerHour - 1]
    expect(matchingIds(hour, Buffer.concat(ids.map((id) => encodeCall(call({ id })))), all)).toEqual(ids)
  })

  it('returns the facts of calls, within their limits', () => {
    const responses = [
      call({}),
      call({ delay: null, sip_status: 0, answered: null, direction: null, seconds: 0 }),
      call({ delay: 2 ** 31 - 1, sip_status: 2 ** 31 - 1, seconds: 2 ** 31 - 1 }),
    ]
    expect(matchingCalls(hour, Buffer.concat(responses.map(encodeCall)), all)).toEqual([
      { kind: 5, sip_status: 200, seconds: 61, delay: 1500 },
      { kind: 0, sip_status: 0, seconds: 0, delay: null },
      { kind: 5, sip_status: 65_535, seconds: 2 ** 24 - 1, delay: 2 ** 24 - 2 },
    ])
  })

  it('finds a text in either number, and calls with matching ids', () => {
    const numbers = ['111\n222', '333\n444', '\n', '222\n']
    const pack = Buffer.concat(
      numbers.map((item, index) => encodeCall(call({ id: first + index, numbers: Buffer.from(item) }))),
    )
    expect(matchingIds(hour, pack, { ...all, text: '22' })).toEqual([first, first + 3])
    expect(matchingIds(hour, pack, { ...all, text: '4', ids: new Set([first + 2]) })).toEqual([first + 1, first + 2])
    // neither in other fields, nor across two calls
    expect(matchingIds(hour, pack, { ...all, text: String.fromCharCode(200) })).toEqual([])
    expect(matchingIds(hour, pack, { ...all, text: '222\u0000' })).toEqual([])
    expect(matchingIds(hour, pack, { ...all, text: '22', low: first + 1, high: first + 2 })).toEqual([])
  })

  it('removes a call, in any order', () => {
    const calls = [3, 1, 2].map((index) => call({ id: first + index, numbers: Buffer.from(`n${index}\nm`) }))
    const pack = Buffer.concat(calls.map(encodeCall))
    const left = withoutCall(pack, first + 1)
    expect(left).toEqual(Buffer.concat([calls[0]!, calls[2]!].map(encodeCall)))
    expect(withoutCall(left, first + 1)).toEqual(left)
  })
})
