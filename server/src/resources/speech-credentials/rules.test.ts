import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

const keyOf = (private_key: string) =>
  JSON.stringify({
    type: 'service_account',
    private_key: `-----BEGIN PRIVATE KEY-----\n${private_key}\n-----END PRIVATE KEY-----\n`,
    client_email: 'speech@example.iam.gserviceaccount.com',
  })

describe.each(engines)('rules of speech credentials (%s)', (engine) => {
  let backend: Backend
  let north: ApiClient
  let provider: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    north = apiClient(backend.app, backend.world.keys.north)
    provider = `/ServiceProviders/${backend.world.providers.north}/SpeechCredentials`
  })
  afterAll(() => backend.close())

  it("allow the server's own identity for administrators only", async () => {
    const as = (name: 'admin' | 'acme') => apiClient(backend.app, backend.world.keys[name])
    const account = `/Accounts/${backend.world.acme.account}/SpeechCredentials`
    const machine = { vendor: 'aws', aws_region: 'eu-west-1', access_key_id: '', role_arn: null }
    const refused = {
      status: 403,
      body: {
        msg: 'Only an administrator can let an account use the instance profile of the server.',
        field: 'credential_type',
      },
    }
    const initialSnapshot = await snapshot(backend.database)
    expect(await north('POST', provider, machine)).toMatchObject(refused)
    expect(await as('acme')('POST', account, machine)).toMatchObject(refused)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    const created = await as('admin')('POST', account, machine)
    expect(created).toMatchObject({ status: 201 })
    // An identity that an administrator chose may stay, and no update can introduce it.
    expect(await as('acme')('PUT', `${account}/${created.body.sid}`, { use_for_stt: 0 })).toMatchObject({ status: 204 })
    const role = { aws_region: 'eu-west-1', role_arn: 'arn:aws:iam::1:role/x' }
    const { sid } = (await north('POST', provider, { vendor: 'aws', ...role })).body
    expect(await north('PUT', `${provider}/${sid}`, { use_for_tts: 1, role_arn: '' })).toMatchObject({ status: 204 })
    expect(await fieldsOf(sid as string)).toEqual(role)
  })

  const fieldsOf = async (sid: string) => (await backend.services.speechCredentials.decrypt(sid))?.fields

  const invalid: [string, object, string, string | undefined][] = [
    ['without a vendor', {}, 'invalid or missing vendor: undefined', 'vendor'],
    ['with no word for a vendor', { vendor: { toString: 1 } }, 'invalid or missing vendor: {"toString":1}', 'vendor'],
    ['of an unknown vendor', { vendor: 'parrot' }, 'invalid or missing vendor: parrot', 'vendor'],
    ['of a custom vendor without a name', { vendor: 'custom:' }, 'invalid or missing vendor: custom:', 'vendor'],
    ['of the custom kind itself', { vendor: 'custom' }, 'invalid or missing vendor: custom', 'vendor'],
    [
      'with a name that is too long',
      { vendor: `custom:${'x'.repeat(26)}` },
      'vendor must be at most 32 characters',
      'vendor',
    ],
    ['with an unknown key', { vendor: 'soniox', api_kee: 'k' }, 'unknown field api_kee', 'api_kee'],
    ['without its key', { vendor: 'soniox' }, 'invalid soniox speech credential: api_key is required', 'api_key'],
    [
      'with half a key',
      { vendor: 'aws', access_key_id: 'i' },
      'invalid aws speech credential: secret_access_key is required',
      'secret_access_key',
    ],
    ['with a number for a key', { vendor: 'soniox', api_key: 7 }, 'api_key must be a string', 'api_key'],
    [
      'with a masked key',
      { vendor: 'soniox', api_key: 'abcdefXXXX' },
      'api_key is masked: enter it in full.',
      'api_key',
    ],
    ['with no service key', { vendor: 'google' }, 'invalid json key: service_key is required', 'service_key'],
    [
      'with a broken service key',
      { vendor: 'google', service_key: '{"private_key":' },
      'invalid google service account key - not JSON',
      'service_key',
    ],
    [
      'with half a service key',
      { vendor: 'google', service_key: '{"private_key":"x"}' },
      'invalid google service account key - not JSON',
      'service_key',
    ],
    [
      'with a service key of 20 kB',
      { vendor: 'google', service_key: keyOf('k'.repeat(20_000)) },
      'service_key is too long to be stored.',
      'service_key',
    ],
    [
      'with a masked service key',
      { vendor: 'google', service_key: keyOf('MIIEvQXXXXXXXXX') },
      'service_key is masked: enter it in full.',
      'service_key',
    ],
    [
      'with an address that is none',
      { vendor: 'nuance', nuance_tts_uri: 'nuance' },
      'nuance_tts_uri must have the form host:port.',
      'nuance_tts_uri',
    ],
    [
      'with options that are no JSON',
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
  it.each(invalid)('refuse creation %s', async (_, body, msg, field) => {
    const initialSnapshot = await snapshot(backend.database)
    expect(await north('POST', provider, body)).toMatchObject({ status: 400, body: { msg, field } })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  describe('with a changed URL', () => {
    const mill = {
      vendor: 'custom:mill',
      auth_token: 'tokentoken',
      custom_tts_url: 'https://mill.example.com/',
      use_for_stt: 0,
    }
    const create = async (body: object) => (await north('POST', provider, body)).body.sid as string
    const change = (sid: string, body: object) => north('PUT', `${provider}/${sid}`, { use_for_tts: 1, ...body })
    const custom_tts_url = 'https://evil.example.com/'
    const wanted = (field: string) => ({
      status: 422,
      body: { msg: `Enter ${field} again. For security, a saved secret is not sent to a new address.`, field },
    })

    it.each<[string, object]>([
      ['without the secret', {}],
      ['with the secret as it was shown', { auth_token: 'tokentXXXX' }],
      ['with an empty secret', { auth_token: '' }],
      ['with a null secret', { auth_token: null }],
    ])('require it again: %s', async (_, secret) => {
      const sid = await create(mill)
      const initialSnapshot = await snapshot(backend.database)
      expect(await change(sid, { custom_tts_url, ...secret })).toMatchObject(wanted('auth_token'))
      expect(await change(sid, { custom_tts_streaming_url: 'wss://evil.example.com/', ...secret })).toMatchObject(
        wanted('auth_token'),
      )
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    })

    it('do not send a stored secret to the new URL', async () => {
      const sid = await create(mill)
      expect(await change(sid, { custom_tts_url, auth_token: 'another' })).toMatchObject({
        status: 400,
        body: { field: 'auth_token' },
      })
    })

    it('are accepted with the secrets repeated', async () => {
      const sid = await create(mill)
      expect(await change(sid, { custom_tts_url, auth_token: 'tokentoken' })).toMatchObject({ status: 204 })
      expect(await fieldsOf(sid)).toEqual({ auth_token: 'tokentoken', custom_tts_url })
    })

    it('are accepted if there is no secret', async () => {
      const sid = await create({ ...mill, auth_token: '' })
      expect(await change(sid, { custom_tts_url })).toMatchObject({ status: 204 })
    })

    it('accept an unchanged URL, as clients send it', async () => {
      const eleven = { vendor: 'elevenlabs', api_key: 'secretkey', model_id: 'm' }
      const sid = await create(eleven)
      for (const api_uri of ['api.elevenlabs.io', 'api.elevenlabs.io', 'api.eu.residency.elevenlabs.io', '', null])
        expect(await change(sid, { api_uri, model_id: 'm' })).toMatchObject({ status: 204 })
      expect(await change(sid, { api_uri: 'evil.example.com' })).toMatchObject(wanted('api_key'))
    })
  })

  describe('updates', () => {
    let sid: string
    const fields = { api_key: 'secretkey', model_id: 'sonic', stt_model_id: 'ink-whisper', options: '{"speed":0}' }
    beforeEach(async () => {
      sid = (await north('POST', provider, { vendor: 'cartesia', ...fields })).body.sid as string
    })
    const read = () => north('GET', `${provider}/${sid}`).then(({ body }) => body)
    const change = (body: object) => north('PUT', `${provider}/${sid}`, body)

    it('keep secrets and omitted fields', async () => {
      expect(await change({ use_for_tts: 1, model_id: 'sonic-2', options: null })).toMatchObject({ status: 204 })
      expect(await fieldsOf(sid)).toEqual({ api_key: 'secretkey', model_id: 'sonic-2', stt_model_id: 'ink-whisper' })
    })

    it('accept the record as it was returned', async () => {
      const { speech_credential_sid: _, ...row } = await read()
      expect(await change({ ...row, use_for_stt: false })).toMatchObject({ status: 204 })
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
      const initialSnapshot = await snapshot(backend.database)
      expect(await change(body)).toMatchObject({ status, body: response })
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    })

    it('require nothing for a disabled direction', async () => {
      expect(await change({ use_for_tts: 0, model_id: null })).toMatchObject({ status: 204 })
      expect(await change({ use_for_tts: 1 })).toMatchObject({ status: 400, body: { field: 'model_id' } })
      expect(await change({ use_for_tts: 1, model_id: 'sonic' })).toMatchObject({ status: 204 })
    })

    it('do not overwrite an unreadable credential', async () => {
      const credential = JSON.stringify({ iv: '0'.repeat(32), content: '00'.repeat(16) })
      await backend.services.speechCredentials.update(sid, { credential })
      expect(await change({ use_for_tts: 1, model_id: 'x' })).toMatchObject({
        status: 422,
        body: { msg: expect.stringContaining('cannot read the stored credential') },
      })
      expect(await change({ use_for_tts: 0 })).toMatchObject({ status: 204 })
      expect(await read()).toMatchObject({ vendor: 'cartesia', use_for_tts: 0 })
    })
  })
})
