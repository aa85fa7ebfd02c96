import { clean, ensureBuilt } from './tools/build.mjs'
import { ensureInstalled } from './tools/install.mjs'
import { orGiveUp } from './tools/run.mjs'

if (process.argv.includes('--clean')) clean()
await orGiveUp(ensureInstalled)
await orGiveUp(() => ensureBuilt({ force: true }))
