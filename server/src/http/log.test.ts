import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { createApiClient, fetchToken } from '../../test/api-client'
import { password } from '../../test/test-data'

describe.each(databaseEngines)('the log (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({
      databaseEngine,
      config: { logLevel: 'trace', ingest: { acceptsApiKeys: true, host: '127.0.0.1' } },
    })
  })
  afterAll(() => backend.close())

  const readLog = () =>
    backend
      .log()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { reqId?: string; req?: { url: string }; err?: object; level: number })

  it('is JSON, with one line per request', async () => {
    await createApiClient(backend.app)('GET', '/PredefinedCarriers?secret=1')
    await createApiClient(backend.app)('GET', '/Accounts')
    const requests = readLog().filter(({ req }) => req)
    expect(requests.map(({ req }) => req!.url)).toEqual(['/v1/PredefinedCarriers', '/v1/Accounts'])
    expect(new Set(requests.map(({ reqId }) => reqId)).size).toBe(2)
    for (const { reqId } of readLog()) expect(reqId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('describes a refused request under the identifier that its response has', async () => {
    const headers = { authorization: `Bearer ${backend.testData.keys.acme}` }
    for (const url of ['/v1/Accounts/unknown', '/v1/NoSuchRoute', '/v1/Accounts']) {
      const response = await backend.app.inject({ url, headers: url.endsWith('Accounts') ? {} : headers })
      expect(response.statusCode).toBeGreaterThanOrEqual(400)
      const line = readLog().findLast(({ req }) => req?.url === url)
      expect(response.headers['x-request-id']).toBe(line?.reqId)
    }
  })

  it.each([
    ['/v1/Applications', 'application/json'],
    ['/v1/traces', 'application/json'],
    ['/write?db=cdrs', 'text/plain'],
  ])('reports no error if a client leaves before its body for %s is complete', async (path, contentType) => {
    const { app } = backend
    if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const token = backend.testData.keys.acme
    const linesBefore = readLog().length
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: ${contentType}\r\nContent-Length: 100\r\n\r\n{`,
    )
    const [request] = (await once(app.server, 'request')) as [IncomingMessage]
    await once(request, 'data')
    socket.destroy()
    await new Promise((resolve) => request.once('close', resolve))
    await createApiClient(app)('GET', '/PredefinedCarriers')
    const lines = readLog().slice(linesBefore)
    expect(lines.filter(({ level }) => level >= 30)).toMatchObject([{ req: { url: '/v1/PredefinedCarriers' } }])
  })

  it('contains no secret of a request', async () => {
    const { app, testData } = backend
    const token = await fetchToken(app, 'acme')
    const anonymousClient = createApiClient(app)
    const acmeClient = createApiClient(app, token)
    await anonymousClient('POST', '/login', { username: 'acme', password: 'wrong-Secret-1' })
    await anonymousClient('POST', '/login', `{"username":"acme","password":"broken-Secret-2`, {
      'content-type': 'application/json',
    })
    await anonymousClient('GET', `/Accounts?access_token=${token}`)
    await anonymousClient('PUT', `/Accounts/${testData.acme.account}`, { access_token: testData.keys.acme, name: '' })
    await acmeClient('PUT', `/Accounts/${testData.acme.account}`, { webhook_secret: 'wh_secret_Secret3' })
    await acmeClient('PUT', `/Accounts/${testData.acme.account}`, {
      registration_hook: { url: 'https://example.com', username: 'u', password: 'hook-Secret-4' },
      bucket_credential: {
        vendor: 'aws_s3',
        name: 'b',
        region: 'r',
        access_key_id: 'k',
        secret_access_key: 'bucket-Secret-5',
      },
    })
    await acmeClient('PUT', `/VoipCarriers/${testData.acme.voip_carrier}`, { register_password: 'trunk-Secret-6' })
    await acmeClient('POST', '/change-password', { old_password: password, new_password: 'short-7' })
    const keyResponse = await acmeClient('POST', '/ApiKeys', { account_sid: testData.acme.account })
    // Server errors are logged completely.
    await backend.database.db.schema.dropTable('google_custom_voices').execute()
    await backend.database.db.schema.dropTable('clients').execute()
    const keyClient = createApiClient(app, keyResponse.body.token)
    expect(await keyClient('DELETE', `/Accounts/${testData.acme.account}`)).toMatchObject({ status: 503 })
    const log = backend.log()
    expect(log).toMatch(/no such table|doesn't exist/)
    for (const secret of [
      password,
      token,
      testData.keys.acme,
      keyResponse.body.token,
      'Secret',
      'short-7',
      'test jwt secret',
    ])
      expect(log).not.toContain(secret)
  })

  it('does not reveal a server error to the client', async () => {
    vi.spyOn(backend.services.actors, 'findByToken').mockRejectedValueOnce(new Error('an unexpected detail'))
    const response = await createApiClient(backend.app, backend.testData.keys.admin)('GET', '/Accounts')
    expect(response).toMatchObject({ status: 500, body: { msg: 'Something went wrong, please try again.' } })
    expect(readLog().some(({ level, err }) => level === 50 && err !== undefined)).toBe(true)
  })
})
