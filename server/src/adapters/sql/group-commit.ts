import type { Kept, Point } from '../../ports/call-history'
import { Unavailable } from '../../ports/unavailable'

interface Batch {
  kept: Kept
  points: readonly Point[]
}

interface Waiting extends Batch {
  done: () => void
  failed: (error: unknown) => void
}

/** Points of one transaction, and points that may wait for one. */
const atOnce = 1000
const mostWaiting = 100_000

/**
 * Commits together what came while the commit before was under way: each caller is told when its own points are on the
 * disk, and the disk is waited for once for all of them.
 */
export const together = (commit: (batch: Batch[]) => Promise<void>) => {
  const queue: Waiting[] = []
  let waiting = 0
  let running = false

  const next = (): Waiting[] => {
    let points = 0
    const batch: Waiting[] = []
    while (queue[0] && (points === 0 || points + queue[0].points.length <= atOnce)) {
      points += queue[0].points.length
      batch.push(queue.shift()!)
    }
    waiting -= points
    return batch
  }

  const alone = (each: Waiting) => commit([each]).then(each.done, each.failed)

  const run = async () => {
    running = true
    while (queue.length > 0) {
      const batch = next()
      try {
        await commit(batch)
        for (const { done } of batch) done()
      } catch (error) {
        // what one of them has wrong must not be the others' failure; a disk that is full is everybody's
        if (batch.length === 1 || error instanceof Unavailable) for (const { failed } of batch) failed(error)
        else for (const each of batch) await alone(each)
      }
    }
    running = false
  }

  return (kept: Kept, points: readonly Point[]): Promise<void> => {
    if (points.length === 0) return Promise.resolve()
    if (waiting + points.length > mostWaiting && waiting > 0)
      return Promise.reject(new Unavailable('More is being written than the disk takes. Send it again later.'))
    return new Promise((done, failed) => {
      queue.push({ kept, points, done, failed })
      waiting += points.length
      // after whatever else has arrived by now
      if (!running) setImmediate(() => (running ? undefined : void run()))
    })
  }
}
