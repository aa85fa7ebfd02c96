import { UnavailableError } from '../../ports/service-errors'

interface GroupCommitOptions<Item> {
  /** Stores items in one transaction. */
  commit: (items: Item[]) => Promise<void>
  /** Returns the size of an item, in the unit of the limits below. */
  sizeOf: (item: Item) => number
  /** Total size of the items of one transaction. A larger item is committed alone. */
  maxBatchSize: number
  /** Total size of the items that wait. If exceeded, writes are rejected as UnavailableError. */
  maxQueueSize: number
  overloadMessage: string
}

interface QueuedItem<Item> {
  item: Item
  size: number
  resolve: () => void
  reject: (error: unknown) => void
}

/** A queue of items that are committed in groups. */
interface GroupCommit<Item> {
  /** Resolves when the item is durable. */
  write: (item: Item) => Promise<void>
  /** The total size of the items that wait. */
  getQueueSize: () => number
}

/**
 * Creates a group commit: items that arrive during a commit share the next transaction, so all of them wait for the disk only once.
 */
export const createGroupCommit = <Item>(options: GroupCommitOptions<Item>): GroupCommit<Item> => {
  const { commit, sizeOf, maxBatchSize, maxQueueSize, overloadMessage } = options
  const queue: QueuedItem<Item>[] = []
  let queueSize = 0
  let isRunning = false

  const takeBatch = (): QueuedItem<Item>[] => {
    let batchSize = 0
    const batch: QueuedItem<Item>[] = []
    while (queue[0] && (batch.length === 0 || batchSize + queue[0].size <= maxBatchSize)) {
      batchSize += queue[0].size
      batch.push(queue.shift()!)
    }
    queueSize -= batchSize
    return batch
  }

  const commitAlone = ({ item, resolve, reject }: QueuedItem<Item>) => commit([item]).then(resolve, reject)

  const run = async () => {
    isRunning = true
    while (queue.length > 0) {
      const batch = takeBatch()
      try {
        await commit(batch.map(({ item }) => item))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        // An invalid item must not fail the others of its batch; a full disk or a lost connection affects all of them.
        if (batch.length === 1 || error instanceof UnavailableError) for (const { reject } of batch) reject(error)
        else for (const queued of batch) await commitAlone(queued)
      }
    }
    isRunning = false
  }

  const write = (item: Item): Promise<void> => {
    const size = sizeOf(item)
    if (queueSize + size > maxQueueSize && queueSize > 0) return Promise.reject(new UnavailableError(overloadMessage))
    return new Promise((resolve, reject) => {
      queue.push({ item, size, resolve, reject })
      queueSize += size
      // Other items that arrive in this turn of the event loop join the batch.
      if (!isRunning) setImmediate(() => (isRunning ? undefined : void run()))
    })
  }

  return { write, getQueueSize: () => queueSize }
}
