import { describe, expect, it } from 'vitest'
import { barsOf, busiestOf, isByHour, spanOf } from './overview-bars'

const at = (text: string) => new Date(text)
/** On a person's clock, whatever zone the test runs in. */
const local = (...parts: [number, number, number, number?]) => new Date(parts[0], parts[1] - 1, parts[2], parts[3] ?? 0)
const now = local(2026, 11, 21, 14).getTime() + 5 * 60_000
const hour = (start: Date, calls: number, answered = 0, seconds = 0) => ({
  start: start.toISOString(),
  calls,
  answered,
  seconds,
})

describe('the bars of an overview', () => {
  it('are hours of today up to now, whether there were calls or not', () => {
    const bars = barsOf([hour(local(2026, 11, 21, 3), 4, 3), hour(local(2026, 11, 21, 14), 1)], spanOf('', now))
    expect(bars).toHaveLength(15)
    expect(bars[3]).toEqual({ from: local(2026, 11, 21, 3), to: local(2026, 11, 21, 4), calls: 4, answered: 3 })
    expect(bars[14]).toMatchObject({ calls: 1, to: local(2026, 11, 21, 15) })
    expect(bars[0]).toMatchObject({ calls: 0 })
  })

  it('are days of a week, of which the first may be half gone', () => {
    const span = spanOf('7', now)
    const bars = barsOf(
      [hour(local(2026, 11, 14, 14), 2), hour(local(2026, 11, 14, 20), 1), hour(local(2026, 11, 20, 23), 5)],
      span,
    )
    expect(isByHour(span)).toBe(false)
    expect(bars).toHaveLength(8)
    expect(bars[0]).toEqual({ from: span.from, to: local(2026, 11, 15), calls: 3, answered: 0 })
    expect(bars[6]).toEqual({ from: local(2026, 11, 20), to: local(2026, 11, 21), calls: 5, answered: 0 })
  })

  it('are the hours of a day that was pressed', () => {
    const bars = barsOf([], spanOf(`${local(2026, 11, 20).toISOString()}/${local(2026, 11, 21).toISOString()}`, now))
    expect(bars).toHaveLength(24)
    expect(barsOf([], spanOf('yesterday', now))).toEqual(bars)
  })

  it('are not endless, whatever somebody says of the time', () => {
    const late = hour(at('2248-01-01T00:00:00Z'), 1)
    expect(barsOf([late], spanOf('', now)).length).toBeLessThan(50)
    expect(barsOf([late], spanOf('1970-01-01T00:00:00Z/2300-01-01T00:00:00Z', now)).length).toBeLessThan(405)
  })

  it('know the hour with most to do', () => {
    const hours = [hour(at('2026-11-21T03:00:00Z'), 9, 9, 1800), hour(at('2026-11-21T04:00:00Z'), 1, 1, 5400)]
    expect(busiestOf(hours)).toEqual({
      from: at('2026-11-21T04:00:00Z'),
      to: at('2026-11-21T05:00:00Z'),
      concurrent: 1.5,
    })
    expect(busiestOf([hour(at('2026-11-21T03:00:00Z'), 3)])).toBeUndefined()
  })
})
