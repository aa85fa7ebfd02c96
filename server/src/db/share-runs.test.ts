import { expect, test } from 'vitest'
import { shareRuns } from './share-runs'

/** Runs that the test finishes by hand. */
const createManualRun = () => {
  const finishers: ((result: Promise<number>) => void)[] = []
  const call = shareRuns(() => new Promise<number>((resolve) => finishers.push(resolve)))
  const finish = async (run: number, result = Promise.resolve(run)) => {
    finishers[run]!(result)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { call, finish, countRuns: () => finishers.length }
}

test('runs once at a time, and gives every caller a run that started after its call', async () => {
  const { call, finish, countRuns } = createManualRun()
  const first = call()
  const [second, third] = [call(), call()]
  expect(countRuns()).toBe(1)
  await finish(0)
  expect(countRuns()).toBe(2)
  const fourth = call()
  expect(countRuns()).toBe(2)
  await finish(1)
  expect(countRuns()).toBe(3)
  await finish(2)
  expect(await Promise.all([first, second, third, fourth])).toEqual([0, 1, 1, 2])
})

test('passes an error only to the callers of that run', async () => {
  const { call, finish } = createManualRun()
  const first = expect(call()).rejects.toThrow('no connection')
  const second = call()
  await finish(0, Promise.reject(new Error('no connection')))
  await first
  await finish(1)
  expect(await second).toBe(1)
})
