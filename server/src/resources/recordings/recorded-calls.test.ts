import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { buildBasicAuthHeader, buildStartMessage, openRecordingSocket } from '../../../test/recording-socket'
import { createApiClient } from '../../../test/api-client'
import type { ActorName } from '../../../test/test-data'
import { buildWavHeader } from '../../adapters/recordings/wav-header'

const audio = Buffer.concat([buildWavHeader({ sampleRate: 8000, channels: 2 }, 1000), randomBytes(1000)])

describe.each(databaseEngines)('call records with recordings (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } } })
  })
  afterAll(() => backend.close())

  const pathOf = (call_sid: string, account = backend.testData.acme.account, day = '22') =>
    buildRecordingPath(account, { call_sid, yyyy: '2026', mm: '11', dd: day, format: 'wav' })
  const upload = async (path: string, actorName: ActorName = 'acme') => {
    const headers = { authorization: `Bearer ${backend.testData.keys[actorName]}`, 'content-type': 'audio/wav' }
    const response = await backend.app.inject({ method: 'PUT', url: `/v1${path}`, headers, payload: audio })
    expect(response.statusCode).toBe(201)
  }
  const writeLine = (payload: string, actorName: ActorName) =>
    backend.app.inject({
      method: 'POST',
      url: '/write?db=cdrs',
      headers: { authorization: `Bearer ${backend.testData.keys[actorName]}` },
      payload,
    })
  const writeRecord = async (callSid: string, fields = '', actorName: ActorName = 'acme') => {
    const response = await writeLine(`cdrs,answered=true call_sid="${callSid}",from="1555"${fields}`, actorName)
    expect(response.statusCode).toBe(204)
  }
  const listUrls = async (tenantPath: string, callSid: string, actorName: ActorName) => {
    const client = createApiClient(backend.app, backend.testData.keys[actorName])
    const { body } = await client('GET', `${tenantPath}/RecentCalls?page=1&count=25&filter=${callSid}`)
    return (body.data as { recording_url: string | null }[]).map(({ recording_url }) => recording_url)
  }
  const listUrlsInAccount = (callSid: string) => listUrls(`/Accounts/${backend.testData.acme.account}`, callSid, 'acme')

  it('contain the URL of the recording, whether the call record or the recording arrived first', async () => {
    const [sidWithEarlyRecording, sidWithLateRecording] = [randomUUID(), randomUUID()]
    await upload(pathOf(sidWithEarlyRecording))
    await writeRecord(sidWithEarlyRecording)
    await writeRecord(sidWithLateRecording)
    expect(await listUrlsInAccount(sidWithLateRecording)).toEqual([null])
    await upload(pathOf(sidWithLateRecording))
    for (const callSid of [sidWithEarlyRecording, sidWithLateRecording]) {
      expect(await listUrlsInAccount(callSid)).toEqual([pathOf(callSid)])
      expect(await listUrls(`/ServiceProviders/${backend.testData.providers.north}`, callSid, 'north')).toEqual([
        pathOf(callSid),
      ])
      await writeRecord(callSid, ',recording_url=""')
      expect(await listUrlsInAccount(callSid)).toEqual([pathOf(callSid), pathOf(callSid)])
    }
  })

  it('lose the URL when the recording is deleted', async () => {
    const callSid = randomUUID()
    await writeRecord(callSid)
    await upload(pathOf(callSid))
    const client = createApiClient(backend.app, backend.testData.keys.acme)
    expect((await client('DELETE', pathOf(callSid))).status).toBe(204)
    expect(await listUrlsInAccount(callSid)).toEqual([null])
  })

  it('contain the URL of the first of several recordings, or the URL that the voice server wrote', async () => {
    const [callWithTwoRecordings, callWithUrl] = [randomUUID(), randomUUID()]
    for (const day of ['23', '22']) await upload(pathOf(callWithTwoRecordings, undefined, day))
    await writeRecord(callWithTwoRecordings)
    expect(await listUrlsInAccount(callWithTwoRecordings)).toEqual([pathOf(callWithTwoRecordings)])
    await upload(pathOf(callWithUrl))
    await writeRecord(callWithUrl, ',recording_url="https://elsewhere.example.com/a.mp3"')
    expect(await listUrlsInAccount(callWithUrl)).toEqual(['https://elsewhere.example.com/a.mp3'])
  })

  it('cannot contain another path of the API as recording_url', async () => {
    const { acme, bolt, providers } = backend.testData
    const callSid = randomUUID()
    const invalidUrls = [
      `/Accounts/${bolt.account}#`,
      `/Users/${bolt.account}`,
      `/ServiceProviders/${providers.south}`,
      `${pathOf(callSid)}/../../../../../../../../${bolt.account}#`,
      pathOf(callSid, bolt.account),
      pathOf(randomUUID()),
      'javascript:alert(1)',
      '//elsewhere.example.com/a.wav',
    ]
    for (const recording_url of invalidUrls) {
      const line = `cdrs,account_sid=${acme.account} call_sid="${callSid}",recording_url="${recording_url}"`
      for (const actorName of ['acme', 'north', 'admin'] as const) {
        const response = await writeLine(line, actorName)
        expect(response.statusCode).toBe(400)
        expect(response.json<{ error: string }>().error).toBe(
          'partial write: line 1: recording_url is neither the recording path of this call nor an absolute http(s) URL dropped=1',
        )
      }
    }
    expect(await listUrlsInAccount(callSid)).toEqual([])
  })

  it('may contain any path of their recording: with or without a leading slash, under the account or the provider', async () => {
    const { acme, providers } = backend.testData
    const callSid = randomUUID()
    const path = pathOf(callSid)
    const validUrls = [path, path.slice(1), path.replace(/.*(?=\/RecentCalls)/, `/ServiceProviders/${providers.north}`)]
    for (const recording_url of validUrls) await writeRecord(callSid, `,recording_url="${recording_url}"`)
    const line = `cdrs,account_sid=${acme.account} call_sid="${callSid}",recording_url="${path}"`
    expect((await writeLine(line, 'north')).statusCode).toBe(204)
    expect((await listUrlsInAccount(callSid)).toSorted()).toEqual([...validUrls, path].toSorted())
  })

  it('never contain the URL of a foreign recording', async () => {
    const callSid = randomUUID()
    const { bolt } = backend.testData
    await upload(pathOf(callSid, bolt.account), 'bolt')
    await writeRecord(callSid)
    await writeRecord(callSid, '', 'bolt')
    expect(await listUrlsInAccount(callSid)).toEqual([null])
    expect(await listUrls(`/Accounts/${bolt.account}`, callSid, 'bolt')).toEqual([pathOf(callSid, bolt.account)])
  })

  it('lose their entries in the list of recordings when their account is deleted', async () => {
    const client = createApiClient(backend.app, backend.testData.keys.admin)
    const { body } = await client('POST', '/Accounts', {
      name: `deleted ${databaseEngine}`,
      service_provider_sid: backend.testData.providers.north,
    })
    const account_sid = body.sid as string
    await upload(pathOf('c', account_sid), 'admin')
    const selectRecordings = () => backend.services.store.database.db.selectFrom('trunkline_recordings').selectAll()
    expect(await selectRecordings().where('account_sid', '=', account_sid).execute()).toHaveLength(1)
    expect((await client('DELETE', `/Accounts/${account_sid}`)).status).toBe(204)
    expect(await selectRecordings().where('account_sid', '=', account_sid).execute()).toEqual([])
  })

  it('contain the URLs of recordings of streamed audio', async () => {
    const callSid = randomUUID()
    await writeRecord(callSid)
    const address = await backend.app.listen({ port: 0, host: '127.0.0.1' })
    const audioStream = await openRecordingSocket(address, {
      authorization: buildBasicAuthHeader(backend.testData.keys.acme),
    })
    audioStream.sendText(buildStartMessage(backend.testData.acme.account, callSid))
    audioStream.sendAudio(Buffer.alloc(640, 7))
    audioStream.close()
    await expect
      .poll(() => listUrlsInAccount(callSid), { timeout: 5000 })
      .toEqual([expect.stringMatching(`/${callSid}/record/.*/wav$`)])
    const [path] = await listUrlsInAccount(callSid)
    const headers = { authorization: `Bearer ${backend.testData.keys.acme}` }
    expect((await backend.app.inject({ url: `/v1${path}`, headers })).statusCode).toBe(200)
  })
})
