import { describe, expect, it } from 'vitest'
import { runConcurrently } from './run-concurrently'

describe('runConcurrently', () => {
  it('processes all items, four at a time', async () => {
    const finishedItems: number[] = []
    let runningCount = 0
    let maxRunningCount = 0
    await runConcurrently([...Array(11).keys()], async (item) => {
      maxRunningCount = Math.max(maxRunningCount, (runningCount += 1))
      await Promise.resolve()
      runningCount -= 1
      finishedItems.push(item)
    })
    expect(finishedItems.toSorted((a, b) => a - b)).toEqual([...Array(11).keys()])
    expect(maxRunningCount).toBe(4)
  })

  it('processes the remaining items before it throws the error of one', async () => {
    const finishedItems: number[] = []
    const run = async (item: number) => {
      if (item === 1) throw new Error('no')
      finishedItems.push(item)
    }
    await expect(runConcurrently([0, 1, 2], run)).rejects.toThrow('no')
    expect(finishedItems).toEqual([0, 2])
  })
})
