import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { maskedSecret } from '@trunkline/contract/kit/secret'
import { messages } from '@trunkline/contract/messages/webhook'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient, tokenFor, type ApiClient } from '../../../test/speak'

const verbs = JSON.stringify([{ verb: 'say', text: 'Hello' }])
const json = 'application/json; charset=utf-8'

interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

describe.each(engines)('testing a webhook (%s)', (engine) => {
  let backend: Backend
  let webhook: Server
  let origin: string
  let url: string
  let received: Received[]
  let reply: { status: number; type: string; body: string | Buffer }
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { appEnvPrivateTargets: true } })
    webhook = createServer((request, response) => {
      const { method = '', url = '', headers } = request
      if (method === 'OPTIONS') return void response.writeHead(404).end()
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        received.push({ method, url, headers, body })
        response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body)
      })
    })
    await new Promise<void>((done) => webhook.listen(0, '127.0.0.1', done))
    origin = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}`
    url = `${origin}/call?tenant=1`
  })
  beforeEach(() => {
    received = []
    reply = { status: 200, type: json, body: verbs }
  })
  afterAll(async () => {
    webhook.closeAllConnections()
    webhook.close()
    await backend.close()
  })

  /** Each test sends with a key of its own, because tests are limited by key. */
  const withNewKey = async (account_sid = backend.world.acme.account): Promise<ApiClient> => {
    const { body } = await apiClient(backend.app, backend.world.keys.admin)('POST', '/ApiKeys', { account_sid })
    return apiClient(backend.app, body.token)
  }
  let serial = 0
  const create = async (overrides: object = {}): Promise<string> => {
    const account_sid = backend.world.acme.account
    const hooks = { call_hook: { url, username: 'ann', password: 'saved-pass' }, call_status_hook: { url } }
    const draft = { name: `tested ${++serial}`, account_sid, ...hooks, ...overrides }
    return (await apiClient(backend.app, backend.world.keys.admin)('POST', '/Applications', draft)).body.sid
  }
  const path = (sid: string) => `/Applications/${sid}/WebhookTest`
  const test = async (body: object, sid?: string) => (await withNewKey())('POST', path(sid ?? (await create())), body)

  it('sends a new call as a voice server does, signed and with credentials, and reads the response', async () => {
    const sid = await create({ env_vars: { GREETING: 'hi' } })
    const { account } = backend.world.acme
    await backend.services.accounts.update(account, { webhook_secret: 'wh_secret' })
    const { status, body } = await test(
      { hook: 'call_hook', url, method: 'POST', username: 'bob', password: 'pw' },
      sid,
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      duration_ms: expect.any(Number),
      response: { status: 200, content_type: json, body: verbs, truncated: false },
      verbs_error: null,
    })
    const [{ method, url: target, headers, body: sent }] = received as [Received]
    expect([method, target]).toEqual(['POST', '/call?tenant=1'])
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Trunkline-Webhook-Test',
      authorization: `Basic ${Buffer.from('bob:pw').toString('base64')}`,
    })
    const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['jambonz-signature'])) ?? []
    expect(signature).toBe(createHmac('sha256', 'wh_secret').update(`${time}.${sent}`).digest('hex'))
    expect(JSON.parse(sent)).toMatchObject({
      direction: 'inbound',
      call_status: 'trying',
      account_sid: account,
      application_sid: sid,
      sip: { method: 'INVITE' },
      env_vars: { GREETING: 'hi' },
    })
  })

  it('sends an ended call and a message to the other two webhooks, and does not look for verbs in their responses', async () => {
    for (const hook of ['call_status_hook', 'messaging_hook']) {
      const { body } = await test({ hook, url })
      expect(body).not.toHaveProperty('verbs_error')
    }
    expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { call_status: 'completed', duration: 12 },
      { text: 'This is a webhook test.' },
    ])
  })

  it('adds plain values to the query of a GET request', async () => {
    await test({ hook: 'call_hook', url, method: 'GET' })
    const [{ method, url: target, body }] = received as [Received]
    const query = new URL(target, origin).searchParams
    expect({ method, body, tenant: query.get('tenant'), status: query.get('call_status') }).toEqual({
      method: 'GET',
      body: '',
      tenant: '1',
      status: 'trying',
    })
    expect(query.has('sip')).toBe(false)
  })

  it.each<[string, Partial<typeof reply>, string]>([
    ['JSON that is not a list', { body: '{}' }, 'The JSON must be a list of verbs, such as [{ "verb": "answer" }].'],
    ['a verb without its properties', { body: '[{"verb":"play"}]' }, 'play: missing value for url'],
    ['an HTML page', { type: 'text/html' }, messages.test.verbs.notJson('text/html')],
    ['nothing', { status: 204, body: '' }, messages.test.verbs.empty],
    ['a response that is too long', { body: `["${'x'.repeat(101 * 1024)}"]` }, messages.test.verbs.tooLong(100)],
  ])('says why a call could not run %s', async (_, replied, error) => {
    Object.assign(reply, replied)
    expect(await test({ hook: 'call_hook' })).toMatchObject({ status: 200, body: { verbs_error: error } })
  })

  it('does not judge the body of a failure', async () => {
    reply.status = 404
    const { body } = await test({ hook: 'call_hook' })
    expect(body).toMatchObject({ response: { status: 404 } })
    expect(body).not.toHaveProperty('verbs_error')
  })

  it('shows 2 KiB of the body, and no half of a character', async () => {
    reply = { status: 200, type: 'text/plain', body: `x${'ü'.repeat(1500)}` }
    const { body } = await test({ hook: 'call_status_hook' })
    expect(body.response).toMatchObject({ truncated: true, body: `x${'ü'.repeat(1023)}` })
  })

  it('shows no credentials that a webhook sends back', async () => {
    const basic = Buffer.from('ann:saved-pass').toString('base64')
    reply = { status: 200, type: 'text/plain', body: `got ${basic} and saved-pass` }
    const { body } = await test({ hook: 'call_hook' })
    expect(body.response.body).toBe('got [hidden] and [hidden]')
    expect(backend.log()).not.toContain('saved-pass')
  })

  const saved = `Basic ${Buffer.from('ann:saved-pass').toString('base64')}`

  it('takes what the body leaves out, or masks, from the saved webhook', async () => {
    const sid = await create()
    await test({ hook: 'call_hook' }, sid)
    await test({ hook: 'call_hook', url: `${origin}/other`, username: 'ann', password: maskedSecret }, sid)
    expect(received.map(({ url: target, headers }) => [target, headers.authorization])).toEqual([
      ['/call?tenant=1', saved],
      ['/other', saved],
    ])
  })

  it('sends a saved password to no other origin', async () => {
    const sid = await create({
      call_hook: { url: 'https://hooks.example.com/', username: 'ann', password: 'saved-pass' },
    })
    expect(await test({ hook: 'call_hook', url, username: 'ann', password: maskedSecret }, sid)).toMatchObject({
      status: 400,
      body: { msg: messages.test.reenterPassword, field: 'password' },
    })
    await test({ hook: 'call_hook', url }, sid)
    expect(received.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })

  it.each([
    [{ hook: 'call_hook', url: 'wss://example.com/call' }, messages.test.onlyHttp, 'url'],
    [{ hook: 'call_hook', url: 'nonsense' }, 'url URL is invalid', 'url'],
    [{ hook: 'messaging_hook' }, 'missing field url', 'url'],
    [{ hook: 'name' }, 'hook must be one of call_hook, call_status_hook, messaging_hook', 'hook'],
  ])('refuses %j', async (draft, msg, field) => {
    expect(await test(draft)).toMatchObject({ status: 400, body: { msg, field } })
  })

  it('says in words why there was no response', async () => {
    expect(await test({ hook: 'call_hook', url: 'http://127.0.0.1:1/' })).toMatchObject({
      status: 200,
      body: { error: '127.0.0.1 refused the connection.' },
    })
  })

  it('is not for users of others, and not for users who may only look', async () => {
    const sid = await create()
    const { keys } = backend.world
    for (const key of [keys.bolt, keys.corp, keys.south])
      expect((await apiClient(backend.app, key)('POST', path(sid), { hook: 'call_hook' })).status).toBe(403)
    const viewer = apiClient(backend.app, await tokenFor(backend.app, 'viewer'))
    expect((await viewer('POST', path(sid), { hook: 'call_hook' })).status).toBe(403)
    expect(received).toEqual([])
  })

  it('is limited to ten a minute for each user or key', async () => {
    const sid = await create()
    const [ann, ben] = [await withNewKey(), await withNewKey()]
    const body = { hook: 'call_hook' }
    for (let count = 0; count < 10; count += 1) expect((await ann('POST', path(sid), body)).status).toBe(200)
    const { status, headers } = await ann('POST', path(sid), body)
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await ben('POST', path(sid), body)).status).toBe(200)
    expect(received).toHaveLength(11)
  })
})

it('calls no private address where that is not allowed', async () => {
  const backend = await startBackend()
  const { acme } = backend.world
  const draft = { hook: 'call_hook', url: 'http://169.254.169.254/latest' }
  expect(
    await apiClient(backend.app, backend.world.keys.acme)(
      'POST',
      `/Applications/${acme.application}/WebhookTest`,
      draft,
    ),
  ).toMatchObject({ status: 200, body: { error: messages.test.failure.forbidden() } })
  await backend.close()
})
