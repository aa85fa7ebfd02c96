import { describe, expect, it } from 'vitest'
import { getExpiry, toDateInput } from './api-key-expiry'

const now = new Date(2026, 11, 4, 15, 30)

describe('the expiry of an API key', () => {
  it.each([
    ['', '', undefined],
    ['30', '', new Date(2027, 0, 3, 23, 59, 59)],
    ['365', '', new Date(2027, 11, 4, 23, 59, 59)],
    ['date', '2026-12-24', new Date(2026, 11, 24, 23, 59, 59)],
    ['date', '', undefined],
  ])('is the end of the chosen day, or none without a complete choice (%j, %j)', (choice, date, expected) => {
    expect(getExpiry(choice, date, now)).toEqual(expected)
  })

  it('starts from the current local date', () => {
    expect(toDateInput(now)).toBe('2026-12-04')
  })
})
