import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packKeys } from './key-list'

test('returns the same slices as an array', () => {
  const key = fc.oneof(fc.uuid(), fc.string({ minLength: 36, maxLength: 36 }), fc.string())
  const list = fc.oneof(fc.array(fc.uuid()), fc.array(key))
  const bound = fc.nat({ max: 20 })
  fc.assert(
    fc.property(list, bound, bound, (keys, start, length) => {
      const packed = packKeys(keys)
      expect(packed.length).toBe(keys.length)
      expect(packed.slice(start, start + length)).toEqual(keys.slice(start, start + length))
    }),
  )
})
