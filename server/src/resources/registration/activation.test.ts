import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiClient, createClients, fetchToken } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { newPassword, startHostedBackend, type HostedBackend } from '../../../test/hosted-backend'

const email = 'jo@new.example.com'

describe.each(databaseEngines)('the confirmation of an email address (%s)', (databaseEngine) => {
  let backend: HostedBackend
  afterEach(() => backend.close())
  const start = async () => {
    backend = await startHostedBackend({ databaseEngine })
  }

  const clientOf = ({ jwt }: { jwt: string }) => createApiClient(backend.app, jwt)

  it('allows a token without a confirmed address only to confirm it and to sign out', async () => {
    await start()
    const { body: registration } = await backend.register(email)
    const client = clientOf(registration)
    for (const [method, path] of [
      ['GET', '/Users/me'],
      ['GET', '/Accounts'],
      ['GET', `/Accounts/${registration.account_sid}`],
      ['POST', '/Applications'],
      ['GET', `/Availability?type=email&value=acme@example.com`],
      ['POST', '/change-password'],
      ['PUT', `/Users/${registration.user_sid}`],
      ['POST', '/BetaInviteCodes'],
    ] as const)
      expect(await client(method, path, method === 'GET' ? undefined : {}), path).toMatchObject({
        status: 403,
        body: { msg: 'Confirm your email address to continue.' },
      })
    expect(await client('POST', '/logout')).toMatchObject({ status: 204 })
    expect(await backend.enterCode(registration, await backend.readCode(email))).toMatchObject({ status: 401 })
  })

  it('continues with a new code and the new password if the address registers again', async () => {
    await start()
    const { body: first } = await backend.register(email)
    const firstCode = await backend.readCode(email)
    const { body: second } = await backend.register(email, { password: 'Third-horse-33' })
    const secondCode = await backend.readCode(email, 2)
    expect(await backend.enterCode(first, firstCode)).toMatchObject({ status: 401 })
    if (firstCode !== secondCode) expect(await backend.enterCode(second, firstCode)).toMatchObject({ status: 400 })
    expect(await backend.enterCode(second, secondCode)).toMatchObject({ status: 204 })
    expect(await backend.anonymousClient('POST', '/login', { username: email, password: newPassword })).toMatchObject({
      status: 403,
      body: 'Forbidden',
    })
    expect(await fetchToken(backend.app, email, 'Third-horse-33')).toBeTruthy()
  })

  it('accepts a code only from its user, five times and for ten minutes', async () => {
    await start()
    const { body: registration } = await backend.register(email)
    const { body: other } = await backend.register('other@new.example.com')
    const code = await backend.readCode(email)
    const wrongCode = code === '000000' ? '000001' : '000000'
    const invalid = { status: 400, body: { msg: 'invalid user or activation code' } }
    const otherClient = clientOf(other)
    for (const [client, body] of [
      [otherClient, { user_sid: registration.user_sid, type: 'email' }],
      [otherClient, { user_sid: other.user_sid, type: 'email' }],
      [clientOf(registration), { user_sid: other.user_sid, type: 'email' }],
      [clientOf(registration), { user_sid: registration.user_sid, type: 'phone' }],
      [clientOf(registration), {}],
    ] as const)
      expect(await client('PUT', `/ActivationCode/${code}`, body)).toMatchObject(invalid)
    const { users, keys } = await createClients(backend)
    for (const client of [users.admin, users.acme, keys.acme, keys.admin])
      expect(
        await client('PUT', `/ActivationCode/${code}`, { user_sid: registration.user_sid, type: 'email' }),
      ).toMatchObject(invalid)
    for (const hostileCode of [wrongCode, '%00', '..%2f', "'", '9'.repeat(500)])
      expect(await backend.enterCode(registration, hostileCode)).toMatchObject(invalid)
    expect(await backend.enterCode(registration, code)).toMatchObject(invalid)

    const { db } = backend.database
    await db.updateTable('trunkline_registrations').set({ attempts: 0, expires_at: 1 }).execute()
    expect(await backend.enterCode(registration, code)).toMatchObject(invalid)
    await db
      .updateTable('trunkline_registrations')
      .set({ expires_at: Math.floor(Date.now() / 1000) + 9 })
      .execute()
    const responses = await Promise.all([backend.enterCode(registration, code), backend.enterCode(registration, code)])
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 400])
    const log = backend.log()
    expect(log.includes('activation_failed')).toBe(true)
    expect(log.includes(`/${code}`)).toBe(false)
  })

  it('sends another code after 30 seconds, and at most five in an hour', async () => {
    await start()
    const { body: registration } = await backend.register(email)
    const firstCode = await backend.readCode(email)
    const { db } = backend.database
    const { user_sid } = registration
    const requestCode = (fields: object = {}) =>
      clientOf(registration)('POST', '/ActivationCode', { user_sid, type: 'email', code: '1', value: email, ...fields })
    const waitForResend = () => db.updateTable('trunkline_registrations').set({ sent_at: 1 }).execute()
    expect(await requestCode()).toMatchObject({
      status: 429,
      body: { msg: expect.stringMatching(/^Wait \d+ seconds? before you request another code\.$/) },
      headers: { 'retry-after': expect.stringMatching(/^(30|29|28)$/) },
    })
    for (const [fields, msg] of [
      [{ type: 'fax' }, 'invalid activation type: fax'],
      [{ type: 'phone' }, 'invalid activation type: phone'],
      [{ user_sid: randomUUID() }, 'invalid user_sid'],
      [{ user_sid: undefined }, 'invalid user_sid'],
      [{ value: 'acme@example.com' }, 'invalid email'],
    ] as const)
      expect(await requestCode(fields)).toMatchObject({ status: 400, body: { msg } })
    for (let count = 2; count <= 5; count += 1) {
      await waitForResend()
      expect(await requestCode({ value: undefined })).toMatchObject({ status: 204, body: undefined })
      await backend.readCode(email, count)
    }
    const lastCode = await backend.readCode(email, 5)
    await waitForResend()
    const tooMany = { status: 429, body: { msg: 'Too many attempts. Please wait and try again.' } }
    expect(await requestCode()).toMatchObject(tooMany)
    expect(await backend.register(email)).toMatchObject(tooMany)
    if (firstCode !== lastCode) expect(await backend.enterCode(registration, firstCode)).toMatchObject({ status: 400 })
    expect(await backend.enterCode(registration, lastCode)).toMatchObject({ status: 204 })
    expect(await requestCode()).toMatchObject({ status: 400, body: { msg: 'invalid user_sid' } })
  })

  it('refuses an address that another user has got in the meantime', async () => {
    await start()
    const { body: registration } = await backend.register(email)
    const code = await backend.readCode(email)
    await backend.database.db.updateTable('users').set({ email }).where('name', '=', 'acme').execute()
    expect(await backend.enterCode(registration, code)).toMatchObject({
      status: 422,
      body: { msg: 'account already exists for this email' },
    })
    await backend.database.db.updateTable('users').set({ email: 'a@example.com' }).where('name', '=', 'acme').execute()
    expect(await backend.enterCode(registration, code)).toMatchObject({ status: 204 })
  })
})
