import type { RequestListener } from 'node:http'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { messages } from '@trunkline/contract/messages/bucket'
import { listening } from '../../../test/doubles/listening'
import { testStorage } from '../../ports/object-storage'
import { bucketCache } from './bucket-cache'
import { openBucketByVendor } from './open-bucket'

const { failure } = messages
const timeoutSignal = () => AbortSignal.timeout(10_000)

/** The address to which names resolve during the check; connections use the real one. */
const resolveTo = (address: string) => {
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation((() => Promise.resolve([{ address, family: 4 }])) as never)
  syncBuiltinESMExports()
  return () => {
    lookup.mockRestore()
    syncBuiltinESMExports()
  }
}

const credentialOf = (vendor: string, address: string) => ({
  vendor,
  name: 'recordings',
  endpoint: address,
  access_key_id: 'key',
  secret_access_key: 'secret',
  connection_string: `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=c2VjcmV0;BlobEndpoint=${address}/a;`,
})

const hosts = {
  private: [
    'localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '[fd00::1]',
  ],
  never: ['0.0.0.0', '169.254.169.254', '[fe80::1]', '[fd00:ec2::254]', '168.63.129.16', '100.100.100.200'],
}

describe.each(['s3_compatible', 'azure'])('the address of a bucket (%s)', (vendor) => {
  let actualResponse: RequestListener
  let requests = 0
  let server: Awaited<ReturnType<typeof listening>>
  let port: string
  beforeAll(async () => {
    server = await listening((request, response) => {
      requests += 1
      request.resume()
      actualResponse(request, response)
    })
    ;({ port } = new URL(server.address))
  })
  beforeEach(() => {
    requests = 0
    actualResponse = (_, response) => response.end()
  })
  afterAll(() => server.stop())

  const open = (privateTargets: boolean, address = server.address) =>
    openBucketByVendor({ privateTargets })(credentialOf(vendor, address), 'account')
  const probed = async (privateTargets: boolean, host: string) => {
    const recordings = await open(privateTargets, `http://${host}:${port}`)
    await testStorage(recordings, timeoutSignal()).finally(() => recordings.close())
  }

  it.each([...hosts.private, ...hosts.never])('is refused for %s', async (host) => {
    await expect(probed(false, host)).rejects.toThrow(new Error(failure.unreachable))
    expect(requests).toBe(0)
  })

  it.each(hosts.never)('is refused for %s even if private networks are allowed', async (host) => {
    await expect(probed(true, host)).rejects.toThrow(new Error(failure.unreachable))
  })

  it('may be private if private networks are allowed', async () => {
    const recordings = await open(true)
    await recordings.remove('key', timeoutSignal()).catch(() => undefined)
    recordings.close()
    expect(requests).toBe(1)
  })

  it('is checked again when the connection is made', async () => {
    const restore = resolveTo('8.8.8.8')
    await expect(probed(false, 'localhost').finally(restore)).rejects.toThrow(failure.write(failure.unreachable))
    expect(requests).toBe(0)
  })

  it('is not replaced by the target of a redirect', async () => {
    const followed: string[] = []
    actualResponse = ({ url = '' }, response) => {
      if (url.includes('elsewhere')) followed.push(url)
      response.writeHead(307, { location: `${server.address}/elsewhere` }).end()
    }
    const recordings = await open(true)
    await expect(recordings.stat('key', timeoutSignal())).rejects.toThrow()
    await expect(recordings.open('key', timeoutSignal())).rejects.toThrow()
    recordings.close()
    expect(followed).toEqual([])
  })

  it('that is not a storage is reported, whatever responds there', async () => {
    actualResponse = (_, response) => void response.socket?.end('220 mail.example.com ESMTP\r\n')
    await expect(probed(true, '127.0.0.1')).rejects.toThrow(failure.write(failure.unexpectedResponse))
  })

  const recordingIn = async (headers: Record<string, string>, body: string) => {
    actualResponse = (request, response) => {
      response.writeHead(200, { ...headers, etag: '"1"', 'content-length': String(body.length) })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    const buckets = bucketCache(openBucketByVendor({ privateTargets: true }))
    const recordings = await buckets.get('account', credentialOf(vendor, server.address))
    try {
      return await recordings.stat('2026/11/23/call.wav', timeoutSignal())
    } finally {
      buckets.close()
    }
  }

  it.each([
    ['JSON', 'application/json', '{"internal":"secret"}'],
    ['JSON of a general type', 'application/octet-stream', '{"internal":"secret"}'],
    ['an HTML page', 'text/html', '<html><body>internal</body></html>'],
  ])('that returns %s has no recording', async (_, type, body) => {
    await expect(recordingIn({ 'content-type': type }, body)).rejects.toThrow(failure.notAudio)
  })

  it.each([
    ['that are WAV files', 'binary/octet-stream', `RIFF${'    '}WAVEfmt of a call`],
    ['that are MP3 files', 'text/plain', 'ID3 of a call'],
    ['of an audio type', 'audio/mp3', 'whatever it is'],
  ])('may contain recordings %s', async (_, type, body) => {
    expect(await recordingIn({ 'content-type': type }, body)).toMatchObject({ size: body.length })
  })
})
