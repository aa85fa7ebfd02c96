import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiClient, createClients, takeSnapshot } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { rootDomain, startHostedBackend, type HostedBackend } from '../../../test/hosted-backend'
import { password } from '../../../test/test-data'

const email = 'jo@new.example.com'

describe.each(databaseEngines)('registration with a password and the token of a user (%s)', (databaseEngine) => {
  let backend: HostedBackend
  afterEach(() => backend.close())
  const start = async () => {
    backend = await startHostedBackend({ databaseEngine })
  }

  it('replaces the users of an account that changes its way to sign in, and notifies them', async () => {
    await start()
    const { db } = backend.database
    const { acme } = backend.testData.accounts
    const { users } = await createClients(backend)
    const { status, body: registration } = await backend.register(email, { old_password: password }, users.acme)
    expect({ status, body: registration }).toMatchObject({
      status: 200,
      body: { account_sid: acme, pristine: false, is_active: true, email_validated: false },
    })
    expect(registration).not.toHaveProperty('root_domain')
    expect(await backend.enterCode(registration, '1')).toMatchObject({ status: 400 })
    expect(await users.acme('GET', '/Users/me')).toMatchObject({ status: 200 })
    expect(await backend.enterCode(registration, await backend.readCode(email))).toMatchObject({ status: 204 })
    expect(await users.acme('GET', '/Users/me')).toMatchObject({ status: 401 })
    expect(
      await db.selectFrom('users').select(['user_sid', 'provider']).where('account_sid', '=', acme).execute(),
    ).toEqual([{ user_sid: registration.user_sid, provider: 'local' }])
    expect(await createApiClient(backend.app, registration.jwt)('GET', '/Users/me')).toMatchObject({ status: 200 })
    const { mail: notice } = await backend.mailbox.waitForMail('acme@example.com', 1)
    expect(notice.subject).toBe('The way to log in was changed')
    expect(notice.text).toContain(`used by ${email}, who logs in with a password`)
  })

  it('requires the old password, and counts wrong ones', async () => {
    await start()
    const { users } = await createClients(backend)
    const before = await takeSnapshot(backend.database)
    expect(await backend.register(email, {}, users.acme)).toMatchObject({
      status: 400,
      body: { msg: 'Enter your current password in old_password to change how you sign in.', field: 'old_password' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(before)
    const attempt = (old_password: string) => backend.register(email, { old_password }, users.acme)
    for (let count = 0; count < 6; count += 1)
      expect(await attempt('Wrong-horse-1')).toMatchObject({
        status: 400,
        body: { msg: 'old_password is incorrect', field: 'old_password' },
      })
    expect(await attempt(password)).toMatchObject({ status: 400, body: { field: 'old_password' } })
    expect(await backend.database.db.selectFrom('trunkline_registrations').selectAll().execute()).toEqual([])
  })

  it('ends with the session in which it was requested', async () => {
    await start()
    const { users } = await createClients(backend)
    const { body: registration } = await backend.register(email, { old_password: password }, users.acme)
    const code = await backend.readCode(email)
    expect(await users.acme('POST', '/logout')).toMatchObject({ status: 204 })
    const before = await backend.database.db.selectFrom('users').selectAll().execute()
    expect(await backend.enterCode(registration, code)).toMatchObject({ status: 400 })
    expect(await backend.database.db.selectFrom('users').selectAll().execute()).toEqual(before)
  })

  it('replaces no users for other actors, and does not take an address of another account', async () => {
    await start()
    const { users, keys, viewer } = await createClients(backend)
    expect(await backend.register(email, {}, viewer)).toMatchObject({ status: 403 })
    for (const client of [users.admin, users.north, keys.acme]) {
      const { body } = await backend.register(`${randomUUID()}@new.example.com`, {}, client)
      expect(body).toMatchObject({ pristine: true, root_domain: rootDomain })
    }
    await backend.register('bolt@example.com', { old_password: password }, users.acme)
    const { mail } = await backend.mailbox.waitForMail('bolt@example.com', 1)
    expect(mail.subject).toBe('You already have an account')
  })
})
