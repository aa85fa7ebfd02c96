import { randomBytes, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { get, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingest } from '@trunkline/contract/messages/recording'
import { startBackend, type Backend } from '../../test/backend'
import { buildBasicAuthHeader, buildStartMessage, openRecordingSocket } from '../../test/recording-socket'
import { createApiClient } from '../../test/api-client'
import { buildIngestApp } from '../composition/ingest-app'
import { recordingStreamRoute } from './recording-stream'
import { parseStreamStart } from './stream-start'
import type { HeaderWriterLookup } from './writer'

const platformCredentials = { username: 'platform', password: 'a password' }

/** Repeats an attempt until it returns a value. */
const retryUntilDefined = async <Result>(attempt: () => Promise<Result | undefined>): Promise<Result> => {
  for (let count = 0; count < 100; count += 1) {
    const result = await attempt()
    if (result !== undefined) return result
    await setTimeout(30)
  }
  throw new Error('no attempt returned a value')
}

/** A lookup of writers that waits until `finish` is called. */
const createSlowLookup = () => {
  const events = new EventEmitter()
  const findWriter = async () => {
    events.emit('started')
    await once(events, 'finished')
    return { service_provider_sid: randomUUID(), account_sid: null }
  }
  return { findWriter, started: once(events, 'started'), finish: () => events.emit('finished') }
}

/** Opens a stream and disconnects while the server looks up its key. */
const disconnectDuringLookup = async (url: string, lookup: ReturnType<typeof createSlowLookup>) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /record/acme HTTP/1.1\r\nhost: test\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  await lookup.started
  const closed = once(socket, 'close')
  socket.resetAndDestroy()
  await closed
  await setTimeout(50)
  lookup.finish()
}

describe('a recording stream', () => {
  let backend: Backend
  let address: string
  beforeAll(async () => {
    backend = await startBackend({
      config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' }, recordingStreamCredentials: platformCredentials },
    })
    address = await backend.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => backend.close())

  const today = () => {
    const now = new Date()
    const [mm, dd] = [now.getMonth() + 1, now.getDate()].map((number) => String(number).padStart(2, '0'))
    return `${now.getFullYear()}/${mm}/${dd}`
  }
  const recordingPath = (call_sid: string, account = backend.testData.acme.account) =>
    `/Accounts/${account}/RecentCalls/${call_sid}/record/${today()}/mp3`
  const fetchRecording = (call_sid: string, account?: string) =>
    retryUntilDefined(async () => {
      const response = await backend.app.inject({
        url: `/v1${recordingPath(call_sid, account)}`,
        headers: { authorization: `Bearer ${backend.testData.keys.admin}` },
      })
      return response.statusCode === 200 ? response : undefined
    })
  /** A server that accepts one stream at a time, with this lookup of writers. */
  const listenWithLookup = async (findWriter: HeaderWriterLookup) => {
    const app = Fastify()
    recordingStreamRoute(app, {
      recordingStore: backend.services.recordingStore,
      findProvider: () => Promise.resolve(undefined),
      platformCredentials: undefined,
      maxStreams: 1,
      findWriter,
    })
    return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) }
  }
  const buildAudio = (bytes: number) => Buffer.alloc(bytes, 7)

  it('becomes a file that its account can play', async () => {
    const call_sid = randomUUID()
    const recordingSocket = await openRecordingSocket(address, {
      authorization: buildBasicAuthHeader(platformCredentials.password, platformCredentials.username),
    })
    recordingSocket.sendText(buildStartMessage(backend.testData.acme.account, call_sid))
    for (let packet = 0; packet < 50; packet += 1) recordingSocket.sendAudio(buildAudio(640))
    recordingSocket.sendText(JSON.stringify({ event: 'dtmf', digit: '1' }))
    recordingSocket.close()
    const response = await fetchRecording(call_sid)
    expect(response.headers).toMatchObject({ 'content-type': 'audio/wav', 'content-length': String(44 + 32_000) })
    expect(response.rawPayload.readUInt32LE(24)).toBe(8000)
    expect(response.rawPayload.subarray(44).equals(buildAudio(32_000))).toBe(true)
  })

  it('is stored up to the point where its connection breaks', async () => {
    const call_sid = randomUUID()
    const recordingSocket = await openRecordingSocket(address, {
      authorization: buildBasicAuthHeader(backend.testData.keys.acme),
    })
    recordingSocket.sendText(buildStartMessage(backend.testData.acme.account, call_sid))
    recordingSocket.sendAudio(buildAudio(4002))
    await setTimeout(100)
    recordingSocket.disconnect()
    expect((await fetchRecording(call_sid)).rawPayload.readUInt32LE(40)).toBe(4000)
  })

  it("is refused at the tenant's limit until another one ends", async () => {
    const limitedBackend = await startBackend({
      config: {
        ingest: { acceptsApiKeys: true, host: '127.0.0.1' },
        recordingLimits: { bytesPerAccount: 0, streamsPerKey: 2 },
      },
    })
    const limitedUrl = await limitedBackend.app.listen({ port: 0, host: '127.0.0.1' })
    const openStream = (key: string) => openRecordingSocket(limitedUrl, { authorization: buildBasicAuthHeader(key) })
    const { acme, bolt, admin } = limitedBackend.testData.keys
    const firstSocket = await openStream(acme)
    await openStream(acme)
    await expect(openStream(acme)).rejects.toThrow('refused with 429')
    await openStream(bolt)
    for (let count = 0; count < 3; count += 1) await openStream(admin)
    firstSocket.close()
    await firstSocket.closed
    await retryUntilDefined(() => openStream(acme).catch(() => undefined))
    await limitedBackend.close()
  })

  it('does not count as open if its client left while its key was looked up', async () => {
    const lookup = createSlowLookup()
    const { app, url } = await listenWithLookup(lookup.findWriter)
    await disconnectDuringLookup(url, lookup)
    const accepted = openRecordingSocket(url)
    await setTimeout(50)
    lookup.finish()
    const socket = await accepted
    socket.disconnect()
    await app.close()
  })

  it('is refused if the server stops while its key is looked up', async () => {
    const lookup = createSlowLookup()
    const { app, url } = await listenWithLookup(lookup.findWriter)
    const refusal = expect(openRecordingSocket(url)).rejects.toThrow('refused with 503')
    await lookup.started
    const closing = app.close()
    await setTimeout(50)
    lookup.finish()
    await Promise.all([refusal, closing])
  })

  it.each([
    ['503 and Retry-After while the database is down', { code: 'ECONNREFUSED', fatal: true }, 503, '5'],
    ['500 after any other error', {}, 500, undefined],
  ])('is refused with %s', async (_, properties, status, retryAfter) => {
    const { app, url } = await listenWithLookup(() => Promise.reject(Object.assign(new Error('failed'), properties)))
    const headers = { connection: 'upgrade', upgrade: 'websocket' }
    const response = await new Promise<IncomingMessage>((resolve) => get(`${url}/record/acme`, { headers }, resolve))
    expect([response.statusCode, response.headers['retry-after']]).toEqual([status, retryAfter])
    await app.close()
  })

  it.each([
    ['no credential', undefined],
    ['a wrong password', buildBasicAuthHeader('wrong', platformCredentials.username)],
    ['another username', buildBasicAuthHeader(platformCredentials.password, 'somebody')],
    ['an unknown key', buildBasicAuthHeader(randomUUID())],
  ])('is refused with %s', async (_, authorization) => {
    await expect(openRecordingSocket(address, authorization ? { authorization } : {})).rejects.toThrow(
      'refused with 403',
    )
  })

  it('is refused for a session token', async () => {
    const loginResponse = await createApiClient(backend.app)('POST', '/login', {
      username: 'acme',
      password: 'Correct-horse-1',
    })
    const authorization = `Bearer ${loginResponse.body.token as string}`
    await expect(openRecordingSocket(address, { authorization })).rejects.toThrow('refused with 403')
  })

  it.each<[string, () => string, string]>([
    [
      "another tenant's account",
      () => buildStartMessage(backend.testData.bolt.account, randomUUID()),
      ingest.foreignAccount,
    ],
    ['an unknown account', () => buildStartMessage(randomUUID(), randomUUID()), ingest.unknownAccount],
    ['a call SID with a path', () => buildStartMessage(backend.testData.acme.account, '../../x'), ingest.firstMessage],
    ['a message that is not JSON', () => 'hello', ingest.firstMessage],
    [
      'no sample rate',
      () => buildStartMessage(backend.testData.acme.account, 'c', { sampleRate: 0 }),
      ingest.firstMessage,
    ],
  ])('is closed for %s', async (_, buildFirstMessage, reason) => {
    const recordingSocket = await openRecordingSocket(address, {
      authorization: buildBasicAuthHeader(backend.testData.keys.acme),
    })
    recordingSocket.sendText(buildFirstMessage())
    recordingSocket.sendAudio(buildAudio(640))
    expect(await recordingSocket.closed).toEqual({ code: 1008, reason })
  })

  it('is closed if audio comes first', async () => {
    const recordingSocket = await openRecordingSocket(address, {
      authorization: buildBasicAuthHeader(backend.testData.keys.acme),
    })
    recordingSocket.sendAudio(buildAudio(640))
    expect(await recordingSocket.closed).toEqual({ code: 1008, reason: ingest.firstMessage })
  })

  it('is closed for a call that is already being recorded', async () => {
    const call_sid = randomUUID()
    const authorization = buildBasicAuthHeader(backend.testData.keys.acme)
    const [firstSocket, secondSocket] = await Promise.all([
      openRecordingSocket(address, { authorization }),
      openRecordingSocket(address, { authorization }),
    ])
    firstSocket.sendText(buildStartMessage(backend.testData.acme.account, call_sid))
    firstSocket.sendAudio(buildAudio(640))
    await setTimeout(100)
    secondSocket.sendText(buildStartMessage(backend.testData.acme.account, call_sid))
    expect(await secondSocket.closed).toEqual({ code: 1008, reason: ingest.alreadyReceiving })
    firstSocket.close()
    await fetchRecording(call_sid)
  })

  it('ignores invalid messages', async () => {
    const authorization = buildBasicAuthHeader(backend.testData.keys.acme)
    for (let round = 0; round < 30; round += 1) {
      const recordingSocket = await openRecordingSocket(address, { authorization })
      const call_sid = randomUUID()
      if (round % 3 === 0) recordingSocket.sendText(buildStartMessage(backend.testData.acme.account, call_sid))
      if (round % 3 === 1) recordingSocket.sendText(randomBytes(round * 10).toString('latin1'))
      for (let packet = 0; packet < 5; packet += 1)
        recordingSocket.sendAudio(randomBytes(Math.floor(Math.random() * 3000)))
      if (round % 2) recordingSocket.disconnect()
      else recordingSocket.close()
      if (round % 3 === 0) expect(((await fetchRecording(call_sid)).rawPayload.length - 44) % 4).toBe(0)
    }
    expect((await backend.app.inject('/health')).statusCode).toBe(200)
  })

  it.each(['{}', 'null', '[]', '""', '7', '{', '{"accountSid":7}', `{"accountSid":"${randomUUID()}","callSid":{}}`])(
    'does not start with %s',
    (message) => expect(parseStreamStart(message)).toBeUndefined(),
  )

  it('ignores other upgrade requests', async () => {
    const response = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const body = JSON.stringify({ username: 'acme', password: 'Correct-horse-1' })
      const headers = { upgrade: 'h2c', connection: 'Upgrade', 'content-type': 'application/json' }
      const sentRequest = request(`${address}/v1/login`, { method: 'POST', headers }, (received) => {
        void text(received).then((responseBody) => resolve({ status: received.statusCode ?? 0, body: responseBody }))
      })
      sentRequest.on('error', reject).end(body)
    })
    expect(response).toMatchObject({ status: 200, body: expect.stringContaining('token') as string })
  })

  it("needs no key on the platform's port, unless one is configured", async () => {
    const appOptions = { services: backend.services, consoleFolder: '', version: '0' }
    const config = (await import('../config/config')).readConfig({
      DATA_DIR: '/tmp',
      JWT_SECRET: 'a secret',
      LOG_LEVEL: 'silent',
    })
    const openApp = await buildIngestApp({ ...appOptions, config })
    const protectedApp = await buildIngestApp({
      ...appOptions,
      config: { ...config, recordingStreamCredentials: platformCredentials },
    })
    const [openUrl, protectedUrl] = await Promise.all(
      [openApp, protectedApp].map((app) => app.listen({ port: 0, host: '127.0.0.1' })),
    )
    const call_sid = randomUUID()
    const recordingSocket = await openRecordingSocket(openUrl!)
    recordingSocket.sendText(buildStartMessage(backend.testData.corp.account, call_sid))
    recordingSocket.sendAudio(buildAudio(640))
    // Stopping the server completes and stores the recording.
    await setTimeout(100)
    await openApp.close()
    expect(await recordingSocket.closed).toMatchObject({ code: 1001 })
    expect((await fetchRecording(call_sid, backend.testData.corp.account)).rawPayload.length).toBe(684)
    await expect(openRecordingSocket(protectedUrl!)).rejects.toThrow('refused with 403')
    await protectedApp.close()
  })
})
