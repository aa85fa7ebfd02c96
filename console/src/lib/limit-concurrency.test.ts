import { expect, it } from 'vitest'
import { limitConcurrency } from './limit-concurrency'

it('runs at most two tasks at a time, in order, and continues after a failure', async () => {
  const runLimited = limitConcurrency(2)
  const startedTasks: number[] = []
  const finishTasks: (() => void)[] = []
  const run = (task: number) =>
    runLimited(
      () =>
        new Promise<number>((resolve, reject) => {
          startedTasks.push(task)
          finishTasks[task] = () => (task === 1 ? reject(new Error('no')) : resolve(task))
        }),
    )
  const results = [0, 1, 2, 3].map(run)
  const settled = Promise.allSettled(results)
  await Promise.resolve()
  expect(startedTasks).toEqual([0, 1])
  finishTasks[1]!()
  await results[1]!.catch(() => undefined)
  expect(startedTasks).toEqual([0, 1, 2])
  finishTasks[0]!()
  await results[0]
  expect(startedTasks).toEqual([0, 1, 2, 3])
  finishTasks[2]!()
  finishTasks[3]!()
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  // nothing is queued, so the task runs immediately
  void run(4)
  expect(startedTasks).toEqual([0, 1, 2, 3, 4])
})
