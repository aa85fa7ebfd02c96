import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

const schema = {
  GREETING: { type: 'string', description: 'Said first', required: true },
  COUNT: { type: 'number', description: 'How often', enum: [1, 2] },
}

describe.each(engines)('environment variables of applications (%s)', (engine) => {
  let backend: Backend
  let acme: ApiClient
  let webhook: Server
  let url: string
  let errorText: unknown
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { appEnvPrivateTargets: true } })
    acme = apiClient(backend.app, backend.world.keys.acme)
    webhook = createServer((_, response) =>
      response
        .writeHead(errorText === undefined ? 404 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(errorText ?? {})),
    )
    await new Promise<void>((done) => webhook.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/call`
  })
  beforeEach(() => {
    errorText = schema
  })
  afterAll(async () => {
    webhook.closeAllConnections()
    webhook.close()
    await backend.close()
  })

  let serial = 0
  const draft = (overrides: object = {}) => ({
    name: `env ${++serial}`,
    call_hook: { url },
    call_status_hook: { url: 'https://example.com/status' },
    ...overrides,
  })
  const create = async (overrides: object = {}): Promise<string> => {
    const { status, body } = await acme('POST', '/Applications', draft(overrides))
    expect({ status, body }).toMatchObject({ status: 201 })
    return body.sid
  }
  const variables = async (sid: string) => (await acme('GET', `/Applications/${sid}`)).body.env_vars
  const ask = (address: string) => acme('GET', `/AppEnv?url=${encodeURIComponent(address)}`)

  it('are declared by the webhook', async () => {
    expect(await ask(url)).toMatchObject({ status: 200, body: schema })
    expect(await ask(url.replace('http', 'ws'))).toMatchObject({ status: 200, body: schema })
    // The spelling of some clients.
    expect(await acme('GET', `/AppEnv?url=${url}`)).toMatchObject({ status: 200, body: schema })
    errorText = undefined
    const noContent = await ask(url)
    expect([noContent.status, noContent.body]).toEqual([204, undefined])
    errorText = {}
    expect(await ask(url)).toMatchObject({ status: 400, body: { msg: 'Invalid appenv schema' } })
  })

  it.each([
    ['?url=nonsense', 'url URL is invalid'],
    ['?url=ftp://example.com', 'url URL has missing or invalid protocol ftp:'],
    ['?url=http://169.254.169.254/latest', 'url leads to an address that this server does not contact'],
    [`?url=http://a.example.com/${'x'.repeat(1024)}`, 'url must be at most 1024 characters'],
    ['', 'missing field url'],
  ])('are not requested from %s', async (query, msg) => {
    expect(await acme('GET', `/AppEnv${query}`)).toMatchObject({ status: 400, body: { msg, field: 'url' } })
  })

  it.each<[object, string, string]>([
    [{ COUNT: 1 }, 'Missing required value env_vars.GREETING', 'env_vars.GREETING'],
    [{ GREETING: '' }, 'Missing required value env_vars.GREETING', 'env_vars.GREETING'],
    [{ GREETING: 1 }, 'Invalid value/type for env_vars.GREETING', 'env_vars.GREETING'],
    [{ GREETING: 'hi', COUNT: '1' }, 'Invalid value/type for env_vars.COUNT', 'env_vars.COUNT'],
    [{ GREETING: 'hi', COUNT: 3 }, 'Invalid value/type for env_vars.COUNT', 'env_vars.COUNT'],
  ])('are refused as %j', async (env_vars, msg, field) => {
    const sid = await create()
    const initialSnapshot = await snapshot(backend.database)
    const refusal = { status: 400, body: { msg, field } }
    expect(await acme('POST', '/Applications', draft({ env_vars }))).toMatchObject(refusal)
    expect(await acme('PUT', `/Applications/${sid}`, { env_vars })).toMatchObject(refusal)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are stored if valid, cleared by null and kept if the body omits them', async () => {
    const env_vars = { GREETING: 'hi', COUNT: 2, OTHER: true }
    const sid = await create({ env_vars })
    expect(await variables(sid)).toEqual(env_vars)
    errorText = { NEW: { type: 'string', description: 'x', required: true } }
    expect(await acme('PUT', `/Applications/${sid}`, { name: `env ${++serial}` })).toMatchObject({ status: 204 })
    expect(await variables(sid)).toEqual(env_vars)
    expect(await acme('PUT', `/Applications/${sid}`, { env_vars: null })).toMatchObject({ status: 204 })
    expect(await variables(sid)).toBeNull()
  })

  it('are checked against the webhook of the same body', async () => {
    const sid = await create({ call_hook: { url: 'http://127.0.0.1:1/nobody' }, env_vars: { ANY: 'thing' } })
    const change = { call_hook: { url }, env_vars: { ANY: 'thing' } }
    expect(await acme('PUT', `/Applications/${sid}`, change)).toMatchObject({
      status: 400,
      body: { field: 'env_vars.GREETING' },
    })
  })

  it('are not checked if the webhook returns no valid schema', async () => {
    for (const silence of [undefined, {}, []]) {
      errorText = silence
      expect(await variables(await create({ env_vars: { ANY: 'thing' } }))).toEqual({ ANY: 'thing' })
    }
  })

  it('fit into their column', async () => {
    errorText = undefined
    const env_vars = { LONG: 'ü'.repeat(15_900) }
    expect(await variables(await create({ env_vars }))).toEqual(env_vars)
    expect(await acme('POST', '/Applications', draft({ env_vars: { LONG: 'ü'.repeat(16_000) } }))).toMatchObject({
      status: 400,
      body: { msg: 'env_vars is too long', field: 'env_vars' },
    })
  })
})

describe('if private addresses are not allowed', () => {
  it('sends no request and stores variables unchecked', async () => {
    const backend = await startBackend()
    const acme = apiClient(backend.app, backend.world.keys.acme)
    const url = 'http://127.0.0.1:1/call'
    expect(await acme('GET', `/AppEnv?url=${url}`)).toMatchObject({ status: 400, body: { field: 'url' } })
    const hooks = { call_hook: { url }, call_status_hook: { url } }
    expect(await acme('POST', '/Applications', { name: 'in house', ...hooks, env_vars: { A: 1 } })).toMatchObject({
      status: 201,
    })
    await backend.close()
  })
})
