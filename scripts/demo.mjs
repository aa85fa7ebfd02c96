import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { root } from './tools/paths.mjs'
import { runOrExit } from './tools/run.mjs'

// DATA_DIR is relative to the operator's current folder.
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR)
process.chdir(root)
const { ensureInstalled } = await import('./tools/install.mjs')
await runOrExit(ensureInstalled)
const { ensureBuilt } = await import('./tools/build.mjs')
await runOrExit(ensureBuilt)

const child = spawn(process.execPath, ['--import', 'tsx', 'demo/run.ts'], { stdio: 'inherit' })
// the platform handles signals; this process waits for its exit
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)))
child.on('exit', (code) => process.exit(code ?? 1))
