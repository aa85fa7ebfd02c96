import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backUp, getDatabaseFile } from './backup.mjs'
import { projectPath } from './paths.mjs'

const Database = createRequire(projectPath('server', 'package.json'))(
  'better-sqlite3',
) as typeof import('better-sqlite3')

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
