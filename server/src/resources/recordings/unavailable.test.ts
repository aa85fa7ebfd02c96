import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ingest } from '@trunkline/contract/messages/recording'
import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import { startBackend, type Backend } from '../../../test/backend'
import { StorageError } from '../../ports/object-storage'

describe('requests for a recording', () => {
  let backend: Backend
  let path: string
  beforeAll(async () => {
    backend = await startBackend({ config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } } })
    path = buildRecordingPath(backend.testData.acme.account, {
      call_sid: randomUUID(),
      yyyy: '2026',
      mm: '11',
      dd: '22',
      format: 'wav',
    })
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(() => backend.close())

  const send = (method: 'GET' | 'DELETE', url = path) =>
    backend.app.inject({
      method,
      url: `/v1${url}`,
      headers: { authorization: `Bearer ${backend.testData.keys.acme}`, range: 'bytes=0-9' },
    })

  it('return 404 with the reason if the storage fails, without headers of the file', async () => {
    const reason = 'The storage cannot be reached.'
    vi.spyOn(backend.services.recordingStore, 'findRecording').mockResolvedValue({
      format: 'wav',
      size: 1044,
      open: () => Promise.reject(new StorageError(reason)),
    })
    const response = await send('GET')
    expect(response).toMatchObject({ statusCode: 404, body: reason })
    for (const name of ['content-range', 'accept-ranges']) expect(response.headers).not.toHaveProperty(name)
    vi.spyOn(backend.services.recordingStore, 'removeRecording').mockRejectedValue(new StorageError(reason))
    expect(await send('DELETE')).toMatchObject({ statusCode: 404, body: reason })
  })

  it('return 503 with the reason for an upload if the storage fails, so that the voice server sends it again', async () => {
    const reason = 'The storage cannot be reached.'
    vi.spyOn(backend.services.recordingStore, 'findRecording').mockRejectedValue(new StorageError(reason))
    const response = await backend.app.inject({
      method: 'PUT',
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${backend.testData.keys.acme}`, 'content-type': 'audio/wav' },
      payload: Buffer.alloc(100),
    })
    expect(response).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
    expect(response.json()).toEqual({ msg: ingest.bucketUnavailable(reason) })
  })

  const databaseFailure = () => Object.assign(new Error('no connection'), { code: 'ECONNREFUSED', fatal: true })

  it.each(['findRecording', 'isKnownButMissing', 'removeRecording'] as const)(
    'return 503 if the database fails in %s',
    async (operation) => {
      vi.spyOn(backend.services.recordingStore, operation).mockRejectedValue(databaseFailure())
      const response = await send(operation === 'removeRecording' ? 'DELETE' : 'GET')
      expect(response.statusCode).toBe(503)
      expect(response.headers['retry-after']).toBe('5')
    },
  )

  it('return 503, not 403, if the database fails during the permission check', async () => {
    vi.spyOn(backend.services.accounts, 'providerOf').mockRejectedValue(databaseFailure())
    for (const url of [path, `${path}?ticket=x`, `${path}/address`])
      expect(await send('GET', url)).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
    expect((await send('DELETE')).statusCode).toBe(503)
  })
})
