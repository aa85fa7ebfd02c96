import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, tokenFor, type ApiClient } from '../../../test/speak'
import { password, type ActorName } from '../../../test/world'

const secret = 'Another-horse-2'
const draft = { name: 'nora', email: 'nora@example.com', initial_password: secret }

describe.each(engines)('creating and removing users (%s)', (engine) => {
  let backend: Backend
  let as: Record<ActorName, ApiClient>
  beforeEach(async () => {
    backend = await startBackend({ engine })
    const { keys } = backend.world
    as = Object.fromEntries(
      Object.entries(keys).map(([name, token]) => [name, apiClient(backend.app, token)]),
    ) as typeof as
  })
  afterEach(() => backend.close())

  const signIn = (name: string) => apiClient(backend.app)('POST', '/login', { username: name, password: secret })
  const read = async (user_sid: string) => (await as.admin('GET', `/Users/${user_sid}`)).body

  it('creates a user with defaults who can sign in', async () => {
    const { status, body } = await as.admin('POST', '/Users', draft)
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 201, keys: ['user_sid'] })
    const row = await read(body.user_sid)
    expect(row).toEqual({
      user_sid: body.user_sid,
      name: 'nora',
      email: 'nora@example.com',
      pending_email: null,
      phone: null,
      account_sid: null,
      service_provider_sid: null,
      scope: 'read-write',
      provider: 'local',
      provider_userid: null,
      force_change: 0,
      is_active: 1,
      is_view_only: false,
      email_validated: 0,
      phone_validated: 0,
      email_content_opt_out: 0,
    })
    expect(await signIn('nora')).toMatchObject({ status: 200, body: { scope: 'admin', force_change: false } })
  })

  it('accepts every field', async () => {
    const flags = { force_change: true, is_active: 1, is_view_only: true }
    const { body } = await as.admin('POST', '/Users', { ...draft, ...flags, account_sid: backend.world.accounts.acme })
    expect(await read(body.user_sid)).toMatchObject({ force_change: 1, is_active: 1, is_view_only: true })
    expect((await signIn('nora')).body).toMatchObject({ force_change: true, permissions: ['VIEW_ONLY'] })
    const idle = { ...draft, name: 'otto', email: 'otto@example.com', is_active: false }
    await as.admin('POST', '/Users', idle)
    expect(await signIn('otto')).toMatchObject({ status: 403 })
  })

  it.each<[who: ActorName, wanted: 'nothing' | 'foreign' | 'own account', scope: string]>([
    ['acme', 'nothing', 'account'],
    ['acme', 'foreign', 'account'],
    ['north', 'nothing', 'service_provider'],
    ['north', 'own account', 'account'],
    ['admin', 'nothing', 'admin'],
    ['admin', 'own account', 'account'],
  ])('by %s, who asks for %s, into scope %s', async (actorName, wanted, scope) => {
    const { providers, accounts } = backend.world
    const sids = {
      nothing: {},
      foreign: { service_provider_sid: providers.south, account_sid: accounts.corp },
      'own account': { account_sid: accounts.acme },
    }[wanted]
    const { status, body } = await as[actorName]('POST', '/Users', { ...draft, ...sids })
    expect(status).toBe(201)
    const { body: login } = await signIn('nora')
    expect(login.scope).toBe(scope)
    const row = await read(body.user_sid)
    expect([row.service_provider_sid, row.account_sid]).toEqual([
      scope === 'admin' ? null : providers.north,
      scope === 'account' ? accounts.acme : null,
    ])
  })

  it("keeps a provider's users in it, whatever provider was sent", async () => {
    const { providers } = backend.world
    for (const service_provider_sid of [providers.south, null]) {
      const name = `of ${service_provider_sid ?? 'none'}`
      const email = `${service_provider_sid ?? 'none'}@example.com`
      const { body } = await as.north('POST', '/Users', { ...draft, name, email, service_provider_sid })
      expect((await read(body.user_sid)).service_provider_sid).toBe(providers.north)
    }
  })

  it('takes the provider from the account, whatever provider was sent', async () => {
    const { providers, accounts } = backend.world
    const sids = { account_sid: accounts.corp, service_provider_sid: providers.north }
    const { body } = await as.admin('POST', '/Users', { ...draft, ...sids })
    expect((await read(body.user_sid)).service_provider_sid).toBe(providers.south)
  })

  const none = 'abcdef01-0000-4000-8000-000000000000'

  it.each<[string, object, number, string, string]>([
    ['a duplicate name', { name: 'acme' }, 422, 'invalid username or email', 'name'],
    ['a duplicate name in another case', { name: 'ACME' }, 422, 'invalid username or email', 'name'],
    ['a duplicate email address', { email: 'corp@example.com' }, 422, 'invalid username or email', 'email'],
    ['no email address', { email: 'nora' }, 400, 'Enter an email address, such as name@example.com.', 'email'],
    [
      'an email address that is too long',
      { email: `${'x'.repeat(250)}@x.org` },
      400,
      'email must be at most 255 characters',
      'email',
    ],
    ['no password', { initial_password: undefined }, 400, 'missing field initial_password', 'initial_password'],
    ['null as the password', { initial_password: null }, 400, 'missing field initial_password', 'initial_password'],
    ['an empty password', { initial_password: '' }, 400, 'missing field initial_password', 'initial_password'],
    [
      'a number as the password',
      { initial_password: 12345678 },
      400,
      'initial_password must be a string',
      'initial_password',
    ],
    [
      'a short password',
      { initial_password: '1234567' },
      400,
      'password length must be between 8 and 20',
      'initial_password',
    ],
    ['no account', { account_sid: none }, 400, 'unknown account_sid', 'account_sid'],
    ['no provider', { service_provider_sid: none }, 400, 'unknown service_provider_sid', 'service_provider_sid'],
    ['the field scope', { scope: 'admin' }, 400, 'unknown field scope', 'scope'],
    ['the field permissions', { hashed_password: 'x' }, 400, 'unknown field hashed_password', 'hashed_password'],
  ])('not with %s', async (_, invalid, status, msg, field) => {
    const initialSnapshot = await snapshot(backend.database)
    expect(await as.admin('POST', '/Users', { ...draft, ...invalid })).toMatchObject({ status, body: { msg, field } })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it("refuses a password that breaks the installation's rule", async () => {
    await as.admin('POST', '/PasswordSettings', {
      min_password_length: 10,
      require_digit: 1,
      require_special_character: 1,
    })
    const attempt = async (initial_password: string) =>
      (await as.admin('POST', '/Users', { ...draft, initial_password })).body
    const field = 'initial_password'
    expect(await attempt('short')).toEqual({ msg: 'password must be at least 10 characters long', field })
    expect(await attempt('longenough-but')).toEqual({ msg: 'password must contain at least one digit', field })
    expect(await attempt('longenough1but')).toEqual({
      msg: 'password must contain at least one special character',
      field,
    })
    expect(await attempt('longenough-1-but')).toHaveProperty('user_sid')
  })

  it.each(['password1', 'Football1', 'iloveyou1', '1234567890'])('refuses the common password %s', async (common) => {
    await backend.database.db.deleteFrom('password_settings').execute()
    const msg = 'This password is too common. Choose one that is harder to guess.'
    expect(await as.admin('POST', '/Users', { ...draft, initial_password: common })).toMatchObject({
      status: 400,
      body: { msg, field: 'initial_password' },
    })
    const acme = apiClient(backend.app, await tokenFor(backend.app, 'acme'))
    for (const [method, path] of [
      ['PUT', `/Users/${backend.world.users.acme}`],
      ['POST', '/change-password'],
    ] as const)
      expect(await acme(method, path, { old_password: password, new_password: common })).toMatchObject({
        status: 400,
        body: { msg, field: 'new_password' },
      })
  })

  it('removes permissions and sessions too', async () => {
    const { body } = await as.admin('POST', '/Users', { ...draft, is_view_only: 1 })
    const token = await tokenFor(backend.app, 'nora', secret)
    expect(await as.admin('DELETE', `/Users/${body.user_sid}`)).toMatchObject({ status: 204, body: undefined })
    expect(await apiClient(backend.app, token)('GET', '/Users/me')).toMatchObject({ status: 401 })
    expect(await as.admin('GET', `/Users/${body.user_sid}`)).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await as.admin('DELETE', `/Users/${body.user_sid}`)).toMatchObject({ status: 404, body: 'Not Found' })
    const { db } = backend.database
    for (const table of ['user_permissions', 'trunkline_sessions', 'trunkline_email_changes'] as const)
      expect(await db.selectFrom(table).selectAll().where('user_sid', '=', body.user_sid).execute()).toEqual([])
  })

  it('lets users remove themselves, which signs them out', async () => {
    const acme = apiClient(backend.app, await tokenFor(backend.app, 'acme'))
    expect(await acme('DELETE', `/Users/${backend.world.users.acme}`)).toMatchObject({ status: 204 })
    expect(await acme('GET', '/Users')).toMatchObject({ status: 401 })
  })

  it('refuses to remove the last active administrator', async () => {
    const { world } = backend
    const idle = await as.admin('POST', '/Users', { ...draft, is_active: 0 })
    const initialSnapshot = await snapshot(backend.database)
    const refusal = { status: 400, body: { msg: 'Bad request' } }
    expect(await as.admin('DELETE', `/Users/${world.users.admin}`)).toMatchObject(refusal)
    const lastOne = expect.stringMatching(/^This is the last active administrator/)
    for (const change of [{ is_active: false }, { service_provider_sid: world.providers.north }])
      expect(await as.admin('PUT', `/Users/${world.users.admin}`, change)).toMatchObject({
        status: 400,
        body: { msg: lastOne },
      })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    // An inactive administrator does not count.
    await as.admin('PUT', `/Users/${idle.body.user_sid}`, { is_active: 1 })
    expect(await as.admin('DELETE', `/Users/${world.users.admin}`)).toMatchObject({ status: 204 })
  })
})
