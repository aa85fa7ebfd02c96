import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bundle = fileURLToPath(new URL('../server/dist/main.js', import.meta.url))

export const stopSignals = ['SIGINT', 'SIGTERM'] as const

export const exitWithError = (text: string, code = 1): never => {
  console.error(text)
  process.exit(code)
}

/** Starts the built server with a data folder. */
export const spawnServer = (folder: string, settings: Record<string, string>, stdio: 'inherit' | 'pipe') =>
  spawn(process.execPath, [bundle], {
    // always the database in this folder, so that sample data never enters the operator's database
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '', ...settings },
    stdio: ['ignore', stdio, stdio],
  })

export const waitForExit = (child: ChildProcess) =>
  new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1)))
