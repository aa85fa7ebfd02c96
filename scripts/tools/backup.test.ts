import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backUp, backUpInstallation, getDatabaseFile, getInstallation, restoreInstallation } from './backup.mjs'
import { projectPath } from './paths.mjs'
import { loadSqliteDriver, sqliteDriver } from './sqlite-driver.mjs'

const Database = loadSqliteDriver()

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-backup-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a backup', () => {
  it('contains the committed data of a running server in a compact file that only its owner can read', () => {
    const source = join(folder, 'trunkline.sqlite')
    const target = join(folder, 'backup.sqlite')
    const database = new Database(source)
    database.pragma('journal_mode = WAL')
    database.exec('create table calls (id integer, text text)')
    const insert = database.prepare('insert into calls values (?, ?)')
    for (let id = 0; id < 2000; id += 1) insert.run(id, 'x'.repeat(500))
    database.exec('delete from calls where id >= 10')
    database.exec('begin; insert into calls values (99, null)')
    database.exec('commit')
    backUp(source, target)
    insert.run(100, 'after the backup')
    database.close()
    const copy = new Database(target)
    expect(copy.prepare('select count(*) as number from calls').get()).toEqual({ number: 11 })
    copy.close()
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(statSync(target).size).toBeLessThan(statSync(source).size / 10)
  })

  it('does not overwrite a file, and requires a source', () => {
    const target = join(folder, 'backup.sqlite')
    writeFileSync(target, 'existing content')
    writeFileSync(join(folder, 'source'), '')
    expect(() => backUp(join(folder, 'source'), target)).toThrow('already exists')
    expect(() => backUp(join(folder, 'none'), join(folder, 'new'))).toThrow('does not exist')
  })

  it('leaves no file if the source is not a database', () => {
    writeFileSync(join(folder, 'text'), 'this is no database, and long enough to be read as one')
    expect(() => backUp(join(folder, 'text'), join(folder, 'new'))).toThrow('not a database')
    expect(() => statSync(join(folder, 'new'))).toThrow('ENOENT')
  })

  it.each([
    [{}, '/srv/data/trunkline.sqlite'],
    [{ DATA_DIR: 'other' }, '/srv/other/trunkline.sqlite'],
    [{ DATABASE_URL: 'file:my.sqlite', DATA_DIR: 'other' }, '/srv/my.sqlite'],
    [{ DATABASE_URL: 'file:///var/lib/my.sqlite' }, '/var/lib/my.sqlite'],
  ])('uses the database file of the settings %j', (environment, file) => {
    expect(getDatabaseFile(environment, '/srv')).toBe(file)
  })

  it.each([{ DATABASE_URL: 'mysql://root@localhost/x' }, { JAMBONES_MYSQL_HOST: 'localhost' }])(
    'refers MySQL users to mariadb-dump: %j',
    (environment) => {
      expect(() => getDatabaseFile(environment, '/srv')).toThrow('mariadb-dump --single-transaction')
    },
  )
})

/** Writes a row per transaction in another process, until it is killed. Prints each number after its commit. */
const writerScript = `
  const Database = require('${sqliteDriver}')
  const database = new Database(process.argv[1])
  database.pragma('journal_mode = WAL')
  database.exec('create table if not exists calls (id integer primary key, text text)')
  const insert = database.prepare('insert into calls (text) values (?)')
  const write = () => { console.log(insert.run('x'.repeat(2000)).lastInsertRowid); setImmediate(write) }
  write()`

describe('the backup of an installation', () => {
  const createInstallation = () => {
    const installation = getInstallation({ DATA_DIR: 'data' }, folder)
    const recordings = join(installation.dataDir, 'recordings', 'kept', 'acme')
    mkdirSync(recordings, { recursive: true })
    writeFileSync(join(recordings, 'call.wav'), 'sound')
    writeFileSync(join(installation.dataDir, 'encryption-secret'), 'first secret')
    return installation
  }
  const countCalls = (file: string) => {
    const database = new Database(file)
    try {
      return database.prepare('select count(*) from calls').pluck().get() as number
    } finally {
      database.close()
    }
  }

  it('is consistent while another process writes, and can be restored', async () => {
    const installation = createInstallation()
    const backup = join(folder, 'backup')
    const writer = spawn(process.execPath, ['-e', writerScript, installation.database], {
      cwd: projectPath('server'),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = new Promise((resolve) => writer.once('close', resolve))
    let committedCount = 0
    writer.stdout.on('data', (chunk) => (committedCount = Number(String(chunk).trim().split('\n').at(-1))))
    await expect.poll(() => committedCount, { timeout: 20_000 }).toBeGreaterThan(50)
    const countBefore = committedCount
    backUpInstallation(installation, backup)
    await expect.poll(() => committedCount, { timeout: 20_000 }).toBeGreaterThan(countBefore)
    writer.kill('SIGKILL')
    await exited
    const countAfter = countCalls(installation.database)
    expect(statSync(backup).mode & 0o777).toBe(0o700)
    expect(readdirSync(backup).sort()).toEqual(['encryption-secret', 'recordings', 'trunkline.sqlite'])

    writeFileSync(join(installation.dataDir, 'encryption-secret'), 'second secret')
    restoreInstallation(backup, installation, 'previous')
    const restoredCount = countCalls(installation.database)
    expect(restoredCount).toBeGreaterThanOrEqual(countBefore)
    expect(restoredCount).toBeLessThan(countAfter)
    const read = (...path: string[]) => readFileSync(join(installation.dataDir, ...path), 'utf8')
    expect(read('encryption-secret')).toBe('first secret')
    expect(read('recordings', 'kept', 'acme', 'call.wav')).toBe('sound')
    // Nothing is lost by a mistake.
    expect(countCalls(join(installation.dataDir, 'previous', 'trunkline.sqlite'))).toBe(countAfter)
    expect(read('previous', 'encryption-secret')).toBe('second secret')
  }, 60_000)

  it('is refused if the target exists, and leaves nothing behind if it fails', () => {
    const installation = createInstallation()
    expect(() => backUpInstallation(installation, folder)).toThrow('already exists')
    expect(() => backUpInstallation(installation, join(folder, 'backup'))).toThrow('does not exist')
    expect(readdirSync(folder)).toEqual(['data'])
  })

  it('is not restored while the server runs, and not if it is none or damaged', () => {
    const installation = createInstallation()
    new Database(installation.database).exec('create table calls (id integer)').close()
    const backup = join(folder, 'backup')
    backUpInstallation(installation, backup)
    const server = new Database(join(installation.dataDir, 'lock'))
    server.exec('begin exclusive')
    expect(() => restoreInstallation(backup, installation, 'previous')).toThrow('The server is running. Stop it first.')
    server.close()
    expect(() => restoreInstallation(installation.dataDir + '-none', installation, 'previous')).toThrow(
      'does not exist',
    )
    expect(() => restoreInstallation(join(backup, 'recordings'), installation, 'previous')).toThrow('is not a backup')
    writeFileSync(join(backup, 'trunkline.sqlite'), 'This is not a database. '.repeat(200))
    expect(() => restoreInstallation(backup, installation, 'previous')).toThrow('not a database')
    expect(existsSync(join(installation.dataDir, 'previous'))).toBe(false)
  })

  it('may be a copy of the database alone', () => {
    const installation = createInstallation()
    new Database(installation.database).exec('create table calls (id integer)').close()
    const copy = join(folder, 'copy.sqlite')
    backUp(installation.database, copy)
    rmSync(installation.database)
    restoreInstallation(copy, installation, 'previous')
    expect(countCalls(installation.database)).toBe(0)
    expect(readFileSync(join(installation.dataDir, 'encryption-secret'), 'utf8')).toBe('first secret')
  })
})

describe('the commands', () => {
  const runCommand = (name: 'backup' | 'restore', args: string[]) => {
    const { INIT_CWD: _, ...environment } = process.env
    const { status, stdout, stderr } = spawnSync(process.execPath, [projectPath('scripts', `${name}.mjs`), ...args], {
      cwd: folder,
      env: { ...environment, DATA_DIR: 'data', DATABASE_URL: '', JAMBONES_MYSQL_HOST: '' },
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  const usage = expect.stringMatching(/^Usage: npm run (backup|restore) -- \w+ \(in the packages: trunkline /) as string

  it.each(['backup', 'restore'] as const)('%s prints its usage instead of using an option as a name', (name) => {
    const { database, dataDir } = getInstallation({ DATA_DIR: 'data' }, folder)
    mkdirSync(dataDir)
    new Database(database).exec('create table calls (id integer)').close()
    for (const args of [['--help'], ['-h']])
      expect(runCommand(name, args)).toEqual({ status: 0, stdout: usage, stderr: '' })
    for (const args of [['--verbose'], [], ['one', '--force'], ['one', 'two']])
      expect(runCommand(name, args)).toEqual({ status: 1, stdout: '', stderr: usage })
    expect(readdirSync(folder)).toEqual(['data'])
    expect(readdirSync(dataDir)).toEqual(['trunkline.sqlite'])
  })

  it('copy and restore an installation', () => {
    const { database, dataDir } = getInstallation({ DATA_DIR: 'data' }, folder)
    mkdirSync(dataDir)
    new Database(database).exec('create table calls (id integer)').close()
    expect(runCommand('backup', ['copy'])).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(join(folder, 'copy'))).toEqual(['trunkline.sqlite'])
    expect(runCommand('restore', ['copy'])).toMatchObject({ status: 0, stderr: '' })
  })
})
