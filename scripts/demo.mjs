// `npm run demo`: builds the product and starts it with a sample provider and its calls. With `-- --hosted`, starts the
// hosted edition with an account in each state of a plan.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { prepareBuild } from './tools/prepare.mjs'

// DATA_DIR is relative to the operator's current folder.
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR)
await prepareBuild()

const script = process.argv.includes('--hosted') ? 'demo/run-hosted.ts' : 'demo/run.ts'
const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: 'inherit' })
// The server handles signals. This process waits for its exit.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)))
child.on('exit', (code) => process.exit(code ?? 1))
