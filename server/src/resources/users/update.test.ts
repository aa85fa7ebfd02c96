import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, tokenFor, type ApiClient } from '../../../test/speak'
import { password, type ActorName, type World } from '../../../test/world'

const fresh = 'Another-horse-2'
const none = 'abcdef01-0000-4000-8000-000000000000'

describe.each(engines)('updating a user (%s)', (engine) => {
  let backend: Backend
  let as: Record<ActorName, ApiClient>
  beforeEach(async () => {
    backend = await startBackend({ engine })
    as = Object.fromEntries(
      Object.entries(backend.world.keys).map(([name, token]) => [name, apiClient(backend.app, token)]),
    ) as typeof as
  })
  afterEach(() => backend.close())

  const signedIn = async (name: string, secret?: string) =>
    apiClient(backend.app, await tokenFor(backend.app, name, secret))
  const works = async (request: ApiClient) => (await request('GET', '/Users/me')).status === 200
  const put = (actorName: ActorName, targetName: ActorName, body: object) =>
    as[actorName]('PUT', `/Users/${backend.world.users[targetName]}`, body)
  const read = async (actorName: ActorName) => (await as.admin('GET', `/Users/${backend.world.users[actorName]}`)).body
  /** Another administrator, so that the first may be removed. */
  const anotherAdmin = () =>
    as.admin('POST', '/Users', { name: 'deputy', email: 'deputy@example.com', initial_password: fresh })
  const done = { status: 204, body: undefined }

  it('changes only the given fields', async () => {
    const initialValue = await read('acme')
    expect(await put('north', 'acme', { name: 'Acme two', email: 'two@example.com' })).toMatchObject(done)
    expect(await read('acme')).toEqual({ ...initialValue, name: 'Acme two', email: 'two@example.com' })
    expect(await put('acme', 'acme', { force_change: true })).toMatchObject(done)
    expect(await read('acme')).toMatchObject({ force_change: 1 })
    expect(await put('acme', 'acme', { force_change: 0 })).toMatchObject(done)
    expect(await read('acme')).toMatchObject({ force_change: 0, name: 'Acme two' })
  })

  it('accepts a body that repeats the whole record', async () => {
    const initialValue = await read('acme')
    const { user_sid: _, ...rest } = initialValue
    expect(await put('north', 'acme', { ...rest, provider: 'google', email_validated: 1 })).toMatchObject(done)
    expect(await read('acme')).toEqual(initialValue)
    expect(await put('north', 'acme', { provider: 'google' })).toMatchObject({ status: 400 })
  })

  it('keeps sessions if no permission changes', async () => {
    const { users, accounts, providers } = backend.world
    const acme = await signedIn('acme')
    const same = {
      account_sid: accounts.acme,
      service_provider_sid: providers.north,
      is_active: 1,
      is_view_only: false,
    }
    expect(
      await acme('PUT', `/Users/${users.acme}`, { name: 'acme', email: 'other@example.com', ...same }),
    ).toMatchObject(done)
    expect(await works(acme)).toBe(true)
  })

  it.each<[string, ActorName, object | ((world: World) => object)]>([
    ['deactivated', 'acme', { is_active: false }],
    ['moved', 'acme', ({ accounts }) => ({ account_sid: accounts.bolt })],
    ['made view-only', 'acme', { is_view_only: true }],
    ['moved to an account', 'north', ({ accounts }) => ({ account_sid: accounts.acme })],
    ['moved to a provider', 'admin', ({ providers }) => ({ service_provider_sid: providers.south })],
  ])('and signed out, when %s', async (_, actorName, change) => {
    await anotherAdmin()
    const there = await signedIn(actorName)
    const body = typeof change === 'function' ? change(backend.world) : change
    expect(await put('admin', actorName, body)).toMatchObject(done)
    expect(await works(there)).toBe(false)
  })

  it.each<[string, ActorName, string, (world: World) => object]>([
    ['deactivated', 'admin', 'is_active', () => ({ is_active: 0 })],
    ['moved to an account', 'north', 'account_sid', ({ accounts }) => ({ account_sid: accounts.acme })],
    [
      'moved to a provider',
      'admin',
      'service_provider_sid',
      (world) => ({ service_provider_sid: world.providers.south }),
    ],
  ])('but not by itself to be %s', async (_, actorName, field, change) => {
    await anotherAdmin()
    const there = await signedIn(actorName)
    const reply = await there('PUT', `/Users/${backend.world.users[actorName]}`, change(backend.world))
    const msg = expect.stringMatching(/^Invalid request: a user may not/)
    expect(reply).toMatchObject({ status: 400, body: { field, msg } })
    expect(await works(there)).toBe(true)
  })

  it('ends all sessions and unlocks the user if another user sets the password', async () => {
    const [here, there] = [await signedIn('acme'), await signedIn('acme')]
    for (let attempt = 0; attempt < 7; attempt++) await signedIn('acme', 'wrong').catch(() => undefined)
    expect(await put('north', 'acme', { initial_password: fresh, force_change: true })).toMatchObject(done)
    expect([await works(here), await works(there)]).toEqual([false, false])
    const { status, body } = await apiClient(backend.app)('POST', '/login', { username: 'acme', password: fresh })
    expect({ status, body }).toMatchObject({ status: 200, body: { force_change: true } })
    await expect(signedIn('acme')).rejects.toThrow('403')
  })

  it('ends other sessions if users change their own password', async () => {
    const [here, there] = [await signedIn('acme'), await signedIn('acme')]
    const { acme } = backend.world.users
    expect(
      await here('PUT', `/Users/${acme}`, { name: 'acme', initial_password: fresh, old_password: password }),
    ).toMatchObject(done)
    expect([await works(here), await works(there)]).toEqual([true, false])
    expect(await works(await signedIn('acme', fresh))).toBe(true)
  })

  it.each([null, ''])('refuses %j as a password change', async (initial_password) => {
    expect(await put('north', 'acme', { name: 'acme', initial_password })).toMatchObject(done)
    expect(await works(await signedIn('acme'))).toBe(true)
  })

  it('accepts null for fields without a value', async () => {
    for (const actorName of ['admin', 'north'] as const) {
      const initialValue = await read(actorName)
      expect(await put('admin', actorName, { name: actorName, account_sid: null, is_active: 1 })).toMatchObject(done)
      expect(await read(actorName)).toEqual(initialValue)
    }
    expect(await put('admin', 'admin', { name: 'admin', service_provider_sid: null, account_sid: null })).toMatchObject(
      done,
    )
    expect(await put('admin', 'admin', { service_provider_sid: null, account_sid: null })).toMatchObject({
      status: 400,
      body: { msg: 'no updates requested' },
    })
  })

  it('takes the provider from the new account', async () => {
    const { accounts, providers } = backend.world
    await anotherAdmin()
    await put('admin', 'admin', { account_sid: accounts.corp })
    expect(await read('admin')).toMatchObject({ account_sid: accounts.corp, service_provider_sid: providers.south })
    await put('admin', 'acme', { account_sid: accounts.corp, service_provider_sid: providers.south })
    expect(await read('acme')).toMatchObject({ account_sid: accounts.corp, service_provider_sid: providers.south })
  })

  it('lets other users set and clear view-only', async () => {
    const { viewer, users } = backend.world
    const permissions = async (name: string) =>
      (await apiClient(backend.app)('POST', '/login', { username: name, password })).body.permissions
    // Omitted fields stay: a new name does not clear view-only.
    await as.north('PUT', `/Users/${viewer}`, { email: 'viewer2@example.com' })
    expect(await permissions('viewer')).toEqual(['VIEW_ONLY'])
    await as.north('PUT', `/Users/${viewer}`, { is_view_only: false })
    expect(await permissions('viewer')).toEqual([])
    const acme = await signedIn('acme')
    expect(await acme('PUT', `/Users/${users.acme}`, { name: 'acme', is_view_only: 1 })).toMatchObject({
      status: 400,
      body: { field: 'is_view_only' },
    })
    await put('north', 'acme', { is_view_only: 1 })
    expect(await permissions('acme')).toEqual(['VIEW_ONLY'])
    // A user with all permissions may write, as the first administrator.
    const all = await backend.database.db.selectFrom('permissions').selectAll().execute()
    for (const { permission_sid } of all)
      await backend.database.db
        .insertInto('user_permissions')
        .values({ user_permissions_sid: permission_sid.replace(/^./, '0'), user_sid: users.bolt, permission_sid })
        .execute()
    await put('north', 'bolt', { is_view_only: 1 })
    expect(await permissions('bolt')).toEqual(['VIEW_ONLY'])
  })

  it('changes address and activation code together', async () => {
    await backend.services.users.update(backend.world.users.acme, { email_validated: 1 })
    const pair = { email: 'new@example.com', email_activation_code: '123456' }
    expect(await put('acme', 'acme', pair)).toMatchObject(done)
    expect(await read('acme')).toMatchObject({ email: 'new@example.com', email_validated: 0 })
    const stored = await backend.services.users.find({ all: true }, backend.world.users.acme)
    expect(stored?.email_activation_code).toBe('123456')
  })

  type Case = [string, ActorName, ActorName, object | ((world: World) => object), number, string, string?]
  const taken = 'invalid username or email'
  const risen = 'Invalid request: user may not be promoted'
  const otherLocation = 'or moved to another'

  it.each<Case>([
    ['nothing', 'north', 'acme', {}, 400, 'no updates requested'],
    ['a duplicate name', 'north', 'acme', { name: 'Corp' }, 422, taken, 'name'],
    ['a duplicate email address', 'north', 'acme', { email: 'CORP@example.com' }, 422, taken, 'email'],
    ['no email', 'north', 'acme', { email: 'x' }, 400, 'Enter an email address, such as name@example.com.', 'email'],
    ['leaving the account', 'admin', 'acme', { name: 'acme', account_sid: null }, 400, risen, 'account_sid'],
    ['leaving the provider', 'admin', 'north', { service_provider_sid: null }, 400, risen, 'service_provider_sid'],
    [
      'another account, by an account',
      'acme',
      'acme',
      ({ accounts }) => ({ account_sid: accounts.bolt }),
      400,
      `${risen} ${otherLocation} account`,
      'account_sid',
    ],
    [
      'another provider, by an account',
      'acme',
      'acme',
      ({ providers }) => ({ service_provider_sid: providers.south }),
      400,
      `${risen} ${otherLocation} service provider`,
      'service_provider_sid',
    ],
    [
      'another provider, by a provider',
      'north',
      'north',
      ({ providers }) => ({ service_provider_sid: providers.south }),
      400,
      `${risen} ${otherLocation} service provider`,
      'service_provider_sid',
    ],
    [
      'an account of another provider',
      'north',
      'acme',
      ({ accounts }) => ({ account_sid: accounts.corp }),
      400,
      'Invalid request: user may not be moved to another service provider',
      'account_sid',
    ],
    [
      'a provider that differs from the account’s',
      'admin',
      'acme',
      ({ providers }) => ({ service_provider_sid: providers.south }),
      400,
      'Invalid request: user may not be moved to another service provider',
      'service_provider_sid',
    ],
    [
      'no account',
      'admin',
      'acme',
      { account_sid: none },
      400,
      'Invalid request: account_sid does not exist',
      'account_sid',
    ],
    [
      'no provider',
      'admin',
      'north',
      { service_provider_sid: none },
      400,
      'Invalid request: service_provider_sid does not exist',
      'service_provider_sid',
    ],
    [
      'a name together with a password',
      'acme',
      'acme',
      { name: 'x', old_password: password, new_password: fresh },
      400,
      'can not change name and password simultaneously',
      'name',
    ],
    [
      'two new passwords',
      'acme',
      'acme',
      { old_password: password, new_password: fresh, initial_password: fresh },
      400,
      'initial_password and new_password can not be sent together',
      'initial_password',
    ],
    [
      'a short password',
      'north',
      'acme',
      { initial_password: 'short' },
      400,
      'password length must be between 8 and 20',
      'initial_password',
    ],
    [
      'an activation code without an email address',
      'acme',
      'acme',
      { email_activation_code: '123456' },
      400,
      'email and email_activation_code both required',
      'email',
    ],
    [
      'another column',
      'admin',
      'acme',
      { hashed_password: 'x' },
      400,
      'unknown field hashed_password',
      'hashed_password',
    ],
  ])('not by %s', async (_, actorName, targetName, change, status, msg, field) => {
    const initialSnapshot = await snapshot(backend.database)
    const body = typeof change === 'function' ? change(backend.world) : change
    expect(await put(actorName, targetName, body)).toMatchObject({ status, body: { msg, ...(field ? { field } : {}) } })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('refuses a password for external users', async () => {
    await backend.services.users.update(backend.world.users.acme, { provider: 'google' })
    expect(await put('north', 'acme', { initial_password: fresh })).toMatchObject({
      status: 400,
      body: { msg: 'can not change password when using oauth2', field: 'initial_password' },
    })
    expect(await put('north', 'acme', { name: 'acme', initial_password: null, is_active: 1 })).toMatchObject(done)
  })

  it('accepts a stored invalid address', async () => {
    await backend.services.users.update(backend.world.users.acme, { email: 'acme' })
    expect(await put('north', 'acme', { name: 'Acme', email: 'acme' })).toMatchObject(done)
  })
})
