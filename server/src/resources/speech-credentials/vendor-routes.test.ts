import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { manyVoicesCount } from '../../../test/doubles/speech-double'
import { startSpeechVendors, vendors, withWrongSecrets } from '../../../test/doubles/speech-vendors'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'
import { createSpeech } from '../../adapters/speech/speech-by-vendor'

describe.each(databaseEngines)('requests to speech vendors (%s)', (databaseEngine) => {
  let backend: Backend
  let doubles: Awaited<ReturnType<typeof startSpeechVendors>>
  let adminClient: ApiClient
  let northClient: ApiClient
  let acmeClient: ApiClient
  let providerPath: string
  let accountPath: string
  beforeAll(async () => {
    doubles = await startSpeechVendors()
    backend = await startBackend({
      databaseEngine,
      externalServices: { speech: createSpeech({ allowPrivateTargets: true, rewriteUrl: doubles.redirectUrl }) },
    })
    const clientOf = (name: 'admin' | 'north' | 'acme') => createApiClient(backend.app, backend.testData.keys[name])
    ;[adminClient, northClient, acmeClient] = [clientOf('admin'), clientOf('north'), clientOf('acme')]
    providerPath = `/ServiceProviders/${backend.testData.providers.north}`
    accountPath = `/Accounts/${backend.testData.acme.account}`
  })
  beforeEach(() => {
    doubles.state.behavior = 'normal'
    doubles.state.requests = []
  })
  afterAll(async () => {
    await backend.close()
    await doubles.stop()
  })

  const create = async (body: object, client = northClient, tenantPath = providerPath): Promise<string> => {
    const response = await client('POST', `${tenantPath}/SpeechCredentials`, body)
    expect(response).toMatchObject({ status: 201 })
    return response.body.sid
  }
  const draftOf = (vendor: string) => ({ vendor, ...vendors[vendor]!.credential })
  const readTestColumns = async (sid: string) => {
    const { body } = await adminClient('GET', `${providerPath}/SpeechCredentials/${sid}`)
    return { tts: body.tts_tested_ok, stt: body.stt_tested_ok, testedAt: body.last_tested }
  }

  describe('a credential test', () => {
    const testCredential = (sid: string, client = northClient, tenantPath = providerPath) =>
      client('GET', `${tenantPath}/SpeechCredentials/${sid}/test`)
    const passed = { status: 'ok' }
    const notTested = { status: 'not tested' }

    it('returns and stores a result per direction', async () => {
      const sid = await create(draftOf('deepgram'))
      expect(await testCredential(sid)).toMatchObject({ status: 200, body: { tts: passed, stt: passed } })
      expect(await readTestColumns(sid)).toEqual({ tts: 1, stt: 1, testedAt: expect.stringMatching(/Z$/) })
      await northClient('PUT', `${providerPath}/SpeechCredentials/${sid}`, { use_for_stt: 0 })
      expect((await testCredential(sid)).body).toEqual({ tts: passed, stt: notTested })
      expect(await readTestColumns(sid)).toMatchObject({ tts: 1, stt: null })
      expect(doubles.state.requests).toHaveLength(3)
    })

    it('loses its result when the credential changes, but not when it is sent back unchanged', async () => {
      const { speechCredentials } = backend.services
      const sid = await create({ ...draftOf('elevenlabs'), label: 'another' })
      await testCredential(sid)
      const update = (body: object) =>
        northClient('PUT', `${providerPath}/SpeechCredentials/${sid}`, { use_for_tts: 1, ...body })
      const { credential: key } = vendors.elevenlabs!
      expect((await update({ model_id: key.model_id, api_uri: key.api_uri, options: null })).status).toBe(204)
      expect(await readTestColumns(sid)).toMatchObject({ tts: 1 })
      const credentialBeforeUpdate = (await speechCredentials.decrypt(sid))!
      expect((await update({ api_uri: 'api.eu.residency.elevenlabs.io' })).status).toBe(204)
      expect(await readTestColumns(sid)).toEqual({ tts: null, stt: null, testedAt: null })
      // A test that was already running stores no result.
      await speechCredentials.saveTestResult(credentialBeforeUpdate, { tts: true })
      expect(await readTestColumns(sid)).toEqual({ tts: null, stt: null, testedAt: null })
    })

    it('returns the reason of the vendor', async () => {
      const wrongFields = withWrongSecrets(vendors.deepgram!.credential)
      const sid = await create({ vendor: 'deepgram', ...wrongFields })
      const reason = 'The vendor refused the credential: Invalid credentials.'
      const fail = { status: 'fail', reason }
      expect(await testCredential(sid)).toMatchObject({ status: 200, body: { tts: fail, stt: fail } })
      expect(await readTestColumns(sid)).toMatchObject({ tts: 0, stt: 0 })
      for (const [behavior, expectedReason] of [
        ['serverError', 'The vendor has an internal error (status 503). Try again later.'],
        ['htmlPage', 'The vendor sent a response without audio.'],
      ] as const) {
        doubles.state.behavior = behavior
        expect(await testCredential(sid)).toMatchObject({
          status: 200,
          body: { tts: { status: 'fail', reason: expectedReason } },
        })
      }
      expect(backend.log()).not.toContain(wrongFields.api_key)
    })

    it('reports `not tested` for a vendor without a test, and stores no result', async () => {
      const sid = await create({ vendor: 'cobalt', cobalt_server_uri: 'cobalt:2727' })
      expect((await testCredential(sid)).body).toEqual({ tts: notTested, stt: notTested })
      expect(await readTestColumns(sid)).toEqual({ tts: null, stt: null, testedAt: null })
    })

    it('fails for a credential encrypted with another secret', async () => {
      const speech_credential_sid = randomUUID()
      const service_provider_sid = backend.testData.providers.north
      const credential = JSON.stringify({ iv: '0'.repeat(32), content: '00' })
      await backend.services.speechCredentials.insert({
        speech_credential_sid,
        service_provider_sid,
        vendor: 'soniox',
        credential,
        use_for_tts: 0,
      })
      const { status, body } = await testCredential(speech_credential_sid)
      expect([status, body.tts, body.stt.status]).toEqual([200, notTested, 'fail'])
      expect(body.stt.reason).toMatch(/^The stored credential cannot be decrypted/)
    })

    it('refuses an incomplete Google key file from another program', async () => {
      const insertKeyFile = async (keyFile: object) => {
        const speech_credential_sid = randomUUID()
        await backend.services.speechCredentials.insert({
          speech_credential_sid,
          service_provider_sid: backend.testData.providers.north,
          vendor: 'google',
          credential: backend.services.encryption.encrypt(JSON.stringify(keyFile)),
        })
        return speech_credential_sid
      }
      const refusal = { status: 422, body: { msg: 'uploaded file is not a google service key', field: 'service_key' } }
      for (const keyFile of [{}, { model_id: 'gemini' }, { client_email: 'a@b.c' }, { private_key: 'k' }])
        expect(await testCredential(await insertKeyFile(keyFile))).toMatchObject(refusal)
      // Both parts are present, but one is not a key.
      const sid = await insertKeyFile({ client_email: 'a@b.c', private_key: 'k' })
      expect((await testCredential(sid)).body.tts).toEqual({
        status: 'fail',
        reason: 'uploaded file is not a google service key',
      })
      expect(doubles.state.requests).toEqual([])
    })

    it('is allowed to users of the credential, at the URL of its tenant', async () => {
      const sharedSid = await create(draftOf('voxist'))
      expect((await testCredential(sharedSid, acmeClient)).status).toBe(200)
      expect((await testCredential(sharedSid, acmeClient, accountPath)).status).toBe(200)
      const accountCredentialSid = await create(draftOf('voxist'), acmeClient, accountPath)
      const boltClient = createApiClient(backend.app, backend.testData.keys.bolt)
      expect(await testCredential(accountCredentialSid, boltClient)).toMatchObject({
        status: 403,
        body: { msg: 'Insufficient privileges' },
      })
      expect(
        await testCredential(accountCredentialSid, adminClient, `/Accounts/${backend.testData.accounts.bolt}`),
      ).toMatchObject({ status: 404 })
      expect(await testCredential(randomUUID())).toMatchObject({ status: 404, body: 'Not Found' })
    })
  })

  describe('a vendor catalogue', () => {
    const fetchCatalogue = (query: string, client = northClient, tenantPath = providerPath) =>
      client('GET', `${tenantPath}/SpeechCredentials/speech/supportedLanguagesAndVoices${query}`)

    it('uses the credential with the label, first of the account and then of its provider', async () => {
      const label = 'lists'
      const fetchLanguages = async (query: string, client?: ApiClient, tenantPath?: string) =>
        ((await fetchCatalogue(query, client, tenantPath)).body.tts as { value: string }[]).map(({ value }) => value)
      await create({ ...draftOf('elevenlabs'), label })
      expect(await fetchLanguages('?vendor=elevenlabs&label=lists')).toEqual(['en', 'de'])
      await create({ ...draftOf('elevenlabs'), model_id: 'eleven_v1', label }, acmeClient, accountPath)
      expect(await fetchLanguages('?vendor=elevenlabs&label=lists')).toEqual(['en', 'de'])
      for (const [client, tenantPath] of [
        [acmeClient, accountPath],
        [acmeClient, providerPath],
        [northClient, accountPath],
      ] as const)
        expect(await fetchLanguages('?vendor=elevenlabs&label=lists', client, tenantPath)).toEqual(['en'])
      // The public catalogue: for an unknown label, without label, and for a new credential.
      for (const query of ['&label=other', '', '&label=lists&create_new=true'])
        expect((await fetchLanguages(`?vendor=elevenlabs${query}`)).length).toBeGreaterThan(20)
    })

    it('is requested without credential from vendors that allow it, but not for a new credential', async () => {
      const models = ['arcana', 'mist', 'mistv2', 'v1'].map((value) => ({ value, name: value }))
      expect(await fetchCatalogue('?vendor=rimelabs&create_new=true')).toMatchObject({ status: 200, body: { models } })
      expect(doubles.state.requests).toEqual([])
      expect((await fetchCatalogue('?vendor=rimelabs')).body.tts.length).toBeGreaterThan(0)
      expect(doubles.state.requests).toHaveLength(1)
    })

    it('can contain many voices', async () => {
      await create(draftOf('microsoft'))
      const { status, body } = await fetchCatalogue('?vendor=microsoft')
      expect([status, body.tts[0].voices.length]).toEqual([200, manyVoicesCount])
    })

    it('returns the refusal of the vendor', async () => {
      const label = 'bad'
      await create({ vendor: 'inworld', ...withWrongSecrets(vendors.inworld!.credential), label })
      expect(await fetchCatalogue('?vendor=inworld&label=bad')).toMatchObject({
        status: 422,
        body: { msg: 'The vendor refused the credential: Invalid authorization credentials' },
      })
      expect(await fetchCatalogue('?vendor=deepgramflux')).toMatchObject({
        status: 422,
        body: { msg: 'Invalid vendor deepgramflux' },
      })
      expect(await fetchCatalogue('')).toMatchObject({
        status: 400,
        body: { msg: 'vendor is required', field: 'vendor' },
      })
    })
  })
})
