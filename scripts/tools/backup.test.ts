import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backUp, databaseFile } from './backup.mjs'
import { at } from './paths.mjs'

const Database = createRequire(at('server', 'package.json'))('better-sqlite3') as typeof import('better-sqlite3')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-backup-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a backup', () => {
  it('contains the committed data of a running server, is compact, and is readable only by its owner', () => {
    const source = join(folder, 'trunkline.sqlite')
    const target = join(folder, 'backup.sqlite')
    const running = new Database(source)
    running.pragma('journal_mode = WAL')
    running.exec('create table calls (id integer, text text)')
    const insert = running.prepare('insert into calls values (?, ?)')
    for (let id = 0; id < 2000; id += 1) insert.run(id, 'x'.repeat(500))
    running.exec('delete from calls where id >= 10')
    running.exec('begin; insert into calls values (99, null)')
    running.exec('commit')
    backUp(source, target)
    insert.run(100, 'after the backup')
    running.close()
    const copy = new Database(target)
    expect(copy.prepare('select count(*) as number from calls').get()).toEqual({ number: 11 })
    copy.close()
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(statSync(target).size).toBeLessThan(statSync(source).size / 10)
  })

  it('does not overwrite a file, and requires a source', () => {
    const target = join(folder, 'backup.sqlite')
    writeFileSync(target, 'precious')
    writeFileSync(join(folder, 'source'), '')
    expect(() => backUp(join(folder, 'source'), target)).toThrow('exists already')
    expect(() => backUp(join(folder, 'none'), join(folder, 'new'))).toThrow('There is no database')
  })

  it('leaves no file behind if the source is not a database', () => {
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
    expect(databaseFile(environment, '/srv')).toBe(file)
  })

  it.each([{ DATABASE_URL: 'mysql://root@localhost/x' }, { JAMBONES_MYSQL_HOST: 'localhost' }])(
    'refers MySQL users to its own backup tool: %j',
    (environment) => {
      expect(() => databaseFile(environment, '/srv')).toThrow('mariadb-dump --single-transaction')
    },
  )
})
