import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/bucket'
import { listening } from '../../../test/doubles/listening'
import { openBucketByVendor as openByVendor } from './open-bucket'

const recordingsByVendor = openByVendor({ privateTargets: true })

const { failure } = messages
const secret = Buffer.from('a secret').toString('base64')
const timeoutSignal = () => AbortSignal.timeout(10_000)

/** Responses to HEAD only have a status, and a proxy may respond with anything. */
describe.each(['s3_compatible', 'azure'])('a storage with minimal responses (%s)', (vendor) => {
  let received: { status: number; headers?: Record<string, string> } = { status: 200 }
  let server: Awaited<ReturnType<typeof listening>>
  beforeAll(async () => {
    server = await listening((request, response) => {
      request.resume()
      response
        .writeHead(received.status, received.headers)
        .end(request.method === 'HEAD' ? undefined : '<html>Sign in</html>')
    })
  })
  afterAll(() => server.stop())

  const open = () =>
    recordingsByVendor(
      {
        vendor,
        name: 'recordings',
        endpoint: server.address,
        access_key_id: 'key',
        secret_access_key: 'secret',
        connection_string: `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=${secret};BlobEndpoint=${server.address}/a;`,
      },
      'account',
    )

  it.each([
    [401, failure.accessDenied],
    [403, failure.accessDenied],
    [500, failure.serverError],
    [503, failure.serverError],
    [400, failure.unexpectedResponse],
  ])('explains status %i', async (status, words) => {
    received = { status }
    const recordings = await open()
    await expect(recordings.stat('one', timeoutSignal())).rejects.toThrow(words)
    recordings.close()
  })

  it('reports an object without a size as an error', async () => {
    received = { status: 200, headers: { 'content-type': 'text/html', 'transfer-encoding': 'chunked' } }
    const recordings = await open()
    await expect(recordings.stat('one', timeoutSignal())).rejects.toThrow(failure.unexpectedResponse)
    recordings.close()
  })

  it('reports a missing object as missing', async () => {
    received = { status: 404 }
    const recordings = await open()
    expect(await recordings.stat('one', timeoutSignal())).toBeUndefined()
    recordings.close()
  })
})
