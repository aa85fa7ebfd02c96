import { afterEach, describe, expect, it } from 'vitest'
import { createApiClient, fetchToken, takeSnapshot } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { newPassword, startHostedBackend, type HostedBackend } from '../../../test/hosted-backend'

const email = 'jo@new.example.com'

describe.each(databaseEngines)('an address that is not confirmed (%s)', (databaseEngine) => {
  let backend: HostedBackend
  afterEach(() => backend.close())
  const start = async () => {
    backend = await startHostedBackend({ databaseEngine })
  }

  const clientOf = ({ jwt }: { jwt: string }) => createApiClient(backend.app, jwt)
  const countRows = async () => {
    const { db } = backend.database
    const { accounts, users } = await takeSnapshot({ db })
    return { accounts: accounts!.length, users: users!.length }
  }

  it('does not tell whether an address belongs to a user', async () => {
    await start()
    const ownedEmail = 'acme@example.com'
    const initialCounts = await countRows()
    const responses = []
    for (const address of [ownedEmail, email]) {
      const registration = await backend.register(address)
      await backend.mailbox.waitForMail(address, 1)
      const sameUser = registration.body
      const tooSoon = await clientOf(sameUser)('POST', '/ActivationCode', {
        user_sid: sameUser.user_sid,
        type: 'email',
        code: '1',
        value: address,
      })
      const wrongCodes = []
      for (let attempt = 0; attempt < 6; attempt += 1) wrongCodes.push(await backend.enterCode(sameUser, '000000x'))
      const signIn = await backend.anonymousClient('POST', '/login', { username: address, password: newPassword })
      const wrongSignIn = await backend.anonymousClient('POST', '/login', { username: address, password: 'Wrong-1234' })
      const secondRegistration = await backend.register(address)
      expect(secondRegistration.body.user_sid).not.toBe(sameUser.user_sid)
      expect(await backend.enterCode(sameUser, '1')).toMatchObject({ status: 401 })
      responses.push({ registration, tooSoon, wrongCodes, signIn, wrongSignIn, secondRegistration })
    }
    const toShape = (value: unknown, address: string) =>
      JSON.parse(
        JSON.stringify(value, (key, part: unknown) => (key === 'headers' ? Object.keys(part as object) : part))
          .replaceAll(address, 'ADDRESS')
          .replace(/Wait \d+ seconds/, 'Wait')
          .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'SID')
          .replace(/eyJ[\w.-]+/g, 'TOKEN'),
      )
    expect(toShape(responses[0], ownedEmail)).toEqual(toShape(responses[1], email))
    expect(responses[0]!.signIn).toMatchObject({
      status: 403,
      body: { msg: 'Confirm your email address to sign in.', email: ownedEmail },
    })
    const { mail } = await backend.mailbox.waitForMail(ownedEmail, 2)
    expect(mail).toMatchObject({ subject: 'You already have an account' })
    expect(mail.text).not.toMatch(/\b\d{6}\b/)
    expect(await countRows()).toEqual(initialCounts)
    // The user of the address can still sign in.
    expect(await fetchToken(backend.app, 'acme')).toBeTruthy()
  })

  it('leads a sign-in with the right password to the confirmation', async () => {
    await start()
    const { body: registration } = await backend.register(email)
    await backend.readCode(email)
    expect(await backend.anonymousClient('POST', '/login', { username: email, password: 'Wrong-1234' })).toMatchObject({
      status: 403,
      body: 'Forbidden',
    })
    const { status, body } = await backend.anonymousClient('POST', '/login', {
      username: 'JO@new.example.com',
      password: newPassword,
    })
    expect({ status, body }).toEqual({
      status: 403,
      body: {
        msg: 'Confirm your email address to sign in.',
        jwt: expect.any(String),
        user_sid: registration.user_sid,
        account_sid: registration.account_sid,
        email,
      },
    })
    expect(await backend.enterCode(body, await backend.readCode(email))).toMatchObject({ status: 204 })
    expect(await clientOf(body)('GET', '/Users/me')).toMatchObject({ status: 200 })
    // The other session ends.
    expect(await clientOf(registration)('GET', '/Users/me')).toMatchObject({ status: 401 })
  })

  it('takes over the address of a registration that a v1 server never confirmed', async () => {
    await start()
    const { db } = backend.database
    const { users, accounts } = backend.testData
    await db
      .updateTable('users')
      .set({ email, name: email, email_activation_code: '111111' })
      .where('user_sid', '=', users.bolt)
      .execute()
    const registerAndReadSubject = async (count: number) => {
      await backend.register(email)
      return (await backend.mailbox.waitForMail(email, count)).mail.subject
    }
    // Only an account that was never used belongs to such a registration.
    expect(await registerAndReadSubject(1)).toBe('You already have an account')
    await db.updateTable('accounts').set({ is_active: 0 }).where('account_sid', '=', accounts.bolt).execute()
    expect(await registerAndReadSubject(2)).toBe('You already have an account')
    await db.updateTable('accounts').set({ sip_realm: null }).where('account_sid', '=', accounts.bolt).execute()
    const { body: registration } = await backend.register(email)
    expect(await backend.enterCode(registration, await backend.readCode(email, 3))).toMatchObject({ status: 204 })
    const rows = await db.selectFrom('users').select(['user_sid', 'name']).where('email', '=', email).execute()
    expect(rows).toEqual([{ user_sid: registration.user_sid, name: email }])
  })

  it('lets a user sign in with the address in capitals', async () => {
    await start()
    await backend.registerUser(email)
    expect(await fetchToken(backend.app, ' Jo@New.example.com', newPassword)).toBeTruthy()
    expect(
      await backend.anonymousClient('POST', '/login', { username: 'Jo@New.example.com', password: 'x' }),
    ).toMatchObject({ status: 403, body: 'Forbidden' })
  })
})
