import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { startMailbox, type Mailbox } from '../../../test/external/smtp-double'
import { apiClient, tokenFor, type ApiClient } from '../../../test/speak'
import { password } from '../../../test/world'
import { smtpMail } from '../../adapters/mail/smtp'
import type { Config } from '../../config/config'

const origin = 'https://voice.example.com'
const from = 'Trunkline <no-reply@example.com>'
const fresh = 'Another-horse-2'
const features = { ...defaultFeatureFlags, forgotPassword: true }

describe.each(engines)('a forgotten password (%s)', (engine) => {
  let mailbox: Mailbox
  let backend: Backend
  let anonymous: ApiClient

  const begin = async (config: Partial<Config> = {}) => {
    const mail = smtpMail({ url: mailbox.url, from })
    backend = await startBackend({
      engine,
      config: { features, publicUrl: origin, ...config },
      outside: { mail },
    })
    anonymous = apiClient(backend.app)
  }
  beforeEach(async () => {
    mailbox = await startMailbox()
    await begin()
  })
  afterEach(async () => {
    await backend.close()
    await mailbox.close()
  })

  const ask = (email: unknown) => anonymous('POST', '/forgot-password', { email })
  const set = (name: string, values: object) =>
    backend.database.db.updateTable('users').set(values).where('name', '=', name).execute()
  const links = () => backend.database.db.selectFrom('trunkline_reset_links').selectAll().execute()
  /** The link in the latest mail to an address. */
  const linkOf = async (name: string, count = 1) => {
    const { mail } = await mailbox.to(`${name}@example.com`, count)
    return /\/reset-password\/(\S+)/.exec(mail.text ?? '')![1]!
  }
  const request = async (name: string) => {
    expect(await ask(`${name}@example.com`)).toMatchObject({ status: 204 })
    return linkOf(name)
  }
  const signedIn = async (link: string) => {
    const { status, body } = await anonymous('POST', '/signin', { link })
    expect(status).toBe(200)
    return apiClient(backend.app, body.jwt)
  }
  const works = async (api: ApiClient) => (await api('GET', '/Users/me')).status === 200
  /** Waits until scheduled mail was sent, by requesting another mail. */
  const settled = async () => {
    await set('corp', { is_active: 1, provider: 'local' })
    await ask('corp@example.com')
    await mailbox.to('corp@example.com')
  }

  it('is reset with a mailed link, which replaces the old password once', async () => {
    const link = await request('acme')
    expect(link).toMatch(/^[1-9a-km-zA-HJ-NP-Z]{22}$/)
    const reset = await signedIn(link)
    const change = { old_password: link, new_password: fresh }
    expect(await reset('POST', '/change-password', change)).toMatchObject({ status: 204, body: undefined })
    expect(await works(reset)).toBe(false)
    await expect(tokenFor(backend.app, 'acme')).rejects.toThrow('403')
    const second = apiClient(backend.app, await tokenFor(backend.app, 'acme', fresh))
    expect(await anonymous('POST', '/signin', { link })).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(await second('POST', '/change-password', { ...change, new_password: 'Third-horse-33' })).toMatchObject({
      status: 400,
      body: { msg: 'old_password is incorrect', field: 'old_password' },
    })
    expect(await links()).toEqual([])
  })

  it('sends instructions as text and HTML, with a URL that no request can influence', async () => {
    await set('acme', { name: '<b>acme</b>\r\nBcc: x' })
    await anonymous('POST', '/forgot-password', { email: 'ACME@example.com' }, { host: 'evil.example' })
    const { mail, recipients } = await mailbox.to('acme@example.com')
    expect(recipients).toEqual(['acme@example.com'])
    expect(mail).toMatchObject({
      subject: 'Reset password request',
      from: { name: 'Trunkline', address: 'no-reply@example.com' },
      to: [{ address: 'acme@example.com' }],
    })
    const link = `${origin}/reset-password/${await linkOf('acme')}`
    expect(mail.text).toContain(`\n\n${link}\n\n`)
    expect(mail.text).toContain('within one hour')
    expect(mail.html).toContain(`<a href="${link}"`)
    expect(mail.html).toContain('&#60;b&#62;acme&#60;/b&#62; Bcc: x')
    expect(mail.html).not.toMatch(/<b>|<img|<script|evil/)
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc')
  })

  it('stores no usable link, and logs none', async () => {
    await backend.close()
    await begin({ logLevel: 'trace' })
    const link = await request('acme')
    expect(JSON.stringify(await links())).not.toContain(link)
    await backend.app.inject({ url: `/reset-password/${link}`, headers: { accept: 'text/html' } })
    await backend.app.inject({ url: `//RESET-password//${link}?x`, headers: { accept: 'text/html' } })
    await signedIn(link)
    expect(backend.log()).toContain('/reset-password/[hidden]')
    expect(backend.log()).not.toContain(link)
    expect(backend.log()).not.toContain('acme@example.com')
  })

  it('gets the same response for every well-formed address', async () => {
    for (const email of ['acme@example.com', 'nobody@example.com', ' acme@example.com ', 'a@b'])
      expect(await ask(email)).toMatchObject({ status: 204, body: undefined })
    const invalid = { status: 400, body: { error: 'invalid or missing email' } }
    const texts = '|acme|acme@|@example.com|a@b@c|a b@x.org|a@x.org, b@x.org|a@x.org\nb@x.org|<a@x.org>'.split('|')
    const long = `${'a'.repeat(250)}@example.com`
    for (const email of [...texts, long, undefined, null, 7, ['acme@example.com'], { $ne: '' }])
      expect(await ask(email)).toMatchObject(invalid)
    expect(await anonymous('POST', '/forgot-password')).toMatchObject(invalid)
    await settled()
    expect(new Set(mailbox.letters.flatMap(({ recipients }) => recipients))).toEqual(
      new Set(['acme@example.com', 'corp@example.com']),
    )
  })

  it('sends no mail to inactive users, and refers external users to their provider', async () => {
    await set('acme', { is_active: 0 })
    await backend.services.accounts.update(backend.world.accounts.bolt, { is_active: 0 })
    await set('north', { provider: 'github' })
    for (const name of ['acme', 'bolt', 'north'])
      expect(await ask(`${name}@example.com`)).toMatchObject({ status: 204 })
    const { mail } = await mailbox.to('north@example.com')
    expect(mail.subject).toBe('Reset password request')
    expect(mail.text).toContain('github')
    expect(mail.text).not.toContain('reset-password')
    await settled()
    expect(mailbox.letters).toHaveLength(2)
  })

  it("does not end the sessions of the address's user", async () => {
    const acme = apiClient(backend.app, await tokenFor(backend.app, 'acme'))
    await request('acme')
    expect(await works(acme)).toBe(true)
    expect(await works(apiClient(backend.app, await tokenFor(backend.app, 'acme')))).toBe(true)
  })

  it('limits mails per user, also for parallel requests', async () => {
    await Promise.all(Array.from({ length: 12 }, () => ask('acme@example.com')))
    await mailbox.to('acme@example.com', 3)
    await settled()
    expect(mailbox.letters.filter(({ recipients }) => recipients.includes('acme@example.com'))).toHaveLength(3)
    await ask('bolt@example.com')
    await mailbox.to('bolt@example.com')
  })

  it('limits requests per client', async () => {
    await backend.close()
    await begin({ rateLimit: { max: 1000, minutes: 5 } })
    for (let time = 0; time < 10; time++) expect(await ask(`nobody${time}@example.com`)).toMatchObject({ status: 204 })
    expect(await ask('acme@example.com')).toMatchObject({
      status: 429,
      body: { error: 'Too many requests, please try again later.' },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
  })

  it('can be requested again if the mail server failed', async () => {
    mailbox.refuse(true)
    for (let time = 0; time < 4; time++) await ask('acme@example.com')
    await expect.poll(() => backend.log().match(/could not be sent/g)?.length).toBeGreaterThanOrEqual(3)
    await expect.poll(links).toEqual([])
    expect(backend.log()).not.toContain('acme@example.com')
    mailbox.refuse(false)
    await request('acme')
  })

  it("signs the link's user in once, with the current scope", async () => {
    const { providers, accounts, users } = backend.world
    const people = {
      admin: { scope: 'admin', account_sid: null, service_provider_sid: null },
      north: { scope: 'service_provider', account_sid: null, service_provider_sid: providers.north },
      acme: { scope: 'account', account_sid: accounts.acme, service_provider_sid: providers.north },
    }
    for (const [name, { scope, ...sids }] of Object.entries(people)) {
      await set(name, { force_change: 1 })
      const link = await request(name)
      const { status, body } = await anonymous('POST', '/signin', { link })
      expect(status).toBe(200)
      expect(body).toEqual({
        jwt: expect.any(String),
        user_sid: users[name as keyof typeof people],
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
      expect(await works(apiClient(backend.app, body.jwt))).toBe(true)
      expect(await anonymous('POST', '/signin', { link })).toMatchObject({ status: 403, body: 'Forbidden' })
    }
    const viewer = await request('viewer')
    const looking = await signedIn(viewer)
    expect(await looking('PUT', `/Accounts/${accounts.acme}`, { name: 'x' })).toMatchObject({ status: 403 })
    expect(await looking('POST', '/change-password', { old_password: viewer, new_password: fresh })).toMatchObject({
      status: 204,
    })
  })

  it('refuses unknown, expired and obsolete links', async () => {
    const dead = { status: 403, body: 'Forbidden' }
    for (const link of ['x', "' or 1=1 --"]) expect(await anonymous('POST', '/signin', { link })).toMatchObject(dead)
    for (const body of [{}, { link: '' }, { link: 7 }, { email: 'acme@example.com' }, { password }])
      expect(await anonymous('POST', '/signin', body)).toMatchObject({
        status: 400,
        body: { msg: 'missing email or password' },
      })

    const link = await request('acme')
    const entered = await signedIn(link)
    const refused = async () => {
      expect(await anonymous('POST', '/signin', { link })).toMatchObject(dead)
      expect((await entered('POST', '/change-password', { old_password: link, new_password: fresh })).status).toBe(400)
    }
    const { expires_at } = (await links())[0]!
    expect(Math.abs(expires_at - Date.now() / 1000 - 3595)).toBeLessThanOrEqual(5)
    const until = (moment: number) =>
      backend.database.db.updateTable('trunkline_reset_links').set({ expires_at: moment }).execute()
    await until(Math.floor(Date.now() / 1000))
    await refused()
    await until(expires_at)
    // A mailbox that is no longer the user's.
    await set('acme', { email: 'other@example.com' })
    await refused()
    await set('acme', { email: 'acme@example.com' })
    await set('acme', { provider: 'google' })
    await refused()
    await set('acme', { provider: 'local' })
    await ask('acme@example.com')
    const second = await linkOf('acme', 2)
    await set('acme', { is_active: 0 })
    expect(await anonymous('POST', '/signin', { link: second })).toMatchObject(dead)
    await set('acme', { is_active: 1 })
    // The user remembered the old password.
    const acme = apiClient(backend.app, await tokenFor(backend.app, 'acme'))
    expect(await acme('POST', '/change-password', { old_password: password, new_password: fresh })).toMatchObject({
      status: 204,
    })
    expect(await anonymous('POST', '/signin', { link: second })).toMatchObject(dead)
  })

  it("changes only the link's user's password, and applies the password rule", async () => {
    const link = await request('acme')
    const bolt = apiClient(backend.app, await tokenFor(backend.app, 'bolt'))
    expect(await bolt('POST', '/change-password', { old_password: link, new_password: fresh })).toMatchObject({
      status: 400,
      body: { msg: 'old_password is incorrect' },
    })
    const acme = await signedIn(link)
    expect(await acme('POST', '/change-password', { old_password: link, new_password: 'short' })).toMatchObject({
      status: 400,
      body: { msg: 'password length must be between 8 and 20', field: 'new_password' },
    })
    // A refused password does not use up the link.
    const both = await Promise.all(
      [fresh, 'Third-horse-33'].map((new_password) =>
        acme('POST', '/change-password', { old_password: link, new_password }),
      ),
    )
    expect(both.filter(({ status }) => status === 204)).toHaveLength(1)
  })

  it('unlocks the user and ends the forced password change', async () => {
    for (let guess = 0; guess < 6; guess++) await anonymous('POST', '/login', { username: 'acme', password: 'wrong' })
    await expect(tokenFor(backend.app, 'acme')).rejects.toThrow('reset your password')
    await set('acme', { force_change: 1 })
    const link = await request('acme')
    const acme = await signedIn(link)
    expect((await acme('POST', '/change-password', { old_password: link, new_password: fresh })).status).toBe(204)
    const { body } = await anonymous('POST', '/login', { username: 'acme', password: fresh })
    expect(body).toMatchObject({ force_change: false })
  })

  it('signs in by email address and password if the address is confirmed', async () => {
    const enter = (email: unknown, secret = password) => anonymous('POST', '/signin', { email, password: secret })
    expect(await enter('acme@example.com')).toMatchObject({ status: 403, body: 'Forbidden' })
    await set('acme', { email_validated: 1 })
    expect(await enter('Acme@Example.com')).toMatchObject({
      status: 200,
      body: { name: 'acme', email_validated: true },
    })
    expect(await enter('nobody@example.com')).toMatchObject({ status: 403, body: 'Forbidden' })
    for (let guess = 1; guess < 6; guess++)
      expect(await enter('acme@example.com', 'wrong')).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(await enter('acme@example.com', 'wrong')).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('Maximum') },
    })
    expect(await enter('acme@example.com')).toMatchObject({ status: 403 })
  })

  it('is not mounted without mail or if switched off', async () => {
    for (const [config, outside] of [
      [{ features }, undefined],
      [{ features: { ...features, forgotPassword: false } }, { mail: smtpMail({ url: mailbox.url, from }) }],
    ] as const) {
      const other = await startBackend({ engine, config, ...(outside ? { outside } : {}) })
      const admin = apiClient(other.app, other.world.keys.admin)
      for (const call of ['/forgot-password', '/signin'])
        expect(await admin('POST', call, { email: 'acme@example.com' })).toMatchObject({ status: 404 })
      await other.close()
    }
  })
})
