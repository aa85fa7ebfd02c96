import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { awaitHealth, freePort } from '../scripts/launch/server'
import { fill } from './seed'

/** `npm run demo`: starts a platform with sample data, which is created on the first run. */

const bundle = fileURLToPath(new URL('../server/dist/main.js', import.meta.url))
const folder = resolve(process.env.DATA_DIR || join('data', 'demo'))
/** Marks the folder as completely filled, and holds the password. */
const note = join(folder, 'demo.json')

const giveUp = (text: string): never => {
  console.error(text)
  process.exit(1)
}

const start = (settings: Record<string, string>, stdio: 'inherit' | 'pipe') =>
  spawn(process.execPath, ['--enable-source-maps', bundle], {
    // always the folder's own database, so that sample data never ends up in a database that the operator has
    // configured
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '', ...settings },
    stdio: ['ignore', stdio, stdio],
  })

const ended = (child: ChildProcess) => new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1)))

const fillFolder = async (password: string) => {
  const [port, hep] = [await freePort(), await freePort()]
  const first = randomBytes(12).toString('base64url')
  const server = start(
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      HEP_PORT: String(hep),
      ENABLE_INGEST: 'true',
      DISABLE_RATE_LIMITS: 'true',
      INITIAL_ADMIN_PASSWORD: first,
      LOG_LEVEL: 'error',
    },
    'pipe',
  )
  let printed = ''
  server.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  server.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const gone = ended(server)
  try {
    const url = `http://127.0.0.1:${port}`
    await awaitHealth(url, server, () => printed)
    await fill({ url, hep }, first, password, (text) => console.log(text))
  } finally {
    server.kill('SIGTERM')
    await gone
  }
}

if (existsSync(join(folder, 'trunkline.sqlite')) && !existsSync(note))
  giveUp(`${folder} already holds a platform. Set DATA_DIR to an empty folder, or delete this one.`)
if (!existsSync(note)) {
  const password = `Demo-${randomBytes(6).toString('hex')}`
  mkdirSync(folder, { recursive: true })
  try {
    await fillFolder(password)
    writeFileSync(note, JSON.stringify({ password }), { mode: 0o600 })
  } catch (error) {
    // a partly filled platform would look like a real one
    rmSync(folder, { recursive: true, force: true })
    giveUp(`The demonstration could not be filled: ${error instanceof Error ? error.message : String(error)}`)
  }
}
const { password } = JSON.parse(readFileSync(note, 'utf8')) as { password: string }
const server = start({}, 'inherit')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
console.log(`\nThe demonstration is in ${folder}. Its administrator is admin, with the password ${password}`)
process.exitCode = await ended(server)
