import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import type { ActorName } from '../../../test/test-data'
import { buildWavHeader } from '../../adapters/recordings/wav-header'

const audio = Buffer.concat([buildWavHeader({ sampleRate: 8000, channels: 2 }, 1000), randomBytes(1000)])

describe.each(databaseEngines)('recordings at the URL of a provider (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } } })
  })
  afterAll(() => backend.close())

  const pathOf = (call_sid: string, account = backend.testData.acme.account) =>
    buildRecordingPath(account, { call_sid, yyyy: '2026', mm: '11', dd: '22', format: 'wav' })
  const sendRequest = (method: 'GET' | 'DELETE', path: string, actorName: ActorName) =>
    backend.app.inject({
      method,
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${backend.testData.keys[actorName]}` },
    })
  const upload = (path: string, actorName: ActorName, payload: Buffer = audio) =>
    backend.app.inject({
      method: 'PUT',
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${backend.testData.keys[actorName]}`, 'content-type': 'audio/wav' },
      payload,
    })
  const uploadNew = async (callSid: string) => {
    expect(await upload(pathOf(callSid), 'acme')).toMatchObject({ statusCode: 201 })
  }

  it('are found by call SID', async () => {
    const { acme, providers } = backend.testData
    const callSid = randomUUID()
    await uploadNew(callSid)
    const providerPath = (provider: string) =>
      pathOf(callSid).replace(`/Accounts/${acme.account}`, `/ServiceProviders/${provider}`)
    expect((await sendRequest('GET', providerPath(providers.north), 'north')).statusCode).toBe(404)
    const tags = { account_sid: acme.account, service_provider_sid: providers.north }
    const time = BigInt(Date.now()) * 1_000_000n
    await backend.services.callHistory.writePoints('cdrs', [{ tags, fields: { call_sid: callSid }, timeNs: time }])
    expect((await sendRequest('GET', providerPath(providers.north), 'north')).statusCode).toBe(200)
    expect((await sendRequest('GET', providerPath(providers.north), 'acme')).statusCode).toBe(403)
    expect((await sendRequest('GET', providerPath(providers.south), 'south')).statusCode).toBe(404)
    expect((await sendRequest('DELETE', providerPath(providers.north), 'north')).statusCode).toBe(204)
  })

  it('are found even if another account has a record with their call SID', async () => {
    const { acme, bolt, providers } = backend.testData
    const callSid = randomUUID()
    await uploadNew(callSid)
    const write = (account_sid: string, index: number) =>
      backend.services.callHistory.writePoints('cdrs', [
        {
          tags: { account_sid, service_provider_sid: providers.north },
          fields: { call_sid: callSid },
          timeNs: BigInt(index) * 1_000_000n,
        },
      ])
    const path = `/ServiceProviders/${providers.north}/RecentCalls/${callSid}/record/2026/11/22/wav`
    await write(acme.account, Date.now() - 1000)
    for (let recordIndex = 0; recordIndex < 120; recordIndex += 1) await write(bolt.account, Date.now())
    expect((await sendRequest('GET', path, 'north')).rawPayload.equals(audio)).toBe(true)
    const boltPath = pathOf(callSid, bolt.account)
    expect((await upload(boltPath, 'admin')).statusCode).toBe(201)
    expect((await sendRequest('GET', path, 'north')).statusCode).toBe(200)
    expect((await sendRequest('DELETE', path, 'north')).json()).toEqual({
      msg: 'Several accounts have a recording of a call with this SID. Use the path with /Accounts/{account_sid}.',
    })
    expect((await sendRequest('DELETE', boltPath, 'admin')).statusCode).toBe(204)
    expect((await sendRequest('DELETE', path, 'north')).statusCode).toBe(204)
  })

  it('are not replaced by the recording of an account that does not own the call', async () => {
    const { acme, bolt, providers, keys } = backend.testData
    const callSid = randomUUID()
    await uploadNew(callSid)
    const write = (account_sid: string, key: string) =>
      backend.app.inject({
        method: 'POST',
        url: '/write?db=cdrs&precision=ms',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/plain' },
        payload: `cdrs,account_sid=${account_sid} call_sid="${callSid}" ${Date.now()}`,
      })
    expect((await write(acme.account, keys.acme)).statusCode).toBe(204)
    expect((await write(bolt.account, keys.bolt)).statusCode).toBe(204)
    const forgery = Buffer.concat([audio, audio])
    expect((await upload(pathOf(callSid, bolt.account), 'bolt', forgery)).statusCode).toBe(201)
    const path = `/ServiceProviders/${providers.north}/RecentCalls/${callSid}/record/2026/11/22/wav`
    for (const actorName of ['north', 'admin'] as const)
      expect((await sendRequest('GET', path, actorName)).rawPayload.equals(audio)).toBe(true)
  })
})
