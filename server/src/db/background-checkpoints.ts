import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'

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

/**
 * Moves checkpoints of a SQLite file to a worker thread while background work writes many pages. A checkpoint waits for the
 * disk for 30 to 150 ms, and in the main thread it would block every request.
 */
export const createBackgroundCheckpoints = (database: Sqlite.Database) => {
  let worker: Worker | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let pendingResolves: (() => void)[] = []

  const setCheckpointPages = (pages: number) => {
    if (database.open) database.pragma(`wal_autocheckpoint = ${pages}`)
  }

  const startWorker = (): Worker => {
    const newWorker = new Worker(workerSource, {
      eval: true,
      workerData: { driver: createRequire(import.meta.url).resolve('better-sqlite3'), path: database.name },
    })
    const handleExit = () => {
      if (worker === newWorker) worker = undefined
      clearTimeout(idleTimer)
      setCheckpointPages(defaultCheckpointPages)
      for (const resolve of pendingResolves) resolve()
      pendingResolves = []
    }
    newWorker.on('message', () => pendingResolves.shift()?.())
    // A failed checkpoint loses nothing: the frames stay in the WAL, and later commits checkpoint in the main thread again.
    newWorker.on('error', handleExit)
    newWorker.on('exit', handleExit)
    newWorker.unref()
    setCheckpointPages(fallbackCheckpointPages)
    return newWorker
  }

  const close = async (): Promise<void> => {
    const closingWorker = worker
    worker = undefined
    if (!closingWorker) return
    const exitPromise = new Promise((resolve) => closingWorker.once('exit', resolve))
    closingWorker.ref()
    closingWorker.postMessage('close')
    await exitPromise
  }

  return {
    /** Copies the WAL into the database file. Resolves when done, and also when it fails. */
    checkpoint: async (): Promise<void> => {
      if (!database.open) return
      worker ??= startWorker()
      const usedWorker = worker
      clearTimeout(idleTimer)
      await new Promise<void>((resolve) => {
        pendingResolves.push(resolve)
        usedWorker.postMessage('checkpoint')
      })
      clearTimeout(idleTimer)
      idleTimer = setTimeout(() => void close(), workerIdleMs).unref()
    },
    close,
  }
}
