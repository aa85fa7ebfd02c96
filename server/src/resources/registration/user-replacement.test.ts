import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient, takeSnapshot } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { newPassword } from '../../../test/hosted-backend'
import { startIdentityClient, type IdentityClient } from '../../../test/identity-client'

const fromAccountPage = { locationBeforeAuth: '/accounts', old_password: newPassword }

describe.each(databaseEngines)('registration with an identity and the token of a user (%s)', (databaseEngine) => {
  let client: IdentityClient
  beforeAll(async () => {
    client = await startIdentityClient({ databaseEngine })
  })
  afterAll(() => client.close())

  const registerUser = (email = `${randomUUID()}@example.org`) => client.registerUser(email)

  it('replaces the way in which this user signs in', async () => {
    const { client: user, registration } = await registerUser()
    const colleague = { name: 'colleague', email: 'colleague@example.org', initial_password: newPassword }
    expect((await user('POST', '/Users', colleague)).status).toBe(201)
    const identity = client.addIdentity()
    const { status, body } = await client.signIn('github', identity, fromAccountPage, user)
    const { account_sid, email } = registration
    expect({ status, body }).toMatchObject({ status: 200, body: { account_sid, provider: 'github', pristine: false } })
    expect((await user('GET', '/Users/me')).status).toBe(401)
    const { body: users } = await createApiClient(client.app, body.jwt)('GET', '/Users')
    expect(users.map((row: { email: string }) => row.email).sort()).toEqual([colleague.email, identity.email].sort())
    const login = await client.anonymousClient('POST', '/login', { username: email, password: newPassword })
    expect(login.status).toBe(403)
    expect(client.log()).toContain('"security_event":"sign_in_changed"')
    const { mail: notice } = await client.mailbox.waitForMail(email, 2)
    expect(notice.subject).toBe('The way to log in was changed')
    expect(notice.text).toContain(`used by ${identity.email}, who logs in with github`)
  })

  it('requires the password of a user who has one, before the code of the identity provider is used up', async () => {
    const { client: user } = await registerUser()
    const identity = client.addIdentity()
    const code = await client.fetchCode('github', identity)
    const send = (fields: object) =>
      user('POST', '/register', client.buildBody('github', code, { locationBeforeAuth: '/accounts', ...fields }))
    const before = await takeSnapshot(client.database)
    const missingPassword = { status: 400, body: { field: 'old_password' } }
    expect(await send({})).toMatchObject(missingPassword)
    expect(await send({ confirmation_code: '123456' })).toMatchObject(missingPassword)
    expect(await takeSnapshot(client.database)).toEqual(before)
    expect(await send({ old_password: newPassword })).toMatchObject({ status: 200, body: { provider: 'github' } })
  })

  it('may keep the address of the replaced user', async () => {
    const identity = client.addIdentity()
    const { client: user, registration } = await registerUser(identity.email)
    const { account_sid, email } = registration
    expect(await client.signIn('google', identity, fromAccountPage, user)).toMatchObject({
      status: 200,
      body: { account_sid, email, name: email },
    })
  })

  it('signs in again with the same identity', async () => {
    const identity = client.addIdentity()
    const { body: registration } = await client.signIn('github', identity)
    const user = createApiClient(client.app, registration.jwt)
    const { user_sid } = registration
    const confirmation_code = await client.requestSignInCode(user, registration)
    expect(await client.signIn('github', identity, { ...fromAccountPage, confirmation_code }, user)).toMatchObject({
      status: 200,
      body: { user_sid },
    })
  })

  it('changes nothing on the sign-in page', async () => {
    const { client: user } = await registerUser()
    const identity = client.addIdentity()
    const { body: registration } = await client.signIn('github', identity)
    const { body } = await client.signIn('github', identity, { locationBeforeAuth: '/sign-in' }, user)
    expect(body.account_sid).toBe(registration.account_sid)
    expect((await user('GET', '/Users/me')).status).toBe(200)
  })

  it('refuses the identity or the address of another user', async () => {
    const { client: user } = await registerUser()
    const identity = client.addIdentity()
    await client.signIn('github', identity)
    const before = await takeSnapshot(client.database)
    expect(await client.signIn('github', identity, fromAccountPage, user)).toMatchObject({
      status: 422,
      body: { msg: 'account already exists for this oauth user/provider' },
    })
    expect(await client.signIn('google', identity, fromAccountPage, user)).toMatchObject({
      status: 400,
      body: { msg: `user already exists with email ${identity.email}` },
    })
    expect(await takeSnapshot(client.database)).toEqual(before)
  })

  it('refuses a view-only user', async () => {
    const { client: user, registration } = await registerUser()
    await client.services.users.setViewOnly(registration.user_sid, true, client.database.db)
    const before = await takeSnapshot(client.database)
    expect((await client.signIn('github', client.addIdentity(), fromAccountPage, user)).status).toBe(403)
    expect(await takeSnapshot(client.database)).toEqual(before)
  })
})
