import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { waitUntilHealthy, findFreePort } from '../scripts/launch/server'
import { addSampleData } from './seed'
import { exitWithError, spawnServer, stopSignals, waitForExit } from './server-process'

/** `npm run demo`: starts a server with sample data, which the first run creates. */

const dataFolder = resolve(process.env.DATA_DIR || join('data', 'demo'))
/** Marks complete sample data, and holds the password. */
const markerFile = join(dataFolder, 'demo.json')
/** Holds the sample data until it is complete. A killed run leaves this folder behind; the next run deletes it. */
const incompleteFolder = join(dataFolder, 'demo-incomplete')

let isInterrupted = false

/** Fills the incomplete folder with a database and recordings. */
const createSampleData = async (password: string) => {
  const [port, hepPort] = [await findFreePort(), await findFreePort()]
  const initialPassword = randomBytes(12).toString('base64url')
  const server = spawnServer(
    incompleteFolder,
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
  /** Makes the pending requests fail. */
  const interrupt = () => {
    isInterrupted = true
    server.kill('SIGTERM')
  }
  for (const signal of stopSignals) process.on(signal, interrupt)
  try {
    const url = `http://127.0.0.1:${port}`
    await waitUntilHealthy(url, server, () => output)
    await addSampleData({ url, hepPort }, initialPassword, password, (text) => console.log(text))
  } finally {
    server.kill('SIGTERM')
    await exited
    for (const signal of stopSignals) process.off(signal, interrupt)
  }
}

/** Creates the sample data in an empty folder. */
const fillDataFolder = async () => {
  mkdirSync(dataFolder, { recursive: true })
  if (readdirSync(dataFolder).some((name) => name !== basename(incompleteFolder)))
    exitWithError(`${dataFolder} contains other files. Set DATA_DIR to an empty folder.`)
  rmSync(incompleteFolder, { recursive: true, force: true })
  mkdirSync(incompleteFolder)
  const password = `Demo-${randomBytes(6).toString('hex')}`
  try {
    await createSampleData(password)
    if (isInterrupted) throw new Error('The server was stopped.')
  } catch (error) {
    rmSync(incompleteFolder, { recursive: true, force: true })
    if (isInterrupted) exitWithError('Interrupted: no sample data was created.', 130)
    exitWithError(`The sample data could not be created: ${error instanceof Error ? error.message : String(error)}`)
  }
  for (const name of readdirSync(incompleteFolder)) renameSync(join(incompleteFolder, name), join(dataFolder, name))
  rmdirSync(incompleteFolder)
  writeFileSync(markerFile, JSON.stringify({ password }), { mode: 0o600 })
}

if (!existsSync(markerFile)) await fillDataFolder()
const { password } = JSON.parse(readFileSync(markerFile, 'utf8')) as { password: string }
const server = spawnServer(dataFolder, {}, 'inherit')
for (const signal of stopSignals) process.on(signal, () => server.kill(signal))
console.log(`\nThe sample data is in ${dataFolder}. Sign in as admin with the password ${password}`)
process.exitCode = await waitForExit(server)
