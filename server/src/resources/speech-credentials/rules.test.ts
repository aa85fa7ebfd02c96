import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const serviceKeyOf = (private_key: string) =>
  JSON.stringify({
    type: 'service_account',
    private_key: `-----BEGIN PRIVATE KEY-----\n${private_key}\n-----END PRIVATE KEY-----\n`,
    client_email: 'speech@example.iam.gserviceaccount.com',
  })

describe.each(databaseEngines)('rules of speech credentials (%s)', (databaseEngine) => {
  let backend: Backend
  let northClient: ApiClient
  let providerPath: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    providerPath = `/ServiceProviders/${backend.testData.providers.north}/SpeechCredentials`
  })
  afterAll(() => backend.close())

  it("allow only administrators to use the server's AWS identity", async () => {
    const clientOf = (name: 'admin' | 'acme') => createApiClient(backend.app, backend.testData.keys[name])
    const accountPath = `/Accounts/${backend.testData.acme.account}/SpeechCredentials`
    const instanceProfileDraft = { vendor: 'aws', aws_region: 'eu-west-1', access_key_id: '', role_arn: null }
    const refusal = {
      status: 403,
      body: {
        msg: 'Only an administrator can let an account use the instance profile of this server.',
        field: 'credential_type',
      },
    }
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await northClient('POST', providerPath, instanceProfileDraft)).toMatchObject(refusal)
    expect(await clientOf('acme')('POST', accountPath, instanceProfileDraft)).toMatchObject(refusal)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    const created = await clientOf('admin')('POST', accountPath, instanceProfileDraft)
    expect(created).toMatchObject({ status: 201 })
    // The account may update a credential with the server's identity, but no update can add that identity.
    expect(await clientOf('acme')('PUT', `${accountPath}/${created.body.sid}`, { use_for_stt: 0 })).toMatchObject({
      status: 204,
    })
    const roleFields = { aws_region: 'eu-west-1', role_arn: 'arn:aws:iam::1:role/x' }
    const { sid } = (await northClient('POST', providerPath, { vendor: 'aws', ...roleFields })).body
    expect(await northClient('PUT', `${providerPath}/${sid}`, { use_for_tts: 1, role_arn: '' })).toMatchObject({
      status: 204,
    })
    expect(await fieldsOf(sid as string)).toEqual(roleFields)
  })

  const fieldsOf = async (sid: string) => (await backend.services.speechCredentials.decrypt(sid))?.fields

  const invalidDrafts: [string, object, string, string | undefined][] = [
    ['without a vendor', {}, 'invalid or missing vendor: undefined', 'vendor'],
    [
      'with an object as the vendor',
      { vendor: { toString: 1 } },
      'invalid or missing vendor: {"toString":1}',
      'vendor',
    ],
    ['of an unknown vendor', { vendor: 'parrot' }, 'invalid or missing vendor: parrot', 'vendor'],
    ['of a custom vendor without a name', { vendor: 'custom:' }, 'invalid or missing vendor: custom:', 'vendor'],
    ['of the vendor `custom` itself', { vendor: 'custom' }, 'invalid or missing vendor: custom', 'vendor'],
    [
      'with a name that is too long',
      { vendor: `custom:${'x'.repeat(26)}` },
      'vendor must be at most 32 characters',
      'vendor',
    ],
    ['with an unknown field', { vendor: 'soniox', api_kee: 'k' }, 'unknown field api_kee', 'api_kee'],
    ['without its key', { vendor: 'soniox' }, 'invalid soniox speech credential: api_key is required', 'api_key'],
    [
      'without the secret access key',
      { vendor: 'aws', access_key_id: 'i' },
      'invalid aws speech credential: secret_access_key is required',
      'secret_access_key',
    ],
    ['with a number as the key', { vendor: 'soniox', api_key: 7 }, 'api_key must be a string', 'api_key'],
    [
      'with a masked key',
      { vendor: 'soniox', api_key: 'abcdefXXXX' },
      'api_key is masked: enter it in full.',
      'api_key',
    ],
    ['without a service key', { vendor: 'google' }, 'invalid json key: service_key is required', 'service_key'],
    [
      'with a broken service key',
      { vendor: 'google', service_key: '{"private_key":' },
      'invalid google service account key - not JSON',
      'service_key',
    ],
    [
      'with an incomplete service key',
      { vendor: 'google', service_key: '{"private_key":"x"}' },
      'invalid google service account key - not JSON',
      'service_key',
    ],
    [
      'with a service key of 20 kB',
      { vendor: 'google', service_key: serviceKeyOf('k'.repeat(20_000)) },
      'service_key is too long to be stored.',
      'service_key',
    ],
    [
      'with a masked service key',
      { vendor: 'google', service_key: serviceKeyOf('MIIEvQXXXXXXXXX') },
      'service_key is masked: enter it in full.',
      'service_key',
    ],
    [
      'with an address without a port',
      { vendor: 'nuance', nuance_tts_uri: 'nuance' },
      'nuance_tts_uri must have the form host:port.',
      'nuance_tts_uri',
    ],
    [
      'with options that are not JSON',
      { vendor: 'rimelabs', api_key: 'k', model_id: 'm', options: '{"a"' },
      'options must be a JSON object.',
      'options',
    ],
    [
      'with a label that is too long',
      { vendor: 'soniox', api_key: 'k', label: 'x'.repeat(65) },
      'label must be at most 64 characters',
      'label',
    ],
  ]
  it.each(invalidDrafts)('refuse creation %s', async (_, body, msg, field) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await northClient('POST', providerPath, body)).toMatchObject({ status: 400, body: { msg, field } })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  describe('with a changed URL', () => {
    const customCredential = {
      vendor: 'custom:mill',
      auth_token: 'tokentoken',
      custom_tts_url: 'https://mill.example.com/',
      use_for_stt: 0,
    }
    const create = async (body: object) => (await northClient('POST', providerPath, body)).body.sid as string
    const update = (sid: string, body: object) =>
      northClient('PUT', `${providerPath}/${sid}`, { use_for_tts: 1, ...body })
    const custom_tts_url = 'https://evil.example.com/'
    const secretRequired = (field: string) => ({
      status: 422,
      body: { msg: `Enter ${field} again. For security, a saved secret is not sent to a new address.`, field },
    })

    it.each<[string, object]>([
      ['without the secret', {}],
      ['with the masked secret', { auth_token: 'tokentXXXX' }],
      ['with an empty secret', { auth_token: '' }],
      ['with a null secret', { auth_token: null }],
    ])('require the secret again: %s', async (_, secret) => {
      const sid = await create(customCredential)
      const initialSnapshot = await takeSnapshot(backend.database)
      expect(await update(sid, { custom_tts_url, ...secret })).toMatchObject(secretRequired('auth_token'))
      expect(await update(sid, { custom_tts_streaming_url: 'wss://evil.example.com/', ...secret })).toMatchObject(
        secretRequired('auth_token'),
      )
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    })

    it('do not accept a different secret', async () => {
      const sid = await create(customCredential)
      expect(await update(sid, { custom_tts_url, auth_token: 'another' })).toMatchObject({
        status: 400,
        body: { field: 'auth_token' },
      })
    })

    it('are accepted with the same secret', async () => {
      const sid = await create(customCredential)
      expect(await update(sid, { custom_tts_url, auth_token: 'tokentoken' })).toMatchObject({ status: 204 })
      expect(await fieldsOf(sid)).toEqual({ auth_token: 'tokentoken', custom_tts_url })
    })

    it('are accepted if the credential has no secret', async () => {
      const sid = await create({ ...customCredential, auth_token: '' })
      expect(await update(sid, { custom_tts_url })).toMatchObject({ status: 204 })
    })

    it('accept a URL that clients send back unchanged, in any form', async () => {
      const elevenLabsDraft = { vendor: 'elevenlabs', api_key: 'secretkey', model_id: 'm' }
      const sid = await create(elevenLabsDraft)
      for (const api_uri of ['api.elevenlabs.io', 'api.elevenlabs.io', 'api.eu.residency.elevenlabs.io', '', null])
        expect(await update(sid, { api_uri, model_id: 'm' })).toMatchObject({ status: 204 })
      expect(await update(sid, { api_uri: 'evil.example.com' })).toMatchObject(secretRequired('api_key'))
    })
  })

  describe('updates', () => {
    let sid: string
    const fields = { api_key: 'secretkey', model_id: 'sonic', stt_model_id: 'ink-whisper', options: '{"speed":0}' }
    beforeEach(async () => {
      sid = (await northClient('POST', providerPath, { vendor: 'cartesia', ...fields })).body.sid as string
    })
    const read = () => northClient('GET', `${providerPath}/${sid}`).then(({ body }) => body)
    const update = (body: object) => northClient('PUT', `${providerPath}/${sid}`, body)

    it('keep secrets and omitted fields', async () => {
      expect(await update({ use_for_tts: 1, model_id: 'sonic-2', options: null })).toMatchObject({ status: 204 })
      expect(await fieldsOf(sid)).toEqual({ api_key: 'secretkey', model_id: 'sonic-2', stt_model_id: 'ink-whisper' })
    })

    it('accept the record in the form in which it was returned', async () => {
      const { speech_credential_sid: _, ...row } = await read()
      expect(await update({ ...row, use_for_stt: false })).toMatchObject({ status: 204 })
      expect(await fieldsOf(sid)).toEqual(fields)
      expect(await read()).toMatchObject({ use_for_tts: 1, use_for_stt: 0 })
    })

    it.each<[object, number, object]>([
      [{ model_id: 'x' }, 422, { msg: 'use_for_tts and use_for_stt are the only updateable fields' }],
      [
        { use_for_tts: 1, api_key: 'another' },
        400,
        { field: 'api_key', msg: expect.stringContaining('cannot be changed') },
      ],
      [
        { use_for_tts: 1, model_id: '' },
        400,
        { field: 'model_id', msg: 'invalid cartesia speech credential: model_id is required' },
      ],
      [{ use_for_tts: 1, options: '{' }, 400, { field: 'options' }],
      [{ use_for_tts: 2 }, 400, { field: 'use_for_tts' }],
      [{ use_for_tts: 1, what: 1 }, 400, { field: 'what', msg: 'unknown field what' }],
      [{ use_for_tts: 1, speech_credential_sid: 'x' }, 400, { field: 'speech_credential_sid' }],
      [
        { use_for_tts: 1, vendor: 'soniox' },
        400,
        { field: 'vendor', msg: expect.stringContaining('cannot be changed') },
      ],
      [{ use_for_tts: 1, label: 'other' }, 400, { field: 'label' }],
      [{ use_for_tts: 1, account_sid: '7a1c2d3e-0000-4000-8000-000000000000' }, 400, { field: 'account_sid' }],
      [
        { use_for_tts: 1, options: JSON.stringify({ a: 'x'.repeat(9000) }) },
        400,
        { field: 'options', msg: 'options is too long to be stored.' },
      ],
    ])('refuse %j', async (body, status, response) => {
      const initialSnapshot = await takeSnapshot(backend.database)
      expect(await update(body)).toMatchObject({ status, body: response })
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    })

    it('do not require the fields of a disabled direction', async () => {
      expect(await update({ use_for_tts: 0, model_id: null })).toMatchObject({ status: 204 })
      expect(await update({ use_for_tts: 1 })).toMatchObject({ status: 400, body: { field: 'model_id' } })
      expect(await update({ use_for_tts: 1, model_id: 'sonic' })).toMatchObject({ status: 204 })
    })

    it('do not overwrite an unreadable credential', async () => {
      const credential = JSON.stringify({ iv: '0'.repeat(32), content: '00'.repeat(16) })
      await backend.services.speechCredentials.update(sid, { credential })
      expect(await update({ use_for_tts: 1, model_id: 'x' })).toMatchObject({
        status: 422,
        body: { msg: expect.stringContaining('stored credential cannot be decrypted') },
      })
      expect(await update({ use_for_tts: 0 })).toMatchObject({ status: 204 })
      expect(await read()).toMatchObject({ vendor: 'cartesia', use_for_tts: 0 })
    })
  })
})
