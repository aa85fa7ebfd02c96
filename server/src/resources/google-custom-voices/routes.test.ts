import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('Google custom voices (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let acmeClient: ApiClient
  let speech_credential_sid: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    speech_credential_sid = backend.testData.acme.speech_credential
  })
  afterAll(() => backend.close())

  const collectionPath = '/GoogleCustomVoices'
  const createVoice = async (overrides: object = {}): Promise<string> => {
    const { status, body } = await acmeClient('POST', collectionPath, {
      speech_credential_sid,
      name: 'Ann',
      model: 'm',
      ...overrides,
    })
    expect(status).toBe(201)
    return body.sid
  }

  it('are created with defaults, updated and deleted', async () => {
    const sid = await createVoice()
    const row = {
      google_custom_voice_sid: sid,
      speech_credential_sid,
      name: 'Ann',
      model: 'm',
      reported_usage: 'REALTIME',
      use_voice_cloning_key: 0,
    }
    expect(await acmeClient('GET', `${collectionPath}/${sid}`)).toMatchObject({ status: 200, body: row })
    expect(
      (await acmeClient('PUT', `${collectionPath}/${sid}`, { name: 'Anna', reported_usage: 'OFFLINE', model: '' }))
        .status,
    ).toBe(204)
    expect((await acmeClient('GET', `${collectionPath}/${sid}`)).body).toEqual({
      ...row,
      name: 'Anna',
      reported_usage: 'OFFLINE',
      model: '',
    })
    expect((await acmeClient('DELETE', `${collectionPath}/${sid}`)).status).toBe(204)
    expect(await acmeClient('GET', `${collectionPath}/${sid}`)).toMatchObject({ status: 404, body: 'Not Found' })
  })

  it.each<[string, object, object]>([
    [
      'no credential',
      { speech_credential_sid: undefined },
      { msg: 'missing speech_credential_sid', field: 'speech_credential_sid' },
    ],
    [
      'an invalid credential SID',
      { speech_credential_sid: 'x' },
      { msg: 'Invalid speech_credential_sid', field: 'speech_credential_sid' },
    ],
    [
      'an unknown credential',
      { speech_credential_sid: 'abcdef01-0000-4000-8000-000000000000' },
      { msg: 'Invalid speech_credential_sid', field: 'speech_credential_sid' },
    ],
    ['no name', { name: undefined }, { msg: 'missing field name', field: 'name' }],
    ['a blank name', { name: ' ' }, { msg: 'missing field name', field: 'name' }],
    ['no model', { model: undefined }, { msg: 'missing field model', field: 'model' }],
    ['an unknown usage', { reported_usage: 'NEVER' }, { field: 'reported_usage' }],
    ['an unknown key', { voice: 'x' }, { msg: 'unknown field voice', field: 'voice' }],
  ])('are not created with %s', async (_, overrides, body) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const draft = { speech_credential_sid, name: 'Ann', model: 'm', ...overrides }
    expect(await acmeClient('POST', collectionPath, draft)).toMatchObject({ status: 400, body })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it.each(['', 'x', 'abcdef01-0000-4000-8000-000000000000'])('cannot be moved to the credential %j', async (sid) => {
    const voiceSid = await createVoice()
    const initialSnapshot = await takeSnapshot(backend.database)
    const changes = { speech_credential_sid: sid }
    expect(await acmeClient('PUT', `${collectionPath}/${voiceSid}`, changes)).toMatchObject({
      status: 400,
      body: { msg: 'Invalid speech_credential_sid', field: 'speech_credential_sid' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    await acmeClient('DELETE', `${collectionPath}/${voiceSid}`)
  })

  it('are listed by credential, label or tenant', async () => {
    const { acme: acmeRecords, bolt, providers, shared } = backend.testData
    const listNames = async (request: ApiClient, query: string) => {
      const { status, body } = await request('GET', `${collectionPath}${query}`)
      return status === 200 ? (body as { name: string }[]).map(({ name }) => name).sort() : { status, body }
    }
    const northClient = createApiClient(backend.app, backend.testData.keys.north)
    expect(await listNames(acmeClient, `?speech_credential_sid=${shared.north.speech_credential}`)).toEqual([
      'North shared voice',
    ])
    expect(await listNames(acmeClient, '')).toEqual(['North shared voice', 'acme voice'])
    expect(await listNames(acmeClient, '?label=acme')).toEqual(['acme voice'])
    expect(await listNames(acmeClient, `?account_sid=${bolt.account}&label=bolt`)).toEqual([])
    expect(await listNames(northClient, '')).toEqual(['North shared voice'])
    expect(await listNames(northClient, `?account_sid=${acmeRecords.account}`)).toEqual([
      'North shared voice',
      'acme voice',
    ])
    expect(await listNames(adminClient, `?service_provider_sid=${providers.south}`)).toEqual(['South shared voice'])
    expect(await listNames(adminClient, '')).toEqual({
      status: 400,
      body: { msg: 'missing account_sid or service_provider_sid in query parameters' },
    })
    expect(await listNames(adminClient, '?speech_credential_sid=x')).toEqual({ status: 404, body: 'Not Found' })
  })

  it('accept the key of a cloned voice as a file of limited size', async () => {
    const sid = await createVoice({ name: 'Cloned', use_voice_cloning_key: true })
    const cloningKey = 'k'.repeat(200_000)
    const uploadForm = (formFields: [name: string, value: Blob | string][]) => {
      const form = new FormData()
      for (const [name, value] of formFields) form.append(name, value)
      return backend.app.inject({
        method: 'POST',
        url: `/v1${collectionPath}/${sid}/VoiceCloningKey`,
        headers: { authorization: `Bearer ${backend.testData.keys.acme}` },
        payload: form,
      })
    }
    expect((await uploadForm([['file', new Blob([cloningKey])]])).statusCode).toBe(204)
    expect((await acmeClient('GET', `${collectionPath}/${sid}`)).body).toMatchObject({
      voice_cloning_key: cloningKey,
      use_voice_cloning_key: 1,
    })
    const rows = (await acmeClient('GET', `${collectionPath}?speech_credential_sid=${speech_credential_sid}`))
      .body as object[]
    expect(rows).toContainEqual(expect.objectContaining({ voice_cloning_key: `${'k'.repeat(100)}...` }))
    for (const invalidFields of [[['another', new Blob(['x'])]], [['file', new Blob([''])]]] as [string, Blob][][])
      expect(JSON.parse((await uploadForm(invalidFields)).body)).toEqual({
        msg: 'missing file in part file',
        field: 'file',
      })
    expect((await uploadForm([['file', new Blob(['x'.repeat(2 ** 20)])]])).statusCode).toBe(413)
    expect((await acmeClient('GET', `${collectionPath}/${sid}`)).body.voice_cloning_key).toBe(cloningKey)
  })
})
