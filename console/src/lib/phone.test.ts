import { describe, expect, it } from 'vitest'
import { plainNumber, sayNumber } from './phone'

describe('phone numbers', () => {
  it.each([
    ['18575550100', '(857) 555-0100'],
    ['+18575550100', '(857) 555-0100'],
    ['442079460821', '+442079460821'],
    ['8575550100', '8575550100'],
    ['911', '911'],
    ['anonymous', 'anonymous'],
  ])('reads %s as %s', (stored, said) => expect(sayNumber(stored)).toBe(said))

  it.each([
    [' +1 (857) 555-0100 ', '+18575550100'],
    ['857.555.0100', '8575550100'],
    ['reception desk', 'reception desk'],
  ])('takes %s as %s', (typed, plain) => expect(plainNumber(typed)).toBe(plain))
})
