import { describe, expect, it } from 'vitest'
import { createRowKeys, findOpenKey } from './row-keys'

const identity = (key: string) => key

describe('row keys', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', 'a', 'b', 'a'],
      ['a', 'a 2', 'b', 'a 3'],
    ],
    // a number suffix must not repeat the key of another row
    [
      ['a 2', 'a', 'a', 'a 2'],
      ['a 2', 'a', 'a 3', 'a 2 2'],
    ],
  ])('of %j are %j', (rows, keys) => expect(createRowKeys(rows, identity)).toEqual(keys))
})

describe('the open row', () => {
  const keys = ['a 1', 'a 2', 'b 1']
  const alternateKeys = ['a', 'a', 'b 1', null]
  it.each([
    ['a 2', 'a 2'],
    ['a', 'a 1'],
    ['b 1', 'b 1'],
    ['c', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %j is %j', (requestedKey, key) => expect(findOpenKey(requestedKey, keys, alternateKeys)).toBe(key))

  it('is none for an alternate key if the rows have none', () => expect(findOpenKey('a', keys)).toBeUndefined())
})
