import { randomBytes, randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { SignJWT, decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingest } from '@trunkline/contract/messages/recording'
import { buildRecordingPath, type RecordFormat } from '@trunkline/contract/calls/recording'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { startReplica } from '../../../test/replica'
import { apiClient } from '../../../test/speak'
import { password, type ActorName } from '../../../test/world'
import { wavHeader } from '../../adapters/recordings/wav-header'

const sound = Buffer.concat([wavHeader({ sampleRate: 8000, channels: 2 }, 1000), randomBytes(1000)])

describe.each(engines)('recordings of calls (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { ingest: { byKey: true, host: '127.0.0.1' } } })
  })
  afterAll(() => backend.close())

  const pathOf = (call_sid: string, { account, format = 'wav' }: { account?: string; format?: RecordFormat } = {}) =>
    buildRecordingPath(account ?? backend.world.acme.account, { call_sid, yyyy: '2026', mm: '11', dd: '22', format })
  const sendRequest = (
    method: 'GET' | 'HEAD' | 'DELETE' | 'PUT',
    path: string,
    actorName: ActorName | undefined,
    { headers = {}, payload }: { headers?: Record<string, string>; payload?: Buffer | PassThrough } = {},
  ) =>
    backend.app.inject({
      method,
      url: `/v1${path}`,
      headers: { ...(actorName ? { authorization: `Bearer ${backend.world.keys[actorName]}` } : {}), ...headers },
      ...(payload ? { payload } : {}),
    })
  const upload = (
    path: string,
    actorName: ActorName | undefined,
    payload: Buffer | PassThrough = sound,
    type = 'audio/wav',
  ) => sendRequest('PUT', path, actorName, { headers: { 'content-type': type }, payload })

  const uploaded = async (call: string = randomUUID()) => {
    expect(await upload(pathOf(call), 'acme')).toMatchObject({ statusCode: 201 })
    return pathOf(call)
  }

  it.each<ActorName>(['acme', 'north', 'admin'])('are uploaded with a key of %s, and played', async (actorName) => {
    const path = pathOf(randomUUID())
    const response = await upload(path, actorName)
    expect({ status: response.statusCode, body: response.json<unknown>() }).toEqual({
      status: 201,
      body: { recording_url: path },
    })
    const heard = await sendRequest('GET', path, actorName, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(heard).toMatchObject({ statusCode: 200 })
    expect(heard.headers).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': '1044',
      'accept-ranges': 'bytes',
    })
    expect(heard.rawPayload.equals(sound)).toBe(true)
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
  ])('are returned in ranges: %s', async (range, status, received, part) => {
    const response = await sendRequest('GET', await uploaded(), 'acme', { headers: { range } })
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-range']).toBe(received)
    if (part) expect(response.rawPayload.equals(sound.subarray(...part))).toBe(true)
  })

  it('return their size for HEAD', async () => {
    const response = await sendRequest('HEAD', await uploaded(), 'acme')
    expect(response).toMatchObject({ statusCode: 200, body: '' })
    expect(response.headers).toMatchObject({ 'content-length': '1044', 'content-type': 'audio/wav' })
  })

  it('return their actual format, whatever the URL says', async () => {
    const call = randomUUID()
    await uploaded(call)
    const response = await sendRequest('GET', pathOf(call, { format: 'mp3' }), 'acme')
    expect(response.headers['content-type']).toBe('audio/wav')
  })

  it('are deleted by their owner', async () => {
    const path = await uploaded()
    expect((await sendRequest('DELETE', path, 'bolt')).statusCode).toBe(403)
    expect((await sendRequest('GET', path, 'acme')).statusCode).toBe(200)
    expect((await sendRequest('DELETE', path, 'acme')).statusCode).toBe(204)
    for (const method of ['GET', 'DELETE'] as const)
      expect(await sendRequest(method, path, 'acme')).toMatchObject({ statusCode: 404, body: 'Not Found' })
  })

  it('are found below the provider by call SID', async () => {
    const { acme, providers } = backend.world
    const call = randomUUID()
    await uploaded(call)
    const below = (provider: string) =>
      pathOf(call).replace(`/Accounts/${acme.account}`, `/ServiceProviders/${provider}`)
    expect((await sendRequest('GET', below(providers.north), 'north')).statusCode).toBe(404)
    const tags = { account_sid: acme.account, service_provider_sid: providers.north }
    const time = BigInt(Date.now()) * 1_000_000n
    await backend.services.callHistory.write('cdrs', [{ tags, fields: { call_sid: call }, time }])
    expect((await sendRequest('GET', below(providers.north), 'north')).statusCode).toBe(200)
    expect((await sendRequest('GET', below(providers.north), 'acme')).statusCode).toBe(403)
    expect((await sendRequest('GET', below(providers.south), 'south')).statusCode).toBe(404)
    expect((await sendRequest('DELETE', below(providers.north), 'north')).statusCode).toBe(204)
  })

  it('are found below the provider even if another account has a record with their call SID', async () => {
    const { acme, bolt, providers } = backend.world
    const call = randomUUID()
    await uploaded(call)
    const write = (account_sid: string, index: number) =>
      backend.services.callHistory.write('cdrs', [
        {
          tags: { account_sid, service_provider_sid: providers.north },
          fields: { call_sid: call },
          time: BigInt(index) * 1_000_000n,
        },
      ])
    const path = `/ServiceProviders/${providers.north}/RecentCalls/${call}/record/2026/11/22/wav`
    await write(acme.account, Date.now() - 1000)
    for (let count = 0; count < 120; count += 1) await write(bolt.account, Date.now())
    expect((await sendRequest('GET', path, 'north')).rawPayload.equals(sound)).toBe(true)
    const other = pathOf(call, { account: bolt.account })
    expect((await upload(other, 'admin')).statusCode).toBe(201)
    expect((await sendRequest('GET', path, 'north')).statusCode).toBe(200)
    expect((await sendRequest('DELETE', path, 'north')).json()).toEqual({
      msg: 'Several accounts have a recording of a call with this SID. Delete it at the URL of its account.',
    })
    expect((await sendRequest('DELETE', other, 'admin')).statusCode).toBe(204)
    expect((await sendRequest('DELETE', path, 'north')).statusCode).toBe(204)
  })

  it('are reported missing if another server on the same database keeps them', async () => {
    const path = await uploaded()
    const other = await startReplica(backend.database)
    const request = (method: 'GET' | 'DELETE', expectedOwner: typeof backend.app) =>
      expectedOwner.inject({
        method,
        url: `/v1${path}`,
        headers: { authorization: `Bearer ${backend.world.keys.acme}` },
      })
    for (const method of ['GET', 'DELETE'] as const)
      expect(await request(method, other.app)).toMatchObject({
        statusCode: 404,
        body: 'The recording is not on this server. It is in the DATA_DIR of another server that uses the same database, or its file was deleted.',
      })
    expect((await request('GET', backend.app)).statusCode).toBe(200)
    await other.close()
  })

  it('are never visible to other owners', async () => {
    const call = randomUUID()
    await uploaded(call)
    const bolt = backend.world.bolt.account
    expect((await sendRequest('GET', pathOf(call, { account: bolt }), 'bolt')).statusCode).toBe(404)
    for (const part of ['..%2F..%2Fx', '%2e%2e', 'x%00', 'x'.repeat(65)])
      expect((await sendRequest('GET', pathOf(part), 'acme')).statusCode).toBe(404)
    for (const day of ['2026/13/01', '2026/11/32', '2026/02/31', '26/11/22', '..%2f/11/22', '2026/..%2f../22'])
      expect((await sendRequest('GET', pathOf(call).replace('2026/11/22', day), 'acme')).statusCode).toBe(404)
    expect((await sendRequest('GET', pathOf(call).replace(/wav$/, 'exe'), 'acme')).statusCode).toBe(404)
  })

  describe('with a signed URL', () => {
    const signedIn = async () => {
      const { body } = await apiClient(backend.app)('POST', '/login', { username: 'acme', password })
      return body.token as string
    }
    const signed = async (path: string) => {
      const token = await signedIn()
      const response = await apiClient(backend.app, token)('GET', `${path}/address`)
      return { token, ...response }
    }

    it('are played without a token, in ranges, until the session ends', async () => {
      const path = await uploaded()
      const { token, body } = await signed(path)
      expect(body).toMatchObject({ type: 'audio/wav', size: 1044 })
      const address = body.address as string
      expect((await sendRequest('GET', address, undefined)).rawPayload.equals(sound)).toBe(true)
      expect((await sendRequest('GET', address, undefined, { headers: { range: 'bytes=0-9' } })).statusCode).toBe(206)
      await apiClient(backend.app, token)('POST', '/logout')
      expect((await sendRequest('GET', address, undefined)).statusCode).toBe(401)
    })

    it('give access to nothing else', async () => {
      const [path, other] = [await uploaded(), await uploaded()]
      const { body } = await signed(path)
      const ticket = (body.address as string).split('ticket=')[1]!
      expect((await sendRequest('GET', `${other}?ticket=${ticket}`, undefined)).statusCode).toBe(401)
      expect((await sendRequest('GET', `${path}?ticket=${ticket}x`, undefined)).statusCode).toBe(401)
      expect((await sendRequest('GET', `${path}?ticket=`, undefined)).statusCode).toBe(401)
      expect((await sendRequest('GET', path, undefined)).statusCode).toBe(401)
      expect((await sendRequest('DELETE', `${path}?ticket=${ticket}`, undefined)).statusCode).toBe(401)
      // A ticket is not a session token, nor the other way round.
      expect((await apiClient(backend.app, ticket)('GET', '/Users/me')).status).toBe(401)
      expect((await sendRequest('GET', `${path}?ticket=${await signedIn()}`, undefined)).statusCode).toBe(401)
    })

    it("give no access to recordings that the session's user may not read", async () => {
      const path = await uploaded()
      const { body } = await apiClient(backend.app)('POST', '/login', { username: 'bolt', password })
      const forged = await new SignJWT({ session: decodeJwt(body.token).jti })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(decodeJwt(((await signed(path)).body.address as string).split('ticket=')[1]!).sub!)
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode('ticket test jwt secret'))
      expect((await sendRequest('GET', `${path}?ticket=${forged}`, undefined)).statusCode).toBe(401)
    })

    it('are signed only for existing recordings', async () => {
      expect((await signed(pathOf(randomUUID()))).status).toBe(404)
      expect((await signed(pathOf(randomUUID(), { account: backend.world.bolt.account }))).status).toBe(403)
    })
  })

  describe('uploaded as files', () => {
    it.each<[string, ActorName | undefined, number]>([
      ['nobody', undefined, 401],
      ["another account's key", 'bolt', 403],
      ["another provider's key", 'south', 403],
    ])('are refused to %s', async (_, actorName, status) => {
      const path = pathOf(randomUUID())
      expect((await upload(path, actorName)).statusCode).toBe(status)
      expect((await sendRequest('GET', path, 'acme')).statusCode).toBe(404)
    })

    it('are not overwritten by a second upload', async () => {
      const path = await uploaded()
      const response = await upload(path, 'acme', Buffer.concat([sound, sound]))
      expect({ status: response.statusCode, body: response.json<unknown>() }).toEqual({
        status: 409,
        body: { msg: ingest.exists },
      })
      expect((await sendRequest('GET', path, 'acme')).rawPayload.equals(sound)).toBe(true)
    })

    it.each<[string, () => string, Buffer, string, number]>([
      ['text', () => pathOf(randomUUID()), Buffer.from('no sound at all'), 'audio/wav', 400],
      ['nothing', () => pathOf(randomUUID()), Buffer.alloc(0), 'audio/wav', 400],
      ['a WAV as MP3', () => pathOf(randomUUID(), { format: 'mp3' }), sound, 'audio/mpeg', 400],
      ['a URL with another format', () => pathOf(randomUUID()), sound, 'audio/mpeg', 400],
      ['another kind of file', () => pathOf(randomUUID()), sound, 'application/octet-stream', 415],
      ['a date in the future', () => pathOf(randomUUID()).replace('2026', '9999'), sound, 'audio/wav', 400],
      ['an unknown account', () => pathOf('c', { account: randomUUID() }), sound, 'audio/wav', 403],
      ['an invalid date', () => pathOf('c').replace('/22/', '/42/'), sound, 'audio/wav', 404],
    ])('are refused: %s', async (_, path, payload, type, status) => {
      const address = path()
      expect((await upload(address, 'acme', payload, type)).statusCode).toBe(status)
      expect((await sendRequest('GET', address, 'admin')).statusCode).toBe(404)
    })

    it("are refused if the account's quota is reached", async () => {
      const limited = await startBackend({
        engine,
        config: {
          ingest: { byKey: true, host: '127.0.0.1' },
          recordingLimits: { bytesPerAccount: 2000, streamsPerKey: 0 },
        },
      })
      const send = (actorName: 'acme' | 'bolt') =>
        limited.app.inject({
          method: 'PUT',
          url: `/v1${buildRecordingPath(limited.world[actorName].account, { call_sid: randomUUID(), yyyy: '2026', mm: '11', dd: '22', format: 'wav' })}`,
          headers: { authorization: `Bearer ${limited.world.keys[actorName]}`, 'content-type': 'audio/wav' },
          payload: sound,
        })
      expect((await send('acme')).statusCode).toBe(201)
      const refused = await send('acme')
      expect({ status: refused.statusCode, body: refused.json<unknown>() }).toEqual({
        status: 507,
        body: { msg: ingest.quota('0 MiB') },
      })
      expect((await send('bolt')).statusCode).toBe(201)
      await limited.close()
    })

    it('are refused if malformed', async () => {
      for (let round = 0; round < 40; round += 1) {
        const format = round % 2 ? 'wav' : 'mp3'
        const type = round % 2 ? 'audio/wav' : 'audio/mpeg'
        const rubbish = Buffer.concat([Buffer.from([1]), randomBytes(round * 7)])
        expect((await upload(pathOf(randomUUID(), { format }), 'acme', rubbish, type)).statusCode).toBe(400)
      }
    })

    it('leave nothing if the upload breaks off', async () => {
      const path = pathOf(randomUUID())
      const body = new PassThrough()
      body.write(sound)
      const sent = upload(path, 'acme', body)
      setTimeout(() => body.destroy(new Error('gone')), 50)
      await Promise.race([sent.catch(() => undefined), new Promise((done) => setTimeout(done, 1000))])
      expect((await sendRequest('GET', path, 'acme')).statusCode).toBe(404)
    })
  })

  it('are deleted with their account', async () => {
    const { north } = backend.world.providers
    const request = apiClient(backend.app, backend.world.keys.admin)
    const { body } = await request('POST', '/Accounts', { name: 'short', service_provider_sid: north })
    const account = body.sid as string
    const path = pathOf(randomUUID(), { account })
    expect((await upload(path, 'admin')).statusCode).toBe(201)
    expect((await request('DELETE', `/Accounts/${account}`)).status).toBe(204)
    expect((await sendRequest('GET', path, 'admin')).statusCode).toBe(404)
  })
})
