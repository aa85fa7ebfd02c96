import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('speech credentials that another program stored (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let northClient: ApiClient
  let providerPath: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    providerPath = `/ServiceProviders/${backend.testData.providers.north}/SpeechCredentials`
  })
  afterAll(() => backend.close())

  it.each<[vendor: string, stored: object, returned: object]>([
    ['soniox', { api_key: { secret: 'abcdefgh' } }, { api_key: expect.stringMatching(/^.{6}X+$/) }],
    ['soniox', { api_key: 1234567890 }, { api_key: '123456XXXX' }],
    ['rimelabs', { api_key: 'abcdefgh', options: { speed: 1 } }, { api_key: 'abcdefXX', options: '{"speed":1}' }],
    ['microsoft', { region: ['westeurope'], use_custom_tts: {} }, { region: '["westeurope"]', use_custom_tts: null }],
    ['google', { service_key: { private_key: 'MIIEvQIBADANBg' } }, {}],
  ])('of %s as %j are returned, with masked secrets', async (vendor, stored, returned) => {
    const speech_credential_sid = randomUUID()
    await backend.services.speechCredentials.insert({
      speech_credential_sid,
      vendor,
      credential: backend.services.encryption.encrypt(JSON.stringify(stored)),
      service_provider_sid: backend.testData.providers.north,
    })
    const { status, body } = await adminClient('GET', providerPath)
    expect(status).toBe(200)
    expect(body).toContainEqual(expect.objectContaining({ speech_credential_sid, vendor, ...returned }))
    expect(JSON.stringify(body)).not.toMatch(/abcdefgh|1234567890|MIIEvQIBADANBg/)
    const { speech_credential_sid: _, ...row } = (await adminClient('GET', `${providerPath}/${speech_credential_sid}`))
      .body
    expect(
      (await northClient('PUT', `${providerPath}/${speech_credential_sid}`, { ...row, use_for_tts: 0 })).status,
    ).toBe(204)
    await backend.services.speechCredentials.remove(speech_credential_sid)
  })
})
