import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { FolderInUse, lockFolder } from './folder-lock'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the lock of a folder', () => {
  it('lets one in at a time', () => {
    const warnings: string[] = []
    const lock = () => lockFolder(folder, 0, (message) => warnings.push(message))
    const release = lock()
    expect(lock).toThrow(FolderInUse)
    release()
    lock()()
    expect(warnings).toEqual([])
  })
})
