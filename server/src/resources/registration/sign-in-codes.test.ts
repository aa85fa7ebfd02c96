import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient, takeSnapshot } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { newPassword } from '../../../test/hosted-backend'
import { startIdentityClient, type IdentityClient } from '../../../test/identity-client'

describe.each(databaseEngines)('the sign-in method of a user of an identity provider (%s)', (databaseEngine) => {
  let client: IdentityClient
  beforeAll(async () => {
    client = await startIdentityClient({ databaseEngine })
  })
  afterAll(() => client.close())

  const signUp = async () => {
    const identity = client.addIdentity()
    const { body: registration } = await client.signIn('github', identity)
    return { identity, registration, user: createApiClient(client.app, registration.jwt) }
  }

  it('is not changed without a code', async () => {
    const { user, registration } = await signUp()
    const before = await takeSnapshot(client.database)
    const missingCode = {
      status: 400,
      body: { msg: expect.stringContaining('POST /ActivationCode'), field: 'confirmation_code' },
    }
    expect(await client.register('thief@example.com', {}, user)).toMatchObject(missingCode)
    expect(await client.register('thief@example.com', { old_password: newPassword }, user)).toMatchObject(missingCode)
    const thief = client.addIdentity()
    for (const provider of ['google', 'github'] as const)
      expect(await client.signIn(provider, thief, { locationBeforeAuth: '/accounts' }, user)).toMatchObject(missingCode)
    expect(await client.register('thief@example.com', { confirmation_code: '123456' }, user)).toMatchObject({
      status: 400,
      body: { field: 'confirmation_code' },
    })
    expect(await user('PUT', `/Users/${registration.user_sid}`, { email: 'thief@example.com' })).toMatchObject({
      status: 400,
      body: { msg: 'can not change email when using oauth2', field: 'email' },
    })
    expect(await takeSnapshot(client.database)).toEqual(before)
  })

  it('is changed with a code that is mailed to the address of the user, once', async () => {
    const { user, registration, identity } = await signUp()
    const confirmation_code = await client.requestSignInCode(user, registration)
    const other = await signUp()
    expect(await client.register('a@example.com', { confirmation_code }, other.user)).toMatchObject({ status: 400 })
    const responses = await Promise.all(
      ['b@example.com', 'c@example.com'].map((email) => client.register(email, { confirmation_code }, user)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
    const { email, jwt, user_sid } = responses.find(({ status }) => status === 200)!.body
    const newUser = createApiClient(client.app, jwt)
    expect(
      await newUser('PUT', `/ActivationCode/${await client.readCode(email)}`, { user_sid, type: 'email' }),
    ).toMatchObject({ status: 204 })
    expect(await user('GET', '/Users/me')).toMatchObject({ status: 401 })
    expect(await newUser('GET', '/Users/me')).toMatchObject({ status: 200 })
    const { mail: notice } = await client.mailbox.waitForMail(identity.email, 2)
    expect(notice.subject).toBe('The way to log in was changed')
  })

  it('limits codes: they expire, allow five attempts, and are sent every 30 seconds', async () => {
    const { user, registration } = await signUp()
    const { db } = client.database
    const codes = () => db.updateTable('trunkline_sign_in_codes').where('user_sid', '=', registration.user_sid)
    const confirmation_code = await client.requestSignInCode(user, registration)
    const attempt = (code = confirmation_code) =>
      client.register('d@example.com', { confirmation_code: code }, user).then(({ status }) => status)
    expect(await user('POST', '/ActivationCode', { user_sid: registration.user_sid, type: 'email' })).toMatchObject({
      status: 429,
    })
    await codes().set({ expires_at: 1 }).execute()
    expect(await attempt()).toBe(400)
    await codes()
      .set({ expires_at: Math.floor(Date.now() / 1000) + 60 })
      .execute()
    const wrongCode = confirmation_code === '000000' ? '000001' : '000000'
    for (let count = 0; count < 5; count += 1) expect(await attempt(wrongCode)).toBe(400)
    expect(await attempt()).toBe(400)
    await codes().set({ attempts: 0 }).execute()
    expect(await attempt()).toBe(200)
    for (const user_sid of [registration.user_sid, undefined])
      expect((await (await signUp()).user('POST', '/ActivationCode', { user_sid, type: 'email' })).status).toBe(400)
  })
})
