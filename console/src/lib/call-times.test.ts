import { describe, expect, it } from 'vitest'
import {
  formatAge,
  isTimestamp,
  includesNow,
  formatDateFilter,
  formatDuration,
  formatTimestamp,
  formatTimestampMs,
  formatShortTimestamp,
  formatTimeRange,
  parseTimeRange,
  toTimeQuery,
} from './call-times'

const now = new Date(2026, 10, 22, 14, 5, 6)
const isoTimestamp = (day: number, hour = 0) => new Date(2026, 10, day, hour).toISOString()

describe('date filters', () => {
  it.each([
    ['', { start: isoTimestamp(22) }],
    ['nonsense', { start: isoTimestamp(22) }],
    ['yesterday', { start: isoTimestamp(21), end: new Date(new Date(2026, 10, 22).getTime() - 1).toISOString() }],
    ['7', { days: 7 }],
    ['30', { days: 30 }],
    ['8', { start: isoTimestamp(22) }],
    ['2026-11-21T10:00:00.000Z', { start: '2026-11-21T10:00:00.000Z', end: '2026-11-21T10:00:00.000Z' }],
  ])('converts the date filter %j to query parameters', (date, timeQuery) => {
    expect(toTimeQuery(date, now)).toEqual(timeQuery)
  })

  it('recognizes a timestamp in a link', () => {
    expect([isTimestamp('2026-11-21T10:00:00Z'), isTimestamp('2026-11-21'), isTimestamp('2026-11-21Tx')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('recognizes a time range in a link', () => {
    const text = '2026-11-21T10:00:00.000Z/2026-11-21T11:00:00.000Z'
    expect(toTimeQuery(text, now)).toEqual({ start: '2026-11-21T10:00:00.000Z', end: '2026-11-21T10:59:59.999Z' })
    expect([
      isTimestamp(text),
      parseTimeRange(`${text}/x`),
      parseTimeRange('2026-11-21/2026-11-22'),
      parseTimeRange('x'),
    ]).toEqual([false, undefined, undefined, undefined])
    const formatRange = (from: [number, number?], to: [number, number?]) =>
      formatTimeRange({ from: new Date(isoTimestamp(...from)), to: new Date(isoTimestamp(...to)) })
    expect(formatRange([21], [22])).toBe('2026-11-21')
    expect(formatRange([21, 13], [21, 14])).toBe('2026-11-21 13:00 to 14:00')
    expect(formatRange([21, 23], [22])).toBe('2026-11-21 23:00 to 2026-11-22 00:00')
  })

  it('supports a start time without an end', () => {
    const since = `${isoTimestamp(21, 10)}/now`
    expect(toTimeQuery(since, now)).toEqual({ start: isoTimestamp(21, 10) })
    expect(formatDateFilter(since)).toBe('since 2026-11-21 10:00')
    expect(
      [since, '', '7', 'yesterday', isoTimestamp(21), `${isoTimestamp(20)}/${isoTimestamp(21)}`, 'x/now'].map(
        includesNow,
      ),
    ).toEqual([true, true, true, false, false, false, false])
  })

  it('shows dates in local time', () => {
    expect(formatTimestamp(new Date(2026, 0, 2, 3, 4, 5).toISOString())).toBe('2026-01-02 03:04:05')
    expect([formatTimestamp(null), formatTimestamp('soon'), formatTimestampMs('soon')]).toEqual(['', '', ''])
    expect(formatTimestampMs(new Date(2026, 0, 2, 3, 4, 5, 6).toISOString())).toBe('2026-01-02 03:04:05.006')
    const now = new Date(2026, 0, 2, 23, 59)
    const formatShort = (date: Date | null) => formatShortTimestamp(date?.toISOString(), now)
    expect(formatShort(new Date(2026, 0, 2, 3, 4, 5))).toBe('03:04:05')
    expect(formatShort(new Date(2026, 0, 1, 23, 59, 59))).toBe('Yesterday 23:59')
    expect(formatShort(new Date(2026, 10, 20, 13, 57))).toBe('Nov 20 13:57')
    expect(formatShort(new Date(2025, 11, 31, 23, 59, 59))).toBe('2025-12-31 23:59')
    expect(formatShort(null)).toBe('')
  })
})

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [59.4, '59 s'],
    [59.6, '1m 00s'],
    [192, '3m 12s'],
    [3900, '1h 05m'],
    [null, ''],
  ])('shows %j as %j', (seconds, text) => expect(formatDuration(seconds)).toBe(text))
})

describe('formatAge', () => {
  it.each([
    [1000, '1 min'],
    [14 * 60_000 + 20_000, '14 min'],
    [59.9 * 60_000, '1h 00m'],
    [(4 * 60 + 50) * 60_000, '4h 50m'],
  ])('%s ms: %s', (durationMs, text) => expect(formatAge(durationMs)).toBe(text))
})
