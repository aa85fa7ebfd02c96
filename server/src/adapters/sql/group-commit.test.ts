import { expect, it } from 'vitest'
import { createGroupCommit } from './group-commit'

it('reports the size of the items that wait', async () => {
  let complete = () => undefined as void
  const { write, getQueueSize } = createGroupCommit({
    commit: () => new Promise<void>((resolve) => (complete = resolve)),
    sizeOf: (size: number) => size,
    maxBatchSize: 10,
    maxQueueSize: 100,
    overloadMessage: 'too much',
  })
  const writes = [write(10), write(5), write(3)]
  expect(getQueueSize()).toBe(18)
  await new Promise((resolve) => setImmediate(resolve))
  // The first batch is being committed.
  expect(getQueueSize()).toBe(8)
  complete()
  await writes[0]
  await expect.poll(getQueueSize).toBe(0)
  complete()
  await Promise.all(writes)
})
