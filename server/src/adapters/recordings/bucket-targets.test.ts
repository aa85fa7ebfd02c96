import type { RequestListener } from 'node:http'
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { startHttpServer } from '../../../test/doubles/http-server'
import { testStorage } from '../../ports/object-storage'
import { createBucketCache } from './bucket-cache'
import { createBucketOpener } from './open-bucket'

const { failure } = messages
const timeoutSignal = () => AbortSignal.timeout(10_000)

/** The overload of `dns.lookup` that the check uses. */
type LookupAll = (hostname: string, options: LookupAllOptions) => Promise<LookupAddress[]>

/**
 * Makes every name resolve to this address when the URL is checked; connections still use the real lookup. Returns a
 * function that restores it.
 */
const mockLookup = (address: string) => {
  const lookup = vi.spyOn(dns, 'lookup') as MockInstance<LookupAll>
  lookup.mockResolvedValue([{ address, family: 4 }])
  syncBuiltinESMExports()
  return () => {
    lookup.mockRestore()
    syncBuiltinESMExports()
  }
}

const buildCredential = (vendor: string, endpoint: string): BucketCredential => ({
  vendor,
  name: 'recordings',
  endpoint,
  access_key_id: 'key',
  secret_access_key: 'secret',
  connection_string: `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=c2VjcmV0;BlobEndpoint=${endpoint}/a;`,
})

/** Hosts to which this server must not connect: the first list unless private networks are allowed, the second always. */
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
  metadataOrReserved: [
    '0.0.0.0',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '168.63.129.16',
    '100.100.100.200',
  ],
}

describe.each(['s3_compatible', 'azure'])('the address of a bucket (%s)', (vendor) => {
  let respond: RequestListener
  let requestCount = 0
  let server: Awaited<ReturnType<typeof startHttpServer>>
  let port: string
  beforeAll(async () => {
    server = await startHttpServer((request, response) => {
      requestCount += 1
      request.resume()
      respond(request, response)
    })
    ;({ port } = new URL(server.address))
  })
  beforeEach(() => {
    requestCount = 0
    respond = (_, response) => response.end()
  })
  afterAll(() => server.stop())

  const openStorage = (allowPrivateTargets: boolean, address = server.address) =>
    createBucketOpener({ allowPrivateTargets })(buildCredential(vendor, address), 'account')
  const runStorageTest = async (allowPrivateTargets: boolean, host: string) => {
    const storage = await openStorage(allowPrivateTargets, `http://${host}:${port}`)
    await testStorage(storage, timeoutSignal()).finally(() => storage.close())
  }

  it.each([...hosts.private, ...hosts.metadataOrReserved])('is refused for %s', async (host) => {
    await expect(runStorageTest(false, host)).rejects.toThrow(new Error(failure.unreachable))
    expect(requestCount).toBe(0)
  })

  it.each(hosts.metadataOrReserved)('is refused for %s even if private networks are allowed', async (host) => {
    await expect(runStorageTest(true, host)).rejects.toThrow(new Error(failure.unreachable))
  })

  it('may be private if private networks are allowed', async () => {
    const storage = await openStorage(true)
    await storage.remove('key', timeoutSignal()).catch(() => undefined)
    storage.close()
    expect(requestCount).toBe(1)
  })

  it('is checked again when the connection is made', async () => {
    const restoreLookup = mockLookup('8.8.8.8')
    await expect(runStorageTest(false, 'localhost').finally(restoreLookup)).rejects.toThrow(
      failure.write(failure.unreachable),
    )
    expect(requestCount).toBe(0)
  })

  it('is the only one that receives requests: redirects are not followed', async () => {
    const followedUrls: string[] = []
    respond = ({ url = '' }, response) => {
      if (url.includes('elsewhere')) followedUrls.push(url)
      response.writeHead(307, { location: `${server.address}/elsewhere` }).end()
    }
    const storage = await openStorage(true)
    await expect(storage.stat('key', timeoutSignal())).rejects.toThrow()
    await expect(storage.open('key', timeoutSignal())).rejects.toThrow()
    storage.close()
    expect(followedUrls).toEqual([])
  })

  it('is reported if the server behind it does not speak HTTP', async () => {
    respond = (_, response) => void response.socket?.end('220 mail.example.com ESMTP\r\n')
    await expect(runStorageTest(true, '127.0.0.1')).rejects.toThrow(failure.write(failure.unexpectedResponse))
  })

  const statRecording = async (headers: Record<string, string>, body: string) => {
    respond = (request, response) => {
      response.writeHead(200, { ...headers, etag: '"1"', 'content-length': String(body.length) })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    const buckets = createBucketCache(createBucketOpener({ allowPrivateTargets: true }))
    const storage = await buckets.get('account', buildCredential(vendor, server.address))
    try {
      return await storage.stat('2026/11/23/call.wav', timeoutSignal())
    } finally {
      buckets.close()
    }
  }

  it.each([
    ['JSON', 'application/json', '{"internal":"secret"}'],
    ['JSON of a general type', 'application/octet-stream', '{"internal":"secret"}'],
    ['an HTML page', 'text/html', '<html><body>internal</body></html>'],
  ])('has no recording if its server returns %s', async (_, type, body) => {
    await expect(statRecording({ 'content-type': type }, body)).rejects.toThrow(failure.notAudio)
  })

  it.each([
    ['a WAV file', 'binary/octet-stream', `RIFF${'    '}WAVEfmt of a call`],
    ['an MP3 file', 'text/plain', 'ID3 of a call'],
    ['an object of an audio type', 'audio/mp3', 'whatever it is'],
  ])('has a recording if its server returns %s', async (_, type, body) => {
    expect(await statRecording({ 'content-type': type }, body)).toMatchObject({ size: body.length })
  })
})
