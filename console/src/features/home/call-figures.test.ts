import { describe, expect, it } from 'vitest'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { compareAnsweredShares, compareCallCounts, compareDelays } from './call-figures'

const createOverview = (calls: number, answered: number, delayMs: number | null = null): CallOverview => ({
  calls,
  answered,
  duration: null,
  post_dial_delay: null,
  post_dial_delay_percentile: delayMs,
  hours: [],
  failures: [],
})

describe('the figures of today', () => {
  const days = { today: createOverview(144, 110, 3100), lastWeek: createOverview(158, 127, 2600) }

  it('say how they differ from those of a week ago', () => {
    expect(compareCallCounts(days)).toEqual({ value: '144', change: '−9%', before: '158', isWorse: false })
    expect(compareAnsweredShares(days)).toEqual({
      value: '76.4%',
      change: '−4.0 points',
      before: '80.4%',
      isWorse: true,
    })
    expect(compareDelays(days)).toEqual({ value: '3.1 s', change: '+0.5 s', before: '2.6 s', isWorse: true })
  })

  it('are not worse because of a few calls or a small difference', () => {
    const fewCalls = { today: createOverview(4, 1, 9000), lastWeek: createOverview(5, 5, 1000) }
    expect(compareAnsweredShares(fewCalls).isWorse).toBe(false)
    expect(compareDelays(fewCalls).isWorse).toBe(false)
    const similar = { today: createOverview(100, 79, 2700), lastWeek: createOverview(100, 80, 2600) }
    expect(compareAnsweredShares(similar).isWorse).toBe(false)
    expect(compareDelays(similar).isWorse).toBe(false)
    const better = { today: createOverview(100, 90, 1000), lastWeek: createOverview(100, 80, 2600) }
    expect(compareAnsweredShares(better)).toMatchObject({ change: '+10.0 points', isWorse: false })
    expect(compareDelays(better)).toMatchObject({ change: '−1.6 s', isWorse: false })
  })

  it('are missing without calls, and have nothing to compare with after a day without calls', () => {
    const noCalls = createOverview(0, 0)
    const noneToday = { today: noCalls, lastWeek: days.lastWeek }
    expect(compareCallCounts(noneToday)).toMatchObject({ value: '0', change: '−100%' })
    expect(compareAnsweredShares(noneToday)).toMatchObject({ value: '–', change: undefined, before: '80.4%' })
    const noneBefore = { today: days.today, lastWeek: noCalls }
    for (const compare of [compareCallCounts, compareAnsweredShares, compareDelays])
      expect(compare(noneBefore)).toMatchObject({ change: undefined, before: undefined })
  })

  it('have no sign if they did not change', () => {
    expect(compareDelays({ today: createOverview(9, 9, 2640), lastWeek: createOverview(9, 9, 2600) }).change).toBe(
      '0.0 s',
    )
  })
})
