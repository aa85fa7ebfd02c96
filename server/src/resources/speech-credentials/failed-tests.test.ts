import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('speech credentials (%s)', (databaseEngine) => {
  let backend: Backend
  let northClient: ApiClient
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
  })
  afterAll(() => backend.close())

  it('are listed by the result of their last test, of the directions in use', async () => {
    const providerPath = `/ServiceProviders/${backend.testData.providers.north}/SpeechCredentials`
    const accountPath = `/Accounts/${backend.testData.acme.account}/SpeechCredentials`
    const addTested = async (columns: object) => {
      const draft = { vendor: 'soniox', api_key: 'k', label: randomUUID() }
      const { sid } = (await acmeClient('POST', accountPath, draft)).body as { sid: string }
      await backend.database.db
        .updateTable('speech_credentials')
        .set(columns)
        .where('speech_credential_sid', '=', sid)
        .execute()
      return sid
    }
    const failedSid = await addTested({ use_for_stt: 1, stt_tested_ok: 0 })
    await addTested({ use_for_stt: 1, stt_tested_ok: 1 })
    await addTested({ use_for_stt: 0, stt_tested_ok: 0 })
    await addTested({ use_for_stt: 1, stt_tested_ok: null, use_for_tts: 0, tts_tested_ok: 0 })
    const listFailed = async (client: ApiClient, path: string) =>
      ((await client('GET', `${path}?page=1&test=failed`)).body.data as { speech_credential_sid: string }[]).map(
        ({ speech_credential_sid }) => speech_credential_sid,
      )
    expect(await listFailed(northClient, providerPath)).toEqual([failedSid])
    expect(await listFailed(acmeClient, accountPath)).toEqual([failedSid])
    expect(await listFailed(northClient, `/Accounts/${backend.testData.bolt.account}/SpeechCredentials`)).toEqual([])
    expect(await northClient('GET', `${providerPath}?page=1&test=maybe`)).toMatchObject({
      status: 400,
      body: { field: 'test' },
    })
  })
})
