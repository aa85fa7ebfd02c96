// `npm run demo`: builds the product and starts it with a sample provider and its calls (demo/run.ts has the options).
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { prepareBuild } from './tools/prepare.mjs'

// DATA_DIR is relative to the operator's current folder.
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR)
await prepareBuild()

const child = spawn(process.execPath, ['--import', 'tsx', 'demo/run.ts'], { stdio: 'inherit' })
// The server handles signals. This process waits for its exit.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)))
child.on('exit', (code) => process.exit(code ?? 1))
