import { describe, expect, it } from 'vitest'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import type { TimeRange } from '../../lib/call-times'
import { createHourPoints } from './calls-panel'

const createOverview = (...hours: [start: Date, calls: number][]): CallOverview => ({
  calls: 0,
  answered: 0,
  duration: null,
  post_dial_delay: null,
  hours: hours.map(([start, calls]) => ({ start: start.toISOString(), calls, answered: 0, seconds: 0 })),
  failures: [],
})
const startOfToday = new Date(2026, 10, 23)
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute)

describe('the hours of the chart', () => {
  const opened: TimeRange[] = []
  const points = createHourPoints(
    {
      // the clock of the voice server is wrong for the last one
      today: createOverview([at(23, 9), 5], [at(23, 14), 1], [at(24, 2), 7]),
      now: at(23, 14, 2),
      dayLastWeek: createOverview([at(16, 9), 4], [at(16, 20), 1]),
      startOfToday,
    },
    (range) => opened.push(range),
  )

  it('are those of one day, side by side', () => {
    expect(points).toHaveLength(24)
    expect(points[0]?.span.from).toBe(0)
    expect(points[23]?.span.to).toBe(1)
  })

  it('have no value while they run and before they start', () => {
    expect(points[9]).toMatchObject({ value: 5, comparedValue: 4, description: '09:00: 5 calls, 4 calls a week ago' })
    expect(points[14]).toMatchObject({ value: undefined, description: '14:00: 1 call so far, 0 calls a week ago' })
    expect(points[20]).toMatchObject({ value: undefined, description: '20:00: 1 call a week ago' })
  })

  it('open their calls; an hour that has not started, those of a week ago', () => {
    points[9]?.onPress()
    points[20]?.onPress()
    expect(opened).toMatchObject([
      { from: at(23, 9), to: at(23, 10) },
      { from: at(16, 20), to: at(16, 21) },
    ])
  })
})
