// `npm run dev`: runs the server and the console from their sources and reloads them after each change.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { projectPath } from './tools/paths.mjs'
import { prepare } from './tools/prepare.mjs'

await prepare()

const apiPort = Number(process.env.PORT ?? process.env.HTTP_PORT ?? 3000)
const consolePort = Number(process.env.CONSOLE_PORT ?? 5173)
const server = spawn(
  process.execPath,
  [
    projectPath('node_modules', 'tsx', 'dist', 'cli.mjs'),
    'watch',
    '--clear-screen=false',
    projectPath('server', 'src', 'main.ts'),
  ],
  {
    // A separate data folder, so that development never touches the data of `npm start`.
    env: { ...process.env, PORT: String(apiPort), DATA_DIR: process.env.DATA_DIR ?? projectPath('data', 'dev') },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)

/** @type {typeof import('vite')} Resolved from the console, which depends on it. */
const vite = await import(pathToFileURL(createRequire(projectPath('console', 'package.json')).resolve('vite')).href)
const target = `http://127.0.0.1:${apiPort}`
const consoleServer = await vite.createServer({
  root: projectPath('console'),
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

let isStopping = false
/** Stops both processes, because neither works alone. @param {number} code */
const stop = async (code) => {
  if (isStopping) return
  isStopping = true
  await consoleServer.close().catch(() => {})
  if (server.exitCode === null && server.signalCode === null) {
    const exited = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await exited
  }
  process.exit(code)
}
server.on('exit', (code) => void stop(code ?? 1))
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

try {
  await consoleServer.listen()
  console.log(
    `\nOpen ${consoleServer.resolvedUrls?.local[0] ?? `http://127.0.0.1:${consolePort}/`} (console with hot reload; API on ${target}/v1)\n`,
  )
} catch (error) {
  console.error(`The development console could not start: ${error instanceof Error ? error.message : error}`)
  await stop(1)
}
