import { randomBytes, randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingest } from '@trunkline/contract/messages/recording'
import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { startReplica } from '../../../test/replica'
import { sqlUploadClaims } from '../../adapters/recordings/sql-upload-claims'
import { wavHeader } from '../../adapters/recordings/wav-header'

const sound = Buffer.concat([wavHeader({ sampleRate: 8000, channels: 2 }, 1000), randomBytes(1000)])
const byKey = { ingest: { byKey: true, host: '127.0.0.1' } }
const minute = 60_000

describe.each(engines)('an upload through two servers on one database (%s)', (engine) => {
  let backend: Backend
  let replica: Awaited<ReturnType<typeof startReplica>>
  beforeAll(async () => {
    backend = await startBackend({ engine, config: byKey })
    replica = await startReplica(backend.database, byKey)
  })
  afterAll(async () => {
    await replica.close()
    await backend.close()
  })

  const newPath = () =>
    buildRecordingPath(backend.world.acme.account, {
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
    const headers = { authorization: `Bearer ${backend.world.keys.acme}`, 'content-type': 'audio/wav' }
    const response = await app.inject({ method, url: `/v1${path}`, headers, ...(payload ? { payload } : {}) })
    return {
      status: response.statusCode,
      msg: response.statusCode === 409 ? response.json<{ msg: string }>().msg : undefined,
    }
  }
  const upload = (app: FastifyInstance, path: string, payload: Buffer | PassThrough = sound) =>
    send(app, 'PUT', path, payload)

  it('is accepted once if both run in parallel', async () => {
    for (let round = 0; round < 5; round += 1) {
      const path = newPath()
      const responses = await Promise.all([upload(backend.app, path), upload(replica.app, path)])
      expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409])
    }
  })

  it('is refused during and after the first one, and accepted after its deletion', async () => {
    const path = newPath()
    const body = new PassThrough()
    body.write(sound)
    const first = upload(backend.app, path, body)
    const claims = backend.database.db.selectFrom('trunkline_upload_claims').select('call_sid')
    const claimed = async () => (await claims.execute()).some(({ call_sid }) => path.includes(call_sid))
    await expect.poll(claimed, { timeout: 10_000 }).toBe(true)
    expect(await upload(replica.app, path)).toEqual({ status: 409, msg: ingest.alreadyRecording })
    body.end()
    expect((await first).status).toBe(201)
    expect(await upload(replica.app, path)).toEqual({ status: 409, msg: ingest.exists })
    expect((await send(backend.app, 'DELETE', path)).status).toBe(204)
    expect((await upload(replica.app, path)).status).toBe(201)
  })

  it('is accepted after an aborted one', async () => {
    const path = newPath()
    expect((await upload(backend.app, path, Buffer.from('no sound at all'))).status).toBe(400)
    expect((await upload(replica.app, path)).status).toBe(201)
  })

  it('is accepted after the claim of a killed process has expired', async () => {
    let now = Date.now()
    const claims = sqlUploadClaims(backend.database, () => now)
    const recording = {
      account_sid: backend.world.acme.account.toUpperCase(),
      name: { call_sid: randomUUID(), yyyy: '2026', mm: '11', dd: '22', format: 'wav' as const },
    }
    const killed = await claims.claim(recording)
    expect(killed).toBeDefined()
    now += minute
    expect(await claims.claim(recording)).toBeUndefined()
    now += 2 * minute
    const next = await claims.claim(recording)
    expect(next).toBeDefined()
    // A remainder of the first claim does not end the next.
    await killed!.release()
    expect(await claims.claim(recording)).toBeUndefined()
    await next!.complete()
    now += 59 * minute
    await claims.prune()
    expect(await claims.claim(recording)).toBeUndefined()
    now += 2 * minute
    await claims.prune()
    await (await claims.claim(recording))!.release()
  })
})
