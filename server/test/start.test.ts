import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, connect, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sqlite } from '../src/db/sqlite-driver'
import { buildRequestHead } from './raw-request'
import { bundleServer, startProcess, killAllServers, createTemporaryFolder } from './process'

const { folder, remove } = createTemporaryFolder()
let otherServer: Server
beforeAll(async () => {
  await bundleServer()
  otherServer = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => otherServer.once('listening', resolve))
})
afterAll(async () => {
  killAllServers()
  await new Promise((resolve) => otherServer.close(resolve))
  remove()
})

let folderCount = 0
const newPath = () => join(folder, `data-${++folderCount}`)
const secrets = { JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'another' }

/** A file system without free space, if this machine permits mounting one. */
const mountSmallDisk = (): string | undefined => {
  const folder = newPath()
  mkdirSync(folder)
  try {
    execFileSync('sh', ['-c', `mount -t tmpfs -o size=64k tmpfs ${folder}`], { stdio: 'ignore' })
    return folder
  } catch {
    return undefined
  }
}

const startFailures: [string, () => Record<string, string>, RegExp][] = [
  ['an invalid setting', () => ({ JWT_EXPIRES_IN: 'soon' }), /JWT_EXPIRES_IN must be a whole number\./],
  [
    'a port in use',
    () => ({ PORT: String((otherServer.address() as AddressInfo).port) }),
    /127\.0\.0\.1:\d+ is in use by another program\. Stop it, or choose another PORT\.\n.*sign in as admin with the password \S{20,}\n$/,
  ],
  [
    'a capture port in use',
    () => ({ HEP_PORT: String((otherServer.address() as AddressInfo).port) }),
    /HEP_PORT \d+ at HEP_HOST 127\.0\.0\.1 cannot be used \(EADDRINUSE\)\. Choose another one\./,
  ],
  [
    'an address of another machine',
    () => ({ HOST: '192.0.2.1' }),
    /HOST 192\.0\.2\.1 is not an address of this machine\./,
  ],
  [
    'a file at the path of the data folder',
    () => {
      const file = newPath()
      writeFileSync(file, '')
      return { DATA_DIR: file }
    },
    /DATA_DIR \S+ cannot be used \(ENOTDIR\)\. Make it writable, or choose another folder\./,
  ],
  [
    'a data folder that cannot be created',
    () => ({ DATA_DIR: '/proc/trunkline/data' }),
    /DATA_DIR \/proc\S+ cannot be used \(\w+\)\. Make it writable/,
  ],
  [
    'a database file that cannot be created',
    () => ({ DATABASE_URL: '/proc/trunkline.sqlite' }),
    /The database \/proc\/trunkline\.sqlite cannot be written: .*make its folder writable, or choose another with DATA_DIR or DATABASE_URL\./,
  ],
  [
    'a file that is not a database',
    () => {
      const file = newPath()
      writeFileSync(file, 'This is not a database. '.repeat(200))
      return { DATABASE_URL: file }
    },
    /is not a SQLite database, or is damaged\. Restore it from a backup, or set DATABASE_URL to another one\./,
  ],
  [
    'a MySQL server that does not respond',
    () => ({ DATABASE_URL: 'mysql://root:hidden@127.0.0.1:1/trunkline' }),
    /The database mysql:\/\/root:\*\*\*@127\.0\.0\.1:1\/trunkline cannot be used: .*ECONNREFUSED.*\. Check DATABASE_URL, and that the database server is running\./,
  ],
  [
    'a host name with several addresses and no MySQL server',
    () => ({ DATABASE_URL: 'mysql://root:hidden@localhost:1/trunkline' }),
    /cannot be used: .*ECONNREFUSED.* Check DATABASE_URL/,
  ],
  [
    'an unknown host of the MySQL server',
    () => ({ DATABASE_URL: 'mysql://root:hidden@no.such.host.invalid:3306/trunkline' }),
    /The database mysql:\/\/root:\*\*\*@no\.such\.host\.invalid:3306\/trunkline cannot be used: .*getaddrinfo .* Check DATABASE_URL/,
  ],
  [
    'a missing certificate file',
    () => ({ DATABASE_URL: 'mysql://u@127.0.0.1:1/x', DATABASE_CA_FILE: '/none.pem' }),
    /DATABASE_CA_FILE \/none\.pem cannot be read \(ENOENT\)\./,
  ],
]
const mysqlUrl = process.env.TEST_MYSQL_URL
if (mysqlUrl)
  startFailures.push([
    'a MySQL database that does not exist',
    () => ({ DATABASE_URL: new URL('/trunkline_no_such_database', mysqlUrl).href }),
    /cannot be used: .*Unknown database.* Check DATABASE_URL/,
  ])

// Several processes run at the same time, and the machine may be busy.
const slowTests = { timeout: 120_000 }

describe('a start fails with an explanation', slowTests, () => {
  it.concurrent.each(startFailures)('for %s', async (_, environment, message) => {
    const process = startProcess({ DATA_DIR: newPath(), ...secrets, ...environment() })
    expect(await process.exitStatus).toBe(1)
    expect(process.stderr()).toMatch(/^Trunkline could not start\. /)
    expect(process.stderr()).toMatch(message)
    expect(process.stderr()).not.toMatch(/hidden|\n\s+at /)
    expect(process.stdout()).not.toContain('ready')
  })

  it('for a database of another program, and leaves no file beside it', async () => {
    const foreignFolder = newPath()
    mkdirSync(foreignFolder)
    const database = new Sqlite(join(foreignFolder, 'recipes.sqlite'))
    database.exec('create table recipes (name text); create table guests (name text)')
    database.close()
    const DATABASE_URL = `file:${join(foreignFolder, 'recipes.sqlite')}`
    const process = startProcess({ DATA_DIR: newPath(), DATABASE_URL, ...secrets })
    expect(await process.exitStatus).toBe(1)
    expect(process.stderr()).toMatch(
      /already contains tables of another program \(guests, recipes\)\. Use an empty database/,
    )
    expect(readdirSync(foreignFolder)).toEqual(['recipes.sqlite'])
  })

  it('for a full disk, and leaves no incomplete file', async ({ skip }) => {
    const disk = mountSmallDisk()
    if (!disk) return skip('a small file system cannot be mounted here')
    try {
      // The database cannot be created.
      const databaseProcess = startProcess({ DATA_DIR: disk, ...secrets })
      expect(await databaseProcess.exitStatus).toBe(1)
      expect(databaseProcess.stderr()).toMatch(/cannot be written: .*(full|I\/O).*Free some disk space/)
      execFileSync('sh', ['-c', `rm -f ${disk}/*; head -c 70000 /dev/zero > ${disk}/other-file || true`], {
        stdio: 'ignore',
      })
      // Not even the file with the secrets can be created.
      const secretsProcess = startProcess({ DATA_DIR: disk })
      expect(await secretsProcess.exitStatus).toBe(1)
      expect(secretsProcess.stderr()).toMatch(
        /DATA_DIR \S+ cannot be written \(ENOSPC\)\. Make it writable, free some disk space/,
      )
      expect(execFileSync('ls', [disk], { encoding: 'utf8' }).trim()).toBe('other-file')
    } finally {
      execFileSync('sh', ['-c', `umount -l ${disk}`])
    }
  })
})

describe('a running server', slowTests, () => {
  it.concurrent.each(['SIGTERM', 'SIGINT'] as const)(
    'stops cleanly on %s, despite open connections',
    async (signal) => {
      const process = startProcess({ DATA_DIR: newPath(), LOG_LEVEL: 'warn', ...secrets })
      const { hostname, port } = new URL(await process.ready)
      const idleSocket = connect(Number(port), hostname)
      await new Promise((resolve) => idleSocket.once('connect', resolve))
      process.kill(signal)
      expect(await process.exitStatus).toBe(0)
      expect(process.stderr()).toBe('')
      idleSocket.destroy()
    },
  )

  /** Starts a sign-in with an incomplete body, and stops the server once it has received the headers. */
  const stopDuringRequest = async (process: ReturnType<typeof startProcess>) => {
    const { hostname, port } = new URL(await process.ready)
    const socket = connect(Number(port), hostname)
    let response = ''
    socket.on('data', (chunk) => (response += String(chunk)))
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '39', Expect: '100-continue' }
    socket.write(buildRequestHead('POST', '/v1/login', headers))
    await expect.poll(() => response).toContain('100 Continue')
    process.kill('SIGTERM')
    // The port is closed as soon as the server starts to stop.
    await expect.poll(() => fetch(`http://${hostname}:${port}/healthz`).catch(() => 'closed')).toBe('closed')
    return { socket, closed, response: () => response }
  }

  it('accepts requests for SHUTDOWN_DELAY, but is not ready', async () => {
    const process = startProcess({ DATA_DIR: newPath(), LOG_LEVEL: 'warn', SHUTDOWN_DELAY: '3', ...secrets })
    const url = await process.ready
    process.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await process.exitStatus).toBe(0)
    expect(process.stderr()).toBe('')
  })

  it('completes running requests before it stops', async () => {
    const process = startProcess({ DATA_DIR: newPath(), LOG_LEVEL: 'warn', ...secrets })
    const { socket, closed, response } = await stopDuringRequest(process)
    socket.write('{"username":"admin","password":"wrong"}')
    await closed
    expect(response()).toContain('HTTP/1.1 403 Forbidden')
    expect(await process.exitStatus).toBe(0)
    expect(process.stderr()).toBe('')
  })

  it('aborts requests that take longer than SHUTDOWN_TIMEOUT, and reports it', async () => {
    const process = startProcess({ DATA_DIR: newPath(), LOG_LEVEL: 'warn', SHUTDOWN_TIMEOUT: '1', ...secrets })
    const { closed } = await stopDuringRequest(process)
    await closed
    expect(await process.exitStatus).toBe(0)
    expect(process.stderr()).toBe('Stopped with unfinished requests after SHUTDOWN_TIMEOUT (1 seconds)\n')
  })

  it('locks its data folder until it ends or is killed', async () => {
    const dataFolder = newPath()
    const settings = { DATA_DIR: dataFolder, LOG_LEVEL: 'silent', ...secrets }
    const firstProcess = startProcess(settings)
    await firstProcess.ready
    const secondProcess = startProcess({ ...settings, SHUTDOWN_TIMEOUT: '1' })
    expect(await secondProcess.exitStatus).toBe(1)
    expect(secondProcess.stderr()).toMatch(
      /^\S+ is used by another process\. Waiting up to 6 seconds for it to stop\.\nTrunkline could not start\. DATA_DIR \S+ is used by another Trunkline process\. Stop that process first, or give each process its own DATA_DIR\.\n$/,
    )
    firstProcess.kill('SIGKILL')
    await firstProcess.exitStatus
    const thirdProcess = startProcess(settings)
    await thirdProcess.ready
    const waitingProcess = startProcess(settings)
    thirdProcess.kill('SIGTERM')
    expect(await thirdProcess.exitStatus).toBe(0)
    await waitingProcess.ready
    waitingProcess.kill('SIGTERM')
    expect(await waitingProcess.exitStatus).toBe(0)
  })

  it('locks its SQLite file for processes with another data folder', async () => {
    const [firstFolder, secondFolder] = [newPath(), newPath()]
    const firstProcess = startProcess({ DATA_DIR: firstFolder, LOG_LEVEL: 'silent', ...secrets })
    await firstProcess.ready
    const DATABASE_URL = `file:${join(firstFolder, 'trunkline.sqlite')}`
    const otherSettings = {
      DATA_DIR: secondFolder,
      DATABASE_URL,
      LOG_LEVEL: 'silent',
      SHUTDOWN_TIMEOUT: '1',
      ...secrets,
    }
    const secondProcess = startProcess(otherSettings)
    expect(await secondProcess.exitStatus).toBe(1)
    expect(secondProcess.stderr()).toMatch(
      /^Trunkline could not start\. The database \S+trunkline\.sqlite is used by another Trunkline process\. Stop that process first, /m,
    )
    firstProcess.kill('SIGTERM')
    await firstProcess.exitStatus
    const thirdProcess = startProcess(otherSettings)
    await thirdProcess.ready
    thirdProcess.kill('SIGTERM')
    expect(await thirdProcess.exitStatus).toBe(0)
  })

  it('warns if a secret differs from the previous start on its database', async () => {
    const DATA_DIR = newPath()
    const readStartupOutput = async (changes: Record<string, string> = {}) => {
      const process = startProcess({ DATA_DIR, LOG_LEVEL: 'silent', ...secrets, ...changes })
      await process.ready
      process.kill('SIGTERM')
      await process.exitStatus
      return process.stdout()
    }
    const firstOutput = await readStartupOutput()
    const unchangedOutput = await readStartupOutput()
    for (const output of [firstOutput, unchangedOutput]) expect(output).not.toContain('has changed since')
    const output = await readStartupOutput({ JWT_SECRET: 'another secret of 30 letters' })
    expect(output).toContain(
      'Warning: JWT_SECRET has changed since the previous start on this database. If several servers share it, give all of them ' +
        'the same JWT_SECRET; otherwise a session of one server is refused by the others.\n',
    )
    expect(output).not.toContain('Warning: ENCRYPTION_SECRET has changed')
  })

  it('prints its URL, the name of the administrator and, at the first start, the password', async () => {
    const DATA_DIR = newPath()
    const firstProcess = startProcess({ DATA_DIR })
    const url = await firstProcess.ready
    const [, password] = /Sign in as admin with the password (\S+)\n/.exec(firstProcess.stdout())!
    const loginResponse = await fetch(`${url}/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
    expect({ status: loginResponse.status, ...((await loginResponse.json()) as object) }).toMatchObject({
      status: 200,
      scope: 'admin',
      force_change: true,
    })
    expect(
      firstProcess
        .stdout()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .join(''),
    ).not.toContain(password)
    firstProcess.kill('SIGTERM')
    expect(await firstProcess.exitStatus).toBe(0)
    const secondProcess = startProcess({ DATA_DIR })
    await secondProcess.ready
    expect(secondProcess.stdout()).toContain('Sign in as admin\n')
    secondProcess.kill('SIGTERM')
    await secondProcess.exitStatus
  })
})
