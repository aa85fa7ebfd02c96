import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeComplaint } from './tools/node-version.mjs'
import { at, root } from './tools/paths.mjs'
import { giveUp, orGiveUp, signalRunning } from './tools/run.mjs'

// Only Node's own modules up to here and below: on a fresh clone there are no others yet.

const complaint = nodeComplaint(process.versions.node)
if (complaint) giveUp(complaint)

// A path given by the operator means what it meant where it was typed; everything else is seen from the project.
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR)
process.chdir(root)

/** What a signal means before there is a server. @param {NodeJS.Signals} signal */
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

// From here on the server decides what a signal means. Under npm, Ctrl C arrives twice, from the terminal and from npm: the
// second one must not cut off the clean stop that the first began. One that comes a second later is meant.
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
