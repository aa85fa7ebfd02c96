import { expect, it } from 'vitest'
import type { CapturedMessage, CaptureStore } from '../ports/captures'
import { createCaptureQueue } from './capture-queue'

const log = { warn: () => undefined, error: () => undefined }

it('reports the bytes that wait and the packets that were dropped', async () => {
  let complete = () => undefined as void
  const store = { storeMessages: () => new Promise<void>((resolve) => (complete = resolve)) }
  const drops: [string, number][] = []
  const queue = createCaptureQueue(store as unknown as CaptureStore, log, (...drop) => void drops.push(drop))
  expect(queue.getQueueSize()).toBe(0)
  // Larger than the queue, so the next message does not fit.
  queue.enqueue({ payload: Buffer.alloc(33 * 1024 * 1024) } as unknown as CapturedMessage)
  expect(queue.getQueueSize()).toBeGreaterThan(33 * 1024 * 1024)
  queue.enqueue({ payload: Buffer.alloc(1) } as unknown as CapturedMessage)
  queue.countDropped('notHep')
  expect(drops).toEqual([
    ['notStored', 1],
    ['notHep', 1],
  ])
  await new Promise((resolve) => setTimeout(resolve, 50))
  complete()
  await queue.close()
  expect(queue.getQueueSize()).toBe(0)
})
