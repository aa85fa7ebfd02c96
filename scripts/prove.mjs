// `npm run prove`: builds the server and attacks it (prove/run.ts has the options).
import { spawnSync } from 'node:child_process'
import { root } from './tools/paths.mjs'
import { runOrExit } from './tools/run.mjs'

process.chdir(root)
const { ensureInstalled } = await import('./tools/install.mjs')
await runOrExit(ensureInstalled)
const { ensureBuilt } = await import('./tools/build.mjs')
await runOrExit(ensureBuilt)

const args = ['--import', 'tsx', 'prove/run.ts', ...process.argv.slice(2)]
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
