// `npm start`: installs and builds what is missing, and runs the server.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projectPath } from './tools/paths.mjs'
import { prepareBuild } from './tools/prepare.mjs'
import { forwardSignal } from './tools/run.mjs'

// DATA_DIR is relative to the operator's current folder; all other paths are relative to the project.
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR)

/** Handles a signal before the server runs. @param {NodeJS.Signals} signal */
const handleEarlySignal = (signal) => {
  forwardSignal(signal)
  process.exit(130)
}
process.on('SIGINT', handleEarlySignal)
process.on('SIGTERM', handleEarlySignal)

await prepareBuild()

// After this, the server handles signals. Under npm, Ctrl+C arrives twice, from the terminal and from npm: the second
// signal must not interrupt the graceful shutdown that the first one started. A signal more than a second later ends
// the process.
let firstSignalAt = 0
/** @param {NodeJS.Signals} signal */
const handleRepeatedSignal = (signal) => {
  firstSignalAt ||= Date.now()
  if (Date.now() - firstSignalAt > 1000) process.exit(signal === 'SIGINT' ? 130 : 143)
}
process.on('SIGINT', handleRepeatedSignal)
process.on('SIGTERM', handleRepeatedSignal)
process.off('SIGINT', handleEarlySignal)
process.off('SIGTERM', handleEarlySignal)
await import(pathToFileURL(projectPath('server', 'dist', 'main.js')).href)
