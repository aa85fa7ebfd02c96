import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/bucket'
import { startHttpServer } from '../../../test/doubles/http-server'
import { createBucketOpener } from './open-bucket'

const openBucket = createBucketOpener({ allowPrivateTargets: true })

const { failure } = messages
const accountKey = Buffer.from('a secret').toString('base64')
const timeoutSignal = () => AbortSignal.timeout(10_000)

/** Responses to HEAD only have a status, and a proxy may respond with anything. */
describe.each(['s3_compatible', 'azure'])('a storage with minimal responses (%s)', (vendor) => {
  let responseToSend: { status: number; headers?: Record<string, string> } = { status: 200 }
  let server: Awaited<ReturnType<typeof startHttpServer>>
  beforeAll(async () => {
    server = await startHttpServer((request, response) => {
      request.resume()
      response
        .writeHead(responseToSend.status, responseToSend.headers)
        .end(request.method === 'HEAD' ? undefined : '<html>Sign in</html>')
    })
  })
  afterAll(() => server.stop())

  const openStorage = () =>
    openBucket(
      {
        vendor,
        name: 'recordings',
        endpoint: server.address,
        access_key_id: 'key',
        secret_access_key: 'secret',
        connection_string: `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=${accountKey};BlobEndpoint=${server.address}/a;`,
      },
      'account',
    )

  it.each([
    [401, failure.accessDenied],
    [403, failure.accessDenied],
    [500, failure.serverError],
    [503, failure.serverError],
    [400, failure.unexpectedResponse],
  ])('explains status %i', async (status, expectedMessage) => {
    responseToSend = { status }
    const storage = await openStorage()
    await expect(storage.stat('one', timeoutSignal())).rejects.toThrow(expectedMessage)
    storage.close()
  })

  it('reports an object without a size as an error', async () => {
    responseToSend = { status: 200, headers: { 'content-type': 'text/html', 'transfer-encoding': 'chunked' } }
    const storage = await openStorage()
    await expect(storage.stat('one', timeoutSignal())).rejects.toThrow(failure.unexpectedResponse)
    storage.close()
  })

  it('reports a missing object as missing', async () => {
    responseToSend = { status: 404 }
    const storage = await openStorage()
    expect(await storage.stat('one', timeoutSignal())).toBeUndefined()
    storage.close()
  })
})
