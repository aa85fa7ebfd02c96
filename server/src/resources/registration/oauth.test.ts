import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { trialExpiredReason } from '@trunkline/contract/billing/plan-state'
import type { Company } from '../../../../scripts/launch/oauth-provider'
import { createApiClient, takeSnapshot } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { newPassword, rootDomain } from '../../../test/hosted-backend'
import { startIdentityClient, type IdentityClient } from '../../../test/identity-client'

const companies: Company[] = ['github', 'google']
const fromSignInPage = { locationBeforeAuth: '/sign-in' }

describe.each(databaseEngines)('registration with an identity provider (%s)', (databaseEngine) => {
  let client: IdentityClient
  beforeAll(async () => {
    client = await startIdentityClient({ databaseEngine })
  })
  afterAll(() => client.close())

  it.each(companies)('creates an active account of a new user of %s', async (company) => {
    const identity = client.addIdentity({ email: `New.${company}@example.org` })
    const { status, body } = await client.signIn(company, identity, {
      locationBeforeAuth: '/register',
    })
    const { id, login } = identity
    const address = identity.email.toLowerCase()
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        jwt: expect.any(String),
        user_sid: expect.any(String),
        account_sid: expect.any(String),
        name: address,
        email: address,
        provider: company,
        root_domain: rootDomain,
        pristine: true,
        is_active: true,
        email_validated: true,
        phone_validated: false,
        tutorial_completion: 0,
        scope: 'read-write',
        ...(company === 'github'
          ? { provider_userid: login, avatar_url: `https://avatars.example.org/${id}` }
          : { provider_userid: String(id), picture: `https://pictures.example.org/${id}` }),
      },
    })
    const { user_sid, account_sid } = body
    expect(decodeJwt(body.jwt)).toMatchObject({
      user_sid,
      account_sid,
      service_provider_sid: client.serviceProviderSid,
      scope: 'account',
      email: address,
      name: address,
    })
    expect((await createApiClient(client.app, body.jwt)('GET', `/Accounts/${account_sid}`)).body).toMatchObject({
      name: address,
      plan_type: 'trial',
      is_active: 1,
    })
    expect(client.log()).toContain('"security_event":"account_registered"')
  })

  it.each(companies)('signs in an existing user of %s', async (company) => {
    const identity = client.addIdentity()
    const { body: registration } = await client.signIn(company, identity)
    const { status, body } = await client.signIn(company, identity, fromSignInPage)
    const { user_sid, account_sid } = registration
    expect({ status, body }).toMatchObject({ status: 200, body: { user_sid, account_sid, pristine: false } })
    expect(body).not.toHaveProperty('root_domain')
    expect(await createApiClient(client.app, body.jwt)('GET', '/Users/me')).toMatchObject({
      status: 200,
      body: { user: { user_sid } },
    })
  })

  it('registers nobody from the sign-in page', async () => {
    const identity = client.addIdentity()
    const before = await takeSnapshot(client.database)
    expect(await client.signIn('github', identity, fromSignInPage)).toMatchObject({
      status: 404,
      body: { msg: 'registering a new account not allowed from the sign-in page' },
    })
    expect(await takeSnapshot(client.database)).toEqual(before)
  })

  it.each(companies)('refuses an address that %s has not verified', async (company) => {
    const identity = client.addIdentity({ isEmailVerified: false })
    const { status, body } = await client.signIn(company, identity)
    expect(status).toBe(403)
    expect(body.msg).toMatch(/has not verified your primary email address/)
    expect(await client.findUsers(identity.email)).toEqual([])
  })

  it('refuses the address of a user with a password', async () => {
    const identity = client.addIdentity()
    await client.registerUser(identity.email)
    const before = await takeSnapshot(client.database)
    for (const company of companies)
      expect(await client.signIn(company, identity)).toMatchObject({
        status: 400,
        body: { msg: `user already exists with email ${identity.email}` },
      })
    expect(await takeSnapshot(client.database)).toEqual(before)
  })

  it('refuses the address of a user of another provider', async () => {
    const identity = client.addIdentity()
    await client.signIn('github', identity)
    expect(await client.signIn('google', identity)).toMatchObject({
      status: 400,
      body: { msg: `user already exists with email ${identity.email}` },
    })
  })

  it('ends a registration with a password whose address is not confirmed', async () => {
    const identity = client.addIdentity()
    const { email } = identity
    const { body: registration } = await client.register(email)
    const code = await client.readCode(email)
    expect((await client.signIn('google', identity)).status).toBe(200)
    const { jwt, user_sid } = registration
    const confirmation = await createApiClient(client.app, jwt)('PUT', `/ActivationCode/${code}`, {
      user_sid,
      type: 'email',
    })
    expect(confirmation.status).toBe(401)
    const login = await client.anonymousClient('POST', '/login', { username: email, password: newPassword })
    expect(login).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(await client.findUsers(email)).toMatchObject([{ provider: 'google' }])
  })

  it('takes over the address of a registration that a v1 server never confirmed', async () => {
    const identity = client.addIdentity()
    const { bolt } = client.testData.accounts
    const { users, accounts } = client.services
    const abandonedUser = { email: identity.email, email_validated: 0, email_activation_code: '111111' }
    await users.update(client.testData.users.bolt, abandonedUser)
    await accounts.update(bolt, { is_active: 0 })
    expect((await client.signIn('github', identity)).status).toBe(400)
    await accounts.update(bolt, { sip_realm: null })
    expect((await client.signIn('github', identity)).status).toBe(200)
    expect(await client.findUsers(identity.email)).toMatchObject([{ provider: 'github' }])
  })

  it.each([
    { email: 'nörä@example.org' },
    { email: 'a@b@example.org' },
    { email: `${'x'.repeat(250)}@example.org` },
    { email: 'a@example.org\r\nBcc: b@example.org' },
  ])('refuses an address that cannot be compared or used: %j', async (fields) => {
    expect((await client.signIn('google', client.addIdentity(fields))).status).toBe(403)
  })

  it('finds a GitHub user who changed the login and the address', async () => {
    const identity = client.addIdentity()
    const { email } = identity
    const { body: registration } = await client.signIn('github', identity)
    Object.assign(identity, { login: 'new-login', email: 'new-address@example.org' })
    expect((await client.signIn('github', identity, fromSignInPage)).body).toMatchObject({
      user_sid: registration.user_sid,
      email,
      provider_userid: 'new-login',
    })
  })

  it('does not sign in the next owner of a login or of an address', async () => {
    const [first, second] = [client.addIdentity(), client.addIdentity()]
    await client.signIn('github', first)
    second.login = first.login
    expect((await client.signIn('github', second, fromSignInPage)).status).toBe(404)
    second.email = first.email
    expect((await client.signIn('github', second, fromSignInPage)).status).toBe(404)
    expect((await client.signIn('github', second)).status).toBe(400)
  })

  describe('if the platform already has the user', () => {
    const insertUser = async (email: string, provider: string, provider_userid: string) => {
      const user_sid = randomUUID()
      await client.services.users.insert({
        user_sid,
        name: email,
        email,
        email_validated: 1,
        provider,
        provider_userid,
        account_sid: client.testData.accounts.acme,
      })
      return user_sid
    }

    it('finds a Google user by the ID', async () => {
      const identity = client.addIdentity()
      const user_sid = await insertUser('another-address@example.org', 'google', String(identity.id))
      expect(await client.signIn('google', identity)).toMatchObject({
        status: 200,
        body: { user_sid, pristine: false },
      })
    })

    it('refuses another Google user with the same address', async () => {
      const identity = client.addIdentity()
      await insertUser(identity.email, 'google', '1')
      expect((await client.signIn('google', identity)).status).toBe(400)
    })

    it('finds a GitHub user by the verified address only', async () => {
      const [first, second] = [client.addIdentity(), client.addIdentity()]
      const user_sid = await insertUser(first.email, 'github', first.login)
      second.login = first.login
      expect((await client.signIn('github', second, fromSignInPage)).status).toBe(404)
      expect(await client.signIn('github', first)).toMatchObject({ status: 200, body: { user_sid } })
    })
  })

  it.each(['user', 'account'] as const)('refuses an inactive %s', async (kind) => {
    const identity = client.addIdentity()
    const { body } = await client.signIn('github', identity)
    const { users, accounts } = client.services
    await (kind === 'user' ? users : accounts).update(body[`${kind}_sid`], { is_active: 0 })
    expect(await client.signIn('github', identity)).toMatchObject({
      status: 403,
      body: { msg: 'This user or account is not active.' },
    })
    expect(client.log()).toMatch(/"security_event":"sign_in_failed".*"reason":"inactive user"/)
  })

  it('signs in a user whose trial has ended, who has to upgrade', async () => {
    const identity = client.addIdentity()
    const { body: registration } = await client.signIn('github', identity)
    const endedTrial = { is_active: 0, plan_type: 'free', deactivated_reason: trialExpiredReason }
    await client.services.accounts.update(registration.account_sid, endedTrial)
    const { status, body } = await client.signIn('github', identity, fromSignInPage)
    expect({ status, body }).toMatchObject({ status: 200, body: { is_active: false } })
    expect((await createApiClient(client.app, body.jwt)('GET', '/Users/me')).status).toBe(200)
  })

  it('gives the free plan to an address that has registered before', async () => {
    const identity = client.addIdentity()
    const { body: first } = await client.signIn('google', identity)
    const deletion = await createApiClient(client.app, first.jwt)('DELETE', `/Accounts/${first.account_sid}`, {})
    expect(deletion.status).toBe(204)
    const { body: second } = await client.signIn('google', identity)
    expect(second.account_sid).not.toBe(first.account_sid)
    const account = await createApiClient(client.app, second.jwt)('GET', `/Accounts/${second.account_sid}`)
    expect(account.body).toMatchObject({ plan_type: 'free', trial_end_date: null })
    const identities = await client.database.db.selectFrom('trunkline_identities').select('user_sid').execute()
    expect(identities.map(({ user_sid }) => user_sid)).not.toContain(first.user_sid)
  })
})

describe('registration with an identity provider', () => {
  let client: IdentityClient
  afterEach(() => client.close())

  it('requires an invite code only of new users, and uses it up', async () => {
    client = await startIdentityClient({ edition: { requiresInviteCode: true } })
    const [first, second] = [client.addIdentity(), client.addIdentity()]
    await client.database.db.insertInto('beta_invite_codes').values({ invite_code: 'ABC123', in_use: 0 }).execute()
    for (const fields of [{}, { inviteCode: 'ABC124' }])
      expect(await client.signIn('github', first, fields)).toMatchObject({ status: 400, body: { field: 'inviteCode' } })
    expect(await client.findUsers(first.email)).toEqual([])
    expect((await client.signIn('github', first, { inviteCode: 'abc123' })).status).toBe(200)
    expect((await client.signIn('github', first)).status).toBe(200)
    expect((await client.signIn('google', second, { inviteCode: 'abc123' })).status).toBe(400)
  })
})
