import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient, tokenFor, type ApiClient } from '../../../test/speak'
import { password } from '../../../test/world'
import { servicesOf } from '../../services'
import { buildApp } from '../../app'
import { readConfig } from '../../config/config'

describe.each(engines)('sessions (%s)', (engine) => {
  let backend: Backend
  let anonymous: ApiClient
  beforeEach(async () => {
    backend = await startBackend({ engine })
    anonymous = apiClient(backend.app)
  })
  afterEach(() => backend.close())

  const login = (username: unknown, given: unknown = password, request = anonymous) =>
    request('POST', '/login', { username, password: given })
  const signedIn = async (name: string) => apiClient(backend.app, await tokenFor(backend.app, name))
  const works = async (request: ApiClient) => (await request('GET', '/Users/me')).status === 200
  const set = (name: string, values: object) =>
    backend.database.db.updateTable('users').set(values).where('name', '=', name).execute()

  /** The same database with new services, as after a restart. */
  const restarted = async () => {
    const settings = readConfig({
      JWT_SECRET: 'test jwt secret',
      ENCRYPTION_SECRET: 'test encryption secret',
      DATA_DIR: '/tmp',
      LOG_LEVEL: 'silent',
    })
    return buildApp({
      config: settings,
      services: servicesOf(backend.database, settings),
      consoleFolder: '/none',
      version: '0',
    })
  }

  it('return a response and claims that fit the scope', async () => {
    const { providers, accounts, users } = backend.world
    const north = { service_provider_sid: providers.north, service_provider_name: 'Northwind' }
    const scopes = {
      admin: { scope: 'admin' },
      north: { scope: 'service_provider', ...north },
      acme: { scope: 'account', ...north, account_sid: accounts.acme, account_name: 'acme' },
    }
    for (const [name, tenancy] of Object.entries(scopes)) {
      const { status, body } = await login(name)
      const user_sid = users[name as keyof typeof scopes]
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

  it("take the scope from the account, whatever else the user's row contains", async () => {
    await set('acme', { service_provider_sid: null })
    expect((await login('acme')).body).toMatchObject({
      scope: 'account',
      service_provider_sid: backend.world.providers.north,
    })
  })

  it('refuse unknown users with the same message', async () => {
    for (const [name, given] of [
      ['acme', 'wrong'],
      ['nobody', password],
      ['ACME', password],
      ['acme ', password],
      ["acme' -- ", password],
    ])
      expect(await login(name, given)).toMatchObject({ status: 403, body: 'Forbidden' })
    for (const [name, given] of [
      [undefined, password],
      ['acme', undefined],
      ['', password],
      ['acme', ''],
      [null, password],
      [7, password],
      [{}, []],
    ])
      expect(await anonymous('POST', '/login', { username: name, password: given })).toMatchObject({
        status: 400,
        body: 'Bad Request',
      })
    await set('bolt', { provider: 'google' })
    expect(await login('bolt')).toMatchObject({ status: 403, body: 'Forbidden' })
  })

  it('refuse inactive users and accounts, and end when they become inactive', async () => {
    const [acme, bolt] = [await signedIn('acme'), await signedIn('bolt')]
    await set('acme', { is_active: 0 })
    expect(await login('acme')).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(await acme('GET', '/Users/me')).toMatchObject({ status: 401, body: 'Unauthorized' })

    const admin = apiClient(backend.app, backend.world.keys.admin)
    const path = `/Accounts/${backend.world.bolt.account}`
    expect(await admin('PUT', path, { is_active: false })).toMatchObject({ status: 204 })
    expect(await login('bolt')).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(await works(bolt)).toBe(false)
    expect(await apiClient(backend.app, backend.world.keys.bolt)('GET', '/Accounts')).toMatchObject({ status: 401 })
    await admin('PUT', path, { is_active: true })
    expect(await works(bolt)).toBe(false)
    expect(await login('bolt')).toMatchObject({ status: 200 })
  })

  it('end when their user is moved or deleted', async () => {
    const [acme, north, corp] = [await signedIn('acme'), await signedIn('north'), await signedIn('corp')]
    await set('acme', { account_sid: backend.world.bolt.account })
    await set('north', { service_provider_sid: backend.world.providers.south })
    await backend.services.users.remove(backend.world.users.corp)
    for (const request of [acme, north, corp]) expect(await works(request)).toBe(false)
  })

  it('lock out after six wrong passwords for a limited time, across restarts', async () => {
    for (let failure = 1; failure < 6; failure++)
      expect(await login('acme', 'wrong')).toMatchObject({ status: 403, body: 'Forbidden' })
    const sixth = { error: 'Maximum login attempts reached. Please try again in 1800 seconds.' }
    expect(await login('acme', 'wrong')).toMatchObject({ status: 403, body: sixth })
    const shut = { error: 'Maximum login attempts reached. Please try again later or reset your password.' }
    expect(await login('acme')).toMatchObject({ status: 403, body: shut })
    expect(await login('bolt')).toMatchObject({ status: 200 })
    const second = await restarted()
    expect(await login('acme', password, apiClient(second))).toMatchObject({ status: 403, body: shut })
    await second.close()
    await backend.database.db.updateTable('trunkline_login_failures').set({ until: 1 }).execute()
    expect(await login('acme')).toMatchObject({ status: 200 })
  })

  it('reset the count after a correct password', async () => {
    for (let round = 0; round < 2; round++) {
      for (let failure = 1; failure < 6; failure++) await login('acme', 'wrong')
      expect(await login('acme')).toMatchObject({ status: 200 })
    }
  })

  it('count every parallel attempt', async () => {
    const guesses = await Promise.all(Array.from({ length: 10 }, () => login('acme', 'wrong')))
    expect(guesses.filter(({ body }) => body === 'Forbidden').length).toBeLessThanOrEqual(5)
    expect(await login('acme')).toMatchObject({ status: 403, body: { error: expect.stringContaining('Maximum') } })
  })

  it('end one by one at logout', async () => {
    const [first, second] = [await signedIn('acme'), await signedIn('acme')]
    expect(await first('POST', '/logout')).toMatchObject({ status: 204, body: undefined })
    expect(await first('POST', '/logout')).toMatchObject({ status: 401 })
    expect(await works(first)).toBe(false)
    expect(await works(second)).toBe(true)
    const key = apiClient(backend.app, backend.world.keys.acme)
    expect(await key('POST', '/logout')).toMatchObject({ status: 400, body: { msg: expect.any(String) } })
    const viewer = await signedIn('viewer')
    expect(await viewer('POST', '/logout')).toMatchObject({ status: 204 })
  })

  it('survive a restart, and stay ended after it', async () => {
    const [stored, ended] = [await tokenFor(backend.app, 'acme'), await tokenFor(backend.app, 'acme')]
    await apiClient(backend.app, ended)('POST', '/logout')
    const second = await restarted()
    expect(await apiClient(second, stored)('GET', '/Users/me')).toMatchObject({ status: 200 })
    expect(await apiClient(second, ended)('GET', '/Users/me')).toMatchObject({ status: 401 })
    await second.close()
  })

  it('all end when the password changes', async () => {
    const [first, second] = [await signedIn('acme'), await signedIn('acme')]
    const change = (old_password?: unknown, new_password?: unknown) =>
      first('POST', '/change-password', { old_password, new_password })
    for (const [old, fresh] of [
      [undefined, 'x'],
      [password, undefined],
      ['', 'x'],
      [7, 'x'],
    ])
      expect(await change(old, fresh)).toMatchObject({
        status: 400,
        body: { msg: 'missing old_password or new_password' },
      })
    expect(await change('wrong', 'Another-horse-2')).toMatchObject({
      status: 400,
      body: { msg: 'old_password is incorrect' },
    })
    expect(await change(password, 'short')).toMatchObject({
      status: 400,
      body: { msg: 'password length must be between 8 and 20' },
    })
    expect(await change(password, password)).toMatchObject({
      status: 400,
      body: { msg: 'new password cannot be your old password', field: 'new_password' },
    })
    expect(await works(first)).toBe(true)
    await set('acme', { force_change: 1 })
    expect(await change(password, 'Another-horse-2')).toMatchObject({ status: 204, body: undefined })
    for (const request of [first, second]) expect(await works(request)).toBe(false)
    expect(await login('acme')).toMatchObject({ status: 403 })
    expect(await login('acme', 'Another-horse-2')).toMatchObject({ status: 200, body: { force_change: false } })
    const key = apiClient(backend.app, backend.world.keys.acme)
    expect(await key('POST', '/change-password', { old_password: 'x', new_password: 'y' })).toMatchObject({
      status: 400,
    })
    await set('bolt', { provider: 'github' })
    const token = await signedIn('corp')
    await set('corp', { provider: 'github' })
    expect(await token('POST', '/change-password', { old_password: password, new_password: 'y' })).toMatchObject({
      status: 400,
      body: { msg: 'user is using oauth authentication' },
    })
  })
})
