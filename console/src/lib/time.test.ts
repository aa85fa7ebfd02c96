import { describe, expect, it } from 'vitest'
import { formatDate } from './time'

describe('a date', () => {
  it('is formatted with a short month name', () => expect(formatDate('2026-12-04T12:00:00.000Z')).toBe('Dec 04, 2026'))
  it.each([null, undefined, '', 'nonsense'])('is empty for %s', (timestamp) => expect(formatDate(timestamp)).toBe(''))
})
