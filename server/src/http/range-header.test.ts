import { describe, expect, it } from 'vitest'
import { parseRange } from './range-header'

describe('a Range header', () => {
  it.each([
    ['bytes=0-3', { from: 0, to: 3 }],
    ['bytes=4-', { from: 4, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    [' Bytes = 2 - 50 ', { from: 2, to: 9 }],
    ['bytes=10-', 'outside'],
    ['bytes=-0', 'outside'],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=1 2-3', undefined],
    ['items=0-3', undefined],
    [undefined, undefined],
  ])('%j of ten bytes', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected)
  })

  it('is parsed without backtracking, however many spaces it has', () => {
    const spaces = ' '.repeat(400_000)
    expect(parseRange(`bytes=${spaces}-3${spaces}`, 10)).toEqual({ from: 7, to: 9 })
    expect(parseRange(`bytes=0-${spaces}x`, 10)).toBeUndefined()
    expect(parseRange(`bytes=${spaces}x`, 10)).toBeUndefined()
  })
})
