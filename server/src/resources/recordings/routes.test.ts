import { randomBytes, randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { SignJWT, decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingest } from '@trunkline/contract/messages/recording'
import { buildRecordingPath, type RecordFormat } from '@trunkline/contract/calls/recording'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { startReplica } from '../../../test/replica'
import { createApiClient } from '../../../test/api-client'
import { password, type ActorName } from '../../../test/test-data'
import { buildWavHeader } from '../../adapters/recordings/wav-header'

const audio = Buffer.concat([buildWavHeader({ sampleRate: 8000, channels: 2 }, 1000), randomBytes(1000)])

describe.each(databaseEngines)('recordings of calls (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } } })
  })
  afterAll(() => backend.close())

  const pathOf = (call_sid: string, { account, format = 'wav' }: { account?: string; format?: RecordFormat } = {}) =>
    buildRecordingPath(account ?? backend.testData.acme.account, { call_sid, yyyy: '2026', mm: '11', dd: '22', format })
  const sendRequest = (
    method: 'GET' | 'HEAD' | 'DELETE' | 'PUT',
    path: string,
    actorName: ActorName | undefined,
    { headers = {}, payload }: { headers?: Record<string, string>; payload?: Buffer | PassThrough } = {},
  ) =>
    backend.app.inject({
      method,
      url: `/v1${path}`,
      headers: { ...(actorName ? { authorization: `Bearer ${backend.testData.keys[actorName]}` } : {}), ...headers },
      ...(payload ? { payload } : {}),
    })
  const upload = (
    path: string,
    actorName: ActorName | undefined,
    payload: Buffer | PassThrough = audio,
    type = 'audio/wav',
  ) => sendRequest('PUT', path, actorName, { headers: { 'content-type': type }, payload })

  const uploadNew = async (callSid: string = randomUUID()) => {
    expect(await upload(pathOf(callSid), 'acme')).toMatchObject({ statusCode: 201 })
    return pathOf(callSid)
  }

  it.each<ActorName>(['acme', 'north', 'admin'])('are uploaded and downloaded with a key of %s', async (actorName) => {
    const path = pathOf(randomUUID())
    const response = await upload(path, actorName)
    expect({ status: response.statusCode, body: response.json<unknown>() }).toEqual({
      status: 201,
      body: { recording_url: path },
    })
    const download = await sendRequest('GET', path, actorName, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(download).toMatchObject({ statusCode: 200 })
    expect(download.headers).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': '1044',
      'accept-ranges': 'bytes',
    })
    expect(download.rawPayload.equals(audio)).toBe(true)
  })

  it.each<[string, number, string | undefined, [number, number] | undefined]>([
    ['bytes=0-', 206, 'bytes 0-1043/1044', [0, 1044]],
    ['bytes=100-199', 206, 'bytes 100-199/1044', [100, 200]],
    ['bytes=1000-9999', 206, 'bytes 1000-1043/1044', [1000, 1044]],
    ['bytes=-44', 206, 'bytes 1000-1043/1044', [1000, 1044]],
    ['bytes=-9999', 206, 'bytes 0-1043/1044', [0, 1044]],
    ['bytes=1044-', 416, 'bytes */1044', undefined],
    ['bytes=-0', 416, 'bytes */1044', undefined],
    ['bytes=5-4', 200, undefined, [0, 1044]],
    ['bytes=0-1,4-5', 200, undefined, [0, 1044]],
    ['bytes=-', 200, undefined, [0, 1044]],
    ['lines=1-2', 200, undefined, [0, 1044]],
  ])('are returned in ranges: %s', async (range, status, contentRange, byteRange) => {
    const response = await sendRequest('GET', await uploadNew(), 'acme', { headers: { range } })
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-range']).toBe(contentRange)
    if (byteRange) expect(response.rawPayload.equals(audio.subarray(...byteRange))).toBe(true)
  })

  it('return their size for HEAD', async () => {
    const response = await sendRequest('HEAD', await uploadNew(), 'acme')
    expect(response).toMatchObject({ statusCode: 200, body: '' })
    expect(response.headers).toMatchObject({ 'content-length': '1044', 'content-type': 'audio/wav' })
  })

  it('are returned in their actual format, even if the URL contains another', async () => {
    const callSid = randomUUID()
    await uploadNew(callSid)
    const response = await sendRequest('GET', pathOf(callSid, { format: 'mp3' }), 'acme')
    expect(response.headers['content-type']).toBe('audio/wav')
  })

  it('are deleted by their owner', async () => {
    const path = await uploadNew()
    expect((await sendRequest('DELETE', path, 'bolt')).statusCode).toBe(403)
    expect((await sendRequest('GET', path, 'acme')).statusCode).toBe(200)
    expect((await sendRequest('DELETE', path, 'acme')).statusCode).toBe(204)
    for (const method of ['GET', 'DELETE'] as const)
      expect(await sendRequest(method, path, 'acme')).toMatchObject({ statusCode: 404, body: 'Not Found' })
  })

  it('are reported missing if another server on the same database keeps them', async () => {
    const path = await uploadNew()
    const replica = await startReplica(backend.database)
    const sendTo = (method: 'GET' | 'DELETE', app: typeof backend.app) =>
      app.inject({
        method,
        url: `/v1${path}`,
        headers: { authorization: `Bearer ${backend.testData.keys.acme}` },
      })
    for (const method of ['GET', 'DELETE'] as const)
      expect(await sendTo(method, replica.app)).toMatchObject({
        statusCode: 404,
        body: 'The recording is not on this server. It is in the DATA_DIR of another server that uses the same database, or its file was deleted.',
      })
    expect((await sendTo('GET', backend.app)).statusCode).toBe(200)
    await replica.close()
  })

  it('are never visible to other owners', async () => {
    const callSid = randomUUID()
    await uploadNew(callSid)
    const bolt = backend.testData.bolt.account
    expect((await sendRequest('GET', pathOf(callSid, { account: bolt }), 'bolt')).statusCode).toBe(404)
    for (const invalidSid of ['..%2F..%2Fx', '%2e%2e', 'x%00', 'x'.repeat(65)])
      expect((await sendRequest('GET', pathOf(invalidSid), 'acme')).statusCode).toBe(404)
    for (const date of ['2026/13/01', '2026/11/32', '2026/02/31', '26/11/22', '..%2f/11/22', '2026/..%2f../22'])
      expect((await sendRequest('GET', pathOf(callSid).replace('2026/11/22', date), 'acme')).statusCode).toBe(404)
    expect((await sendRequest('GET', pathOf(callSid).replace(/wav$/, 'exe'), 'acme')).statusCode).toBe(404)
  })

  describe('with a signed URL', () => {
    const signIn = async () => {
      const { body } = await createApiClient(backend.app)('POST', '/login', { username: 'acme', password })
      return body.token as string
    }
    const requestSignedUrl = async (path: string) => {
      const token = await signIn()
      const response = await createApiClient(backend.app, token)('GET', `${path}/address`)
      return { token, ...response }
    }

    it('are downloaded without a token, in ranges, until the session ends', async () => {
      const path = await uploadNew()
      const { token, body } = await requestSignedUrl(path)
      expect(body).toMatchObject({ type: 'audio/wav', size: 1044 })
      const signedUrl = body.address as string
      expect((await sendRequest('GET', signedUrl, undefined)).rawPayload.equals(audio)).toBe(true)
      expect((await sendRequest('GET', signedUrl, undefined, { headers: { range: 'bytes=0-9' } })).statusCode).toBe(206)
      await createApiClient(backend.app, token)('POST', '/logout')
      expect((await sendRequest('GET', signedUrl, undefined)).statusCode).toBe(401)
    })

    it('give access only to this recording', async () => {
      const [path, otherPath] = [await uploadNew(), await uploadNew()]
      const { body } = await requestSignedUrl(path)
      const ticket = (body.address as string).split('ticket=')[1]!
      expect((await sendRequest('GET', `${otherPath}?ticket=${ticket}`, undefined)).statusCode).toBe(401)
      expect((await sendRequest('GET', `${path}?ticket=${ticket}x`, undefined)).statusCode).toBe(401)
      expect((await sendRequest('GET', `${path}?ticket=`, undefined)).statusCode).toBe(401)
      expect((await sendRequest('GET', path, undefined)).statusCode).toBe(401)
      expect((await sendRequest('DELETE', `${path}?ticket=${ticket}`, undefined)).statusCode).toBe(401)
      // A ticket is not a session token, and a session token is not a ticket.
      expect((await createApiClient(backend.app, ticket)('GET', '/Users/me')).status).toBe(401)
      expect((await sendRequest('GET', `${path}?ticket=${await signIn()}`, undefined)).statusCode).toBe(401)
    })

    it("give no access to recordings that the session's user may not read", async () => {
      const path = await uploadNew()
      const { body } = await createApiClient(backend.app)('POST', '/login', { username: 'bolt', password })
      const forgedTicket = await new SignJWT({ session: decodeJwt(body.token).jti })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(decodeJwt(((await requestSignedUrl(path)).body.address as string).split('ticket=')[1]!).sub!)
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode('ticket test jwt secret'))
      expect((await sendRequest('GET', `${path}?ticket=${forgedTicket}`, undefined)).statusCode).toBe(401)
    })

    it('must exist and belong to the actor', async () => {
      expect((await requestSignedUrl(pathOf(randomUUID()))).status).toBe(404)
      expect((await requestSignedUrl(pathOf(randomUUID(), { account: backend.testData.bolt.account }))).status).toBe(
        403,
      )
    })
  })

  describe('uploaded as files', () => {
    it.each<[string, ActorName | undefined, number]>([
      ['a request without key', undefined, 401],
      ["another account's key", 'bolt', 403],
      ["another provider's key", 'south', 403],
    ])('are refused from %s', async (_, actorName, status) => {
      const path = pathOf(randomUUID())
      expect((await upload(path, actorName)).statusCode).toBe(status)
      expect((await sendRequest('GET', path, 'acme')).statusCode).toBe(404)
    })

    it('are not overwritten by a second upload', async () => {
      const path = await uploadNew()
      const response = await upload(path, 'acme', Buffer.concat([audio, audio]))
      expect({ status: response.statusCode, body: response.json<unknown>() }).toEqual({
        status: 409,
        body: { msg: ingest.exists },
      })
      expect((await sendRequest('GET', path, 'acme')).rawPayload.equals(audio)).toBe(true)
    })

    it.each<[string, () => string, Buffer, string, number]>([
      ['text', () => pathOf(randomUUID()), Buffer.from('no sound at all'), 'audio/wav', 400],
      ['an empty body', () => pathOf(randomUUID()), Buffer.alloc(0), 'audio/wav', 400],
      ['a WAV as MP3', () => pathOf(randomUUID(), { format: 'mp3' }), audio, 'audio/mpeg', 400],
      ['a URL with another format', () => pathOf(randomUUID()), audio, 'audio/mpeg', 400],
      ['another kind of file', () => pathOf(randomUUID()), audio, 'application/octet-stream', 415],
      ['a date in the future', () => pathOf(randomUUID()).replace('2026', '9999'), audio, 'audio/wav', 400],
      ['an unknown account', () => pathOf('c', { account: randomUUID() }), audio, 'audio/wav', 403],
      ['an invalid date', () => pathOf('c').replace('/22/', '/42/'), audio, 'audio/wav', 404],
    ])('are refused: %s', async (_, path, payload, type, status) => {
      const recordingPath = path()
      expect((await upload(recordingPath, 'acme', payload, type)).statusCode).toBe(status)
      expect((await sendRequest('GET', recordingPath, 'admin')).statusCode).toBe(404)
    })

    it("are refused if the account's quota is reached", async () => {
      const quotaBackend = await startBackend({
        databaseEngine,
        config: {
          ingest: { acceptsApiKeys: true, host: '127.0.0.1' },
          recordingLimits: { bytesPerAccount: 2000, streamsPerKey: 0 },
        },
      })
      const send = (actorName: 'acme' | 'bolt') =>
        quotaBackend.app.inject({
          method: 'PUT',
          url: `/v1${buildRecordingPath(quotaBackend.testData[actorName].account, { call_sid: randomUUID(), yyyy: '2026', mm: '11', dd: '22', format: 'wav' })}`,
          headers: { authorization: `Bearer ${quotaBackend.testData.keys[actorName]}`, 'content-type': 'audio/wav' },
          payload: audio,
        })
      expect((await send('acme')).statusCode).toBe(201)
      const refusedResponse = await send('acme')
      expect({ status: refusedResponse.statusCode, body: refusedResponse.json<unknown>() }).toEqual({
        status: 507,
        body: { msg: ingest.quota('0 MiB') },
      })
      expect((await send('bolt')).statusCode).toBe(201)
      await quotaBackend.close()
    })

    it('are refused if malformed', async () => {
      for (let round = 0; round < 40; round += 1) {
        const format = round % 2 ? 'wav' : 'mp3'
        const type = round % 2 ? 'audio/wav' : 'audio/mpeg'
        const malformedAudio = Buffer.concat([Buffer.from([1]), randomBytes(round * 7)])
        expect((await upload(pathOf(randomUUID(), { format }), 'acme', malformedAudio, type)).statusCode).toBe(400)
      }
    })

    it('are not stored if the upload is interrupted', async () => {
      const path = pathOf(randomUUID())
      const body = new PassThrough()
      body.write(audio)
      const uploadResponse = upload(path, 'acme', body)
      setTimeout(() => body.destroy(new Error('client disconnected')), 50)
      await Promise.race([uploadResponse.catch(() => undefined), new Promise((done) => setTimeout(done, 1000))])
      expect((await sendRequest('GET', path, 'acme')).statusCode).toBe(404)
    })
  })

  it('are deleted with their account', async () => {
    const { north } = backend.testData.providers
    const adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    const { body } = await adminClient('POST', '/Accounts', { name: 'deleted', service_provider_sid: north })
    const account = body.sid as string
    const path = pathOf(randomUUID(), { account })
    expect((await upload(path, 'admin')).statusCode).toBe(201)
    expect((await adminClient('DELETE', `/Accounts/${account}`)).status).toBe(204)
    expect((await sendRequest('GET', path, 'admin')).statusCode).toBe(404)
  })
})
