import { describe, expect, it } from 'vitest'
import { keysOf, openedBy } from './row-keys'

const own = (key: string) => key

describe('the keys of rows', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', 'a', 'b', 'a'],
      ['a', 'a 2', 'b', 'a 3'],
    ],
    // a running number is no other row's key
    [
      ['a 2', 'a', 'a', 'a 2'],
      ['a 2', 'a', 'a 3', 'a 2 2'],
    ],
  ])('of %j are %j', (rows, keys) => expect(keysOf(rows, own)).toEqual(keys))
})

describe('what is open', () => {
  const keys = ['a 1', 'a 2', 'b 1']
  const aliases = ['a', 'a', 'b 1', null]
  it.each([
    ['a 2', 'a 2'],
    ['a', 'a 1'],
    ['b 1', 'b 1'],
    ['c', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('by %j is %j', (called, key) => expect(openedBy(called, keys, aliases)).toBe(key))

  it('is nothing by an alias where there are none', () => expect(openedBy('a', keys)).toBeUndefined())
})
