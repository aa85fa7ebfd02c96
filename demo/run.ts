import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitUntilHealthy, freePort } from '../scripts/launch/server'
import { addSampleData } from './seed'

/** `npm run demo`: starts a server with sample data, which the first run creates. */

const bundle = fileURLToPath(new URL('../server/dist/main.js', import.meta.url))
const dataFolder = resolve(process.env.DATA_DIR || join('data', 'demo'))
/** Marks complete sample data, and holds the password. */
const markerFile = join(dataFolder, 'demo.json')

const exitWithError = (text: string): never => {
  console.error(text)
  process.exit(1)
}

const spawnServer = (settings: Record<string, string>, stdio: 'inherit' | 'pipe') =>
  spawn(process.execPath, ['--enable-source-maps', bundle], {
    // always the database in this folder, so that sample data never enters the operator's database
    env: { ...process.env, DATA_DIR: dataFolder, DATABASE_URL: '', ...settings },
    stdio: ['ignore', stdio, stdio],
  })

const waitForExit = (child: ChildProcess) =>
  new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1)))

const createSampleData = async (password: string) => {
  const [port, hepPort] = [await freePort(), await freePort()]
  const initialPassword = randomBytes(12).toString('base64url')
  const server = spawnServer(
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      HEP_PORT: String(hepPort),
      ENABLE_INGEST: 'true',
      DISABLE_RATE_LIMITS: 'true',
      INITIAL_ADMIN_PASSWORD: initialPassword,
      LOG_LEVEL: 'error',
    },
    'pipe',
  )
  let output = ''
  server.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  server.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = waitForExit(server)
  try {
    const url = `http://127.0.0.1:${port}`
    await waitUntilHealthy(url, server, () => output)
    await addSampleData({ url, hepPort }, initialPassword, password, (text) => console.log(text))
  } finally {
    server.kill('SIGTERM')
    await exited
  }
}

if (existsSync(join(dataFolder, 'trunkline.sqlite')) && !existsSync(markerFile))
  exitWithError(`${dataFolder} already contains a database without sample data. Set DATA_DIR to an empty folder.`)
if (!existsSync(markerFile)) {
  const password = `Demo-${randomBytes(6).toString('hex')}`
  mkdirSync(dataFolder, { recursive: true })
  try {
    await createSampleData(password)
    writeFileSync(markerFile, JSON.stringify({ password }), { mode: 0o600 })
  } catch (error) {
    // deletes incomplete sample data, which the next run would take for another installation
    rmSync(dataFolder, { recursive: true, force: true })
    exitWithError(`The sample data could not be created: ${error instanceof Error ? error.message : String(error)}`)
  }
}
const { password } = JSON.parse(readFileSync(markerFile, 'utf8')) as { password: string }
const server = spawnServer({}, 'inherit')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
console.log(`\nThe sample data is in ${dataFolder}. Sign in as admin with the password ${password}`)
process.exitCode = await waitForExit(server)
