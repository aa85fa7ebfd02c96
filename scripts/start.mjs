import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeComplaint } from './tools/node-version.mjs'
import { at, root } from './tools/paths.mjs'
import { giveUp, orGiveUp, signalRunning } from './tools/run.mjs'

// Only Node's built-in modules up to here and below, because a fresh clone has no dependencies yet.

const complaint = nodeComplaint(process.versions.node)
if (complaint) giveUp(complaint)

// Resolve the operator's path against the folder where it was typed; everything else is relative to the project.
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR)
process.chdir(root)

/** Handles a signal before the server runs. @param {NodeJS.Signals} signal */
const interrupted = (signal) => {
  signalRunning(signal)
  process.exit(130)
}
process.on('SIGINT', interrupted)
process.on('SIGTERM', interrupted)

const { ensureInstalled } = await import('./tools/install.mjs')
const { ensureBuilt } = await import('./tools/build.mjs')
await orGiveUp(ensureInstalled)
await orGiveUp(ensureBuilt)

// From here on the server handles signals. Under npm, Ctrl C arrives twice, from the terminal and from npm: the second
// signal must not interrupt the clean shutdown that the first one started. A signal more than a second later is
// intended.
let first = 0
/** @param {NodeJS.Signals} signal */
const insisting = (signal) => {
  first ||= Date.now()
  if (Date.now() - first > 1000) process.exit(signal === 'SIGINT' ? 130 : 143)
}
process.on('SIGINT', insisting)
process.on('SIGTERM', insisting)
process.off('SIGINT', interrupted)
process.off('SIGTERM', interrupted)
process.setSourceMapsEnabled(true)
await import(pathToFileURL(at('server', 'dist', 'main.js')).href)
