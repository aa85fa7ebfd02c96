import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitUntilHealthy, freePort } from '../scripts/launch/server'
import { addSampleData } from './seed'

/** `npm run demo`: starts a platform with sample data, which is created on the first run. */

const bundle = fileURLToPath(new URL('../server/dist/main.js', import.meta.url))
const folder = resolve(process.env.DATA_DIR || join('data', 'demo'))
/** Marks complete sample data, and holds the password. */
const markerFile = join(folder, 'demo.json')

const exitWithError = (text: string): never => {
  console.error(text)
  process.exit(1)
}

const start = (settings: Record<string, string>, stdio: 'inherit' | 'pipe') =>
  spawn(process.execPath, ['--enable-source-maps', bundle], {
    // always the database in this folder, so that sample data never enters the operator's database
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '', ...settings },
    stdio: ['ignore', stdio, stdio],
  })

const waitForExit = (child: ChildProcess) =>
  new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1)))

const createSampleData = async (password: string) => {
  const [port, hep] = [await freePort(), await freePort()]
  const initialPassword = randomBytes(12).toString('base64url')
  const server = start(
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      HEP_PORT: String(hep),
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
    await addSampleData({ url, hepPort: hep }, initialPassword, password, (text) => console.log(text))
  } finally {
    server.kill('SIGTERM')
    await exited
  }
}

if (existsSync(join(folder, 'trunkline.sqlite')) && !existsSync(markerFile))
  exitWithError(`${folder} already holds a platform. Set DATA_DIR to an empty folder, or delete this one.`)
if (!existsSync(markerFile)) {
  const password = `Demo-${randomBytes(6).toString('hex')}`
  mkdirSync(folder, { recursive: true })
  try {
    await createSampleData(password)
    writeFileSync(markerFile, JSON.stringify({ password }), { mode: 0o600 })
  } catch (error) {
    // a platform with incomplete data would look complete
    rmSync(folder, { recursive: true, force: true })
    exitWithError(`The sample data could not be created: ${error instanceof Error ? error.message : String(error)}`)
  }
}
const { password } = JSON.parse(readFileSync(markerFile, 'utf8')) as { password: string }
const server = start({}, 'inherit')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
console.log(`\nThe demonstration is in ${folder}. Sign in as admin with the password ${password}`)
process.exitCode = await waitForExit(server)
