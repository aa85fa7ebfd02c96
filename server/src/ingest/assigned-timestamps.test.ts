import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Point } from '../ports/call-history'
import { ingestPoints } from './ingest-points'

const hour = 3_600_000
const account_sid = '11111111-1111-4111-8111-111111111111'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Ingests an alert without a time. Returns the assigned time in milliseconds since 1970, or the rejection. */
const timeOfAlert = async () => {
  const points: Point[] = []
  const history = { write: async (_: unknown, subset: readonly Point[]) => void points.push(...subset) }
  const pointLines = [{ line: 1, measurement: 'alerts', point: { tags: { account_sid }, fields: { message: 'x' } } }]
  const errors = await ingestPoints(history as never, 'alerts', { all: true }, pointLines, async () => undefined)
  return errors[0]?.reason ?? Number(points[0]!.time / 1_000_000n)
}

it.each([5, 72])(
  'stamps records with the current time after a clock that was %d hours ahead was set right',
  async (hours) => {
    const now = Date.parse('2026-05-05T12:00:00Z')
    vi.setSystemTime(now + hours * hour)
    expect(await timeOfAlert()).toBe(now + hours * hour)
    vi.setSystemTime(now)
    expect(await timeOfAlert()).toBe(now)
  },
)

it('assigns unique times to records that arrive together', async () => {
  vi.setSystemTime(Date.parse('2026-05-05T12:00:00Z'))
  const count = new Set<bigint>()
  const history = {
    write: async (_: unknown, points: readonly Point[]) => points.forEach(({ time }) => count.add(time)),
  }
  const pointLines = Array.from({ length: 5000 }, (_, index) => ({
    line: index,
    measurement: 'alerts',
    point: { tags: { account_sid }, fields: { message: 'x' } },
  }))
  await ingestPoints(history as never, 'alerts', { all: true }, pointLines, async () => undefined)
  expect(count.size).toBe(5000)
})
