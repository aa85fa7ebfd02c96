import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const schema = {
  GREETING: { type: 'string', description: 'Spoken first', required: true },
  COUNT: { type: 'number', description: 'How often', enum: [1, 2] },
}

describe.each(databaseEngines)('environment variables of applications (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  let webhook: Server
  let url: string
  /** The schema that the webhook returns. Undefined: it returns 404. */
  let declaredSchema: unknown
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { appEnvPrivateTargets: true } })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    webhook = createServer((_, response) =>
      response
        .writeHead(declaredSchema === undefined ? 404 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(declaredSchema ?? {})),
    )
    await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/call`
  })
  beforeEach(() => {
    declaredSchema = schema
  })
  afterAll(async () => {
    webhook.closeAllConnections()
    webhook.close()
    await backend.close()
  })

  let applicationNumber = 0
  const createDraft = (overrides: object = {}) => ({
    name: `env ${++applicationNumber}`,
    call_hook: { url },
    call_status_hook: { url: 'https://example.com/status' },
    ...overrides,
  })
  const createApplication = async (overrides: object = {}): Promise<string> => {
    const { status, body } = await acmeClient('POST', '/Applications', createDraft(overrides))
    expect({ status, body }).toMatchObject({ status: 201 })
    return body.sid
  }
  const fetchEnvVars = async (sid: string) => (await acmeClient('GET', `/Applications/${sid}`)).body.env_vars
  const requestSchema = (webhookUrl: string) => acmeClient('GET', `/AppEnv?url=${encodeURIComponent(webhookUrl)}`)

  it('have a schema, which the webhook returns', async () => {
    expect(await requestSchema(url)).toMatchObject({ status: 200, body: schema })
    expect(await requestSchema(url.replace('http', 'ws'))).toMatchObject({ status: 200, body: schema })
    // Some clients do not encode the URL.
    expect(await acmeClient('GET', `/AppEnv?url=${url}`)).toMatchObject({ status: 200, body: schema })
    declaredSchema = undefined
    const emptyResponse = await requestSchema(url)
    expect([emptyResponse.status, emptyResponse.body]).toEqual([204, undefined])
    declaredSchema = {}
    expect(await requestSchema(url)).toMatchObject({ status: 400, body: { msg: 'Invalid appenv schema' } })
  })

  it.each([
    ['?url=nonsense', 'url URL is invalid'],
    ['?url=ftp://example.com', 'url URL has missing or invalid protocol ftp:'],
    ['?url=http://169.254.169.254/latest', 'url leads to an address that this server does not contact'],
    [`?url=http://a.example.com/${'x'.repeat(1024)}`, 'url must be at most 1024 characters'],
    ['', 'missing field url'],
  ])('have no schema for the query %j, which is refused', async (query, msg) => {
    expect(await acmeClient('GET', `/AppEnv${query}`)).toMatchObject({ status: 400, body: { msg, field: 'url' } })
  })

  it.each<[object, string, string]>([
    [{ COUNT: 1 }, 'Missing required value env_vars.GREETING', 'env_vars.GREETING'],
    [{ GREETING: '' }, 'Missing required value env_vars.GREETING', 'env_vars.GREETING'],
    [{ GREETING: 1 }, 'Invalid value/type for env_vars.GREETING', 'env_vars.GREETING'],
    [{ GREETING: 'hi', COUNT: '1' }, 'Invalid value/type for env_vars.COUNT', 'env_vars.COUNT'],
    [{ GREETING: 'hi', COUNT: 3 }, 'Invalid value/type for env_vars.COUNT', 'env_vars.COUNT'],
  ])('are refused with the values %j', async (env_vars, msg, field) => {
    const sid = await createApplication()
    const initialSnapshot = await takeSnapshot(backend.database)
    const refusal = { status: 400, body: { msg, field } }
    expect(await acmeClient('POST', '/Applications', createDraft({ env_vars }))).toMatchObject(refusal)
    expect(await acmeClient('PUT', `/Applications/${sid}`, { env_vars })).toMatchObject(refusal)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are stored if valid, cleared by null and kept if the body omits them', async () => {
    const env_vars = { GREETING: 'hi', COUNT: 2, NOT_DECLARED: true }
    const sid = await createApplication({ env_vars })
    expect(await fetchEnvVars(sid)).toEqual(env_vars)
    declaredSchema = { NEW: { type: 'string', description: 'x', required: true } }
    expect(await acmeClient('PUT', `/Applications/${sid}`, { name: `env ${++applicationNumber}` })).toMatchObject({
      status: 204,
    })
    expect(await fetchEnvVars(sid)).toEqual(env_vars)
    expect(await acmeClient('PUT', `/Applications/${sid}`, { env_vars: null })).toMatchObject({ status: 204 })
    expect(await fetchEnvVars(sid)).toBeNull()
  })

  it('are checked against the webhook of the same body', async () => {
    const sid = await createApplication({
      call_hook: { url: 'http://127.0.0.1:1/unreachable' },
      env_vars: { ANY: 'thing' },
    })
    const change = { call_hook: { url }, env_vars: { ANY: 'thing' } }
    expect(await acmeClient('PUT', `/Applications/${sid}`, change)).toMatchObject({
      status: 400,
      body: { field: 'env_vars.GREETING' },
    })
  })

  it('are checked against a webhook that the body links by its SID alone', async () => {
    const { call_hook } = (await acmeClient('GET', `/Applications/${await createApplication()}`)).body
    const unreachableHook = { url: 'http://127.0.0.1:1/unreachable' }
    const sid = await createApplication({ call_hook: unreachableHook })
    const linkedDraft = { call_hook: { webhook_sid: call_hook.webhook_sid }, env_vars: { COUNT: 1 } }
    expect(await acmeClient('PUT', `/Applications/${sid}`, linkedDraft)).toMatchObject({
      status: 400,
      body: { field: 'env_vars.GREETING' },
    })
    const env_vars = { GREETING: 'hi' }
    expect(await acmeClient('PUT', `/Applications/${sid}`, { ...linkedDraft, env_vars })).toMatchObject({ status: 204 })
    expect(await fetchEnvVars(sid)).toEqual(env_vars)
    // The schema of a foreign webhook is not requested.
    const boltClient = createApiClient(backend.app, backend.testData.keys.bolt)
    expect(await boltClient('PUT', `/Applications/${backend.testData.bolt.application}`, linkedDraft)).toMatchObject({
      status: 400,
      body: { msg: 'unknown webhook_sid', field: 'call_hook.webhook_sid' },
    })
  })

  it('are not checked if the webhook returns no valid schema', async () => {
    for (const invalidSchema of [undefined, {}, []]) {
      declaredSchema = invalidSchema
      expect(await fetchEnvVars(await createApplication({ env_vars: { ANY: 'thing' } }))).toEqual({ ANY: 'thing' })
    }
  })

  it('are refused if they do not fit into their column', async () => {
    declaredSchema = undefined
    const env_vars = { LONG: 'ü'.repeat(15_900) }
    expect(await fetchEnvVars(await createApplication({ env_vars }))).toEqual(env_vars)
    expect(
      await acmeClient('POST', '/Applications', createDraft({ env_vars: { LONG: 'ü'.repeat(16_000) } })),
    ).toMatchObject({
      status: 400,
      body: { msg: 'env_vars is too long', field: 'env_vars' },
    })
  })
})

describe('environment variables of applications if private addresses are not allowed', () => {
  it('are stored without a request for their schema', async () => {
    const backend = await startBackend()
    const acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    const url = 'http://127.0.0.1:1/call'
    expect(await acmeClient('GET', `/AppEnv?url=${url}`)).toMatchObject({ status: 400, body: { field: 'url' } })
    const webhooks = { call_hook: { url }, call_status_hook: { url } }
    expect(
      await acmeClient('POST', '/Applications', { name: 'private', ...webhooks, env_vars: { A: 1 } }),
    ).toMatchObject({
      status: 201,
    })
    await backend.close()
  })
})
