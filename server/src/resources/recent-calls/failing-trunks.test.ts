import { describe, expect, it } from 'vitest'
import type { TrunkCount } from '../../ports/call-history'
import { findFailingTrunks } from './failing-trunks'

const now = 495_000
/** Calls of one hour: how many were answered, and how many ended with each status. */
const hour = (
  hoursAgo: number,
  answered: number,
  failures: Record<number, number> = {},
  trunk = 'one',
): TrunkCount[] => [
  ...(answered > 0 ? [{ trunk, hour: now - hoursAgo, answered: true, sip_status: 200, callCount: answered }] : []),
  ...Object.entries(failures).map(([status, callCount]) => ({
    trunk,
    hour: now - hoursAgo,
    answered: false,
    sip_status: Number(status),
    callCount,
  })),
]

describe('a trunk fails', () => {
  it('if a fifth of its latest calls failed because of the carrier', () => {
    expect(findFailingTrunks([...hour(0, 1), ...hour(1, 7, { 503: 4 }), ...hour(2, 50, { 486: 9 })])).toEqual([
      { trunk: 'one', firstHour: now - 1, firstStatuses: [503], failedCallCount: 4 },
    ])
  })

  it('since the first of all hours that fail without a break, skipping hours without calls', () => {
    const counts = [...hour(0, 2, { 503: 8 }), ...hour(4, 4, { 403: 3, 503: 3 }), ...hour(5, 90, { 503: 2 })]
    expect(findFailingTrunks(counts)).toEqual([
      { trunk: 'one', firstHour: now - 4, firstStatuses: [403, 503], failedCallCount: 14 },
    ])
  })

  it('even if it has few calls', () => {
    expect(findFailingTrunks(hour(9, 0, { 408: 3 }))).toMatchObject([{ firstHour: now - 9 }])
  })

  it('not if the called numbers are busy, wrong or decline, however often', () => {
    expect(findFailingTrunks(hour(0, 1, { 404: 20, 486: 20, 487: 20, 603: 20, 0: 20 }))).toEqual([])
  })

  it('not because of two calls', () => {
    expect(findFailingTrunks(hour(0, 0, { 503: 2 }))).toEqual([])
  })

  it('no longer once its latest calls succeed', () => {
    expect(findFailingTrunks([...hour(0, 12), ...hour(1, 0, { 503: 40 })])).toEqual([])
  })

  it('apart from other trunks, the one with the most failures first', () => {
    const counts = [
      ...hour(0, 0, { 500: 5 }),
      ...hour(0, 40, {}, 'two'),
      ...hour(0, 0, { 599: 6 }, 'three'),
      ...hour(0, 0, { 600: 9 }, 'four'),
    ]
    expect(findFailingTrunks(counts).map(({ trunk }) => trunk)).toEqual(['three', 'one'])
  })
})
