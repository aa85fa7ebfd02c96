import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { manyVoices, sampleAudio } from '../../../test/doubles/speech-double'
import { startSpeechVendors, vendors, wrongKey } from '../../../test/doubles/speech-vendors'
import { engines } from '../../../test/engines'
import { apiClient, type ApiClient } from '../../../test/speak'
import { speechByVendor } from '../../adapters/speech/speech-by-vendor'

describe.each(engines)('requests to speech vendors (%s)', (engine) => {
  let backend: Backend
  let doubles: Awaited<ReturnType<typeof startSpeechVendors>>
  let admin: ApiClient
  let north: ApiClient
  let acme: ApiClient
  let provider: string
  let account: string
  beforeAll(async () => {
    doubles = await startSpeechVendors()
    backend = await startBackend({
      engine,
      outside: { speech: speechByVendor({ privateTargets: true, resolveUrl: doubles.at }) },
    })
    const as = (name: 'admin' | 'north' | 'acme') => apiClient(backend.app, backend.world.keys[name])
    ;[admin, north, acme] = [as('admin'), as('north'), as('acme')]
    provider = `/ServiceProviders/${backend.world.providers.north}`
    account = `/Accounts/${backend.world.acme.account}`
  })
  beforeEach(() => {
    doubles.state.behavior = 'fine'
    doubles.state.requests = []
  })
  afterAll(async () => {
    await backend.close()
    await doubles.stop()
  })

  const create = async (body: object, request = north, base = provider): Promise<string> => {
    const reply = await request('POST', `${base}/SpeechCredentials`, body)
    expect(reply).toMatchObject({ status: 201 })
    return reply.body.sid
  }
  const keyOf = (vendor: string) => ({ vendor, ...vendors[vendor]!.key })
  const tested = async (sid: string) => {
    const { body } = await admin('GET', `${provider}/SpeechCredentials/${sid}`)
    return { tts: body.tts_tested_ok, stt: body.stt_tested_ok, when: body.last_tested }
  }

  describe('a credential test', () => {
    const ask = (sid: string, request = north, base = provider) =>
      request('GET', `${base}/SpeechCredentials/${sid}/test`)
    const ok = { status: 'ok' }
    const untested = { status: 'not tested' }

    it('returns and stores a result per direction', async () => {
      const sid = await create(keyOf('deepgram'))
      expect(await ask(sid)).toMatchObject({ status: 200, body: { tts: ok, stt: ok } })
      expect(await tested(sid)).toEqual({ tts: 1, stt: 1, when: expect.stringMatching(/Z$/) })
      await north('PUT', `${provider}/SpeechCredentials/${sid}`, { use_for_stt: 0 })
      expect((await ask(sid)).body).toEqual({ tts: ok, stt: untested })
      expect(await tested(sid)).toMatchObject({ tts: 1, stt: null })
      expect(doubles.state.requests).toHaveLength(3)
    })

    it('loses its result when the credential changes, and not when it is sent back unchanged', async () => {
      const { speechCredentials } = backend.services
      const sid = await create({ ...keyOf('elevenlabs'), label: 'another' })
      await ask(sid)
      const change = (body: object) => north('PUT', `${provider}/SpeechCredentials/${sid}`, { use_for_tts: 1, ...body })
      const { key } = vendors.elevenlabs!
      expect((await change({ model_id: key.model_id, api_uri: key.api_uri, options: null })).status).toBe(204)
      expect(await tested(sid)).toMatchObject({ tts: 1 })
      const initialValue = (await speechCredentials.decrypt(sid))!
      expect((await change({ api_uri: 'api.eu.residency.elevenlabs.io' })).status).toBe(204)
      expect(await tested(sid)).toEqual({ tts: null, stt: null, when: null })
      // A test that was already running stores no result.
      await speechCredentials.saveTestResult(initialValue, { tts: true })
      expect(await tested(sid)).toEqual({ tts: null, stt: null, when: null })
    })

    it("returns the vendor's reason", async () => {
      const parts = wrongKey(vendors.deepgram!.key)
      const sid = await create({ vendor: 'deepgram', ...parts })
      const reason = 'The vendor refused the credential: Invalid credentials.'
      const fail = { status: 'fail', reason }
      expect(await ask(sid)).toMatchObject({ status: 200, body: { tts: fail, stt: fail } })
      expect(await tested(sid)).toMatchObject({ tts: 0, stt: 0 })
      for (const [weather, why] of [
        ['broken', 'The vendor has an internal error (status 503). Try again later.'],
        ['garbage', 'The vendor sent a response without audio.'],
      ] as const) {
        doubles.state.behavior = weather
        expect(await ask(sid)).toMatchObject({ status: 200, body: { tts: { status: 'fail', reason: why } } })
      }
      expect(backend.log()).not.toContain(parts.api_key)
    })

    it('reports `not tested` for untestable vendors and stores nothing', async () => {
      const sid = await create({ vendor: 'cobalt', cobalt_server_uri: 'cobalt:2727' })
      expect((await ask(sid)).body).toEqual({ tts: untested, stt: untested })
      expect(await tested(sid)).toEqual({ tts: null, stt: null, when: null })
    })

    it('fails for a credential encrypted with another secret', async () => {
      const speech_credential_sid = randomUUID()
      const service_provider_sid = backend.world.providers.north
      const credential = JSON.stringify({ iv: '0'.repeat(32), content: '00' })
      await backend.services.speechCredentials.insert({
        speech_credential_sid,
        service_provider_sid,
        vendor: 'soniox',
        credential,
        use_for_tts: 0,
      })
      const { status, body } = await ask(speech_credential_sid)
      expect([status, body.tts, body.stt.status]).toEqual([200, untested, 'fail'])
      expect(body.stt.reason).toMatch(/^This server cannot read the stored credential/)
    })

    it('refuses an incomplete Google key file from another program', async () => {
      const add = async (file: object) => {
        const speech_credential_sid = randomUUID()
        await backend.services.speechCredentials.insert({
          speech_credential_sid,
          service_provider_sid: backend.world.providers.north,
          vendor: 'google',
          credential: backend.services.encryption.encrypt(JSON.stringify(file)),
        })
        return speech_credential_sid
      }
      const refused = { status: 422, body: { msg: 'uploaded file is not a google service key', field: 'service_key' } }
      for (const file of [{}, { model_id: 'gemini' }, { client_email: 'a@b.c' }, { private_key: 'k' }])
        expect(await ask(await add(file))).toMatchObject(refused)
      // Both parts are present, but one is not a key.
      const sid = await add({ client_email: 'a@b.c', private_key: 'k' })
      expect((await ask(sid)).body.tts).toEqual({ status: 'fail', reason: 'uploaded file is not a google service key' })
      expect(doubles.state.requests).toEqual([])
    })

    it('is permitted to users of the credential, below its tenant', async () => {
      const shared = await create(keyOf('voxist'))
      expect((await ask(shared, acme)).status).toBe(200)
      expect((await ask(shared, acme, account)).status).toBe(200)
      const owner = await create(keyOf('voxist'), acme, account)
      const unknownClient = apiClient(backend.app, backend.world.keys.bolt)
      expect(await ask(owner, unknownClient)).toMatchObject({ status: 403, body: { msg: 'Insufficient privileges' } })
      expect(await ask(owner, admin, `/Accounts/${backend.world.accounts.bolt}`)).toMatchObject({ status: 404 })
      expect(await ask(randomUUID())).toMatchObject({ status: 404, body: 'Not Found' })
    })
  })

  describe('a vendor catalogue', () => {
    const look = (query: string, request = north, base = provider) =>
      request('GET', `${base}/SpeechCredentials/speech/supportedLanguagesAndVoices${query}`)

    it("uses the credential of the label, the account's own first", async () => {
      const label = 'lists'
      const languages = async (query: string, request?: ApiClient, base?: string) =>
        ((await look(query, request, base)).body.tts as { value: string }[]).map(({ value }) => value)
      await create({ ...keyOf('elevenlabs'), label })
      expect(await languages('?vendor=elevenlabs&label=lists')).toEqual(['en', 'de'])
      await create({ ...keyOf('elevenlabs'), model_id: 'eleven_v1', label }, acme, account)
      expect(await languages('?vendor=elevenlabs&label=lists')).toEqual(['en', 'de'])
      for (const [request, base] of [
        [acme, account],
        [acme, provider],
        [north, account],
      ] as const)
        expect(await languages('?vendor=elevenlabs&label=lists', request, base)).toEqual(['en'])
      // Another label, no credential, or none requested: the public catalogue.
      for (const query of ['&label=other', '', '&label=lists&create_new=true'])
        expect((await languages(`?vendor=elevenlabs${query}`)).length).toBeGreaterThan(20)
    })

    it('is requested without credential from vendors that allow it, but not for a new credential', async () => {
      const models = ['arcana', 'mist', 'mistv2', 'v1'].map((value) => ({ value, name: value }))
      expect(await look('?vendor=rimelabs&create_new=true')).toMatchObject({ status: 200, body: { models } })
      expect(doubles.state.requests).toEqual([])
      expect((await look('?vendor=rimelabs')).body.tts.length).toBeGreaterThan(0)
      expect(doubles.state.requests).toHaveLength(1)
    })

    it('may be large', async () => {
      await create(keyOf('microsoft'))
      const { status, body } = await look('?vendor=microsoft')
      expect([status, body.tts[0].voices.length]).toEqual([200, manyVoices])
    })

    it("returns the vendor's refusal", async () => {
      const label = 'bad'
      await create({ vendor: 'inworld', ...wrongKey(vendors.inworld!.key), label })
      expect(await look('?vendor=inworld&label=bad')).toMatchObject({
        status: 422,
        body: { msg: 'The vendor refused the credential: Invalid authorization credentials' },
      })
      expect(await look('?vendor=deepgramflux')).toMatchObject({
        status: 422,
        body: { msg: 'Invalid vendor deepgramflux' },
      })
      expect(await look('')).toMatchObject({ status: 400, body: { msg: 'vendor is required', field: 'vendor' } })
    })
  })

  describe('a synthesized voice', () => {
    const ask = (body: object, request = acme, base = account) => request('POST', `${base}/TtsCache/Synthesize`, body)
    const saying = { text: 'Good day.', language: 'en-US', voice: 'alloy', encodingMp3: true }

    it('returns audio', async () => {
      const speech_credential_sid = await create(keyOf('whisper'))
      const { status, headers, body } = await ask({ ...saying, speech_credential_sid })
      expect([status, headers['content-type'], body]).toEqual([200, 'audio/mpeg', sampleAudio.toString()])
      expect(headers['cache-control']).toContain('no-store')
    })

    it('is cached per account until the cache is cleared or the credential changes', async () => {
      const speech_credential_sid = await create({ ...keyOf('whisper'), label: 'kept' })
      const say = { ...saying, speech_credential_sid, text: 'Once.' }
      const cache = `${account}/TtsCache`
      const size = async () => (await acme('GET', cache)).body.size as number
      const heard = async (count: number, body: object = say, base = account) => {
        const { status, headers, body: response } = await ask(body, admin, base)
        expect([status, headers['content-type'], response]).toEqual([200, 'audio/mpeg', sampleAudio.toString()])
        expect(doubles.state.requests).toHaveLength(count)
      }
      await acme('DELETE', cache)
      await heard(1)
      expect(await size()).toBe(1)
      await heard(1)
      await heard(2, { ...say, voice: 'onyx' })
      await heard(3, say, `/Accounts/${backend.world.bolt.account}`)
      expect(await size()).toBe(2)
      expect((await acme('DELETE', cache)).status).toBe(204)
      await heard(4)
      await backend.services.speechCredentials.update(speech_credential_sid, {
        credential: backend.services.encryption.encrypt(JSON.stringify(vendors.whisper!.key)),
      })
      await heard(5)
      // Without an account, no credential is used.
      await heard(6, say, '')
      await heard(7, say, '')
      expect(await size()).toBe(2)
    })

    it('allows administrators any credential', async () => {
      const body = { ...saying, speech_credential_sid: await create(keyOf('whisper'), acme, account) }
      expect(await ask(body, admin, '')).toMatchObject({ status: 200, body: sampleAudio.toString() })
      expect(await ask({ ...body, text: '' }, admin, '')).toMatchObject({ status: 400 })
      expect(await ask({ ...body, speech_credential_sid: randomUUID() }, admin, '')).toMatchObject({ status: 400 })
    })

    it('supports Google custom voices', async () => {
      const speech_credential_sid = await create(keyOf('google'), acme, account)
      const add = async (body: object) =>
        (await acme('POST', '/GoogleCustomVoices', { speech_credential_sid, model: 'm', ...body })).body.sid as string
      const sid = await add({ name: 'Ann' })
      const say = { ...saying, speech_credential_sid, voice: `custom_${sid}` }
      expect(await ask(say)).toMatchObject({ status: 200, body: sampleAudio.toString() })
      const otherLocation = `custom_${backend.world.bolt.google_custom_voice}`
      expect(await ask({ ...say, voice: otherLocation })).toMatchObject({
        status: 400,
        body: { msg: `unknown voice ${otherLocation}`, field: 'voice' },
      })
    })

    it("returns the vendor's refusal", async () => {
      const needed = { status: 400, body: { msg: 'speech_credential_sid, text, language, voice are all required' } }
      const whisper = await create({ vendor: 'whisper', ...wrongKey(vendors.whisper!.key) })
      const validCredential = { ...saying, speech_credential_sid: whisper }
      for (const name of ['speech_credential_sid', 'text', 'language', 'voice'])
        expect(await ask({ ...validCredential, [name]: undefined })).toMatchObject(needed)
      expect(await ask({ ...validCredential, text: 'x'.repeat(1001) })).toMatchObject({
        status: 400,
        body: { field: 'text' },
      })
      expect(await ask(validCredential)).toMatchObject({
        status: 422,
        body: { msg: 'The vendor refused the credential: Incorrect API key provided: sk-whisp***.' },
      })
      const nvidia = await create({ vendor: 'nvidia', riva_server_uri: 'riva:50051' })
      expect(await ask({ ...validCredential, speech_credential_sid: nvidia })).toMatchObject({
        status: 422,
        body: { msg: 'This server cannot play voices of Nvidia.' },
      })
      for (const sid of [backend.world.bolt.speech_credential, backend.world.shared.south.speech_credential])
        expect(await ask({ ...validCredential, speech_credential_sid: sid })).toMatchObject({
          status: 400,
          body: { msg: `There is no available speech credential for ${sid}` },
        })
      const anonymous = randomUUID()
      expect(await ask(validCredential, admin, `/Accounts/${anonymous}`)).toMatchObject({
        status: 400,
        body: { msg: `Account not found for sid ${anonymous}` },
      })
      expect(doubles.state.requests).toEqual(['POST api.openai.com/v1/audio/speech'])
    })
  })
})
