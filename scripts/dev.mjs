import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './tools/install.mjs'
import { nodeComplaint } from './tools/node-version.mjs'
import { at, root } from './tools/paths.mjs'
import { giveUp, orGiveUp } from './tools/run.mjs'

const complaint = nodeComplaint(process.versions.node)
if (complaint) giveUp(complaint)
process.chdir(root)
await orGiveUp(ensureInstalled)

const apiPort = Number(process.env.PORT ?? process.env.HTTP_PORT ?? 3000)
const consolePort = Number(process.env.CONSOLE_PORT ?? 5173)
const server = spawn(
  process.execPath,
  [at('node_modules', 'tsx', 'dist', 'cli.mjs'), 'watch', '--clear-screen=false', at('server', 'src', 'main.ts')],
  {
    // A separate data folder, so that development never touches the data of `npm start`.
    env: { ...process.env, PORT: String(apiPort), DATA_DIR: process.env.DATA_DIR ?? at('data', 'dev') },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)

/** @type {typeof import('vite')} Resolved from the console, which depends on it. */
const vite = await import(pathToFileURL(createRequire(at('console', 'package.json')).resolve('vite')).href)
const target = `http://127.0.0.1:${apiPort}`
const pages = await vite.createServer({
  root: at('console'),
  clearScreen: false,
  server: {
    host: '127.0.0.1',
    port: consolePort,
    // The server's own routes; Vite serves the rest, the console, from its sources.
    proxy: Object.fromEntries(
      ['/v1', '/config.json', '/openapi.json', '/docs', '/healthz', '/health'].map((path) => [path, target]),
    ),
  },
})

// Vite would end this process on SIGTERM before the server has stopped.
process.removeAllListeners('SIGTERM')

let stopping = false
/** Stops both processes, because one without the other is useless. @param {number} code */
const stop = async (code) => {
  if (stopping) return
  stopping = true
  await pages.close().catch(() => {})
  if (server.exitCode === null && server.signalCode === null) {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await gone
  }
  process.exit(code)
}
server.on('exit', (code) => void stop(code ?? 1))
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

try {
  await pages.listen()
  console.log(
    `\nOpen ${pages.resolvedUrls?.local[0] ?? `http://127.0.0.1:${consolePort}/`} (console with hot reload; API on ${target}/v1)\n`,
  )
} catch (error) {
  console.error(`The development console could not start: ${error instanceof Error ? error.message : error}`)
  await stop(1)
}
