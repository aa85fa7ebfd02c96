import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { basic, startMessage, recordingLine } from '../../../test/recording-line'
import { apiClient } from '../../../test/speak'
import type { ActorName } from '../../../test/world'
import { wavHeader } from '../../adapters/recordings/wav-header'

const sound = Buffer.concat([wavHeader({ sampleRate: 8000, channels: 2 }, 1000), randomBytes(1000)])

describe.each(engines)('call records with recordings (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { ingest: { byKey: true, host: '127.0.0.1' } } })
  })
  afterAll(() => backend.close())

  const pathOf = (call_sid: string, account = backend.world.acme.account, dd = '22') =>
    buildRecordingPath(account, { call_sid, yyyy: '2026', mm: '11', dd, format: 'wav' })
  const upload = async (path: string, actorName: ActorName = 'acme') => {
    const headers = { authorization: `Bearer ${backend.world.keys[actorName]}`, 'content-type': 'audio/wav' }
    const response = await backend.app.inject({ method: 'PUT', url: `/v1${path}`, headers, payload: sound })
    expect(response.statusCode).toBe(201)
  }
  const writeLine = (payload: string, actorName: ActorName) =>
    backend.app.inject({
      method: 'POST',
      url: '/write?db=cdrs',
      headers: { authorization: `Bearer ${backend.world.keys[actorName]}` },
      payload,
    })
  const write = async (call: string, fields = '', actorName: ActorName = 'acme') => {
    const response = await writeLine(`cdrs,answered=true call_sid="${call}",from="1555"${fields}`, actorName)
    expect(response.statusCode).toBe(204)
  }
  const list = async (base: string, call: string, actorName: ActorName) => {
    const request = apiClient(backend.app, backend.world.keys[actorName])
    const { body } = await request('GET', `${base}/RecentCalls?page=1&count=25&filter=${call}`)
    return (body.data as { recording_url: string | null }[]).map(({ recording_url }) => recording_url)
  }
  const shown = (call: string) => list(`/Accounts/${backend.world.acme.account}`, call, 'acme')

  it("contain the recording's URL, whichever arrived first", async () => {
    const [initialValue, after] = [randomUUID(), randomUUID()]
    await upload(pathOf(initialValue))
    await write(initialValue)
    await write(after)
    expect(await shown(after)).toEqual([null])
    await upload(pathOf(after))
    for (const call of [initialValue, after]) {
      expect(await shown(call)).toEqual([pathOf(call)])
      expect(await list(`/ServiceProviders/${backend.world.providers.north}`, call, 'north')).toEqual([pathOf(call)])
      await write(call, ',recording_url=""')
      expect(await shown(call)).toEqual([pathOf(call), pathOf(call)])
    }
  })

  it('lose the URL when the recording is deleted', async () => {
    const call = randomUUID()
    await write(call)
    await upload(pathOf(call))
    const request = apiClient(backend.app, backend.world.keys.acme)
    expect((await request('DELETE', pathOf(call))).status).toBe(204)
    expect(await shown(call)).toEqual([null])
  })

  it("contain the first of several recordings, or the writer's own URL", async () => {
    const [twice, said] = [randomUUID(), randomUUID()]
    for (const dd of ['23', '22']) await upload(pathOf(twice, undefined, dd))
    await write(twice)
    expect(await shown(twice)).toEqual([pathOf(twice)])
    await upload(pathOf(said))
    await write(said, ',recording_url="https://elsewhere.example.com/a.mp3"')
    expect(await shown(said)).toEqual(['https://elsewhere.example.com/a.mp3'])
  })

  it('refuse a recording_url with another path of the API', async () => {
    const { acme, bolt, providers } = backend.world
    const call = randomUUID()
    const refused = [
      `/Accounts/${bolt.account}#`,
      `/Users/${bolt.account}`,
      `/ServiceProviders/${providers.south}`,
      `${pathOf(call)}/../../../../../../../../${bolt.account}#`,
      pathOf(call, bolt.account),
      pathOf(randomUUID()),
      'javascript:alert(1)',
      '//elsewhere.example.com/a.wav',
    ]
    for (const recording_url of refused) {
      const line = `cdrs,account_sid=${acme.account} call_sid="${call}",recording_url="${recording_url}"`
      for (const actorName of ['acme', 'north', 'admin'] as const) {
        const response = await writeLine(line, actorName)
        expect(response.statusCode).toBe(400)
        expect(response.json<{ error: string }>().error).toBe(
          'partial write: line 1: recording_url is neither the recording path of this call nor an absolute http(s) URL dropped=1',
        )
      }
    }
    expect(await shown(call)).toEqual([])
  })

  it('accept every form of recording path', async () => {
    const { acme, providers } = backend.world
    const call = randomUUID()
    const path = pathOf(call)
    const accepted = [path, path.slice(1), path.replace(/.*(?=\/RecentCalls)/, `/ServiceProviders/${providers.north}`)]
    for (const recording_url of accepted) await write(call, `,recording_url="${recording_url}"`)
    const line = `cdrs,account_sid=${acme.account} call_sid="${call}",recording_url="${path}"`
    expect((await writeLine(line, 'north')).statusCode).toBe(204)
    expect((await shown(call)).toSorted()).toEqual([...accepted, path].toSorted())
  })

  it('never contain a foreign recording', async () => {
    const call = randomUUID()
    const { bolt } = backend.world
    await upload(pathOf(call, bolt.account), 'bolt')
    await write(call)
    await write(call, '', 'bolt')
    expect(await shown(call)).toEqual([null])
    expect(await list(`/Accounts/${bolt.account}`, call, 'bolt')).toEqual([pathOf(call, bolt.account)])
  })

  it('lose the recordings of a deleted account', async () => {
    const request = apiClient(backend.app, backend.world.keys.admin)
    const { body } = await request('POST', '/Accounts', {
      name: `short ${engine}`,
      service_provider_sid: backend.world.providers.north,
    })
    const account_sid = body.sid as string
    await upload(pathOf('c', account_sid), 'admin')
    const readStored = () => backend.services.store.database.db.selectFrom('trunkline_recordings').selectAll()
    expect(await readStored().where('account_sid', '=', account_sid).execute()).toHaveLength(1)
    expect((await request('DELETE', `/Accounts/${account_sid}`)).status).toBe(204)
    expect(await readStored().where('account_sid', '=', account_sid).execute()).toEqual([])
  })

  it('contain recordings of streamed audio', async () => {
    const call = randomUUID()
    await write(call)
    const address = await backend.app.listen({ port: 0, host: '127.0.0.1' })
    const line = await recordingLine(address, { authorization: basic(backend.world.keys.acme) })
    line.sendText(startMessage(backend.world.acme.account, call))
    line.speak(Buffer.alloc(640, 7))
    line.hangUp()
    await expect.poll(() => shown(call), { timeout: 5000 }).toEqual([expect.stringMatching(`/${call}/record/.*/wav$`)])
    const [path] = await shown(call)
    const headers = { authorization: `Bearer ${backend.world.keys.acme}` }
    expect((await backend.app.inject({ url: `/v1${path}`, headers })).statusCode).toBe(200)
  })
})
