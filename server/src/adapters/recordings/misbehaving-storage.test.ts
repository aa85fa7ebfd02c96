import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/bucket'
import { listening } from '../../../test/doubles/listening'
import { recordingsByVendor as openByVendor } from './open-bucket'

const recordingsByVendor = openByVendor({ privateTargets: true })

const { fault } = messages
const secret = Buffer.from('a secret').toString('base64')
const soon = () => AbortSignal.timeout(10_000)

/** Storages say on a HEAD in a number alone what is wrong, and a proxy in front of one says anything. */
describe.each(['s3_compatible', 'azure'])('a storage that says little (%s)', (vendor) => {
  let said: { status: number; headers?: Record<string, string> } = { status: 200 }
  let server: Awaited<ReturnType<typeof listening>>
  beforeAll(async () => {
    server = await listening((request, response) => {
      request.resume()
      response.writeHead(said.status, said.headers).end(request.method === 'HEAD' ? undefined : '<html>Sign in</html>')
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
    [401, fault.denied],
    [403, fault.denied],
    [500, fault.failed],
    [503, fault.failed],
    [400, fault.unknown],
  ])('with %i is told in words', async (status, words) => {
    said = { status }
    const recordings = await open()
    await expect(recordings.statObject('one', soon())).rejects.toThrow(words)
    recordings.close()
  })

  it('has no object without a size', async () => {
    said = { status: 200, headers: { 'content-type': 'text/html', 'transfer-encoding': 'chunked' } }
    const recordings = await open()
    await expect(recordings.statObject('one', soon())).rejects.toThrow(fault.unknown)
    recordings.close()
  })

  it('has none where it says so', async () => {
    said = { status: 404 }
    const recordings = await open()
    expect(await recordings.statObject('one', soon())).toBeUndefined()
    recordings.close()
  })
})
