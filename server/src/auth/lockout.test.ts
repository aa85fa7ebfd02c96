import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { createApiClient, fetchToken, type ApiResponse } from '../../test/api-client'
import { password } from '../../test/test-data'

const userAddress = '192.0.2.7'
const attackerAddress = '198.51.100.9'
const mail = { send: () => Promise.resolve(), close: () => undefined }

describe.each(databaseEngines)('wrong passwords (%s)', (databaseEngine) => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({
      databaseEngine,
      // The client address is taken from X-Forwarded-For.
      config: { trustProxy: 1, features: { ...defaultFeatureFlags, forgotPassword: true } },
      externalServices: { mail },
    })
    await backend.database.db.updateTable('users').set({ email_validated: 1 }).where('name', '=', 'acme').execute()
  })
  afterEach(() => backend.close())

  const login = (username: string, enteredPassword: string, ip: string) =>
    createApiClient(backend.app)('POST', '/login', { username, password: enteredPassword }, { 'x-forwarded-for': ip })
  const signIn = (email: string, enteredPassword: string, ip: string) =>
    createApiClient(backend.app)('POST', '/signin', { email, password: enteredPassword }, { 'x-forwarded-for': ip })
  const statusAndBody = ({ status, body }: ApiResponse) => ({ status, body })
  const sendWrongPasswords = async (username: string, count: number, ip: string) => {
    const responses = []
    for (let attempt = 0; attempt < count; attempt++) responses.push(statusAndBody(await login(username, 'wrong', ip)))
    return responses
  }
  const listFailures = () => backend.database.db.selectFrom('trunkline_login_failures').selectAll().execute()

  it('lock a user only for the network that sent them', async () => {
    await sendWrongPasswords('admin', 7, attackerAddress)
    expect(await login('admin', password, attackerAddress)).toMatchObject({ status: 403 })
    expect(await login('admin', password, userAddress)).toMatchObject({ status: 200 })
    expect(await login('admin', password, attackerAddress)).toMatchObject({ status: 403 })
  })

  it('lock a user before a seventh password is checked, even if all arrive at once', async () => {
    const attemptInParallel = async (isCorrect: boolean) => {
      let checkedCount = 0
      const verify = async () => {
        checkedCount += 1
        await setTimeout(5)
        return isCorrect
      }
      const { lockout } = backend.services
      const attempts = Array.from({ length: 20 }, () => lockout.attempt('a user', attackerAddress, verify))
      return { results: await Promise.all(attempts), checkedCount }
    }
    const correctAttempts = await attemptInParallel(true)
    expect(correctAttempts.results).toEqual(Array.from({ length: 20 }, () => 'correct'))
    const wrongAttempts = await attemptInParallel(false)
    expect(wrongAttempts.checkedCount).toBe(6)
    expect(wrongAttempts.results.slice(4, 7)).toEqual(['incorrect', 'newly-locked', 'locked'])
  })

  it('of many users, sent at once, limit their network before all of them are checked', async () => {
    let checkedCount = 0
    const { lockout } = backend.services
    const verify = async () => {
      checkedCount += 1
      await setTimeout(100)
      return false
    }
    const sendOne = async (name: string) => {
      if ((await lockout.reserveAttempt(attackerAddress)) === 0) await lockout.attempt(name, attackerAddress, verify)
    }
    const attempts = []
    for (let user = 0; user < 70; user += 1) {
      attempts.push(sendOne(`user${user}`))
      await setTimeout(1)
    }
    expect(await lockout.reserveAttempt(userAddress)).toBe(0)
    await Promise.all(attempts)
    expect(checkedCount).toBeLessThanOrEqual(61)
  })

  it('count per IPv6 network, not per address', async () => {
    for (let host = 1; host < 7; host++) await sendWrongPasswords('admin', 1, `2001:db8:0:1::${host}`)
    expect(await login('admin', password, '2001:db8:0:1::99')).toMatchObject({ status: 403 })
    expect(await login('admin', password, '2001:db8:0:2::1')).toMatchObject({ status: 200 })
  })

  it('get the same responses for names that no user has', async () => {
    await backend.database.db.updateTable('users').set({ provider: 'google' }).where('name', '=', 'bolt').execute()
    const knownUserResponses = await sendWrongPasswords('acme', 8, userAddress)
    expect(knownUserResponses.at(-1)).toEqual({
      status: 403,
      body: { error: 'Maximum login attempts reached. Please try again later or reset your password.' },
    })
    expect(await sendWrongPasswords('nobody', 8, userAddress)).toEqual(knownUserResponses)
    expect(await sendWrongPasswords('bolt', 8, userAddress)).toEqual(knownUserResponses)
  })

  it('get the same responses for email addresses that no user has', async () => {
    const responsesFor = async (email: string) => {
      const responses = []
      for (let attempt = 0; attempt < 8; attempt++)
        responses.push(statusAndBody(await signIn(email, 'wrong', userAddress)))
      return responses
    }
    const knownAddressResponses = await responsesFor('acme@example.com')
    expect(knownAddressResponses[0]).toEqual({ status: 403, body: 'Forbidden' })
    expect(await responsesFor('nobody@example.com')).toEqual(knownAddressResponses)
    expect(await responsesFor('corp@example.com')).toEqual(knownAddressResponses)
  })

  it('cause a waiting time only for the network that tries many usernames', async () => {
    for (let user = 0; user < 60; user++) await login(`user${user}`, 'wrong', attackerAddress)
    expect((await login('acme', password, attackerAddress)).status).toBe(200)
    expect(await login('acme', password, attackerAddress)).toMatchObject({
      status: 429,
      body: { error: 'Too many attempts. Please wait a moment and try again.' },
      headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) },
    })
    expect(await signIn('acme@example.com', password, attackerAddress)).toMatchObject({ status: 429 })
    expect((await login('acme', password, userAddress)).status).toBe(200)
    await backend.database.db.updateTable('trunkline_login_failures').set({ next_at: 1 }).execute()
    expect((await login('acme', password, attackerAddress)).status).toBe(200)
    await backend.database.db.updateTable('trunkline_login_failures').set({ until: 1 }).execute()
    expect((await login('acme', password, attackerAddress)).status).toBe(200)
    expect((await login('acme', password, attackerAddress)).status).toBe(200)
  })

  it('also count as the old password of a password change', async () => {
    const sessionClient = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
    const path = `/Users/${backend.testData.users.acme}`
    const changePassword = (old_password: string) =>
      sessionClient('PUT', path, { old_password, new_password: 'Another-horse-2' })
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await changePassword('wrong')).toMatchObject({ status: 403 })
      expect(
        await sessionClient('POST', '/change-password', { old_password: 'wrong', new_password: 'Another-horse-2' }),
      ).toMatchObject({ status: 400 })
    }
    expect(await changePassword(password)).toMatchObject({ status: 403 })
  })

  it('are reset for every network by a new password', async () => {
    await sendWrongPasswords('acme', 6, userAddress)
    await sendWrongPasswords('acme', 6, attackerAddress)
    const northClient = createApiClient(backend.app, backend.testData.keys.north)
    await northClient('PUT', `/Users/${backend.testData.users.acme}`, { initial_password: 'Another-horse-2' })
    expect(await login('acme', 'Another-horse-2', userAddress)).toMatchObject({ status: 200 })
    expect(await login('acme', 'Another-horse-2', attackerAddress)).toMatchObject({ status: 200 })
  })

  it('leave no expired rows, names or addresses in the database', async () => {
    const expiredRow = { key_hash: 'x', subject_hash: 'y', failures: 1, until: 1, next_at: 0 }
    await backend.database.db.insertInto('trunkline_login_failures').values(expiredRow).execute()
    await sendWrongPasswords('admin', 1, userAddress)
    const remainingRows = await listFailures()
    expect(remainingRows).toHaveLength(2)
    expect(JSON.stringify(remainingRows)).not.toMatch(/admin|192\.0/)
  })
})
