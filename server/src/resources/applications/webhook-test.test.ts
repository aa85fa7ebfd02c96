import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { secretPlaceholder } from '@trunkline/contract/kit/secret'
import { messages } from '@trunkline/contract/messages/webhook'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, fetchToken, type ApiClient } from '../../../test/api-client'

const verbsJson = JSON.stringify([{ verb: 'say', text: 'Hello' }])
const jsonContentType = 'application/json; charset=utf-8'

interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

describe.each(databaseEngines)('the webhook test (%s)', (databaseEngine) => {
  let backend: Backend
  let webhook: Server
  let origin: string
  let url: string
  let receivedRequests: ReceivedRequest[]
  let webhookResponse: { status: number; type: string; body: string | Buffer }
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { appEnvPrivateTargets: true } })
    webhook = createServer((request, response) => {
      const { method = '', url = '', headers } = request
      if (method === 'OPTIONS') return void response.writeHead(404).end()
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        receivedRequests.push({ method, url, headers, body })
        response.writeHead(webhookResponse.status, { 'content-type': webhookResponse.type }).end(webhookResponse.body)
      })
    })
    await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}`
    url = `${origin}/call?tenant=1`
  })
  beforeEach(() => {
    receivedRequests = []
    webhookResponse = { status: 200, type: jsonContentType, body: verbsJson }
  })
  afterAll(async () => {
    webhook.closeAllConnections()
    webhook.close()
    await backend.close()
  })

  /** Each test uses a new API key, because the rate limit applies per key. */
  const clientWithNewKey = async (account_sid = backend.testData.acme.account): Promise<ApiClient> => {
    const { body } = await createApiClient(backend.app, backend.testData.keys.admin)('POST', '/ApiKeys', {
      account_sid,
    })
    return createApiClient(backend.app, body.token)
  }
  let applicationNumber = 0
  const createApplication = async (overrides: object = {}): Promise<string> => {
    const account_sid = backend.testData.acme.account
    const webhooks = { call_hook: { url, username: 'ann', password: 'saved-pass' }, call_status_hook: { url } }
    const draft = { name: `tested ${++applicationNumber}`, account_sid, ...webhooks, ...overrides }
    return (await createApiClient(backend.app, backend.testData.keys.admin)('POST', '/Applications', draft)).body.sid
  }
  const testPathOf = (sid: string) => `/Applications/${sid}/WebhookTest`
  const testWebhook = async (body: object, sid?: string) =>
    (await clientWithNewKey())('POST', testPathOf(sid ?? (await createApplication())), body)

  it('sends a new call like a voice server, signed and with credentials, and returns the response', async () => {
    const sid = await createApplication({ env_vars: { GREETING: 'hi' } })
    const { account } = backend.testData.acme
    await backend.services.accounts.update(account, { webhook_secret: 'wh_secret' })
    const { status, body } = await testWebhook(
      { hook: 'call_hook', url, method: 'POST', username: 'bob', password: 'pw' },
      sid,
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      duration_ms: expect.any(Number),
      response: { status: 200, content_type: jsonContentType, body: verbsJson, truncated: false },
      verbs_error: null,
    })
    const [{ method, url: requestedUrl, headers, body: sentBody }] = receivedRequests as [ReceivedRequest]
    expect([method, requestedUrl]).toEqual(['POST', '/call?tenant=1'])
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Trunkline-Webhook-Test',
      authorization: `Basic ${Buffer.from('bob:pw').toString('base64')}`,
    })
    const [, timestamp, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['jambonz-signature'])) ?? []
    expect(signature).toBe(createHmac('sha256', 'wh_secret').update(`${timestamp}.${sentBody}`).digest('hex'))
    expect(JSON.parse(sentBody)).toMatchObject({
      direction: 'inbound',
      call_status: 'trying',
      account_sid: account,
      application_sid: sid,
      sip: { method: 'INVITE' },
      env_vars: { GREETING: 'hi' },
    })
  })

  it('sends an ended call and a message to the other two webhooks, and does not check their responses for verbs', async () => {
    for (const hook of ['call_status_hook', 'messaging_hook']) {
      const { body } = await testWebhook({ hook, url })
      expect(body).not.toHaveProperty('verbs_error')
    }
    expect(receivedRequests.map(({ body }) => JSON.parse(body))).toMatchObject([
      { call_status: 'completed', duration: 12 },
      { text: 'This is a webhook test.' },
    ])
  })

  it('adds strings and numbers to the query of a GET request', async () => {
    await testWebhook({ hook: 'call_hook', url, method: 'GET' })
    const [{ method, url: requestedUrl, body }] = receivedRequests as [ReceivedRequest]
    const query = new URL(requestedUrl, origin).searchParams
    expect({ method, body, tenant: query.get('tenant'), status: query.get('call_status') }).toEqual({
      method: 'GET',
      body: '',
      tenant: '1',
      status: 'trying',
    })
    expect(query.has('sip')).toBe(false)
  })

  it.each<[string, Partial<typeof webhookResponse>, string]>([
    ['JSON that is not a list', { body: '{}' }, 'The JSON must be a list of verbs, such as [{ "verb": "answer" }].'],
    ['a verb without its properties', { body: '[{"verb":"play"}]' }, 'play: missing value for url'],
    ['an HTML page', { type: 'text/html' }, messages.test.verbs.notJson('text/html')],
    ['an empty body', { status: 204, body: '' }, messages.test.verbs.empty],
    ['a response that is too long', { body: `["${'x'.repeat(101 * 1024)}"]` }, messages.test.verbs.tooLong(100)],
  ])('reports why a call cannot use %s', async (_, responseOverrides, error) => {
    Object.assign(webhookResponse, responseOverrides)
    expect(await testWebhook({ hook: 'call_hook' })).toMatchObject({ status: 200, body: { verbs_error: error } })
  })

  it('does not check the body of a failure for verbs', async () => {
    webhookResponse.status = 404
    const { body } = await testWebhook({ hook: 'call_hook' })
    expect(body).toMatchObject({ response: { status: 404 } })
    expect(body).not.toHaveProperty('verbs_error')
  })

  it('returns the first 2 KiB of the body without an incomplete character', async () => {
    webhookResponse = { status: 200, type: 'text/plain', body: `x${'ü'.repeat(1500)}` }
    const { body } = await testWebhook({ hook: 'call_status_hook' })
    expect(body.response).toMatchObject({ truncated: true, body: `x${'ü'.repeat(1023)}` })
  })

  it('redacts its credentials if the webhook returns them', async () => {
    const encodedCredentials = Buffer.from('ann:saved-pass').toString('base64')
    webhookResponse = { status: 200, type: 'text/plain', body: `received ${encodedCredentials} and saved-pass` }
    const { body } = await testWebhook({ hook: 'call_hook' })
    expect(body.response.body).toBe('received [hidden] and [hidden]')
    expect(backend.log()).not.toContain('saved-pass')
  })

  const savedAuthorization = `Basic ${Buffer.from('ann:saved-pass').toString('base64')}`

  it('uses the saved webhook for fields that the body omits or masks', async () => {
    const sid = await createApplication()
    await testWebhook({ hook: 'call_hook' }, sid)
    await testWebhook({ hook: 'call_hook', url: `${origin}/other`, username: 'ann', password: secretPlaceholder }, sid)
    expect(receivedRequests.map(({ url: requestedUrl, headers }) => [requestedUrl, headers.authorization])).toEqual([
      ['/call?tenant=1', savedAuthorization],
      ['/other', savedAuthorization],
    ])
  })

  it('does not send a saved password to another origin', async () => {
    const sid = await createApplication({
      call_hook: { url: 'https://hooks.example.com/', username: 'ann', password: 'saved-pass' },
    })
    expect(
      await testWebhook({ hook: 'call_hook', url, username: 'ann', password: secretPlaceholder }, sid),
    ).toMatchObject({
      status: 400,
      body: { msg: messages.test.reenterPassword, field: 'password' },
    })
    await testWebhook({ hook: 'call_hook', url }, sid)
    expect(receivedRequests.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  it.each([
    [{ hook: 'call_hook', url: 'wss://example.com/call' }, messages.test.onlyHttp, 'url'],
    [{ hook: 'call_hook', url: 'nonsense' }, 'url URL is invalid', 'url'],
    [{ hook: 'messaging_hook' }, 'missing field url', 'url'],
    [{ hook: 'name' }, 'hook must be one of call_hook, call_status_hook, messaging_hook', 'hook'],
  ])('refuses %j', async (draft, msg, field) => {
    expect(await testWebhook(draft)).toMatchObject({ status: 400, body: { msg, field } })
  })

  it('reports why there was no response', async () => {
    expect(await testWebhook({ hook: 'call_hook', url: 'http://127.0.0.1:1/' })).toMatchObject({
      status: 200,
      body: { error: '127.0.0.1 refused the connection.' },
    })
  })

  it('is forbidden for other tenants and view-only users', async () => {
    const sid = await createApplication()
    const { keys } = backend.testData
    for (const key of [keys.bolt, keys.corp, keys.south])
      expect((await createApiClient(backend.app, key)('POST', testPathOf(sid), { hook: 'call_hook' })).status).toBe(403)
    const viewerClient = createApiClient(backend.app, await fetchToken(backend.app, 'viewer'))
    expect((await viewerClient('POST', testPathOf(sid), { hook: 'call_hook' })).status).toBe(403)
    expect(receivedRequests).toEqual([])
  })

  it('is limited to ten requests per minute for each user or API key', async () => {
    const sid = await createApplication()
    const [firstClient, secondClient] = [await clientWithNewKey(), await clientWithNewKey()]
    const body = { hook: 'call_hook' }
    for (let requestNumber = 0; requestNumber < 10; requestNumber += 1)
      expect((await firstClient('POST', testPathOf(sid), body)).status).toBe(200)
    const { status, headers } = await firstClient('POST', testPathOf(sid), body)
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await secondClient('POST', testPathOf(sid), body)).status).toBe(200)
    expect(receivedRequests).toHaveLength(11)
  })
})

it('sends no request to a private address if private addresses are not allowed', async () => {
  const backend = await startBackend()
  const { acme } = backend.testData
  const draft = { hook: 'call_hook', url: 'http://169.254.169.254/latest' }
  expect(
    await createApiClient(backend.app, backend.testData.keys.acme)(
      'POST',
      `/Applications/${acme.application}/WebhookTest`,
      draft,
    ),
  ).toMatchObject({ status: 200, body: { error: messages.test.failure.forbidden() } })
  await backend.close()
})
