import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, connect, type AddressInfo, type Server as Listener } from 'node:net'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestHead } from './raw-request'
import { bundled, start, stopAll, temporary } from './process'

const { folder, remove } = temporary()
let other: Listener
beforeAll(async () => {
  await bundled()
  other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
})
afterAll(async () => {
  stopAll()
  await new Promise((resolve) => other.close(resolve))
  remove()
})

let serial = 0
const fresh = () => join(folder, `data-${++serial}`)
const secrets = { JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'another' }

/** A file system without free space, if this machine permits mounting one. */
const fullDisk = (): string | undefined => {
  const setup = fresh()
  mkdirSync(setup)
  try {
    execFileSync('sh', ['-c', `mount -t tmpfs -o size=64k tmpfs ${setup}`], { stdio: 'ignore' })
    return setup
  } catch {
    return undefined
  }
}

const failures: [string, () => Record<string, string>, RegExp][] = [
  ['a setting that cannot be', () => ({ JWT_EXPIRES_IN: 'soon' }), /JWT_EXPIRES_IN must be a whole number\./],
  [
    'a taken port',
    () => ({ PORT: String((other.address() as AddressInfo).port) }),
    /127\.0\.0\.1:\d+ is in use by another program\. Stop it, or choose another PORT\.\n.*sign in as admin with the password \S{20,}\n$/,
  ],
  [
    'a taken port for captures',
    () => ({ HEP_PORT: String((other.address() as AddressInfo).port) }),
    /HEP_PORT \d+ at HEP_HOST 127\.0\.0\.1 cannot be used \(EADDRINUSE\)\. Choose another one\./,
  ],
  [
    'an address that is not ours',
    () => ({ HOST: '192.0.2.1' }),
    /HOST 192\.0\.2\.1 is not an address of this machine\./,
  ],
  [
    'a file in place of the data folder',
    () => {
      const file = fresh()
      writeFileSync(file, '')
      return { DATA_DIR: file }
    },
    /DATA_DIR \S+ cannot be used \(ENOTDIR\)\. Make it writable, or choose another folder\./,
  ],
  [
    'a data folder that cannot be made',
    () => ({ DATA_DIR: '/proc/trunkline/data' }),
    /DATA_DIR \/proc\S+ cannot be used \(\w+\)\. Make it writable/,
  ],
  [
    'a database file that cannot be made',
    () => ({ DATABASE_URL: '/proc/trunkline.sqlite' }),
    /The database \/proc\/trunkline\.sqlite cannot be written: .*make its folder writable, or choose another with DATA_DIR or DATABASE_URL\./,
  ],
  [
    'a file that is no database',
    () => {
      const file = fresh()
      writeFileSync(file, 'This is a letter to grandmother. '.repeat(200))
      return { DATABASE_URL: file }
    },
    /is not a SQLite database, or is damaged\. Restore it from a backup, or set DATABASE_URL to another one\./,
  ],
  [
    'a database of something else',
    () => {
      const file = fresh()
      const database = new Sqlite(file)
      database.exec('create table recipes (name text); create table guests (name text)')
      database.close()
      return { DATABASE_URL: `file:${file}` }
    },
    /already contains tables of another program \(guests, recipes\)\. Use an empty database/,
  ],
  [
    'a MySQL server that does not answer',
    () => ({ DATABASE_URL: 'mysql://root:hidden@127.0.0.1:1/trunkline' }),
    /The database mysql:\/\/root:\*\*\*@127\.0\.0\.1:1\/trunkline cannot be used: .*ECONNREFUSED.*\. Check DATABASE_URL, and that the database server is running\./,
  ],
  [
    'a MySQL server of a name with several addresses',
    () => ({ DATABASE_URL: 'mysql://root:hidden@localhost:1/trunkline' }),
    /cannot be used: .*ECONNREFUSED.* Check DATABASE_URL/,
  ],
  [
    'a certificate that is not there',
    () => ({ DATABASE_URL: 'mysql://u@127.0.0.1:1/x', DATABASE_CA_FILE: '/none.pem' }),
    /DATABASE_CA_FILE \/none\.pem cannot be read \(ENOENT\)\./,
  ],
]
const server = process.env.TEST_MYSQL_URL
if (server)
  failures.push([
    'a MySQL database that does not exist',
    () => ({ DATABASE_URL: new URL('/trunkline_no_such_database', server).href }),
    /cannot be used: .*Unknown database.* Check DATABASE_URL/,
  ])

// Several processes run at the same time, and the machine may be busy.
const patient = { timeout: 120_000 }

describe('a start fails with an explanation', patient, () => {
  it.concurrent.each(failures)('for %s', async (_, environment, sentence) => {
    const stopped = start({ DATA_DIR: fresh(), ...secrets, ...environment() })
    expect(await stopped.ended).toBe(1)
    expect(stopped.stderr()).toMatch(/^Trunkline could not start\. /)
    expect(stopped.stderr()).toMatch(sentence)
    expect(stopped.stderr()).not.toMatch(/hidden|\n\s+at /)
    expect(stopped.stdout()).not.toContain('ready')
  })

  it('for a full disk, and leaves no incomplete file', async ({ skip }) => {
    const setup = fullDisk()
    if (!setup) return skip('a small file system cannot be mounted here')
    try {
      const database = start({ DATA_DIR: setup, ...secrets })
      expect(await database.ended).toBe(1)
      expect(database.stderr()).toMatch(/cannot be written: .*(full|I\/O).*Free some disk space/)
      execFileSync('sh', ['-c', `rm -f ${setup}/*; head -c 70000 /dev/zero > ${setup}/filling || true`], {
        stdio: 'ignore',
      })
      const secret = start({ DATA_DIR: setup })
      expect(await secret.ended).toBe(1)
      expect(secret.stderr()).toMatch(
        /DATA_DIR \S+ cannot be written \(ENOSPC\)\. Make it writable, free some disk space/,
      )
      expect(execFileSync('ls', [setup], { encoding: 'utf8' }).trim()).toBe('filling')
    } finally {
      execFileSync('sh', ['-c', `umount -l ${setup}`])
    }
  })
})

describe('a running server', patient, () => {
  it.concurrent.each(['SIGTERM', 'SIGINT'] as const)(
    'stops cleanly on %s, despite open connections',
    async (signal) => {
      const running = start({ DATA_DIR: fresh(), LOG_LEVEL: 'warn', ...secrets })
      const { hostname, port } = new URL(await running.ready)
      const idle = connect(Number(port), hostname)
      await new Promise((resolve) => idle.once('connect', resolve))
      running.kill(signal)
      expect(await running.ended).toBe(0)
      expect(running.stderr()).toBe('')
      idle.destroy()
    },
  )

  /** Starts a sign-in with an incomplete body, and stops the server once it has received the headers. */
  const stopDuringRequest = async (running: ReturnType<typeof start>) => {
    const { hostname, port } = new URL(await running.ready)
    const socket = connect(Number(port), hostname)
    let response = ''
    socket.on('data', (chunk) => (response += String(chunk)))
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '39', Expect: '100-continue' }
    socket.write(requestHead('POST', '/v1/login', headers))
    await expect.poll(() => response).toContain('100 Continue')
    running.kill('SIGTERM')
    // The port is closed as soon as the server starts to stop.
    await expect.poll(() => fetch(`http://${hostname}:${port}/healthz`).catch(() => 'closed')).toBe('closed')
    return { socket, closed, answer: () => response }
  }

  it('completes running requests before it stops', async () => {
    const running = start({ DATA_DIR: fresh(), LOG_LEVEL: 'warn', ...secrets })
    const { socket, closed, answer: response } = await stopDuringRequest(running)
    socket.write('{"username":"admin","password":"wrong"}')
    await closed
    expect(response()).toContain('HTTP/1.1 403 Forbidden')
    expect(await running.ended).toBe(0)
    expect(running.stderr()).toBe('')
  })

  it('aborts requests that take longer than SHUTDOWN_TIMEOUT, and reports it', async () => {
    const running = start({ DATA_DIR: fresh(), LOG_LEVEL: 'warn', SHUTDOWN_TIMEOUT: '1', ...secrets })
    const { closed } = await stopDuringRequest(running)
    await closed
    expect(await running.ended).toBe(0)
    expect(running.stderr()).toBe('Stopped with unfinished requests after SHUTDOWN_TIMEOUT (1 seconds)\n')
  })

  it('locks its data folder until it ends or is killed', async () => {
    const DATA_DIR = fresh()
    const settings = { DATA_DIR, LOG_LEVEL: 'silent', ...secrets }
    const first = start(settings)
    await first.ready
    const refused = start({ ...settings, SHUTDOWN_TIMEOUT: '1' })
    expect(await refused.ended).toBe(1)
    expect(refused.stderr()).toMatch(
      /^\S+ is used by another process\. Waiting up to 6 seconds for it to stop\.\nTrunkline could not start\. DATA_DIR \S+ is used by another Trunkline process\. Stop that process first, or give each process its own DATA_DIR\.\n$/,
    )
    first.kill('SIGKILL')
    await first.ended
    const next = start(settings)
    await next.ready
    const following = start(settings)
    next.kill('SIGTERM')
    expect(await next.ended).toBe(0)
    await following.ready
    following.kill('SIGTERM')
    expect(await following.ended).toBe(0)
  })

  it('locks its SQLite file for processes with another data folder', async () => {
    const [one, other] = [fresh(), fresh()]
    const first = start({ DATA_DIR: one, LOG_LEVEL: 'silent', ...secrets })
    await first.ready
    const DATABASE_URL = `file:${join(one, 'trunkline.sqlite')}`
    const second = { DATA_DIR: other, DATABASE_URL, LOG_LEVEL: 'silent', SHUTDOWN_TIMEOUT: '1', ...secrets }
    const refused = start(second)
    expect(await refused.ended).toBe(1)
    expect(refused.stderr()).toMatch(
      /^Trunkline could not start\. The database \S+trunkline\.sqlite is used by another Trunkline process\. Stop that process first, /m,
    )
    first.kill('SIGTERM')
    await first.ended
    const next = start(second)
    await next.ready
    next.kill('SIGTERM')
    expect(await next.ended).toBe(0)
  })

  it('warns if a secret differs from the previous start on its database', async () => {
    const DATA_DIR = fresh()
    const outputOf = async (changes: Record<string, string> = {}) => {
      const server = start({ DATA_DIR, LOG_LEVEL: 'silent', ...secrets, ...changes })
      await server.ready
      server.kill('SIGTERM')
      await server.ended
      return server.stdout()
    }
    for (const changes of [{}, {}]) expect(await outputOf(changes)).not.toContain('the last start')
    const out = await outputOf({ JWT_SECRET: 'another secret of 30 letters' })
    expect(out).toContain(
      'Warning: JWT_SECRET has changed since the previous start on this database. If several servers share it, give all of them ' +
        'the same JWT_SECRET; otherwise a session of one server is refused by the others.\n',
    )
    expect(out).not.toContain('Warning: ENCRYPTION_SECRET is not')
  })

  it('prints its URL, the administrator and, once, the password', async () => {
    const DATA_DIR = fresh()
    const first = start({ DATA_DIR })
    const address = await first.ready
    const [, password] = /Sign in as admin with the password (\S+)\n/.exec(first.stdout())!
    const login = await fetch(`${address}/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
    expect({ status: login.status, ...((await login.json()) as object) }).toMatchObject({
      status: 200,
      scope: 'admin',
      force_change: true,
    })
    expect(
      first
        .stdout()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .join(''),
    ).not.toContain(password)
    first.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const second = start({ DATA_DIR })
    await second.ready
    expect(second.stdout()).toContain('Sign in as admin\n')
    second.kill('SIGTERM')
    await second.ended
  })
})
