import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { examine } from './run'

const secrets = { JWT_SECRET: 'a long and random secret', ENCRYPTION_SECRET: 'another long and random secret' }
const nobody = 65534

describe('doctor, run by a user who may not read the folder of DATA_DIR', () => {
  let folder: string
  let dataDir: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trunkline-access-'))
    dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    for (const name of ['trunkline.sqlite', 'jwt-secret', 'encryption-secret']) writeFileSync(join(dataDir, name), '')
    chmodSync(folder, 0)
    // Permissions do not apply to root.
    if (process.getuid?.() === 0) process.seteuid?.(nobody)
  })
  afterEach(() => {
    if (process.getuid?.() === 0) process.seteuid?.(0)
    chmodSync(folder, 0o700)
    rmSync(folder, { recursive: true, force: true })
  })

  it('does not claim that the database and the folder are missing', async () => {
    const results = await examine({ DATA_DIR: dataDir, ...secrets })
    const database = results.find(({ name }) => name === 'Database')
    expect(database?.findings).toEqual([
      {
        status: 'failed',
        summary: `This user may not read and write ${join(dataDir, 'trunkline.sqlite')}.`,
        repair: expect.stringContaining('Run doctor as the user of the server.') as string,
      },
    ])
    expect(results.find(({ name }) => name === 'Data folder')?.findings).toMatchObject([
      { status: 'failed', summary: `This user may not read and write DATA_DIR ${dataDir}.` },
    ])
  })

  it('does not claim that the secrets are missing', async () => {
    expect(await examine({ DATA_DIR: dataDir })).toMatchObject([
      {
        name: 'Settings',
        findings: [
          {
            status: 'failed',
            summary: `${join(dataDir, 'jwt-secret')} cannot be read (EACCES). Run this command as the user of the server.`,
          },
        ],
      },
    ])
  })
})
