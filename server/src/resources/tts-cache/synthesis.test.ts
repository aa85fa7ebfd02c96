import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { sampleAudio } from '../../../test/doubles/speech-double'
import { startSpeechVendors, vendors, withWrongSecrets } from '../../../test/doubles/speech-vendors'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'
import { createSpeech } from '../../adapters/speech/speech-by-vendor'
import type { SpeechRequest } from '../../ports/speech'

describe.each(databaseEngines)('synthesized speech (%s)', (databaseEngine) => {
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
    const { status, body: created } = await client('POST', `${tenantPath}/SpeechCredentials`, body)
    expect(status).toBe(201)
    return created.sid
  }
  const draftOf = (vendor: string) => ({ vendor, ...vendors[vendor]!.credential })

  const synthesize = (body: object, client = acmeClient, tenantPath = accountPath) =>
    client('POST', `${tenantPath}/TtsCache/Synthesize`, body)
  const speechDraft = { text: 'Good day.', language: 'en-US', voice: 'alloy', encodingMp3: true }

  it('is returned as audio', async () => {
    const speech_credential_sid = await create(draftOf('whisper'))
    const { status, headers, body } = await synthesize({ ...speechDraft, speech_credential_sid })
    expect([status, headers['content-type'], body]).toEqual([200, 'audio/mpeg', sampleAudio.toString()])
    expect(headers['cache-control']).toContain('no-store')
  })

  it('is cached per account until the cache is cleared or the credential changes', async () => {
    const speech_credential_sid = await create({ ...draftOf('whisper'), label: 'cached' })
    const speechRequest = { ...speechDraft, speech_credential_sid, text: 'Once.' }
    const cachePath = `${accountPath}/TtsCache`
    const cacheSize = async () => (await acmeClient('GET', cachePath)).body.size as number
    const expectAudio = async (vendorRequests: number, body: object = speechRequest, tenantPath = accountPath) => {
      const { status, headers, body: response } = await synthesize(body, adminClient, tenantPath)
      expect([status, headers['content-type'], response]).toEqual([200, 'audio/mpeg', sampleAudio.toString()])
      expect(doubles.state.requests).toHaveLength(vendorRequests)
    }
    await acmeClient('DELETE', cachePath)
    await expectAudio(1)
    expect(await cacheSize()).toBe(1)
    await expectAudio(1)
    await expectAudio(2, { ...speechRequest, voice: 'onyx' })
    await expectAudio(3, speechRequest, `/Accounts/${backend.testData.bolt.account}`)
    expect(await cacheSize()).toBe(2)
    expect((await acmeClient('DELETE', cachePath)).status).toBe(204)
    await expectAudio(4)
    await backend.services.speechCredentials.update(speech_credential_sid, {
      credential: backend.services.encryption.encrypt(JSON.stringify(vendors.whisper!.credential)),
    })
    await expectAudio(5)
    // The route without an account does not use the cache.
    await expectAudio(6, speechRequest, '')
    await expectAudio(7, speechRequest, '')
    expect(await cacheSize()).toBe(2)
  })

  it('can use any credential if an administrator requests it', async () => {
    const body = { ...speechDraft, speech_credential_sid: await create(draftOf('whisper'), acmeClient, accountPath) }
    expect(await synthesize(body, adminClient, '')).toMatchObject({ status: 200, body: sampleAudio.toString() })
    expect(await synthesize({ ...body, text: '' }, adminClient, '')).toMatchObject({ status: 400 })
    expect(await synthesize({ ...body, speech_credential_sid: randomUUID() }, adminClient, '')).toMatchObject({
      status: 400,
    })
  })

  it('can use Google custom voices', async () => {
    const speech_credential_sid = await create(draftOf('google'), acmeClient, accountPath)
    const createVoice = async (body: object) =>
      (await acmeClient('POST', '/GoogleCustomVoices', { speech_credential_sid, model: 'm', ...body })).body
        .sid as string
    const sid = await createVoice({ name: 'Ann' })
    const speechRequest = { ...speechDraft, speech_credential_sid, voice: `custom_${sid}` }
    expect(await synthesize(speechRequest)).toMatchObject({ status: 200, body: sampleAudio.toString() })
    const foreignVoice = `custom_${backend.testData.bolt.google_custom_voice}`
    expect(await synthesize({ ...speechRequest, voice: foreignVoice })).toMatchObject({
      status: 400,
      body: { msg: `unknown voice ${foreignVoice}`, field: 'voice' },
    })
  })

  it('is refused for invalid fields, and if the vendor refuses it', async () => {
    const missingField = { status: 400, body: { msg: 'speech_credential_sid, text, language, voice are all required' } }
    const whisperSid = await create({ vendor: 'whisper', ...withWrongSecrets(vendors.whisper!.credential) })
    const validCredential = { ...speechDraft, speech_credential_sid: whisperSid }
    for (const name of ['speech_credential_sid', 'text', 'language', 'voice'])
      expect(await synthesize({ ...validCredential, [name]: undefined })).toMatchObject(missingField)
    expect(await synthesize({ ...validCredential, text: 'x'.repeat(1001) })).toMatchObject({
      status: 400,
      body: { field: 'text' },
    })
    expect(await synthesize(validCredential)).toMatchObject({
      status: 422,
      body: { msg: 'The vendor refused the credential: Incorrect API key provided: sk-whisp***.' },
    })
    const nvidiaSid = await create({ vendor: 'nvidia', riva_server_uri: 'riva:50051' })
    expect(await synthesize({ ...validCredential, speech_credential_sid: nvidiaSid })).toMatchObject({
      status: 422,
      body: { msg: 'This server cannot play voices of Nvidia.' },
    })
    for (const sid of [backend.testData.bolt.speech_credential, backend.testData.shared.south.speech_credential])
      expect(await synthesize({ ...validCredential, speech_credential_sid: sid })).toMatchObject({
        status: 400,
        body: { msg: `There is no available speech credential for ${sid}` },
      })
    const unknownAccountSid = randomUUID()
    expect(await synthesize(validCredential, adminClient, `/Accounts/${unknownAccountSid}`)).toMatchObject({
      status: 400,
      body: { msg: `Account not found for sid ${unknownAccountSid}` },
    })
    expect(doubles.state.requests).toEqual(['POST api.openai.com/v1/audio/speech'])
  })

  it('uses the model of a custom voice of the credential', async () => {
    const requests: SpeechRequest[] = []
    const speech = createSpeech({ allowPrivateTargets: true })
    const recordingBackend = await startBackend({
      databaseEngine,
      externalServices: {
        speech: {
          ...speech,
          synthesize: async (_, request) => {
            requests.push(request)
            return { type: 'audio/mpeg', bytes: sampleAudio }
          },
        },
      },
    })
    try {
      const { app, testData } = recordingBackend
      const { account, speech_credential, google_custom_voice } = testData.acme
      const client = createApiClient(app, testData.keys.acme)
      const body = { ...speechDraft, speech_credential_sid: speech_credential, voice: `custom_${google_custom_voice}` }
      expect((await client('POST', `/Accounts/${account}/TtsCache/Synthesize`, body)).status).toBe(200)
      expect(requests).toMatchObject([{ clonedVoice: { model: 'm', cloning_key: null } }])
    } finally {
      await recordingBackend.close()
    }
  })
})
