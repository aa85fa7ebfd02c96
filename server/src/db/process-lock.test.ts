import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { DatabaseInUseError, FolderInUseError, lockDatabase, lockFolder } from './process-lock'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the lock of a folder', () => {
  it('can be held once at a time', () => {
    const warnings: string[] = []
    const lock = () => lockFolder(folder, { timeoutMs: 0, warn: (message) => warnings.push(message) })
    const release = lock()
    expect(lock).toThrow(FolderInUseError)
    release()
    lock()()
    expect(warnings).toEqual([])
  })
})

describe('the lock of an SQLite file', () => {
  const warnings: string[] = []
  const lock = (url: string, timeoutMs = 0) =>
    lockDatabase(url, { timeoutMs, warn: (message) => warnings.push(message) })

  it('can be held once at a time, by any path of the file', () => {
    const file = join(folder, 'a.sqlite')
    writeFileSync(file, '')
    symlinkSync(file, join(folder, 'link.sqlite'))
    const release = lock(file)
    for (const name of [file, `file:${file}`, `file://${file}`, join(folder, 'link.sqlite')])
      expect(() => lock(name)).toThrow(DatabaseInUseError)
    lock(join(folder, 'b.sqlite'))()
    release()
    lock(file)()
    expect(warnings).toEqual([])
    const releaseAgain = lock(file)
    expect(() => lock(file, 50)).toThrow(DatabaseInUseError)
    expect(warnings).toEqual([`${file} is used by another process. Waiting up to 1 seconds for it to stop.`])
    releaseAgain()
  })

  it('is skipped for databases without a file and for folders that are not writable', () => {
    for (const url of [':memory:', 'mysql://root@localhost/x', '/proc/trunkline.sqlite']) {
      lock(url)
      lock(url)()
    }
  })

  it('creates no file beside a folder or a file of another program', () => {
    const foreignFolder = join(folder, 'foreign')
    mkdirSync(join(foreignFolder, 'folder'), { recursive: true })
    writeFileSync(join(foreignFolder, 'passwd'), 'root:x:0:0:root:/root:/bin/sh')
    for (const name of ['folder', 'passwd']) lock(join(foreignFolder, name))
    expect(readdirSync(foreignFolder)).toEqual(['folder', 'passwd'])
  })

  it('removes on request a lock file that it has created', () => {
    const ownFolder = join(folder, 'own')
    mkdirSync(ownFolder)
    lock(join(ownFolder, 'a.sqlite'))({ removeFile: true })
    expect(readdirSync(ownFolder)).toEqual([])
    writeFileSync(join(ownFolder, 'a.sqlite.lock'), '')
    lock(join(ownFolder, 'a.sqlite'))({ removeFile: true })
    expect(readdirSync(ownFolder)).toEqual(['a.sqlite.lock'])
  })
})
