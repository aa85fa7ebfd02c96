import { fullReach } from '@trunkline/contract/policy/can'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, fetchToken, type ApiClient } from '../../../test/api-client'
import { password, type ActorName, type TestData } from '../../../test/test-data'

const newPassword = 'Another-horse-2'

describe.each(databaseEngines)('updating a user (%s)', (databaseEngine) => {
  let backend: Backend
  let clients: Record<ActorName, ApiClient>
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
    clients = Object.fromEntries(
      Object.entries(backend.testData.keys).map(([name, token]) => [name, createApiClient(backend.app, token)]),
    ) as typeof clients
  })
  afterEach(() => backend.close())

  const signIn = async (name: string, enteredPassword?: string) =>
    createApiClient(backend.app, await fetchToken(backend.app, name, enteredPassword))
  const isSignedIn = async (client: ApiClient) => (await client('GET', '/Users/me')).status === 200
  const updateUser = (actorName: ActorName, targetName: ActorName, body: object) =>
    clients[actorName]('PUT', `/Users/${backend.testData.users[targetName]}`, body)
  const readUser = async (name: ActorName) =>
    (await clients.admin('GET', `/Users/${backend.testData.users[name]}`)).body
  /** Creates another administrator, so that the first one may be moved or deactivated. */
  const createOtherAdmin = () =>
    clients.admin('POST', '/Users', { name: 'deputy', email: 'deputy@example.com', initial_password: newPassword })
  const noContent = { status: 204, body: undefined }

  it('changes only the fields in the body', async () => {
    const initialUser = await readUser('acme')
    expect(await updateUser('north', 'acme', { name: 'Acme two', email: 'two@example.com' })).toMatchObject(noContent)
    expect(await readUser('acme')).toEqual({ ...initialUser, name: 'Acme two', email: 'two@example.com' })
    expect(await updateUser('acme', 'acme', { force_change: true })).toMatchObject(noContent)
    expect(await readUser('acme')).toMatchObject({ force_change: 1 })
    expect(await updateUser('acme', 'acme', { force_change: 0 })).toMatchObject(noContent)
    expect(await readUser('acme')).toMatchObject({ force_change: 0, name: 'Acme two' })
  })

  it('accepts a body with all fields of the record', async () => {
    const initialUser = await readUser('acme')
    const { user_sid: _, ...otherFields } = initialUser
    expect(await updateUser('north', 'acme', { ...otherFields, provider: 'google', email_validated: 1 })).toMatchObject(
      noContent,
    )
    expect(await readUser('acme')).toEqual(initialUser)
    expect(await updateUser('north', 'acme', { provider: 'google' })).toMatchObject({ status: 400 })
  })

  it('keeps sessions if no permission changes', async () => {
    const { users, accounts, providers } = backend.testData
    const acmeClient = await signIn('acme')
    const unchangedFields = {
      account_sid: accounts.acme,
      service_provider_sid: providers.north,
      is_active: 1,
      is_view_only: false,
    }
    expect(
      await acmeClient('PUT', `/Users/${users.acme}`, { name: 'acme', email: 'other@example.com', ...unchangedFields }),
    ).toMatchObject(noContent)
    expect(await isSignedIn(acmeClient)).toBe(true)
  })

  it.each<[string, ActorName, object | ((testData: TestData) => object)]>([
    ['deactivated', 'acme', { is_active: false }],
    ['moved', 'acme', ({ accounts }) => ({ account_sid: accounts.bolt })],
    ['made view-only', 'acme', { is_view_only: true }],
    ['moved to an account', 'north', ({ accounts }) => ({ account_sid: accounts.acme })],
    ['moved to a provider', 'admin', ({ providers }) => ({ service_provider_sid: providers.south })],
  ])('ends the session of a user who is %s', async (_, actorName, change) => {
    await createOtherAdmin()
    const sessionClient = await signIn(actorName)
    const body = typeof change === 'function' ? change(backend.testData) : change
    expect(await updateUser('admin', actorName, body)).toMatchObject(noContent)
    expect(await isSignedIn(sessionClient)).toBe(false)
  })

  it.each<[string, ActorName, string, (testData: TestData) => object]>([
    ['deactivated', 'admin', 'is_active', () => ({ is_active: 0 })],
    ['moved to an account', 'north', 'account_sid', ({ accounts }) => ({ account_sid: accounts.acme })],
    [
      'moved to a provider',
      'admin',
      'service_provider_sid',
      (testData) => ({ service_provider_sid: testData.providers.south }),
    ],
  ])('refuses an update by which users are %s by themselves', async (_, actorName, field, change) => {
    await createOtherAdmin()
    const sessionClient = await signIn(actorName)
    const response = await sessionClient('PUT', `/Users/${backend.testData.users[actorName]}`, change(backend.testData))
    const msg = expect.stringMatching(/^Invalid request: a user may not/)
    expect(response).toMatchObject({ status: 400, body: { field, msg } })
    expect(await isSignedIn(sessionClient)).toBe(true)
  })

  it('ends all sessions and unlocks the user if another user sets the password', async () => {
    const [currentSessionClient, otherSessionClient] = [await signIn('acme'), await signIn('acme')]
    for (let attempt = 0; attempt < 7; attempt++) await signIn('acme', 'wrong').catch(() => undefined)
    expect(await updateUser('north', 'acme', { initial_password: newPassword, force_change: true })).toMatchObject(
      noContent,
    )
    expect([await isSignedIn(currentSessionClient), await isSignedIn(otherSessionClient)]).toEqual([false, false])
    const { status, body } = await createApiClient(backend.app)('POST', '/login', {
      username: 'acme',
      password: newPassword,
    })
    expect({ status, body }).toMatchObject({ status: 200, body: { force_change: true } })
    await expect(signIn('acme')).rejects.toThrow('403')
  })

  it('ends other sessions if users change their own password', async () => {
    const [currentSessionClient, otherSessionClient] = [await signIn('acme'), await signIn('acme')]
    const { acme } = backend.testData.users
    expect(
      await currentSessionClient('PUT', `/Users/${acme}`, {
        name: 'acme',
        initial_password: newPassword,
        old_password: password,
      }),
    ).toMatchObject(noContent)
    expect([await isSignedIn(currentSessionClient), await isSignedIn(otherSessionClient)]).toEqual([true, false])
    expect(await isSignedIn(await signIn('acme', newPassword))).toBe(true)
  })

  it.each([null, ''])('ignores %j as a new password', async (initial_password) => {
    expect(await updateUser('north', 'acme', { name: 'acme', initial_password })).toMatchObject(noContent)
    expect(await isSignedIn(await signIn('acme'))).toBe(true)
  })

  it('accepts null for fields without a value', async () => {
    for (const actorName of ['admin', 'north'] as const) {
      const initialUser = await readUser(actorName)
      expect(await updateUser('admin', actorName, { name: actorName, account_sid: null, is_active: 1 })).toMatchObject(
        noContent,
      )
      expect(await readUser(actorName)).toEqual(initialUser)
    }
    expect(
      await updateUser('admin', 'admin', { name: 'admin', service_provider_sid: null, account_sid: null }),
    ).toMatchObject(noContent)
    expect(await updateUser('admin', 'admin', { service_provider_sid: null, account_sid: null })).toMatchObject({
      status: 400,
      body: { msg: 'no updates requested' },
    })
  })

  it('takes the provider from the new account', async () => {
    const { accounts, providers } = backend.testData
    await createOtherAdmin()
    await updateUser('admin', 'admin', { account_sid: accounts.corp })
    expect(await readUser('admin')).toMatchObject({ account_sid: accounts.corp, service_provider_sid: providers.south })
    await updateUser('admin', 'acme', { account_sid: accounts.corp, service_provider_sid: providers.south })
    expect(await readUser('acme')).toMatchObject({ account_sid: accounts.corp, service_provider_sid: providers.south })
  })

  it('lets other users set and clear view-only', async () => {
    const { viewer, users } = backend.testData
    const permissions = async (name: string) =>
      (await createApiClient(backend.app)('POST', '/login', { username: name, password })).body.permissions
    // An update without `is_view_only` does not change it.
    await clients.north('PUT', `/Users/${viewer}`, { email: 'viewer2@example.com' })
    expect(await permissions('viewer')).toEqual(['VIEW_ONLY'])
    await clients.north('PUT', `/Users/${viewer}`, { is_view_only: false })
    expect(await permissions('viewer')).toEqual([])
    const acmeClient = await signIn('acme')
    expect(await acmeClient('PUT', `/Users/${users.acme}`, { name: 'acme', is_view_only: 1 })).toMatchObject({
      status: 400,
      body: { field: 'is_view_only' },
    })
    await updateUser('north', 'acme', { is_view_only: 1 })
    expect(await permissions('acme')).toEqual(['VIEW_ONLY'])
    // A user with all permissions, like the first administrator, is not view-only.
    const allPermissions = await backend.database.db.selectFrom('permissions').selectAll().execute()
    for (const { permission_sid } of allPermissions)
      await backend.database.db
        .insertInto('user_permissions')
        .values({ user_permissions_sid: permission_sid.replace(/^./, '0'), user_sid: users.bolt, permission_sid })
        .execute()
    await updateUser('north', 'bolt', { is_view_only: 1 })
    expect(await permissions('bolt')).toEqual(['VIEW_ONLY'])
  })

  it('changes the address together with its activation code', async () => {
    await backend.services.users.update(backend.testData.users.acme, { email_validated: 1 })
    const changes = { email: 'new@example.com', email_activation_code: '123456' }
    expect(await updateUser('acme', 'acme', changes)).toMatchObject(noContent)
    expect(await readUser('acme')).toMatchObject({ email: 'new@example.com', email_validated: 0 })
    const storedUser = await backend.services.users.find(fullReach, backend.testData.users.acme)
    expect(storedUser?.email_activation_code).toBe('123456')
  })

  it('accepts an invalid address that is already stored', async () => {
    await backend.services.users.update(backend.testData.users.acme, { email: 'acme' })
    expect(await updateUser('north', 'acme', { name: 'Acme', email: 'acme' })).toMatchObject(noContent)
  })
})
