import { afterEach, describe, expect, it } from 'vitest'
import { serializeTimeRange, toTimeQuery } from '../../lib/call-times'
import {
  createBars,
  findBusiestHour,
  createDayMarks,
  createHourMarks,
  dateOfBar,
  isByHour,
  getChartRange,
} from './overview-bars'

const toDate = (text: string) => new Date(text)
/** In the local time zone, whichever zone the test runs in. */
const localDate = (...parts: [number, number, number, number?]) =>
  new Date(parts[0], parts[1] - 1, parts[2], parts[3] ?? 0)
const now = localDate(2026, 11, 21, 14).getTime() + 5 * 60_000
const createHour = (start: Date, calls: number, answered = 0, seconds = 0) => ({
  start: start.toISOString(),
  calls,
  answered,
  seconds,
})

describe('the hours below the bars of the overview', () => {
  const getTexts = (hour: number) =>
    createHourMarks(createBars([], getChartRange('', localDate(2026, 11, 21, hour).getTime() + 1))).map(
      ({ text }) => text,
    )

  it('leave space for the labels at both ends', () => {
    // 20 bars end at 20:00, whose label would touch that of 18:00
    expect(getTexts(19)).toEqual(['06:00', '09:00', '12:00', '15:00'])
    expect(getTexts(23)).toEqual(['06:00', '09:00', '12:00', '15:00', '18:00'])
  })
})

describe('the bars of the overview', () => {
  it('are hours of today up to now, including hours without calls', () => {
    const bars = createBars(
      [createHour(localDate(2026, 11, 21, 3), 4, 3), createHour(localDate(2026, 11, 21, 14), 1)],
      getChartRange('', now),
    )
    expect(bars).toHaveLength(15)
    expect(bars[3]).toEqual({ from: localDate(2026, 11, 21, 3), to: localDate(2026, 11, 21, 4), calls: 4, answered: 3 })
    expect(bars[14]).toMatchObject({ calls: 1, to: localDate(2026, 11, 21, 15) })
    expect(bars[0]).toMatchObject({ calls: 0 })
  })

  it('are days for a week, the first of which may be partial', () => {
    const range = getChartRange('7', now)
    const bars = createBars(
      [
        createHour(localDate(2026, 11, 14, 14), 2),
        createHour(localDate(2026, 11, 14, 20), 1),
        createHour(localDate(2026, 11, 20, 23), 5),
      ],
      range,
    )
    expect(isByHour(range)).toBe(false)
    expect(bars).toHaveLength(8)
    expect(bars[0]).toEqual({ from: range.from, to: localDate(2026, 11, 15), calls: 3, answered: 0 })
    expect(bars[6]).toEqual({ from: localDate(2026, 11, 20), to: localDate(2026, 11, 21), calls: 5, answered: 0 })
  })

  it.each([
    ['7', ['Sat 14', 'Sun 15', 'Mon 16', 'Tue 17', 'Wed 18', 'Thu 19', 'Fri 20', 'Sat 21']],
    ['14', ['Tue 10', 'Thu 12', 'Sat 14', 'Mon 16', 'Wed 18']],
    ['30', ['Thu 29', 'Tue 3', 'Sun 8', 'Fri 13']],
  ])('have day labels for the last %s days', (date, labels) => {
    const bars = createBars([], getChartRange(date, now))
    const marks = createDayMarks(bars)
    expect(marks.map(({ text }) => text)).toEqual(labels)
    for (const { positionFraction, text } of marks) {
      const bar = bars[Math.floor(positionFraction * bars.length)]
      expect(text.endsWith(` ${bar && dateOfBar(bar).getDate()}`)).toBe(true)
    }
  })

  it('have no labels between the ends for several months', () => {
    const range = { from: localDate(2026, 5, 1), to: localDate(2026, 11, 1), isOpenEnded: false }
    expect(createDayMarks(createBars([], range))).toEqual([])
  })

  it('are hours for a single day', () => {
    const bars = createBars(
      [],
      getChartRange(`${localDate(2026, 11, 20).toISOString()}/${localDate(2026, 11, 21).toISOString()}`, now),
    )
    expect(bars).toHaveLength(24)
    expect(createBars([], getChartRange('yesterday', now))).toEqual(bars)
  })

  it('are limited in number, even for absurd dates', () => {
    const futureHour = createHour(toDate('2248-01-01T00:00:00Z'), 1)
    expect(createBars([futureHour], getChartRange('', now)).length).toBeLessThan(50)
    expect(
      createBars([futureHour], getChartRange('1970-01-01T00:00:00Z/2300-01-01T00:00:00Z', now)).length,
    ).toBeLessThan(405)
  })

  it('findBusiestHour returns the hour with the most concurrent calls', () => {
    const hours = [
      createHour(toDate('2026-11-21T03:00:00Z'), 9, 9, 1800),
      createHour(toDate('2026-11-21T04:00:00Z'), 1, 1, 5400),
    ]
    const range = getChartRange('2026-11-21T03:00:00Z/2026-11-21T05:00:00Z', now)
    expect(findBusiestHour(hours, range)).toEqual({
      from: toDate('2026-11-21T04:00:00Z'),
      to: toDate('2026-11-21T05:00:00Z'),
      averageConcurrentCalls: 1.5,
    })
    expect(findBusiestHour([createHour(toDate('2026-11-21T03:00:00Z'), 3)], range)).toBeUndefined()
  })
})

describe('a bar links to the calls that it counts', () => {
  const originalZone = process.env.TZ
  afterEach(() => {
    if (originalZone === undefined) delete process.env.TZ
    else process.env.TZ = originalZone
  })

  const hourMs = 3_600_000
  const timestamps = [
    '2026-11-21T14:05:00Z',
    '2026-11-21T18:40:00Z',
    // the day after a change of daylight saving time in one of the time zones below
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
      const nowMs = Date.parse('2026-11-20T00:05:00Z') + minutes * 60_000
      const bars = createBars([], getChartRange('7', nowMs))
      expect(bars.every(({ from, to }) => from < to)).toBe(true)
      const days = bars.map((bar) => dateOfBar(bar).toDateString())
      expect(new Set(days).size).toBe(days.length)
    }
  })

  it.each(zones)('in %s, each bar links to as many calls as it counts', (name, offsetMinutes) => {
    process.env.TZ = name
    expect(toDate('2026-01-15T00:00:00Z').getTimezoneOffset() + 0).toBe(offsetMinutes)
    for (const nowMs of timestamps.map((text) => Date.parse(text)))
      for (const date of ['', 'yesterday', '7', '30', '2026-11-19T18:30:00Z/2026-11-20T18:30:00Z']) {
        const calls = Array.from({ length: 9000 }, (_, index) => nowMs - index * 7 * 60_000)
        const listCalls = (dateFilter: string) => {
          const { days, start, end } = toTimeQuery(dateFilter, new Date(nowMs))
          const from = days ? nowMs - days * 24 * hourMs : Date.parse(start ?? '')
          const to = end ? Date.parse(end) : Infinity
          return calls.filter((call) => call >= from && call <= to)
        }
        const countsByHour = new Map<number, number>()
        for (const call of listCalls(date).toReversed()) {
          const hourIndex = Math.floor(call / hourMs)
          countsByHour.set(hourIndex, (countsByHour.get(hourIndex) ?? 0) + 1)
        }
        const hours = [...countsByHour].map(([hourIndex, count]) =>
          createHour(new Date(hourIndex * hourMs), count, 0, count),
        )
        const range = getChartRange(date, nowMs)
        const bars = createBars(hours, range)
        expect(bars.map((bar) => listCalls(serializeTimeRange(bar)).length)).toEqual(bars.map((bar) => bar.calls))
        expect(bars.reduce((sum, bar) => sum + bar.calls, 0)).toBe(listCalls(date).length)
        const busiest = findBusiestHour(hours, range)
        expect(busiest && listCalls(serializeTimeRange(busiest)).length).toBe(
          busiest && Math.round(busiest.averageConcurrentCalls * 3600),
        )
      }
  })
})
