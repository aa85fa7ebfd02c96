import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { sendRawRequest, listen, buildRequestHead } from '../../test/raw-request'
import { createApiClient } from '../../test/api-client'

const tenMebibytes = String(10 * 1024 * 1024)
const jsonHeaders = { 'Content-Type': 'application/json' }

describe('a request whose body has not arrived yet', () => {
  let backend: Backend
  let port: number
  beforeAll(async () => {
    backend = await startBackend({
      config: { rateLimit: { max: 4, minutes: 5 }, ingest: { acceptsApiKeys: true, host: '127.0.0.1' } },
    })
    port = await listen(backend.app)
  })
  afterAll(() => backend.close())

  const sendHeaders = (path: string, headers: Record<string, string>) =>
    sendRawRequest(port, buildRequestHead('POST', path, { ...jsonHeaders, ...headers }))

  it('is refused with 401 when the token in its header is unknown', async () => {
    const headers = { 'Content-Length': tenMebibytes, Authorization: 'Bearer nonsense' }
    expect(await sendHeaders('/v1/PhoneNumbers/Import', headers)).toMatch(/^HTTP\/1.1 401 /)
  })

  it('is refused with 413 when its Content-Length exceeds 100 KiB and it has no credential', async () => {
    const response = await sendHeaders('/v1/PhoneNumbers/Import', { 'Content-Length': tenMebibytes })
    expect(response).toMatch(/^HTTP\/1.1 413 /)
    expect(response).toContain('needs its credential in the Authorization header')
  })

  it('is refused with 413 when it sends more than 100 KiB in chunks without a credential', async () => {
    const chunk = 'x'.repeat(60 * 1024)
    const part = `${chunk.length.toString(16)}\r\n${chunk}\r\n`
    const head = buildRequestHead('POST', '/v1/PhoneNumbers/Import', { ...jsonHeaders, 'Transfer-Encoding': 'chunked' })
    expect(await sendRawRequest(port, head + part + part)).toMatch(/^HTTP\/1.1 413 /)
  })

  it('is refused with 401 by ingest routes when it has no key', async () => {
    for (const path of ['/write?db=cdrs', '/query', '/v1/traces'])
      expect(await sendHeaders(path, { 'Content-Length': '1000000' })).toMatch(/^HTTP\/1.1 401 /)
  })

  it('is counted, and refused with 429 over the limit', async () => {
    const headers = { 'Content-Length': tenMebibytes, Authorization: `Bearer ${backend.testData.keys.acme}` }
    const acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    for (let request = 0; request < 4; request++) await acmeClient('GET', '/Accounts')
    expect(await sendHeaders('/v1/PhoneNumbers/Import', headers)).toMatch(/^HTTP\/1.1 429 /)
  })
})
