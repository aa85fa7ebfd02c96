import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, fetchToken, type ApiClient } from '../../../test/api-client'
import { password } from '../../../test/test-data'
import { createServices } from '../../composition/services'
import { buildApp } from '../../composition/app'
import { readConfig } from '../../config/config'

describe.each(databaseEngines)('sessions (%s)', (databaseEngine) => {
  let backend: Backend
  let anonymousClient: ApiClient
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
    anonymousClient = createApiClient(backend.app)
  })
  afterEach(() => backend.close())

  const login = (username: unknown, enteredPassword: unknown = password, client = anonymousClient) =>
    client('POST', '/login', { username, password: enteredPassword })
  const signIn = async (name: string) => createApiClient(backend.app, await fetchToken(backend.app, name))
  const isSignedIn = async (client: ApiClient) => (await client('GET', '/Users/me')).status === 200
  const updateUser = (name: string, values: object) =>
    backend.database.db.updateTable('users').set(values).where('name', '=', name).execute()

  /** The same database with new services, as after a restart. */
  const restartApp = async () => {
    const config = readConfig({
      JWT_SECRET: 'test jwt secret',
      ENCRYPTION_SECRET: 'test encryption secret',
      DATA_DIR: '/tmp',
      LOG_LEVEL: 'silent',
    })
    return buildApp({
      config,
      services: createServices({
        database: backend.database,
        config,
        logError: (message) => expect.fail(message),
      }),
      consoleFolder: '/none',
      version: '0',
    })
  }

  it('return a response and claims that fit the scope', async () => {
    const { providers, accounts, users } = backend.testData
    const northTenancy = { service_provider_sid: providers.north, service_provider_name: 'Northwind' }
    const tenancyByUser = {
      admin: { scope: 'admin' },
      north: { scope: 'service_provider', ...northTenancy },
      acme: { scope: 'account', ...northTenancy, account_sid: accounts.acme, account_name: 'acme' },
    }
    for (const [name, tenancy] of Object.entries(tenancyByUser)) {
      const { status, body } = await login(name)
      const user_sid = users[name as keyof typeof tenancyByUser]
      expect(status).toBe(200)
      expect(body).toEqual({ token: expect.any(String), user_sid, force_change: false, permissions: [], ...tenancy })
      const { jti: _, iat, exp, ...claims } = decodeJwt(body.token)
      expect(claims).toEqual({ user_sid, name, permissions: [], is_view_only: false, ...tenancy })
      expect(exp! - iat!).toBe(3600)
    }
    const viewer = await login('viewer')
    expect(viewer.body.permissions).toEqual(['VIEW_ONLY'])
    expect(decodeJwt(viewer.body.token)).toMatchObject({ is_view_only: true, permissions: ['VIEW_ONLY'] })
  })

  it("take the scope from the account, even if the user's row has no provider", async () => {
    await updateUser('acme', { service_provider_sid: null })
    expect((await login('acme')).body).toMatchObject({
      scope: 'account',
      service_provider_sid: backend.testData.providers.north,
    })
  })

  it('refuse unknown users and wrong passwords with the same response', async () => {
    for (const [name, enteredPassword] of [
      ['acme', 'wrong'],
      ['nobody', password],
      ['ACME', password],
      ['acme ', password],
      ["acme' -- ", password],
    ])
      expect(await login(name, enteredPassword)).toMatchObject({ status: 403, body: 'Forbidden' })
    for (const [name, enteredPassword] of [
      [undefined, password],
      ['acme', undefined],
      ['', password],
      ['acme', ''],
      [null, password],
      [7, password],
      [{}, []],
    ])
      expect(await anonymousClient('POST', '/login', { username: name, password: enteredPassword })).toMatchObject({
        status: 400,
        body: 'Bad Request',
      })
    await updateUser('bolt', { provider: 'google' })
    expect(await login('bolt')).toMatchObject({ status: 403, body: 'Forbidden' })
  })

  it('refuse inactive users and accounts, and end when they become inactive', async () => {
    const [acmeClient, boltClient] = [await signIn('acme'), await signIn('bolt')]
    await updateUser('acme', { is_active: 0 })
    expect(await login('acme')).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(await acmeClient('GET', '/Users/me')).toMatchObject({ status: 401, body: 'Unauthorized' })

    const adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    const path = `/Accounts/${backend.testData.bolt.account}`
    expect(await adminClient('PUT', path, { is_active: false })).toMatchObject({ status: 204 })
    expect(await login('bolt')).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(await isSignedIn(boltClient)).toBe(false)
    expect(await createApiClient(backend.app, backend.testData.keys.bolt)('GET', '/Accounts')).toMatchObject({
      status: 401,
    })
    await adminClient('PUT', path, { is_active: true })
    expect(await isSignedIn(boltClient)).toBe(false)
    expect(await login('bolt')).toMatchObject({ status: 200 })
  })

  it('end when their user is moved or deleted', async () => {
    const [acmeClient, northClient, corpClient] = [await signIn('acme'), await signIn('north'), await signIn('corp')]
    await updateUser('acme', { account_sid: backend.testData.bolt.account })
    await updateUser('north', { service_provider_sid: backend.testData.providers.south })
    await backend.services.users.remove(backend.testData.users.corp)
    for (const sessionClient of [acmeClient, northClient, corpClient])
      expect(await isSignedIn(sessionClient)).toBe(false)
  })

  it('lock out after six wrong passwords for a limited time, across restarts', async () => {
    for (let attempt = 1; attempt < 6; attempt++)
      expect(await login('acme', 'wrong')).toMatchObject({ status: 403, body: 'Forbidden' })
    const lockOutNotice = { error: 'Maximum login attempts reached. Please try again in 1800 seconds.' }
    expect(await login('acme', 'wrong')).toMatchObject({ status: 403, body: lockOutNotice })
    const lockedOut = { error: 'Maximum login attempts reached. Please try again later or reset your password.' }
    expect(await login('acme')).toMatchObject({ status: 403, body: lockedOut })
    expect(await login('bolt')).toMatchObject({ status: 200 })
    const restartedApp = await restartApp()
    expect(await login('acme', password, createApiClient(restartedApp))).toMatchObject({ status: 403, body: lockedOut })
    await restartedApp.close()
    await backend.database.db.updateTable('trunkline_login_failures').set({ until: 1 }).execute()
    expect(await login('acme')).toMatchObject({ status: 200 })
  })

  it('reset the count after a correct password', async () => {
    for (let round = 0; round < 2; round++) {
      for (let attempt = 1; attempt < 6; attempt++) await login('acme', 'wrong')
      expect(await login('acme')).toMatchObject({ status: 200 })
    }
  })

  it('lock out after six wrong passwords that arrive at once', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => login('acme', 'wrong')))
    const countResponses = (text: string) => responses.filter(({ body }) => JSON.stringify(body).includes(text)).length
    expect(['Forbidden', 'in 1800 seconds.', 'later or reset'].map(countResponses)).toEqual([5, 1, 4])
    expect(await login('acme')).toMatchObject({ status: 403, body: { error: expect.stringContaining('Maximum') } })
  })

  it('end at logout without ending other sessions of the user', async () => {
    const [firstSessionClient, secondSessionClient] = [await signIn('acme'), await signIn('acme')]
    expect(await firstSessionClient('POST', '/logout')).toMatchObject({ status: 204, body: undefined })
    expect(await firstSessionClient('POST', '/logout')).toMatchObject({ status: 401 })
    expect(await isSignedIn(firstSessionClient)).toBe(false)
    expect(await isSignedIn(secondSessionClient)).toBe(true)
    const keyClient = createApiClient(backend.app, backend.testData.keys.acme)
    expect(await keyClient('POST', '/logout')).toMatchObject({ status: 400, body: { msg: expect.any(String) } })
    const viewerClient = await signIn('viewer')
    expect(await viewerClient('POST', '/logout')).toMatchObject({ status: 204 })
  })

  it('stay open or ended after a restart', async () => {
    const [activeToken, endedToken] = [await fetchToken(backend.app, 'acme'), await fetchToken(backend.app, 'acme')]
    await createApiClient(backend.app, endedToken)('POST', '/logout')
    const restartedApp = await restartApp()
    expect(await createApiClient(restartedApp, activeToken)('GET', '/Users/me')).toMatchObject({ status: 200 })
    expect(await createApiClient(restartedApp, endedToken)('GET', '/Users/me')).toMatchObject({ status: 401 })
    await restartedApp.close()
  })

  it('all end when the password changes', async () => {
    const [firstSessionClient, secondSessionClient] = [await signIn('acme'), await signIn('acme')]
    const changePassword = (old_password?: unknown, new_password?: unknown) =>
      firstSessionClient('POST', '/change-password', { old_password, new_password })
    for (const [oldPassword, newPassword] of [
      [undefined, 'x'],
      [password, undefined],
      ['', 'x'],
      [7, 'x'],
    ])
      expect(await changePassword(oldPassword, newPassword)).toMatchObject({
        status: 400,
        body: { msg: 'missing old_password or new_password' },
      })
    expect(await changePassword('wrong', 'Another-horse-2')).toMatchObject({
      status: 400,
      body: { msg: 'old_password is incorrect' },
    })
    expect(await changePassword(password, 'short')).toMatchObject({
      status: 400,
      body: { msg: 'password length must be between 8 and 20' },
    })
    expect(await changePassword(password, password)).toMatchObject({
      status: 400,
      body: { msg: 'new password cannot be your old password', field: 'new_password' },
    })
    expect(await isSignedIn(firstSessionClient)).toBe(true)
    await updateUser('acme', { force_change: 1 })
    expect(await changePassword(password, 'Another-horse-2')).toMatchObject({ status: 204, body: undefined })
    for (const sessionClient of [firstSessionClient, secondSessionClient])
      expect(await isSignedIn(sessionClient)).toBe(false)
    expect(await login('acme')).toMatchObject({ status: 403 })
    expect(await login('acme', 'Another-horse-2')).toMatchObject({ status: 200, body: { force_change: false } })
    const keyClient = createApiClient(backend.app, backend.testData.keys.acme)
    expect(await keyClient('POST', '/change-password', { old_password: 'x', new_password: 'y' })).toMatchObject({
      status: 400,
    })
    const corpSessionClient = await signIn('corp')
    await updateUser('corp', { provider: 'github' })
    expect(
      await corpSessionClient('POST', '/change-password', { old_password: password, new_password: 'y' }),
    ).toMatchObject({
      status: 400,
      body: { msg: 'user is using oauth authentication' },
    })
  })
})
