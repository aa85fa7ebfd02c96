import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { startMailbox, type Mailbox } from '../../../../scripts/launch/mailbox'
import { createApiClient, fetchToken, type ApiClient } from '../../../test/api-client'
import { password } from '../../../test/test-data'
import { createSmtpMail } from '../../adapters/mail/smtp'
import type { Config } from '../../config/config'

const origin = 'https://voice.example.com'
const sender = 'Trunkline <no-reply@example.com>'
const newPassword = 'Another-horse-2'
const features = { ...defaultFeatureFlags, forgotPassword: true }

describe.each(databaseEngines)('a forgotten password (%s)', (databaseEngine) => {
  let mailbox: Mailbox
  let backend: Backend
  let anonymousClient: ApiClient

  const createMail = () => createSmtpMail({ url: mailbox.url, from: sender })
  const start = async (config: Partial<Config> = {}) => {
    const mail = createMail()
    backend = await startBackend({
      databaseEngine,
      config: { features, publicUrl: origin, ...config },
      externalServices: { mail },
    })
    anonymousClient = createApiClient(backend.app)
  }
  beforeEach(async () => {
    mailbox = await startMailbox()
    await start()
  })
  afterEach(async () => {
    await backend.close()
    await mailbox.close()
  })

  const requestMail = (email: unknown) => anonymousClient('POST', '/forgot-password', { email })
  const updateUser = (name: string, values: object) =>
    backend.database.db.updateTable('users').set(values).where('name', '=', name).execute()
  const storedLinks = () => backend.database.db.selectFrom('trunkline_reset_links').selectAll().execute()
  /** The link in the latest mail to an address. */
  const mailedLink = async (name: string, count = 1) => {
    const { mail } = await mailbox.waitForMail(`${name}@example.com`, count)
    return /\/reset-password\/(\S+)/.exec(mail.text ?? '')![1]!
  }
  const requestLink = async (name: string) => {
    expect(await requestMail(`${name}@example.com`)).toMatchObject({ status: 204 })
    return mailedLink(name)
  }
  const signInByLink = async (link: string) => {
    const { status, body } = await anonymousClient('POST', '/signin', { link })
    expect(status).toBe(200)
    return createApiClient(backend.app, body.jwt)
  }
  const isSignedIn = async (apiClient: ApiClient) => (await apiClient('GET', '/Users/me')).status === 200
  /** Requests another mail and waits for it: mails are sent in order. */
  const waitForScheduledMail = async () => {
    await updateUser('corp', { is_active: 1, provider: 'local' })
    await requestMail('corp@example.com')
    await mailbox.waitForMail('corp@example.com')
  }

  it('is reset with a mailed link, which replaces the old password once', async () => {
    const link = await requestLink('acme')
    expect(link).toMatch(/^[1-9a-km-zA-HJ-NP-Z]{22}$/)
    const resetSession = await signInByLink(link)
    const passwordChange = { old_password: link, new_password: newPassword }
    expect(await resetSession('POST', '/change-password', passwordChange)).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await isSignedIn(resetSession)).toBe(false)
    await expect(fetchToken(backend.app, 'acme')).rejects.toThrow('403')
    const newSession = createApiClient(backend.app, await fetchToken(backend.app, 'acme', newPassword))
    expect(await anonymousClient('POST', '/signin', { link })).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(
      await newSession('POST', '/change-password', { ...passwordChange, new_password: 'Third-horse-33' }),
    ).toMatchObject({ status: 400, body: { msg: 'old_password is incorrect', field: 'old_password' } })
    expect(await storedLinks()).toEqual([])
  })

  it('sends instructions as text and HTML, with a URL that no request can influence', async () => {
    await updateUser('acme', { name: '<b>acme</b>\r\nBcc: x' })
    await anonymousClient('POST', '/forgot-password', { email: 'ACME@example.com' }, { host: 'evil.example' })
    const { mail, recipients } = await mailbox.waitForMail('acme@example.com')
    expect(recipients).toEqual(['acme@example.com'])
    expect(mail).toMatchObject({
      subject: 'Reset password request',
      from: { name: 'Trunkline', address: 'no-reply@example.com' },
      to: [{ address: 'acme@example.com' }],
    })
    const link = `${origin}/reset-password/${await mailedLink('acme')}`
    expect(mail.text).toContain(`\n\n${link}\n\n`)
    expect(mail.text).toContain('within one hour')
    expect(mail.html).toContain(`<a href="${link}"`)
    expect(mail.html).toContain('&#60;b&#62;acme&#60;/b&#62; Bcc: x')
    expect(mail.html).not.toMatch(/<b>|<img|<script|evil/)
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc')
  })

  it('stores no usable link, and logs none', async () => {
    await backend.close()
    await start({ logLevel: 'trace' })
    const link = await requestLink('acme')
    expect(JSON.stringify(await storedLinks())).not.toContain(link)
    await backend.app.inject({ url: `/reset-password/${link}`, headers: { accept: 'text/html' } })
    await backend.app.inject({ url: `//RESET-password//${link}?x`, headers: { accept: 'text/html' } })
    await signInByLink(link)
    expect(backend.log()).toContain('/reset-password/[hidden]')
    expect(backend.log()).not.toContain(link)
    expect(backend.log()).not.toContain('acme@example.com')
  })

  it('causes the same response for every well-formed address', async () => {
    for (const email of ['acme@example.com', 'nobody@example.com', ' acme@example.com ', 'a@b'])
      expect(await requestMail(email)).toMatchObject({ status: 204, body: undefined })
    const invalidEmail = { status: 400, body: { error: 'invalid or missing email' } }
    const invalidAddresses =
      '|acme|acme@|@example.com|a@b@c|a b@x.org|a@x.org, b@x.org|a@x.org\nb@x.org|<a@x.org>'.split('|')
    const longAddress = `${'a'.repeat(250)}@example.com`
    for (const email of [...invalidAddresses, longAddress, undefined, null, 7, ['acme@example.com'], { $ne: '' }])
      expect(await requestMail(email)).toMatchObject(invalidEmail)
    expect(await anonymousClient('POST', '/forgot-password')).toMatchObject(invalidEmail)
    await waitForScheduledMail()
    expect(new Set(mailbox.receivedMails.flatMap(({ recipients }) => recipients))).toEqual(
      new Set(['acme@example.com', 'corp@example.com']),
    )
  })

  it('sends no mail to inactive users, and refers external users to their provider', async () => {
    await updateUser('acme', { is_active: 0 })
    await backend.services.accounts.update(backend.testData.accounts.bolt, { is_active: 0 })
    await updateUser('north', { provider: 'github' })
    for (const name of ['acme', 'bolt', 'north'])
      expect(await requestMail(`${name}@example.com`)).toMatchObject({ status: 204 })
    const { mail } = await mailbox.waitForMail('north@example.com')
    expect(mail.subject).toBe('Reset password request')
    expect(mail.text).toContain('github')
    expect(mail.text).not.toContain('reset-password')
    await waitForScheduledMail()
    expect(mailbox.receivedMails).toHaveLength(2)
  })

  it('does not end existing sessions', async () => {
    const acmeClient = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
    await requestLink('acme')
    expect(await isSignedIn(acmeClient)).toBe(true)
    expect(await isSignedIn(createApiClient(backend.app, await fetchToken(backend.app, 'acme')))).toBe(true)
  })

  it('limits mails per user, also for parallel requests', async () => {
    await Promise.all(Array.from({ length: 12 }, () => requestMail('acme@example.com')))
    await mailbox.waitForMail('acme@example.com', 3)
    await waitForScheduledMail()
    expect(mailbox.receivedMails.filter(({ recipients }) => recipients.includes('acme@example.com'))).toHaveLength(3)
    await requestMail('bolt@example.com')
    await mailbox.waitForMail('bolt@example.com')
  })

  it('limits requests per client', async () => {
    await backend.close()
    await start({ rateLimit: { max: 1000, minutes: 5 } })
    for (let attempt = 0; attempt < 10; attempt++)
      expect(await requestMail(`nobody${attempt}@example.com`)).toMatchObject({ status: 204 })
    expect(await requestMail('acme@example.com')).toMatchObject({
      status: 429,
      body: { error: 'Too many requests, please try again later.' },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
  })

  it('can be requested again if the mail server failed', async () => {
    mailbox.setRefusing(true)
    for (let attempt = 0; attempt < 4; attempt++) await requestMail('acme@example.com')
    await expect.poll(() => backend.log().match(/could not be sent/g)?.length).toBeGreaterThanOrEqual(3)
    await expect.poll(storedLinks).toEqual([])
    expect(backend.log()).not.toContain('acme@example.com')
    mailbox.setRefusing(false)
    await requestLink('acme')
  })

  it('signs the user of the link in once, with the current scope', async () => {
    const { providers, accounts, users } = backend.testData
    const expectedUsers = {
      admin: { scope: 'admin', account_sid: null, service_provider_sid: null },
      north: { scope: 'service_provider', account_sid: null, service_provider_sid: providers.north },
      acme: { scope: 'account', account_sid: accounts.acme, service_provider_sid: providers.north },
    }
    for (const [name, { scope, ...sids }] of Object.entries(expectedUsers)) {
      await updateUser(name, { force_change: 1 })
      const link = await requestLink(name)
      const { status, body } = await anonymousClient('POST', '/signin', { link })
      expect(status).toBe(200)
      expect(body).toEqual({
        jwt: expect.any(String),
        user_sid: users[name as keyof typeof expectedUsers],
        name,
        email: `${name}@example.com`,
        phone: null,
        ...sids,
        force_change: true,
        provider: 'local',
        provider_userid: null,
        scope: 'read-write',
        phone_validated: false,
        email_validated: false,
        is_active: true,
        pristine: false,
      })
      expect(decodeJwt(body.jwt)).toMatchObject({ scope, permissions: [], user_sid: body.user_sid })
      expect(await isSignedIn(createApiClient(backend.app, body.jwt))).toBe(true)
      expect(await anonymousClient('POST', '/signin', { link })).toMatchObject({ status: 403, body: 'Forbidden' })
    }
    const viewerLink = await requestLink('viewer')
    const viewerSession = await signInByLink(viewerLink)
    expect(await viewerSession('PUT', `/Accounts/${accounts.acme}`, { name: 'x' })).toMatchObject({ status: 403 })
    expect(
      await viewerSession('POST', '/change-password', { old_password: viewerLink, new_password: newPassword }),
    ).toMatchObject({ status: 204 })
  })

  it('refuses unknown, expired and obsolete links', async () => {
    const forbidden = { status: 403, body: 'Forbidden' }
    for (const link of ['x', "' or 1=1 --"])
      expect(await anonymousClient('POST', '/signin', { link })).toMatchObject(forbidden)
    for (const body of [{}, { link: '' }, { link: 7 }, { email: 'acme@example.com' }, { password }])
      expect(await anonymousClient('POST', '/signin', body)).toMatchObject({
        status: 400,
        body: { msg: 'missing email or password' },
      })

    const link = await requestLink('acme')
    const linkSession = await signInByLink(link)
    const expectRefusal = async () => {
      expect(await anonymousClient('POST', '/signin', { link })).toMatchObject(forbidden)
      expect(
        (await linkSession('POST', '/change-password', { old_password: link, new_password: newPassword })).status,
      ).toBe(400)
    }
    const { expires_at } = (await storedLinks())[0]!
    expect(Math.abs(expires_at - Date.now() / 1000 - 3595)).toBeLessThanOrEqual(5)
    const setExpiry = (expiresAtSeconds: number) =>
      backend.database.db.updateTable('trunkline_reset_links').set({ expires_at: expiresAtSeconds }).execute()
    await setExpiry(Math.floor(Date.now() / 1000))
    await expectRefusal()
    await setExpiry(expires_at)
    // The link was mailed to an address that is no longer the user's.
    await updateUser('acme', { email: 'other@example.com' })
    await expectRefusal()
    await updateUser('acme', { email: 'acme@example.com' })
    await updateUser('acme', { provider: 'google' })
    await expectRefusal()
    await updateUser('acme', { provider: 'local' })
    await requestMail('acme@example.com')
    const secondLink = await mailedLink('acme', 2)
    await updateUser('acme', { is_active: 0 })
    expect(await anonymousClient('POST', '/signin', { link: secondLink })).toMatchObject(forbidden)
    await updateUser('acme', { is_active: 1 })
    // A password change with the old password invalidates the link.
    const acmeClient = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
    expect(
      await acmeClient('POST', '/change-password', { old_password: password, new_password: newPassword }),
    ).toMatchObject({ status: 204 })
    expect(await anonymousClient('POST', '/signin', { link: secondLink })).toMatchObject(forbidden)
  })

  it("changes only the password of the link's user, and applies the password rule", async () => {
    const link = await requestLink('acme')
    const boltClient = createApiClient(backend.app, await fetchToken(backend.app, 'bolt'))
    expect(
      await boltClient('POST', '/change-password', { old_password: link, new_password: newPassword }),
    ).toMatchObject({
      status: 400,
      body: { msg: 'old_password is incorrect' },
    })
    const acmeClient = await signInByLink(link)
    expect(await acmeClient('POST', '/change-password', { old_password: link, new_password: 'short' })).toMatchObject({
      status: 400,
      body: { msg: 'password length must be between 8 and 20', field: 'new_password' },
    })
    // A refused password does not use up the link.
    const responses = await Promise.all(
      [newPassword, 'Third-horse-33'].map((new_password) =>
        acmeClient('POST', '/change-password', { old_password: link, new_password }),
      ),
    )
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1)
  })

  it('unlocks the user and ends the forced password change', async () => {
    for (let attempt = 0; attempt < 6; attempt++)
      await anonymousClient('POST', '/login', { username: 'acme', password: 'wrong' })
    await expect(fetchToken(backend.app, 'acme')).rejects.toThrow('reset your password')
    await updateUser('acme', { force_change: 1 })
    const link = await requestLink('acme')
    const acmeClient = await signInByLink(link)
    expect(
      (await acmeClient('POST', '/change-password', { old_password: link, new_password: newPassword })).status,
    ).toBe(204)
    const { body } = await anonymousClient('POST', '/login', { username: 'acme', password: newPassword })
    expect(body).toMatchObject({ force_change: false })
  })

  it('has no routes without mail or if the feature flag is off', async () => {
    for (const [config, externalServices] of [
      [{ features }, undefined],
      [{ features: { ...features, forgotPassword: false } }, { mail: createMail() }],
    ] as const) {
      const otherBackend = await startBackend({
        databaseEngine,
        config,
        ...(externalServices ? { externalServices } : {}),
      })
      const adminClient = createApiClient(otherBackend.app, otherBackend.testData.keys.admin)
      for (const path of ['/forgot-password', '/signin'])
        expect(await adminClient('POST', path, { email: 'acme@example.com' })).toMatchObject({ status: 404 })
      await otherBackend.close()
    }
  })
})
