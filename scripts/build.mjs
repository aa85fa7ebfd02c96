import { clean, ensureBuilt } from './tools/build.mjs'
import { ensureInstalled } from './tools/install.mjs'
import { runOrExit } from './tools/run.mjs'

if (process.argv.includes('--clean')) clean()
await runOrExit(ensureInstalled)
await runOrExit(() => ensureBuilt({ force: true }))
