import { afterEach, describe, expect, it } from 'vitest'
import { serializeTimeRange, toTimeQuery } from '../../../lib/call-times'
import { createBars, findBusiestHour, createDayMarks, dayOf, isByHour, chartRange } from './overview-bars'

const at = (text: string) => new Date(text)
/** In the local time zone, whichever zone the test runs in. */
const local = (...parts: [number, number, number, number?]) => new Date(parts[0], parts[1] - 1, parts[2], parts[3] ?? 0)
const now = local(2026, 11, 21, 14).getTime() + 5 * 60_000
const hour = (start: Date, calls: number, answered = 0, seconds = 0) => ({
  start: start.toISOString(),
  calls,
  answered,
  seconds,
})

describe('the bars of the overview', () => {
  it('are hours of today up to now, including hours without calls', () => {
    const bars = createBars([hour(local(2026, 11, 21, 3), 4, 3), hour(local(2026, 11, 21, 14), 1)], chartRange('', now))
    expect(bars).toHaveLength(15)
    expect(bars[3]).toEqual({ from: local(2026, 11, 21, 3), to: local(2026, 11, 21, 4), calls: 4, answered: 3 })
    expect(bars[14]).toMatchObject({ calls: 1, to: local(2026, 11, 21, 15) })
    expect(bars[0]).toMatchObject({ calls: 0 })
  })

  it('are days for a week, the first of which may be partial', () => {
    const span = chartRange('7', now)
    const bars = createBars(
      [hour(local(2026, 11, 14, 14), 2), hour(local(2026, 11, 14, 20), 1), hour(local(2026, 11, 20, 23), 5)],
      span,
    )
    expect(isByHour(span)).toBe(false)
    expect(bars).toHaveLength(8)
    expect(bars[0]).toEqual({ from: span.from, to: local(2026, 11, 15), calls: 3, answered: 0 })
    expect(bars[6]).toEqual({ from: local(2026, 11, 20), to: local(2026, 11, 21), calls: 5, answered: 0 })
  })

  it.each([
    ['7', ['Sat 14', 'Sun 15', 'Mon 16', 'Tue 17', 'Wed 18', 'Thu 19', 'Fri 20', 'Sat 21']],
    ['14', ['Tue 10', 'Thu 12', 'Sat 14', 'Mon 16', 'Wed 18']],
    ['30', ['Thu 29', 'Tue 3', 'Sun 8', 'Fri 13']],
  ])('have day labels for the last %s days', (date, labels) => {
    const bars = createBars([], chartRange(date, now))
    const marks = createDayMarks(bars)
    expect(marks.map(({ text }) => text)).toEqual(labels)
    for (const { at: place, text } of marks) {
      const bar = bars[Math.floor(place * bars.length)]
      expect(text.endsWith(` ${bar && dayOf(bar).getDate()}`)).toBe(true)
    }
  })

  it('have no labels between the ends for several months', () => {
    const span = { from: local(2026, 5, 1), to: local(2026, 11, 1), isOpenEnded: false }
    expect(createDayMarks(createBars([], span))).toEqual([])
  })

  it('are hours for a single day', () => {
    const bars = createBars(
      [],
      chartRange(`${local(2026, 11, 20).toISOString()}/${local(2026, 11, 21).toISOString()}`, now),
    )
    expect(bars).toHaveLength(24)
    expect(createBars([], chartRange('yesterday', now))).toEqual(bars)
  })

  it('are limited in number, even for absurd dates', () => {
    const late = hour(at('2248-01-01T00:00:00Z'), 1)
    expect(createBars([late], chartRange('', now)).length).toBeLessThan(50)
    expect(createBars([late], chartRange('1970-01-01T00:00:00Z/2300-01-01T00:00:00Z', now)).length).toBeLessThan(405)
  })

  it('busiestOf returns the hour with the most concurrent calls', () => {
    const hours = [hour(at('2026-11-21T03:00:00Z'), 9, 9, 1800), hour(at('2026-11-21T04:00:00Z'), 1, 1, 5400)]
    const span = chartRange('2026-11-21T03:00:00Z/2026-11-21T05:00:00Z', now)
    expect(findBusiestHour(hours, span)).toEqual({
      from: at('2026-11-21T04:00:00Z'),
      to: at('2026-11-21T05:00:00Z'),
      concurrent: 1.5,
    })
    expect(findBusiestHour([hour(at('2026-11-21T03:00:00Z'), 3)], span)).toBeUndefined()
  })
})

describe('a bar links to the calls that it counts', () => {
  const zone = process.env.TZ
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  const long = 3_600_000
  const moments = [
    '2026-11-21T14:05:00Z',
    '2026-11-21T18:40:00Z',
    // in these time zones, DST changed the night before
    '2026-03-08T15:00:00Z',
    '2026-03-29T10:20:00Z',
    '2026-04-05T02:10:00Z',
    '2026-10-04T05:10:00Z',
    '2026-10-25T12:20:00Z',
    '2026-11-01T15:00:00Z',
  ]
  /** Time zones, with their offset in minutes in January as `getTimezoneOffset` returns it. */
  const zones: [string, number][] = [
    ['UTC', 0],
    ['Asia/Kolkata', -330],
    ['Asia/Kathmandu', -345],
    ['Australia/Adelaide', -630],
    ['Australia/Lord_Howe', -660],
    ['Europe/Berlin', -60],
    ['America/New_York', 300],
  ]

  it.each(zones)('in %s, each bar of a week is a different day', (name) => {
    process.env.TZ = name
    // at any time of day
    for (let minutes = 0; minutes < 24 * 60; minutes += 10) {
      const moment = Date.parse('2026-11-20T00:05:00Z') + minutes * 60_000
      const bars = createBars([], chartRange('7', moment))
      expect(bars.every(({ from, to }) => from < to)).toBe(true)
      const days = bars.map((bar) => dayOf(bar).toDateString())
      expect(new Set(days).size).toBe(days.length)
    }
  })

  it.each(zones)('in %s, each bar links to as many calls as it counts', (name, behind) => {
    process.env.TZ = name
    expect(at('2026-01-15T00:00:00Z').getTimezoneOffset() + 0).toBe(behind)
    for (const moment of moments.map((text) => Date.parse(text)))
      for (const date of ['', 'yesterday', '7', '30', '2026-11-19T18:30:00Z/2026-11-20T18:30:00Z']) {
        const calls = Array.from({ length: 9000 }, (_, back) => moment - back * 7 * 60_000)
        const listed = (given: string) => {
          const { days, start, end } = toTimeQuery(given, new Date(moment))
          const from = days ? moment - days * 24 * long : Date.parse(start ?? '')
          const to = end ? Date.parse(end) : Infinity
          return calls.filter((call) => call >= from && call <= to)
        }
        const counted = new Map<number, number>()
        for (const call of listed(date).toReversed()) {
          const whole = Math.floor(call / long)
          counted.set(whole, (counted.get(whole) ?? 0) + 1)
        }
        const hours = [...counted].map(([whole, many]) => hour(new Date(whole * long), many, 0, many))
        const span = chartRange(date, moment)
        const bars = createBars(hours, span)
        expect(bars.map((bar) => listed(serializeTimeRange(bar)).length)).toEqual(bars.map((bar) => bar.calls))
        expect(bars.reduce((sum, bar) => sum + bar.calls, 0)).toBe(listed(date).length)
        const busiest = findBusiestHour(hours, span)
        expect(busiest && listed(serializeTimeRange(busiest)).length).toBe(
          busiest && Math.round(busiest.concurrent * 3600),
        )
      }
  })
})
