import { randomBytes, randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingest } from '@trunkline/contract/messages/recording'
import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { startReplica } from '../../../test/replica'
import { createSqlUploadClaims } from '../../adapters/recordings/sql-upload-claims'
import { buildWavHeader } from '../../adapters/recordings/wav-header'

const audio = Buffer.concat([buildWavHeader({ sampleRate: 8000, channels: 2 }, 1000), randomBytes(1000)])
const ingestConfig = { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } }
const minuteMs = 60_000

describe.each(databaseEngines)('an upload through two servers on one database (%s)', (databaseEngine) => {
  let backend: Backend
  let replica: Awaited<ReturnType<typeof startReplica>>
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: ingestConfig })
    replica = await startReplica(backend.database, ingestConfig)
  })
  afterAll(async () => {
    await replica.close()
    await backend.close()
  })

  const uniquePath = () =>
    buildRecordingPath(backend.testData.acme.account, {
      call_sid: randomUUID(),
      yyyy: '2026',
      mm: '11',
      dd: '22',
      format: 'wav',
    })
  const send = async (
    app: FastifyInstance,
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    payload?: Buffer | PassThrough,
  ) => {
    const headers = { authorization: `Bearer ${backend.testData.keys.acme}`, 'content-type': 'audio/wav' }
    const response = await app.inject({ method, url: `/v1${path}`, headers, ...(payload ? { payload } : {}) })
    return {
      status: response.statusCode,
      msg: response.statusCode === 409 ? response.json<{ msg: string }>().msg : undefined,
    }
  }
  const upload = (app: FastifyInstance, path: string, payload: Buffer | PassThrough = audio) =>
    send(app, 'PUT', path, payload)

  it('is accepted by only one server if both receive it in parallel', async () => {
    for (let round = 0; round < 5; round += 1) {
      const path = uniquePath()
      const responses = await Promise.all([upload(backend.app, path), upload(replica.app, path)])
      expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409])
    }
  })

  it('is refused during and after another upload, and accepted after the recording is deleted', async () => {
    const path = uniquePath()
    const body = new PassThrough()
    body.write(audio)
    const firstUpload = upload(backend.app, path, body)
    const claims = backend.database.db.selectFrom('trunkline_upload_claims').select('call_sid')
    const isClaimed = async () => (await claims.execute()).some(({ call_sid }) => path.includes(call_sid))
    await expect.poll(isClaimed, { timeout: 10_000 }).toBe(true)
    expect(await upload(replica.app, path)).toEqual({ status: 409, msg: ingest.alreadyReceiving })
    body.end()
    expect((await firstUpload).status).toBe(201)
    expect(await upload(replica.app, path)).toEqual({ status: 409, msg: ingest.exists })
    expect((await send(backend.app, 'DELETE', path)).status).toBe(204)
    expect((await upload(replica.app, path)).status).toBe(201)
  })

  it('is accepted after a refused upload of the same recording', async () => {
    const path = uniquePath()
    expect((await upload(backend.app, path, Buffer.from('no sound at all'))).status).toBe(400)
    expect((await upload(replica.app, path)).status).toBe(201)
  })

  it('is accepted after the claim of a killed process has expired', async () => {
    let now = Date.now()
    const claims = createSqlUploadClaims(backend.database, () => now)
    const recording = {
      account_sid: backend.testData.acme.account.toUpperCase(),
      name: { call_sid: randomUUID(), yyyy: '2026', mm: '11', dd: '22', format: 'wav' as const },
    }
    const claimOfKilledProcess = await claims.claim(recording)
    expect(claimOfKilledProcess).toBeDefined()
    now += minuteMs
    expect(await claims.claim(recording)).toBeUndefined()
    now += 2 * minuteMs
    const newClaim = await claims.claim(recording)
    expect(newClaim).toBeDefined()
    // Releasing the expired claim does not release the new one.
    await claimOfKilledProcess!.release()
    expect(await claims.claim(recording)).toBeUndefined()
    await newClaim!.complete()
    now += 59 * minuteMs
    await claims.prune()
    expect(await claims.claim(recording)).toBeUndefined()
    now += 2 * minuteMs
    await claims.prune()
    await (await claims.claim(recording))!.release()
  })
})
