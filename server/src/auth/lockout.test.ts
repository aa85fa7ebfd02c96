import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { apiClient, tokenFor, type ApiResponse } from '../../test/speak'
import { password } from '../../test/world'

const homeAddress = '192.0.2.7'
const otherLocation = '198.51.100.9'
const mail = { send: () => Promise.resolve(), close: () => undefined }

describe.each(engines)('wrong passwords (%s)', (engine) => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({
      engine,
      // The client address is taken from X-Forwarded-For.
      config: { trustProxy: 1, features: { ...defaultFeatureFlags, forgotPassword: true } },
      outside: { mail },
    })
    await backend.database.db.updateTable('users').set({ email_validated: 1 }).where('name', '=', 'acme').execute()
  })
  afterEach(() => backend.close())

  const login = (username: string, secret: string, ip: string) =>
    apiClient(backend.app)('POST', '/login', { username, password: secret }, { 'x-forwarded-for': ip })
  const signIn = (email: string, secret: string, ip: string) =>
    apiClient(backend.app)('POST', '/signin', { email, password: secret }, { 'x-forwarded-for': ip })
  const answerOf = ({ status, body }: ApiResponse) => ({ status, body })
  const guess = async (username: string, count: number, ip: string) => {
    const responses = []
    for (let time = 0; time < count; time++) responses.push(answerOf(await login(username, 'wrong', ip)))
    return responses
  }
  const rows = () => backend.database.db.selectFrom('trunkline_login_failures').selectAll().execute()

  it('lock a user only for the network that sent them', async () => {
    await guess('admin', 7, otherLocation)
    expect(await login('admin', password, otherLocation)).toMatchObject({ status: 403 })
    expect(await login('admin', password, homeAddress)).toMatchObject({ status: 200 })
    expect(await login('admin', password, otherLocation)).toMatchObject({ status: 403 })
  })

  it('count per IPv6 network, not per address', async () => {
    for (let host = 1; host < 7; host++) await guess('admin', 1, `2001:db8:0:1::${host}`)
    expect(await login('admin', password, '2001:db8:0:1::99')).toMatchObject({ status: 403 })
    expect(await login('admin', password, '2001:db8:0:2::1')).toMatchObject({ status: 200 })
  })

  it('get the same answers for names that no user has', async () => {
    await backend.database.db.updateTable('users').set({ provider: 'google' }).where('name', '=', 'bolt').execute()
    const known = await guess('acme', 8, homeAddress)
    expect(known.at(-1)).toEqual({
      status: 403,
      body: { error: 'Maximum login attempts reached. Please try again later or reset your password.' },
    })
    expect(await guess('nobody', 8, homeAddress)).toEqual(known)
    expect(await guess('bolt', 8, homeAddress)).toEqual(known)
  })

  it('get the same answers for addresses that no user has', async () => {
    const responses = async (email: string) => {
      const all = []
      for (let time = 0; time < 8; time++) all.push(answerOf(await signIn(email, 'wrong', homeAddress)))
      return all
    }
    const known = await responses('acme@example.com')
    expect(known[0]).toEqual({ status: 403, body: 'Forbidden' })
    expect(await responses('nobody@example.com')).toEqual(known)
    expect(await responses('corp@example.com')).toEqual(known)
  })

  it('slow down only the network that tries many users', async () => {
    for (let user = 0; user < 60; user++) await login(`user${user}`, 'wrong', otherLocation)
    expect((await login('acme', password, otherLocation)).status).toBe(200)
    expect(await login('acme', password, otherLocation)).toMatchObject({
      status: 429,
      body: { error: 'Too many attempts. Please wait a moment and try again.' },
      headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) },
    })
    expect(await signIn('acme@example.com', password, otherLocation)).toMatchObject({ status: 429 })
    expect((await login('acme', password, homeAddress)).status).toBe(200)
    await backend.database.db.updateTable('trunkline_login_failures').set({ next_at: 1 }).execute()
    expect((await login('acme', password, otherLocation)).status).toBe(200)
    await backend.database.db.updateTable('trunkline_login_failures').set({ until: 1 }).execute()
    expect((await login('acme', password, otherLocation)).status).toBe(200)
    expect((await login('acme', password, otherLocation)).status).toBe(200)
  })

  it('count for the old password of a change too', async () => {
    const session = apiClient(backend.app, await tokenFor(backend.app, 'acme'))
    const path = `/Users/${backend.world.users.acme}`
    const change = (old_password: string) => session('PUT', path, { old_password, new_password: 'Another-horse-2' })
    for (let time = 0; time < 3; time++) {
      expect(await change('wrong')).toMatchObject({ status: 403 })
      expect(
        await session('POST', '/change-password', { old_password: 'wrong', new_password: 'Another-horse-2' }),
      ).toMatchObject({ status: 400 })
    }
    expect(await change(password)).toMatchObject({ status: 403 })
  })

  it('are reset for every network by a new password', async () => {
    await guess('acme', 6, homeAddress)
    await guess('acme', 6, otherLocation)
    const north = apiClient(backend.app, backend.world.keys.north)
    await north('PUT', `/Users/${backend.world.users.acme}`, { initial_password: 'Another-horse-2' })
    expect(await login('acme', 'Another-horse-2', homeAddress)).toMatchObject({ status: 200 })
    expect(await login('acme', 'Another-horse-2', otherLocation)).toMatchObject({ status: 200 })
  })

  it('leave no expired rows, names or addresses in the database', async () => {
    const old = { key_hash: 'x', subject_hash: 'y', failures: 1, until: 1, next_at: 0 }
    await backend.database.db.insertInto('trunkline_login_failures').values(old).execute()
    await guess('admin', 1, homeAddress)
    const left = await rows()
    expect(left).toHaveLength(2)
    expect(JSON.stringify(left)).not.toMatch(/admin|192\.0/)
  })
})
