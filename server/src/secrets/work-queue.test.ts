import { describe, expect, it } from 'vitest'
import { QueueFullError, createWorkQueue } from './work-queue'

/** A task that the test completes. */
const createTask = () => {
  let resolveTask = (_: string) => {}
  let rejectTask = (_: Error) => {}
  let hasStarted = false
  const promise = new Promise<string>((resolve, reject) => {
    resolveTask = resolve
    rejectTask = reject
  })
  const run = () => {
    hasStarted = true
    return promise
  }
  return {
    run,
    complete: (result: string) => resolveTask(result),
    reject: () => rejectTask(new Error('failed')),
    hasStarted: () => hasStarted,
  }
}

const settlePromises = () => new Promise((resolve) => setImmediate(resolve))

describe('a work queue', () => {
  it('runs the permitted number of tasks at a time, and the others in the order of submission', async () => {
    const queue = createWorkQueue({ concurrency: 2, maxWaiting: 10 })
    const tasks = Array.from({ length: 4 }, createTask)
    const results = tasks.map(({ run }) => queue(run))
    await settlePromises()
    expect(tasks.map(({ hasStarted: started }) => started())).toEqual([true, true, false, false])
    tasks[1]!.complete('second')
    await settlePromises()
    expect(tasks.map(({ hasStarted: started }) => started())).toEqual([true, true, true, false])
    for (const [index, task] of tasks.entries()) task.complete(String(index))
    expect(await Promise.all(results)).toEqual(['0', 'second', '2', '3'])
  })

  it('refuses a task when the queue is full, and accepts one again once a slot is free', async () => {
    const queue = createWorkQueue({ concurrency: 1, maxWaiting: 1 })
    const [first, second, third] = [createTask(), createTask(), createTask()]
    const running = [queue(first.run), queue(second.run)]
    expect(queue.countWaiting()).toBe(1)
    await expect(queue(third.run)).rejects.toBeInstanceOf(QueueFullError)
    expect(third.hasStarted()).toBe(false)
    first.complete('')
    second.complete('')
    await Promise.all(running)
    expect(queue.countWaiting()).toBe(0)
    third.complete('now')
    expect(await queue(third.run)).toBe('now')
  })

  it('continues after a failed task', async () => {
    const queue = createWorkQueue({ concurrency: 1, maxWaiting: 1 })
    const [first, second] = [createTask(), createTask()]
    const failing = queue(first.run)
    const following = queue(second.run)
    first.reject()
    second.complete('fine')
    await expect(failing).rejects.toThrow('failed')
    expect(await following).toBe('fine')
  })
})
