import { describe, expect, it } from 'vitest'
import { formatLastUsed } from './last-used'

const now = new Date(2026, 10, 21, 9, 30)

describe('the time of the last use', () => {
  it.each([
    [new Date(2026, 10, 21, 0, 1), 'Today'],
    [new Date(2026, 10, 21, 23, 59), 'Today'],
    [new Date(2026, 10, 20, 23, 59), 'Yesterday'],
    [new Date(2026, 10, 19, 12, 0), '2 days ago'],
    [new Date(2026, 9, 21, 12, 0), '31 days ago'],
    [new Date(2025, 10, 21, 12, 0), '365 days ago'],
  ])('%s is shown as %s', (lastUsed, text) => {
    expect(formatLastUsed(lastUsed.toISOString(), now)).toBe(text)
  })

  it.each([null, undefined, '', 'nonsense'])('%s is shown as never used', (timestamp) => {
    expect(formatLastUsed(timestamp, now)).toBe('Never used')
  })
})
