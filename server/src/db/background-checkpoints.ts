import { Worker } from 'node:worker_threads'
import { sqliteDriverPath, type SqliteFile } from './sqlite-driver'

/** SQLite's default, in pages of 4 KiB: the commit that reaches it also copies the WAL into the database file. */
const defaultCheckpointPages = 1000
/** 64 MiB. Applies during background work, in case the worker falls behind. */
const fallbackCheckpointPages = 16_384
/** The worker ends after this time without checkpoints. */
const workerIdleMs = 5000

/** Runs in the worker thread, which cannot load TypeScript. */
const workerSource = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Sqlite = require(workerData.driver)
  const database = new Sqlite(workerData.path)
  database.pragma('synchronous = FULL')
  parentPort.on('message', (message) => {
    if (message === 'close') {
      database.close()
      parentPort.close()
      return
    }
    try {
      database.pragma('wal_checkpoint(PASSIVE)')
    } finally {
      parentPort.postMessage('done')
    }
  })
`

/** Starts a worker thread with its own connection to a SQLite file. */
const startCheckpointWorker = (path: string) => {
  const thread = new Worker(workerSource, {
    eval: true,
    workerData: { driver: sqliteDriverPath, path },
  })
  let pendingResolves: (() => void)[] = []
  const exited = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      for (const resolvePending of pendingResolves) resolvePending()
      pendingResolves = []
      resolve()
    })
  })
  thread.on('message', () => pendingResolves.shift()?.())
  // A failed checkpoint loses nothing: the frames stay in the WAL, and later commits checkpoint in the main thread again.
  // The thread exits after the error.
  thread.on('error', () => undefined)
  thread.unref()

  return {
    exited,
    isBusy: () => pendingResolves.length > 0,
    /** Resolves when the checkpoint is done, and also when it fails. */
    checkpoint: () =>
      new Promise<void>((resolve) => {
        pendingResolves.push(resolve)
        thread.postMessage('checkpoint')
      }),
    /** Ends the thread after its pending checkpoints. Resolves when the thread has closed the file. */
    close(): Promise<void> {
      thread.ref()
      thread.postMessage('close')
      return exited
    },
  }
}

/**
 * Moves checkpoints of a SQLite file to a worker thread while background work writes many pages. A checkpoint waits for the
 * disk for 30 to 150 ms, and in the main thread it would block every request.
 */
export const createBackgroundCheckpoints = (database: SqliteFile) => {
  type CheckpointWorker = ReturnType<typeof startCheckpointWorker>
  /** The worker for new checkpoints. */
  let worker: CheckpointWorker | undefined
  /** Also contains idle workers that are closing. */
  const runningWorkers = new Set<CheckpointWorker>()
  let idleTimer: NodeJS.Timeout | undefined
  let isClosed = false

  const setCheckpointPages = (pages: number) => {
    if (database.open) database.pragma(`wal_autocheckpoint = ${pages}`)
  }

  const retireWorker = (): void => {
    worker = undefined
    clearTimeout(idleTimer)
    setCheckpointPages(defaultCheckpointPages)
  }

  const startWorker = (): CheckpointWorker => {
    const newWorker = startCheckpointWorker(database.name)
    runningWorkers.add(newWorker)
    void newWorker.exited.then(() => {
      runningWorkers.delete(newWorker)
      if (worker === newWorker) retireWorker()
    })
    setCheckpointPages(fallbackCheckpointPages)
    return newWorker
  }

  return {
    /** Copies the WAL into the database file. Resolves when done, and also when it fails. */
    checkpointWal: async (): Promise<void> => {
      if (isClosed || !database.open) return
      worker ??= startWorker()
      const usedWorker = worker
      clearTimeout(idleTimer)
      await usedWorker.checkpoint()
      if (worker !== usedWorker || usedWorker.isBusy()) return
      idleTimer = setTimeout(() => {
        retireWorker()
        void usedWorker.close()
      }, workerIdleMs).unref()
    },

    /** Waits for the pending checkpoints, and ends the workers. Later calls of `checkpointWal` do nothing. */
    close: async (): Promise<void> => {
      isClosed = true
      retireWorker()
      await Promise.all([...runningWorkers].map((runningWorker) => runningWorker.close()))
    },
  }
}
