import { expect, it } from 'vitest'
import { limitConcurrency } from './limit-concurrency'

it('runs at most two tasks at a time, in order, and continues after a failure', async () => {
  const twoAtATime = limitConcurrency(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const run = (name: number) =>
    twoAtATime(
      () =>
        new Promise<number>((done, fail) => {
          begun.push(name)
          ends[name] = () => (name === 1 ? fail(new Error('no')) : done(name))
        }),
    )
  const all = [0, 1, 2, 3].map(run)
  const settled = Promise.allSettled(all)
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  ends[1]!()
  await all[1]!.catch(() => undefined)
  expect(begun).toEqual([0, 1, 2])
  ends[0]!()
  await all[0]
  expect(begun).toEqual([0, 1, 2, 3])
  ends[2]!()
  ends[3]!()
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  // nothing is queued, so the task runs at once
  void run(4)
  expect(begun).toEqual([0, 1, 2, 3, 4])
})
