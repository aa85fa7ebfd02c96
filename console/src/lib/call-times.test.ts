import { describe, expect, it } from 'vitest'
import {
  isTimestamp,
  isOngoing,
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
const at = (day: number, hour = 0) => new Date(2026, 10, day, hour).toISOString()

describe('date filters', () => {
  it.each([
    ['', { start: at(22) }],
    ['nonsense', { start: at(22) }],
    ['yesterday', { start: at(21), end: new Date(new Date(2026, 10, 22).getTime() - 1).toISOString() }],
    ['7', { days: 7 }],
    ['30', { days: 30 }],
    ['8', { start: at(22) }],
    ['2026-11-21T10:00:00.000Z', { start: '2026-11-21T10:00:00.000Z', end: '2026-11-21T10:00:00.000Z' }],
  ])('converts %j to start and end times', (date, times) => {
    expect(toTimeQuery(date, now)).toEqual(times)
  })

  it('recognizes an instant in a link', () => {
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
    const said = (from: [number, number?], to: [number, number?]) =>
      formatTimeRange({ from: new Date(at(...from)), to: new Date(at(...to)) })
    expect(said([21], [22])).toBe('2026-11-21')
    expect(said([21, 13], [21, 14])).toBe('2026-11-21 13:00 to 14:00')
    expect(said([21, 23], [22])).toBe('2026-11-21 23:00 to 2026-11-22 00:00')
  })

  it('supports a start time without an end', () => {
    const since = `${at(21, 10)}/now`
    expect(toTimeQuery(since, now)).toEqual({ start: at(21, 10) })
    expect(formatDateFilter(since)).toBe('since 2026-11-21 10:00')
    expect([since, '', '7', 'yesterday', at(21), `${at(20)}/${at(21)}`, 'x/now'].map(isOngoing)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it('shows dates in local time', () => {
    expect(formatTimestamp(new Date(2026, 0, 2, 3, 4, 5).toISOString())).toBe('2026-01-02 03:04:05')
    expect([formatTimestamp(null), formatTimestamp('soon'), formatTimestampMs('soon')]).toEqual(['', '', ''])
    expect(formatTimestampMs(new Date(2026, 0, 2, 3, 4, 5, 6).toISOString())).toBe('2026-01-02 03:04:05.006')
    const now = new Date(2026, 0, 2, 23, 59)
    const shortly = (then: Date | null) => formatShortTimestamp(then?.toISOString(), now)
    expect(shortly(new Date(2026, 0, 2, 3, 4, 5))).toBe('03:04:05')
    expect(shortly(new Date(2026, 0, 1, 23, 59, 59))).toBe('2026-01-01 23:59')
    expect(shortly(null)).toBe('')
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
  ])('shows %j as %j', (seconds, words) => expect(formatDuration(seconds)).toBe(words))
})
