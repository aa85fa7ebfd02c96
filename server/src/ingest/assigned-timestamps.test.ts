import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Point } from '../ports/call-history'
import { ingestPoints } from './ingest-points'

const hourMs = 3_600_000
const account_sid = '11111111-1111-4111-8111-111111111111'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Ingests an alert without a time. Returns the assigned time in milliseconds since 1970, or the rejection. */
const ingestAlert = async () => {
  const points: Point[] = []
  const history = {
    writePoints: async (_: unknown, writtenPoints: readonly Point[]) => void points.push(...writtenPoints),
  }
  const pointLines = [{ line: 1, measurement: 'alerts', point: { tags: { account_sid }, fields: { message: 'x' } } }]
  const { errors } = await ingestPoints(history as never, 'alerts', { all: true }, pointLines, async () => undefined)
  return errors[0]?.reason ?? Number(points[0]!.timeNs / 1_000_000n)
}

it.each([5, 72])('assigns the current time after a clock that was %d hours ahead is corrected', async (hours) => {
  const now = Date.parse('2026-05-05T12:00:00Z')
  vi.setSystemTime(now + hours * hourMs)
  expect(await ingestAlert()).toBe(now + hours * hourMs)
  vi.setSystemTime(now)
  expect(await ingestAlert()).toBe(now)
})

it('assigns unique times to records that arrive together', async () => {
  vi.setSystemTime(Date.parse('2026-05-05T12:00:00Z'))
  const assignedTimes = new Set<bigint>()
  const history = {
    writePoints: async (_: unknown, points: readonly Point[]) =>
      points.forEach(({ timeNs }) => assignedTimes.add(timeNs)),
  }
  const pointLines = Array.from({ length: 5000 }, (_, index) => ({
    line: index,
    measurement: 'alerts',
    point: { tags: { account_sid }, fields: { message: 'x' } },
  }))
  await ingestPoints(history as never, 'alerts', { all: true }, pointLines, async () => undefined)
  expect(assignedTimes.size).toBe(5000)
})
