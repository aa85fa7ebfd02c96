import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('Google custom voices (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let acme: ApiClient
  let speech_credential_sid: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
    acme = apiClient(backend.app, backend.world.keys.acme)
    speech_credential_sid = backend.world.acme.speech_credential
  })
  afterAll(() => backend.close())

  const path = '/GoogleCustomVoices'
  const create = async (overrides: object = {}): Promise<string> => {
    const { status, body } = await acme('POST', path, { speech_credential_sid, name: 'Ann', model: 'm', ...overrides })
    expect(status).toBe(201)
    return body.sid
  }

  it('are created with defaults, updated and deleted', async () => {
    const sid = await create()
    const row = {
      google_custom_voice_sid: sid,
      speech_credential_sid,
      name: 'Ann',
      model: 'm',
      reported_usage: 'REALTIME',
      use_voice_cloning_key: 0,
    }
    expect(await acme('GET', `${path}/${sid}`)).toMatchObject({ status: 200, body: row })
    expect((await acme('PUT', `${path}/${sid}`, { name: 'Anna', reported_usage: 'OFFLINE', model: '' })).status).toBe(
      204,
    )
    expect((await acme('GET', `${path}/${sid}`)).body).toEqual({
      ...row,
      name: 'Anna',
      reported_usage: 'OFFLINE',
      model: '',
    })
    expect((await acme('DELETE', `${path}/${sid}`)).status).toBe(204)
    expect(await acme('GET', `${path}/${sid}`)).toMatchObject({ status: 404, body: 'Not Found' })
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
  ])('are not created with %s', async (_, invalid, body) => {
    const initialSnapshot = await snapshot(backend.database)
    const draft = { speech_credential_sid, name: 'Ann', model: 'm', ...invalid }
    expect(await acme('POST', path, draft)).toMatchObject({ status: 400, body })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are listed by credential, by label, or by tenant', async () => {
    const { acme: acmeRecords, bolt, providers, shared } = backend.world
    const names = async (request: ApiClient, query: string) => {
      const { status, body } = await request('GET', `${path}${query}`)
      return status === 200 ? (body as { name: string }[]).map(({ name }) => name).sort() : { status, body }
    }
    const north = apiClient(backend.app, backend.world.keys.north)
    expect(await names(acme, `?speech_credential_sid=${shared.north.speech_credential}`)).toEqual([
      'North shared voice',
    ])
    expect(await names(acme, '')).toEqual(['North shared voice', 'acme voice'])
    expect(await names(acme, '?label=acme')).toEqual(['acme voice'])
    expect(await names(acme, `?account_sid=${bolt.account}&label=bolt`)).toEqual([])
    expect(await names(north, '')).toEqual(['North shared voice'])
    expect(await names(north, `?account_sid=${acmeRecords.account}`)).toEqual(['North shared voice', 'acme voice'])
    expect(await names(admin, `?service_provider_sid=${providers.south}`)).toEqual(['South shared voice'])
    expect(await names(admin, '')).toEqual({
      status: 400,
      body: { msg: 'missing account_sid or service_provider_sid in query parameters' },
    })
    expect(await names(admin, '?speech_credential_sid=x')).toEqual({ status: 404, body: 'Not Found' })
  })

  it('accept the key of a cloned voice as a file from permitted actors', async () => {
    const sid = await create({ name: 'Cloned', use_voice_cloning_key: true })
    const key = 'k'.repeat(200_000)
    const send = (parts: [string, Blob | string][]) => {
      const form = new FormData()
      for (const [name, value] of parts) form.append(name, value)
      return backend.app.inject({
        method: 'POST',
        url: `/v1${path}/${sid}/VoiceCloningKey`,
        headers: { authorization: `Bearer ${backend.world.keys.acme}` },
        payload: form,
      })
    }
    expect((await send([['file', new Blob([key])]])).statusCode).toBe(204)
    expect((await acme('GET', `${path}/${sid}`)).body).toMatchObject({
      voice_cloning_key: key,
      use_voice_cloning_key: 1,
    })
    const rows = (await acme('GET', `${path}?speech_credential_sid=${speech_credential_sid}`)).body as object[]
    expect(rows).toContainEqual(expect.objectContaining({ voice_cloning_key: `${'k'.repeat(100)}...` }))
    for (const parts of [[['other', new Blob(['x'])]], [['file', new Blob([''])]]] as [string, Blob][][])
      expect(JSON.parse((await send(parts)).body)).toEqual({ msg: 'missing file in part file', field: 'file' })
    expect((await send([['file', new Blob(['x'.repeat(2 ** 20)])]])).statusCode).toBe(413)
    expect((await acme('GET', `${path}/${sid}`)).body.voice_cloning_key).toBe(key)
  })
})
