import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { createApiClient, fetchToken } from '../../test/api-client'
import { password } from '../../test/test-data'

interface LogLine {
  msg: string
  level: number
  security_event?: string
  req?: { url: string; ip: string }
  [field: string]: unknown
}

describe.each(databaseEngines)('the security log (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } } })
  })
  afterAll(() => backend.close())

  /** The lines that an action adds to the log. */
  const logLinesOf = async (action: () => Promise<unknown>): Promise<LogLine[]> => {
    const initialLength = backend.log().length
    await action()
    const lines = backend.log().slice(initialLength).split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line) as LogLine)
  }
  const eventsOf = async (action: () => Promise<unknown>) =>
    (await logLinesOf(action)).filter(({ security_event }) => security_event)
  const login = (username: string, enteredPassword: string) =>
    createApiClient(backend.app)('POST', '/login', { username, password: enteredPassword })

  it('contains sign-ins, failed ones without the entered name, and lock-outs', async () => {
    const { acme, bolt } = backend.testData.users
    expect(await eventsOf(() => login('acme', password))).toMatchObject([
      { security_event: 'sign_in', target_sid: acme, ip: '127.0.0.1', route: 'POST /v1/login', level: 30 },
    ])
    expect(await eventsOf(() => login('acme', 'wrong'))).toMatchObject([
      { security_event: 'sign_in_failed', target_sid: acme, reason: 'wrong password or inactive user', level: 40 },
    ])
    expect(await eventsOf(() => login('my-Secret-password', 'wrong'))).toMatchObject([
      { security_event: 'sign_in_failed', reason: 'unknown user' },
    ])
    expect(backend.log()).not.toContain('my-Secret-password')
    const attempts = await eventsOf(async () => {
      for (let attempt = 0; attempt < 7; attempt++) await login('bolt', 'wrong')
    })
    expect(attempts.at(-1)).toMatchObject({ security_event: 'sign_in_locked', target_sid: bolt })
  })

  it('contains changes of passwords and roles, with the actor', async () => {
    const { testData, app } = backend
    const viewer = { target_sid: testData.viewer }
    const adminClient = createApiClient(app, await fetchToken(app, 'admin'))
    const path = `/Users/${testData.viewer}`
    expect(await eventsOf(() => adminClient('PUT', path, { initial_password: 'Correct-horse-9' }))).toMatchObject([
      { security_event: 'password_changed', user_sid: testData.users.admin, scope: 'admin', ...viewer },
    ])
    expect(await eventsOf(() => adminClient('PUT', path, { is_view_only: false }))).toMatchObject([
      { security_event: 'role_changed', reason: 'made read-write', ...viewer },
    ])
    expect(await eventsOf(() => adminClient('PUT', path, { is_active: false }))).toMatchObject([
      { security_event: 'role_changed', reason: 'deactivated', ...viewer },
    ])
    expect(await eventsOf(() => adminClient('PUT', path, { is_active: true }))).toEqual([])
    const acmeClient = createApiClient(app, await fetchToken(app, 'acme'))
    const change = { old_password: password, new_password: 'Correct-horse-8' }
    expect(await eventsOf(() => acmeClient('POST', '/change-password', change))).toMatchObject([
      { security_event: 'password_changed', user_sid: testData.users.acme, target_sid: testData.users.acme },
    ])
    expect(backend.log()).not.toMatch(/Correct-horse/)
  })

  it('contains sign-outs', async () => {
    const northClient = createApiClient(backend.app, await fetchToken(backend.app, 'north'))
    expect(await eventsOf(() => northClient('POST', '/logout'))).toMatchObject([
      { security_event: 'sign_out', user_sid: backend.testData.users.north },
    ])
  })

  it('contains refusals, and the API key and its tenant in every line of a request', async () => {
    const { testData, app } = backend
    const acmeClient = createApiClient(app, testData.keys.acme)
    const { providers, accounts } = testData
    const lines = await logLinesOf(() => acmeClient('GET', `/Accounts/${accounts.bolt}`))
    const actor = {
      api_key_sid: expect.stringMatching(/^[\da-f-]{36}$/),
      scope: 'account',
      account_sid: accounts.acme,
      service_provider_sid: providers.north,
    }
    expect(lines).toMatchObject([
      { security_event: 'access_refused', route: 'GET /v1/Accounts/:account_sid', ...actor },
      { msg: 'request completed', req: { url: `/v1/Accounts/${accounts.bolt}` }, res: { statusCode: 403 }, ...actor },
    ])
    expect(backend.log()).not.toContain(testData.keys.acme)
  })

  it('contains refused writes of voice servers, with their API key', async () => {
    const { testData, app } = backend
    const point = `cdrs,account_sid=${testData.accounts.bolt} call_sid="c-1",duration=1i`
    const lines = await logLinesOf(() =>
      app.inject({
        method: 'POST',
        url: '/write?db=cdrs',
        headers: { authorization: `Bearer ${testData.keys.acme}` },
        payload: point,
      }),
    )
    const actor = { api_key_sid: expect.stringMatching(/^[\da-f-]{36}$/), account_sid: testData.accounts.acme }
    expect(lines).toMatchObject([
      { security_event: 'write_refused', route: 'POST /write', reason: 'lines refused: 1', ...actor },
    ])
  })

  it('contains the creation and deletion of keys, users, accounts and providers', async () => {
    const { testData, app } = backend
    const adminClient = createApiClient(app, testData.keys.admin)
    const createdSids: Record<string, string> = {}
    const create = async (path: string, body: object) => {
      const response = await adminClient('POST', path, body)
      expect(response.status).toBe(201)
      createdSids[path] = response.body.sid ?? response.body.user_sid
    }
    const keyEvents = await eventsOf(() => create('/ApiKeys', { account_sid: testData.accounts.bolt }))
    const bolt = { target_account_sid: testData.accounts.bolt }
    expect(keyEvents).toMatchObject([
      { security_event: 'api_key_created', target_sid: createdSids['/ApiKeys'], ...bolt },
    ])
    expect(await eventsOf(() => adminClient('DELETE', `/ApiKeys/${createdSids['/ApiKeys']}`))).toMatchObject([
      { security_event: 'api_key_deleted', target_sid: createdSids['/ApiKeys'], ...bolt },
    ])
    const user = { name: 'passing', email: 'passing@example.com', initial_password: 'Correct-horse-7' }
    const userEvents = await eventsOf(() => create('/Users', user))
    expect(userEvents).toMatchObject([{ security_event: 'user_created', target_sid: createdSids['/Users'] }])
    await create('/ServiceProviders', { name: 'passing' })
    await create('/Accounts', { name: 'passing', service_provider_sid: createdSids['/ServiceProviders'] })
    for (const [path, event] of [
      ['/Users', 'user_deleted'],
      ['/Accounts', 'account_deleted'],
      ['/ServiceProviders', 'service_provider_deleted'],
    ] as const)
      expect(await eventsOf(() => adminClient('DELETE', `${path}/${createdSids[path]}`))).toMatchObject([
        { security_event: event, target_sid: createdSids[path] },
      ])
  })
})
