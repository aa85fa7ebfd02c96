import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiClient, createClients, fetchToken, takeSnapshot } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { newPassword, rootDomain, startHostedBackend, type HostedBackend } from '../../../test/hosted-backend'

const email = 'jo@new.example.com'

describe.each(databaseEngines)('registration (%s)', (databaseEngine) => {
  let backend: HostedBackend
  afterEach(() => backend.close())
  const start = async (options: Parameters<typeof startHostedBackend>[0] = {}) => {
    backend = await startHostedBackend({ databaseEngine, ...options })
  }

  const countRows = async () => {
    const { db } = backend.database
    const { accounts, users } = await takeSnapshot({ db })
    return { accounts: accounts!.length, users: users!.length }
  }

  it('creates the account once the mailed code is entered', async () => {
    await start({ edition: { sampleApplicationsUrl: 'https://samples.example.com' } })
    const initialCounts = await countRows()
    const { status, body: registration } = await backend.register(' Jo@New.example.com ')
    expect({ status, body: registration }).toEqual({
      status: 200,
      body: {
        jwt: expect.any(String),
        user_sid: expect.any(String),
        account_sid: expect.any(String),
        name: email,
        email,
        provider: 'local',
        root_domain: rootDomain,
        pristine: true,
        is_active: false,
        email_validated: false,
        phone_validated: false,
        tutorial_completion: 0,
        scope: 'read-write',
      },
    })
    const { user_sid, account_sid, jwt } = registration
    expect(decodeJwt(jwt)).toMatchObject({
      user_sid,
      account_sid,
      service_provider_sid: backend.serviceProviderSid,
      scope: 'account',
      email,
      name: email,
    })
    expect(await countRows()).toEqual(initialCounts)
    const { mail } = await backend.mailbox.waitForMail(email, 1)
    expect(mail).toMatchObject({ subject: 'Account activation code', html: expect.stringMatching(/>\d{6}</) })
    const code = await backend.readCode(email)
    expect(code).not.toBe('111111')
    expect(await backend.enterCode(registration, '111111')).toMatchObject({ status: 400 })
    expect(await backend.enterCode(registration, `${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({ status: 204 })

    const client = createApiClient(backend.app, registration.jwt)
    const { db } = backend.database
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('account_sid', '=', account_sid)
      .executeTakeFirstOrThrow()
    expect(account).toMatchObject({ name: email, is_active: 1, plan_type: 'trial', sip_realm: null })
    expect(account.webhook_secret).toMatch(/^wh_secret_.{22}$/)
    const trialDays = (Date.parse(`${account.trial_end_date}Z`) - Date.now()) / 86_400_000
    expect(Math.round(trialDays)).toBe(21)
    const user = await db.selectFrom('users').selectAll().where('user_sid', '=', user_sid).executeTakeFirstOrThrow()
    expect(user).toMatchObject({
      name: email,
      email,
      email_validated: 1,
      is_active: 1,
      provider: 'local',
      service_provider_sid: backend.serviceProviderSid,
      email_activation_code: null,
    })
    const { body: applications } = await client('GET', '/Applications')
    expect(applications).toHaveLength(3)
    expect(applications).toContainEqual(
      expect.objectContaining({
        name: 'dial time clock',
        call_hook: expect.objectContaining({ url: 'https://samples.example.com/dial-time', method: 'POST' }),
        call_status_hook: expect.objectContaining({ url: 'https://samples.example.com/call-status' }),
        speech_synthesis_voice: 'en-US-Wavenet-C',
      }),
    )
    const { body: me } = await client('GET', '/Users/me')
    expect(me).toMatchObject({ user: { name: email }, account: { account_sid } })
    expect(await fetchToken(backend.app, email, newPassword)).toBeTruthy()
    // The code works once.
    expect(await backend.enterCode(registration, code)).toMatchObject({
      status: 400,
      body: { msg: 'invalid user or activation code' },
    })
  })

  it('checks the fields, with the messages that existing clients show', async () => {
    await start()
    const expectRefusal = async (fields: object, status: number, msg: string) =>
      expect(await backend.register(email, fields), msg).toMatchObject({ status, body: { msg } })
    for (const provider of [undefined, null, '', 7, {}]) await expectRefusal({ provider }, 400, 'missing provider')
    for (const provider of ['twitter', 'LOCAL', 'local ', '__proto__'])
      await expectRefusal({ provider }, 422, `invalid provider: ${provider}`)
    for (const service_provider_sid of [undefined, null, '', 7])
      await expectRefusal({ service_provider_sid }, 400, 'missing service_provider_sid')
    for (const service_provider_sid of [randomUUID(), 'x', backend.testData.providers.north])
      await expectRefusal({ service_provider_sid }, 422, 'invalid service_provider_sid')
    for (const fields of [
      { email: undefined },
      { email: '' },
      { password: undefined },
      { password: '' },
      { email: [] },
    ])
      await expectRefusal(fields, 400, 'missing email or password')
    for (const invalid of [
      'jo',
      'jo@',
      '@x',
      'a b@x.com',
      'a@x.com,b@x.com',
      '<a@x.com>',
      'jó@x.com',
      'a@x\r\nBcc:b@x',
    ])
      await expectRefusal({ email: invalid }, 400, 'invalid email')
    await expectRefusal({ password: 'abc12' }, 400, 'password must be at least 6 characters')
    await expectRefusal({ password: 'abc123' }, 400, 'password length must be between 8 and 20')
    await expectRefusal(
      { password: 'password' },
      400,
      'This password is too common. Choose one that is harder to guess.',
    )
    for (const email_activation_code of [undefined, '', 7, '1'.repeat(17)])
      await expectRefusal({ email_activation_code }, 400, 'email activation code required')
    expect(await backend.database.db.selectFrom('trunkline_registrations').selectAll().execute()).toEqual([])
  })

  it('fails if the provider has no root domain', async () => {
    await start()
    await backend.database.db.updateTable('service_providers').set({ root_domain: null }).execute()
    expect(await backend.register(email)).toMatchObject({
      status: 500,
      body: { msg: `root_domain missing for service provider ${backend.serviceProviderSid}` },
    })
  })

  it('gives an address that has registered before the free plan', async () => {
    await start()
    await backend.database.db.insertInto('signup_history').values({ email }).execute()
    const { registration } = await backend.registerUser(email)
    const { db } = backend.database
    expect(
      await db
        .selectFrom('accounts')
        .select(['plan_type', 'trial_end_date'])
        .where('account_sid', '=', registration.account_sid)
        .executeTakeFirst(),
    ).toEqual({ plan_type: 'free', trial_end_date: null })
    const products = await db
      .selectFrom('account_products as p')
      .innerJoin('account_subscriptions as s', 's.account_subscription_sid', 'p.account_subscription_sid')
      .select('p.quantity')
      .where('s.account_sid', '=', registration.account_sid)
      .execute()
    expect(products).toEqual([{ quantity: 1 }, { quantity: 1 }])
  })

  it('limits how often one client network registers', async () => {
    await start({ config: { rateLimit: { max: 100_000, minutes: 1 } } })
    const responses = []
    for (let count = 0; count < 61; count += 1) responses.push((await backend.register('jo', { password: 'x' })).status)
    expect(responses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 400))
    expect(responses[60]).toBe(429)
  })

  it('refuses hostile values, and never fails', async () => {
    await start({ edition: { requiresInviteCode: true } })
    const fields = ['provider', 'service_provider_sid', 'email', 'password', 'email_activation_code', 'inviteCode']
    const values = [
      null,
      0,
      true,
      [],
      {},
      '\u0000',
      '\ud800',
      "' or 1=1 --",
      'ß'.repeat(500),
      '😀'.repeat(8),
      '__proto__',
    ]
    for (const field of fields)
      for (const value of values)
        for (const client of [backend.anonymousClient, createApiClient(backend.app, 'nonsense')]) {
          const { status } = await backend.register(email, { inviteCode: 'ABCXZ1', [field]: value }, client)
          expect({ field, value, status }).toMatchObject({
            status: expect.toSatisfy((code) => code >= 400 && code < 500),
          })
        }
    for (const value of values)
      for (const path of ['/InviteCodes', '/login', '/register'])
        expect(
          (await backend.anonymousClient('POST', path, { code: value, username: value, password: value })).status,
        ).toSatisfy((code: number) => code >= 400 && code < 500)
  })

  it('finds free names for the account and the user', async () => {
    await start()
    const longEmail = `${'x'.repeat(60)}@new.example.com`
    const { db } = backend.database
    await db.updateTable('users').set({ name: longEmail }).where('name', '=', 'bolt').execute()
    await db
      .updateTable('accounts')
      .set({ name: longEmail.slice(0, 64), service_provider_sid: backend.serviceProviderSid })
      .where('name', '=', 'bolt')
      .execute()
    const { client } = await backend.registerUser(longEmail)
    const { body } = await client('GET', '/Users/me')
    expect(body).toMatchObject({ user: { name: `${longEmail} 2` }, account: { name: `${longEmail.slice(0, 62)} 2` } })
  })

  it('requires an unused invite code, and uses it up when the account is created', async () => {
    await start({ edition: { requiresInviteCode: true } })
    const { users } = await createClients(backend)
    const { body: batch } = await users.admin('POST', '/BetaInviteCodes', {})
    const [code] = batch.codes
    const invalid = {
      status: 400,
      body: { msg: 'This invite code is not valid or was already used.', field: 'inviteCode' },
    }
    for (const inviteCode of [undefined, '', ' ', 'QQQQQQ', '1'.repeat(17), 7])
      expect(await backend.register(email, { inviteCode })).toMatchObject(invalid)
    const { body: first } = await backend.register(email, { inviteCode: code.toLowerCase() })
    const { body: second } = await backend.register('other@new.example.com', { inviteCode: code })
    expect(await backend.enterCode(first, await backend.readCode(email))).toMatchObject({ status: 204 })
    const secondCode = await backend.readCode('other@new.example.com')
    expect(await backend.enterCode(second, secondCode)).toMatchObject(invalid)
    expect(await backend.register('third@new.example.com', { inviteCode: code })).toMatchObject(invalid)
  })
})
