import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingest } from '@trunkline/contract/messages/recording'
import { startBackend, type Backend } from '../../test/backend'
import { basic, startMessage, recordingLine } from '../../test/recording-line'
import { apiClient } from '../../test/speak'
import { buildIngest } from '../app'
import { parseStreamStart } from './recording-stream'

const known = { username: 'platform', password: 'a password' }

/** Waits for the next event. */
const until = async <Found>(options: () => Promise<Found | undefined>): Promise<Found> => {
  for (let turn = 0; turn < 100; turn += 1) {
    const result = await options()
    if (result !== undefined) return result
    await new Promise((done) => setTimeout(done, 30))
  }
  throw new Error('it did not come')
}

describe('a recording stream', () => {
  let backend: Backend
  let address: string
  beforeAll(async () => {
    const ingest = { byKey: true, host: '127.0.0.1' }
    backend = await startBackend({ config: { ingest, recordingStream: known } })
    address = await backend.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => backend.close())

  const today = () => {
    const now = new Date()
    const [mm, dd] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
    return `${now.getFullYear()}/${mm}/${dd}`
  }
  const pathOf = (call: string, account = backend.world.acme.account) =>
    `/Accounts/${account}/RecentCalls/${call}/record/${today()}/mp3`
  const heard = (call: string, account?: string) =>
    until(async () => {
      const response = await backend.app.inject({
        url: `/v1${pathOf(call, account)}`,
        headers: { authorization: `Bearer ${backend.world.keys.admin}` },
      })
      return response.statusCode === 200 ? response : undefined
    })
  const sound = (bytes: number) => Buffer.alloc(bytes, 7)

  it('becomes a file that its account can play', async () => {
    const call = randomUUID()
    const line = await recordingLine(address, { authorization: basic(known.password, known.username) })
    line.sendText(startMessage(backend.world.acme.account, call))
    for (let part = 0; part < 50; part += 1) line.speak(sound(640))
    line.sendText(JSON.stringify({ event: 'dtmf', digit: '1' }))
    line.hangUp()
    const response = await heard(call)
    expect(response.headers).toMatchObject({ 'content-type': 'audio/wav', 'content-length': String(44 + 32_000) })
    expect(response.rawPayload.readUInt32LE(24)).toBe(8000)
    expect(response.rawPayload.subarray(44).equals(sound(32_000))).toBe(true)
  })

  it('is stored up to a broken connection', async () => {
    const call = randomUUID()
    const line = await recordingLine(address, { authorization: basic(backend.world.keys.acme) })
    line.sendText(startMessage(backend.world.acme.account, call))
    line.speak(sound(4002))
    await new Promise((done) => setTimeout(done, 100))
    line.disconnect()
    expect((await heard(call)).rawPayload.readUInt32LE(40)).toBe(4000)
  })

  it("is refused at the tenant's limit until another one ends", async () => {
    const limited = await startBackend({
      config: { ingest: { byKey: true, host: '127.0.0.1' }, recordingLimits: { bytesPerAccount: 0, streamsPerKey: 2 } },
    })
    const setup = await limited.app.listen({ port: 0, host: '127.0.0.1' })
    const open = (key: string) => recordingLine(setup, { authorization: basic(key) })
    const { acme, bolt, admin } = limited.world.keys
    const first = await open(acme)
    await open(acme)
    await expect(open(acme)).rejects.toThrow('refused with 429')
    await open(bolt)
    for (let count = 0; count < 3; count += 1) await open(admin)
    first.hangUp()
    await first.closed
    await until(() => open(acme).catch(() => undefined))
    await limited.close()
  })

  it.each([
    ['nobody', undefined],
    ['a wrong password', basic('wrong', known.username)],
    ['another username', basic(known.password, 'somebody')],
    ['an unknown key', basic(randomUUID())],
  ])('is refused to %s', async (_, authorization) => {
    await expect(recordingLine(address, authorization ? { authorization } : {})).rejects.toThrow('refused with 403')
  })

  it('is refused for a session token', async () => {
    const login = await apiClient(backend.app)('POST', '/login', { username: 'acme', password: 'Correct-horse-1' })
    const authorization = `Bearer ${login.body.token as string}`
    await expect(recordingLine(address, { authorization })).rejects.toThrow('refused with 403')
  })

  it.each<[string, () => string, string]>([
    ["another tenant's account", () => startMessage(backend.world.bolt.account, randomUUID()), ingest.foreignAccount],
    ['an unknown account', () => startMessage(randomUUID(), randomUUID()), ingest.unknownAccount],
    ['a call SID with a path', () => startMessage(backend.world.acme.account, '../../x'), ingest.firstMessage],
    ['a message that is not JSON', () => 'hello', ingest.firstMessage],
    ['no sample rate', () => startMessage(backend.world.acme.account, 'c', { sampleRate: 0 }), ingest.firstMessage],
  ])('is closed for %s', async (_, words, reason) => {
    const line = await recordingLine(address, { authorization: basic(backend.world.keys.acme) })
    line.sendText(words())
    line.speak(sound(640))
    expect(await line.closed).toEqual({ code: 1008, reason })
  })

  it('is closed if audio comes first', async () => {
    const line = await recordingLine(address, { authorization: basic(backend.world.keys.acme) })
    line.speak(sound(640))
    expect(await line.closed).toEqual({ code: 1008, reason: ingest.firstMessage })
  })

  it('is closed for a call that is already being recorded', async () => {
    const call = randomUUID()
    const authorization = basic(backend.world.keys.acme)
    const [first, second] = await Promise.all([
      recordingLine(address, { authorization }),
      recordingLine(address, { authorization }),
    ])
    first.sendText(startMessage(backend.world.acme.account, call))
    first.speak(sound(640))
    await new Promise((done) => setTimeout(done, 100))
    second.sendText(startMessage(backend.world.acme.account, call))
    expect(await second.closed).toEqual({ code: 1008, reason: ingest.alreadyRecording })
    first.hangUp()
    await heard(call)
  })

  it('ignores invalid messages', async () => {
    const authorization = basic(backend.world.keys.acme)
    for (let round = 0; round < 30; round += 1) {
      const line = await recordingLine(address, { authorization })
      const call = randomUUID()
      if (round % 3 === 0) line.sendText(startMessage(backend.world.acme.account, call))
      if (round % 3 === 1) line.sendText(randomBytes(round * 10).toString('latin1'))
      for (let part = 0; part < 5; part += 1) line.speak(randomBytes(Math.floor(Math.random() * 3000)))
      if (round % 2) line.disconnect()
      else line.hangUp()
      if (round % 3 === 0) expect(((await heard(call)).rawPayload.length - 44) % 4).toBe(0)
    }
    expect((await backend.app.inject('/health')).statusCode).toBe(200)
  })

  it.each(['{}', 'null', '[]', '""', '7', '{', '{"accountSid":7}', `{"accountSid":"${randomUUID()}","callSid":{}}`])(
    'knows no first message in %s',
    (words) => expect(parseStreamStart(words)).toBeUndefined(),
  )

  it('ignores other upgrade requests', async () => {
    const actualResponse = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const body = JSON.stringify({ username: 'acme', password: 'Correct-horse-1' })
      const headers = { upgrade: 'h2c', connection: 'Upgrade', 'content-type': 'application/json' }
      const receivedRequest = request(`${address}/v1/login`, { method: 'POST', headers }, (response) => {
        void text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }))
      })
      receivedRequest.on('error', reject).end(body)
    })
    expect(actualResponse).toMatchObject({ status: 200, body: expect.stringContaining('token') as string })
  })

  it("needs no key on the platform's port, unless one is configured", async () => {
    const parts = { services: backend.services, consoleFolder: '', version: '0' }
    const config = (await import('../config/config')).readConfig({
      DATA_DIR: '/tmp',
      JWT_SECRET: 'a secret',
      LOG_LEVEL: 'silent',
    })
    const open = await buildIngest({ ...parts, config })
    const shut = await buildIngest({ ...parts, config: { ...config, recordingStream: known } })
    const [free, asking] = await Promise.all([open, shut].map((app) => app.listen({ port: 0, host: '127.0.0.1' })))
    const call = randomUUID()
    const line = await recordingLine(free!)
    line.sendText(startMessage(backend.world.corp.account, call))
    line.speak(sound(640))
    // stopping the server completes and stores the recording
    await new Promise((done) => setTimeout(done, 100))
    await open.close()
    expect(await line.closed).toMatchObject({ code: 1001 })
    expect((await heard(call, backend.world.corp.account)).rawPayload.length).toBe(684)
    await expect(recordingLine(asking!)).rejects.toThrow('refused with 403')
    await shut.close()
  })
})
