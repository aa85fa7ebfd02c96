import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { compose } from '../src/composition/compose'
import { readConfig } from '../src/config/config'

it('uses FEATURE_SERVER_URL as the only feature server without Redis', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-compose-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const composition = await compose(
    readConfig({ DATA_DIR: folder, FEATURE_SERVER_URL: 'http://127.0.0.1:3001' }),
    (message) => expect.fail(message),
  )
  onTestFinished(() => composition.close())
  expect(await composition.services.livePlatform.listFeatureServers()).toEqual(['http://127.0.0.1:3001'])
})
