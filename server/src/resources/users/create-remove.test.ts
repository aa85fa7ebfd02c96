import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, fetchToken, type ApiClient } from '../../../test/api-client'
import { password, type ActorName } from '../../../test/test-data'

const initialPassword = 'Another-horse-2'
const draft = { name: 'nora', email: 'nora@example.com', initial_password: initialPassword }

describe.each(databaseEngines)('creating and removing users (%s)', (databaseEngine) => {
  let backend: Backend
  let clients: Record<ActorName, ApiClient>
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
    const { keys } = backend.testData
    clients = Object.fromEntries(
      Object.entries(keys).map(([name, token]) => [name, createApiClient(backend.app, token)]),
    ) as typeof clients
  })
  afterEach(() => backend.close())

  const signIn = (name: string) =>
    createApiClient(backend.app)('POST', '/login', { username: name, password: initialPassword })
  const readUser = async (user_sid: string) => (await clients.admin('GET', `/Users/${user_sid}`)).body

  it('creates a user with defaults who can sign in', async () => {
    const { status, body } = await clients.admin('POST', '/Users', draft)
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 201, keys: ['user_sid'] })
    const row = await readUser(body.user_sid)
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

  it('accepts all flags and an account', async () => {
    const flags = { force_change: true, is_active: 1, is_view_only: true }
    const { body } = await clients.admin('POST', '/Users', {
      ...draft,
      ...flags,
      account_sid: backend.testData.accounts.acme,
    })
    expect(await readUser(body.user_sid)).toMatchObject({
      force_change: 1,
      is_active: 1,
      is_view_only: true,
      account_sid: backend.testData.accounts.acme,
      service_provider_sid: backend.testData.providers.north,
    })
    expect((await signIn('nora')).body).toMatchObject({ force_change: true, permissions: ['VIEW_ONLY'] })
    const inactiveUser = { ...draft, name: 'otto', email: 'otto@example.com', is_active: false }
    await clients.admin('POST', '/Users', inactiveUser)
    expect(await signIn('otto')).toMatchObject({ status: 403 })
  })

  it.each<[actorName: ActorName, requestedTenant: 'no' | 'a foreign' | 'its own', scope: string]>([
    ['acme', 'no', 'account'],
    ['acme', 'a foreign', 'account'],
    ['north', 'no', 'service_provider'],
    ['north', 'its own', 'account'],
    ['admin', 'no', 'admin'],
    ['admin', 'its own', 'account'],
  ])('lets %s, with %s account in the body, create a user of scope %s', async (actorName, requestedTenant, scope) => {
    const { providers, accounts } = backend.testData
    const tenantFields = {
      no: {},
      'a foreign': { service_provider_sid: providers.south, account_sid: accounts.corp },
      'its own': { account_sid: accounts.acme },
    }[requestedTenant]
    const { status, body } = await clients[actorName]('POST', '/Users', { ...draft, ...tenantFields })
    expect(status).toBe(201)
    const { body: login } = await signIn('nora')
    expect(login.scope).toBe(scope)
    const row = await readUser(body.user_sid)
    expect([row.service_provider_sid, row.account_sid]).toEqual([
      scope === 'admin' ? null : providers.north,
      scope === 'account' ? accounts.acme : null,
    ])
  })

  it('adds users of a provider to it, even if the body contains another provider', async () => {
    const { providers } = backend.testData
    for (const service_provider_sid of [providers.south, null]) {
      const name = `of ${service_provider_sid ?? 'none'}`
      const email = `${service_provider_sid ?? 'none'}@example.com`
      const { body } = await clients.north('POST', '/Users', { ...draft, name, email, service_provider_sid })
      expect((await readUser(body.user_sid)).service_provider_sid).toBe(providers.north)
    }
  })

  it('takes the provider from the account, even if the body contains another provider', async () => {
    const { providers, accounts } = backend.testData
    const sids = { account_sid: accounts.corp, service_provider_sid: providers.north }
    const { body } = await clients.admin('POST', '/Users', { ...draft, ...sids })
    expect((await readUser(body.user_sid)).service_provider_sid).toBe(providers.south)
  })

  const unknownSid = 'abcdef01-0000-4000-8000-000000000000'

  it.each<[string, object, number, string, string]>([
    ['a duplicate name', { name: 'acme' }, 422, 'invalid username or email', 'name'],
    ['a duplicate name in another case', { name: 'ACME' }, 422, 'invalid username or email', 'name'],
    ['a duplicate email address', { email: 'corp@example.com' }, 422, 'invalid username or email', 'email'],
    ['an invalid email address', { email: 'nora' }, 400, 'Enter an email address, such as name@example.com.', 'email'],
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
    ['an unknown account', { account_sid: unknownSid }, 400, 'unknown account_sid', 'account_sid'],
    [
      'an unknown provider',
      { service_provider_sid: unknownSid },
      400,
      'unknown service_provider_sid',
      'service_provider_sid',
    ],
    ['the field scope', { scope: 'admin' }, 400, 'unknown field scope', 'scope'],
    ['the field hashed_password', { hashed_password: 'x' }, 400, 'unknown field hashed_password', 'hashed_password'],
  ])('refuses %s', async (_, invalidFields, status, msg, field) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await clients.admin('POST', '/Users', { ...draft, ...invalidFields })).toMatchObject({
      status,
      body: { msg, field },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it("refuses a password that violates the installation's rule", async () => {
    await clients.admin('POST', '/PasswordSettings', {
      min_password_length: 10,
      require_digit: 1,
      require_special_character: 1,
    })
    const createWithPassword = async (initial_password: string) =>
      (await clients.admin('POST', '/Users', { ...draft, initial_password })).body
    const field = 'initial_password'
    expect(await createWithPassword('short')).toEqual({ msg: 'password must be at least 10 characters long', field })
    expect(await createWithPassword('longenough-but')).toEqual({
      msg: 'password must contain at least one digit',
      field,
    })
    expect(await createWithPassword('longenough1but')).toEqual({
      msg: 'password must contain at least one special character',
      field,
    })
    expect(await createWithPassword('longenough-1-but')).toHaveProperty('user_sid')
  })

  it.each(['password1', 'Football1', 'iloveyou1', '1234567890'])(
    'refuses the common password %s',
    async (commonPassword) => {
      await backend.database.db.deleteFrom('password_settings').execute()
      const msg = 'This password is too common. Choose one that is harder to guess.'
      expect(await clients.admin('POST', '/Users', { ...draft, initial_password: commonPassword })).toMatchObject({
        status: 400,
        body: { msg, field: 'initial_password' },
      })
      const acmeClient = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
      for (const [method, path] of [
        ['PUT', `/Users/${backend.testData.users.acme}`],
        ['POST', '/change-password'],
      ] as const)
        expect(await acmeClient(method, path, { old_password: password, new_password: commonPassword })).toMatchObject({
          status: 400,
          body: { msg, field: 'new_password' },
        })
    },
  )

  it('removes the permissions and sessions of the user', async () => {
    const { body } = await clients.admin('POST', '/Users', { ...draft, is_view_only: 1 })
    const token = await fetchToken(backend.app, 'nora', initialPassword)
    expect(await clients.admin('DELETE', `/Users/${body.user_sid}`)).toMatchObject({ status: 204, body: undefined })
    expect(await createApiClient(backend.app, token)('GET', '/Users/me')).toMatchObject({ status: 401 })
    expect(await clients.admin('GET', `/Users/${body.user_sid}`)).toMatchObject({ status: 404, body: 'Not Found' })
    expect(await clients.admin('DELETE', `/Users/${body.user_sid}`)).toMatchObject({ status: 404, body: 'Not Found' })
    const { db } = backend.database
    for (const table of ['user_permissions', 'trunkline_sessions', 'trunkline_email_changes'] as const)
      expect(await db.selectFrom(table).selectAll().where('user_sid', '=', body.user_sid).execute()).toEqual([])
  })

  it('lets users remove themselves, which signs them out', async () => {
    const acmeClient = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
    expect(await acmeClient('DELETE', `/Users/${backend.testData.users.acme}`)).toMatchObject({ status: 204 })
    expect(await acmeClient('GET', '/Users')).toMatchObject({ status: 401 })
  })

  it('refuses to remove the last active administrator', async () => {
    const { testData } = backend
    const inactiveAdmin = await clients.admin('POST', '/Users', { ...draft, is_active: 0 })
    const initialSnapshot = await takeSnapshot(backend.database)
    const refusal = { status: 400, body: { msg: 'Bad request' } }
    expect(await clients.admin('DELETE', `/Users/${testData.users.admin}`)).toMatchObject(refusal)
    const lastAdminMessage = expect.stringMatching(/^This is the last active administrator/)
    for (const change of [{ is_active: false }, { service_provider_sid: testData.providers.north }])
      expect(await clients.admin('PUT', `/Users/${testData.users.admin}`, change)).toMatchObject({
        status: 400,
        body: { msg: lastAdminMessage },
      })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    // An inactive administrator does not count.
    await clients.admin('PUT', `/Users/${inactiveAdmin.body.user_sid}`, { is_active: 1 })
    expect(await clients.admin('DELETE', `/Users/${testData.users.admin}`)).toMatchObject({ status: 204 })
  })
})
