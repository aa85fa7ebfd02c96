import { describe, expect, it } from 'vitest'
import { QueueFullError, workQueue } from './work-queue'

/** A task that the test completes. */
const task = () => {
  let end = (_: string) => {}
  let fail = (_: Error) => {}
  let started = false
  const done = new Promise<string>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  const run = () => {
    started = true
    return done
  }
  return { run, end: (result: string) => end(result), fail: () => fail(new Error('failed')), started: () => started }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a work queue', () => {
  it('runs the permitted number of tasks at a time, and the others in the order of submission', async () => {
    const queue = workQueue({ concurrency: 2, maxWaiting: 10 })
    const tasks = Array.from({ length: 4 }, task)
    const results = tasks.map(({ run }) => queue(run))
    await settled()
    expect(tasks.map(({ started }) => started())).toEqual([true, true, false, false])
    tasks[1]!.end('second')
    await settled()
    expect(tasks.map(({ started }) => started())).toEqual([true, true, true, false])
    for (const [index, item] of tasks.entries()) item.end(String(index))
    expect(await Promise.all(results)).toEqual(['0', 'second', '2', '3'])
  })

  it('refuses a task when the queue is full, and accepts one again once a slot is free', async () => {
    const queue = workQueue({ concurrency: 1, maxWaiting: 1 })
    const [first, second, third] = [task(), task(), task()]
    const running = [queue(first.run), queue(second.run)]
    await expect(queue(third.run)).rejects.toBeInstanceOf(QueueFullError)
    expect(third.started()).toBe(false)
    first.end('')
    second.end('')
    await Promise.all(running)
    third.end('now')
    expect(await queue(third.run)).toBe('now')
  })

  it('continues after a failed task', async () => {
    const queue = workQueue({ concurrency: 1, maxWaiting: 1 })
    const [first, second] = [task(), task()]
    const failing = queue(first.run)
    const following = queue(second.run)
    first.fail()
    second.end('fine')
    await expect(failing).rejects.toThrow('failed')
    expect(await following).toBe('fine')
  })
})
