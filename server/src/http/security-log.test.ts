import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { apiClient, tokenFor } from '../../test/speak'
import { password } from '../../test/world'

interface Line {
  msg: string
  level: number
  security_event?: string
  req?: { url: string; ip: string }
  [field: string]: unknown
}

describe.each(engines)('the security log (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { ingest: { byKey: true, host: '127.0.0.1' } } })
  })
  afterAll(() => backend.close())

  /** The lines that an action adds to the log. */
  const linesOf = async (action: () => Promise<unknown>): Promise<Line[]> => {
    const initialValue = backend.log().length
    await action()
    const lines = backend.log().slice(initialValue).split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line) as Line)
  }
  const eventsOf = async (action: () => Promise<unknown>) =>
    (await linesOf(action)).filter(({ security_event }) => security_event)
  const login = (username: string, secret: string) =>
    apiClient(backend.app)('POST', '/login', { username, password: secret })

  it('contains sign-ins, failed ones without the entered name, and lock-outs', async () => {
    const { acme, bolt } = backend.world.users
    expect(await eventsOf(() => login('acme', password))).toMatchObject([
      { security_event: 'sign_in', target_sid: acme, ip: '127.0.0.1', call: 'POST /v1/login', level: 30 },
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
    const { world, app } = backend
    const viewer = { target_sid: world.viewer }
    const admin = apiClient(app, await tokenFor(app, 'admin'))
    const path = `/Users/${world.viewer}`
    expect(await eventsOf(() => admin('PUT', path, { initial_password: 'Correct-horse-9' }))).toMatchObject([
      { security_event: 'password_changed', user_sid: world.users.admin, scope: 'admin', ...viewer },
    ])
    expect(await eventsOf(() => admin('PUT', path, { is_view_only: false }))).toMatchObject([
      { security_event: 'role_changed', reason: 'made read-write', ...viewer },
    ])
    expect(await eventsOf(() => admin('PUT', path, { is_active: false }))).toMatchObject([
      { security_event: 'role_changed', reason: 'deactivated', ...viewer },
    ])
    expect(await eventsOf(() => admin('PUT', path, { is_active: true }))).toEqual([])
    const acme = apiClient(app, await tokenFor(app, 'acme'))
    const change = { old_password: password, new_password: 'Correct-horse-8' }
    expect(await eventsOf(() => acme('POST', '/change-password', change))).toMatchObject([
      { security_event: 'password_changed', user_sid: world.users.acme, target_sid: world.users.acme },
    ])
    expect(backend.log()).not.toMatch(/Correct-horse/)
  })

  it('contains sign-outs', async () => {
    const north = apiClient(backend.app, await tokenFor(backend.app, 'north'))
    expect(await eventsOf(() => north('POST', '/logout'))).toMatchObject([
      { security_event: 'sign_out', user_sid: backend.world.users.north },
    ])
  })

  it('contains refusals, and the API key and its tenant in every line of a request', async () => {
    const { world, app } = backend
    const acme = apiClient(app, world.keys.acme)
    const { providers, accounts } = world
    const lines = await linesOf(() => acme('GET', `/Accounts/${accounts.bolt}`))
    const actor = {
      api_key_sid: expect.stringMatching(/^[\da-f-]{36}$/),
      scope: 'account',
      account_sid: accounts.acme,
      service_provider_sid: providers.north,
    }
    expect(lines).toMatchObject([
      { security_event: 'access_refused', call: 'GET /v1/Accounts/:account_sid', ...actor },
      { msg: 'request completed', req: { url: `/v1/Accounts/${accounts.bolt}` }, res: { statusCode: 403 }, ...actor },
    ])
    expect(backend.log()).not.toContain(world.keys.acme)
  })

  it('contains refused writes of voice servers, with their API key', async () => {
    const { world, app } = backend
    const point = `cdrs,account_sid=${world.accounts.bolt} call_sid="c-1",duration=1i`
    const lines = await linesOf(() =>
      app.inject({
        method: 'POST',
        url: '/write?db=cdrs',
        headers: { authorization: `Bearer ${world.keys.acme}` },
        payload: point,
      }),
    )
    const actor = { api_key_sid: expect.stringMatching(/^[\da-f-]{36}$/), account_sid: world.accounts.acme }
    expect(lines).toMatchObject([
      { security_event: 'write_refused', call: 'POST /write', reason: 'lines refused: 1', ...actor },
    ])
  })

  it('contains the creation and deletion of keys, users, accounts and providers', async () => {
    const { world, app } = backend
    const admin = apiClient(app, world.keys.admin)
    const created: Record<string, string> = {}
    const create = async (path: string, body: object) => {
      const reply = await admin('POST', path, body)
      expect(reply.status).toBe(201)
      created[path] = reply.body.sid ?? reply.body.user_sid
    }
    const keyEvents = await eventsOf(() => create('/ApiKeys', { account_sid: world.accounts.bolt }))
    const bolt = { target_account_sid: world.accounts.bolt }
    expect(keyEvents).toMatchObject([{ security_event: 'api_key_created', target_sid: created['/ApiKeys'], ...bolt }])
    expect(await eventsOf(() => admin('DELETE', `/ApiKeys/${created['/ApiKeys']}`))).toMatchObject([
      { security_event: 'api_key_deleted', target_sid: created['/ApiKeys'], ...bolt },
    ])
    const user = { name: 'passing', email: 'passing@example.com', initial_password: 'Correct-horse-7' }
    const userEvents = await eventsOf(() => create('/Users', user))
    expect(userEvents).toMatchObject([{ security_event: 'user_created', target_sid: created['/Users'] }])
    await create('/ServiceProviders', { name: 'passing' })
    await create('/Accounts', { name: 'passing', service_provider_sid: created['/ServiceProviders'] })
    for (const [path, event] of [
      ['/Users', 'user_deleted'],
      ['/Accounts', 'account_deleted'],
      ['/ServiceProviders', 'service_provider_deleted'],
    ] as const)
      expect(await eventsOf(() => admin('DELETE', `${path}/${created[path]}`))).toMatchObject([
        { security_event: event, target_sid: created[path] },
      ])
  })
})
