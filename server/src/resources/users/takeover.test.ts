import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { smtpMail } from '../../adapters/mail/smtp'
import type { Config } from '../../config/config'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { startMailbox, type Mailbox } from '../../../test/external/smtp-double'
import { apiClient, tokenFor, type ApiClient } from '../../../test/speak'
import { password } from '../../../test/world'

const fresh = 'Another-horse-2'
const features = { ...defaultFeatureFlags, forgotPassword: true }

describe.each(engines)('a stolen session token (%s)', (engine) => {
  let mailbox: Mailbox
  let backend: Backend
  let anonymous: ApiClient
  let acme: ApiClient
  let userPath: string

  const start = async (config: Partial<Config> = {}, withMail = true) => {
    const outside = withMail
      ? { mail: smtpMail({ url: mailbox.url, from: 'Trunkline <no-reply@example.com>' }) }
      : undefined
    backend = await startBackend({
      engine,
      config: { features, publicUrl: 'https://voice.example.com', ...config },
      ...(outside ? { outside } : {}),
    })
    anonymous = apiClient(backend.app)
    acme = apiClient(backend.app, await tokenFor(backend.app, 'acme'))
    userPath = `/Users/${backend.world.users.acme}`
  }
  beforeEach(async () => {
    mailbox = await startMailbox()
    await start()
  })
  afterEach(async () => {
    await backend.close()
    await mailbox.close()
  })

  const mailsTo = (address: string) => mailbox.letters.filter(({ recipients }) => recipients.includes(address))
  const forget = (email: string) => anonymous('POST', '/forgot-password', { email })
  const settled = () => backend.services.outbox.drain()
  const linkIn = (text: string | undefined, page: string) => new RegExp(`/${page}/(\\S+)`).exec(text ?? '')?.[1] ?? ''
  const changeEmail = async (email: string) => {
    expect(await acme('PUT', userPath, { email })).toMatchObject({ status: 204 })
    await settled()
  }
  const confirmLink = async (address: string, count = 1) =>
    linkIn((await mailbox.to(address, count)).mail.text, 'confirm-email')
  const confirm = (link: string, secret = password) => anonymous('POST', '/confirm-email', { link, password: secret })
  const read = async () => (await apiClient(backend.app, backend.world.keys.admin)('GET', userPath)).body

  it('cannot change the password by any field without the old one', async () => {
    const refused = { status: 400, body: { msg: expect.stringContaining('old_password'), field: 'old_password' } }
    expect(await acme('PUT', userPath, { initial_password: fresh })).toMatchObject(refused)
    expect(await acme('PUT', userPath, { name: 'acme', initial_password: fresh })).toMatchObject(refused)
    expect(await acme('PUT', userPath, { new_password: fresh })).toMatchObject(refused)
    expect(await acme('PUT', userPath, { initial_password: fresh, old_password: 'wrong' })).toMatchObject({
      status: 403,
    })
    await expect(tokenFor(backend.app, 'acme', fresh)).rejects.toThrow('403')
    expect(
      await acme('PUT', userPath, { name: 'acme', initial_password: fresh, old_password: password }),
    ).toMatchObject({
      status: 204,
    })
    expect(await tokenFor(backend.app, 'acme', fresh)).toBeTruthy()
  })

  it('gets no reset link for a new address, and the previous address is notified', async () => {
    await changeEmail('attacker@evil.example')
    expect(await read()).toMatchObject({ email: 'attacker@evil.example', pending_email: 'attacker@evil.example' })
    const { mail } = await mailbox.to('acme@example.com')
    expect(mail.subject).toBe('Your email address was changed')
    expect(mail.text).toContain('attacker@evil.example')
    await forget('attacker@evil.example')
    await settled()
    expect(mailsTo('attacker@evil.example').map((item) => item.mail.subject)).toEqual(['Confirm your email address'])
  })

  it('cannot confirm a new address without the password', async () => {
    await changeEmail('attacker@evil.example')
    const link = await confirmLink('attacker@evil.example')
    expect(await confirm(link, 'wrong')).toMatchObject({ status: 400, body: { field: 'password' } })
    expect(await acme('POST', '/confirm-email', { link })).toMatchObject({ status: 400 })
    await forget('attacker@evil.example')
    await settled()
    expect(mailsTo('attacker@evil.example')).toHaveLength(1)
  })

  it('cannot clear the forced password change', async () => {
    const force_change = async () => (await read()).force_change
    await backend.services.users.update(backend.world.users.acme, { force_change: 1 })
    for (const value of [false, 0])
      expect(await acme('PUT', userPath, { name: 'acme', force_change: value })).toMatchObject({ status: 204 })
    expect(await force_change()).toBe(1)
    await acme('PUT', userPath, { old_password: password, new_password: fresh })
    expect(await force_change()).toBe(0)
    expect(await acme('PUT', userPath, { force_change: 1 })).toMatchObject({ status: 204 })
    const north = apiClient(backend.app, backend.world.keys.north)
    expect(await north('PUT', userPath, { force_change: 0 })).toMatchObject({ status: 204 })
    expect(await force_change()).toBe(0)
  })

  it('leaves resets with the confirmed address, which reverts the change', async () => {
    await changeEmail('attacker@evil.example')
    await forget('acme@example.com')
    const { mail } = await mailbox.to('acme@example.com', 2)
    const link = linkIn(mail.text, 'reset-password')
    const { body } = await anonymous('POST', '/signin', { link })
    const reset = apiClient(backend.app, body.jwt)
    expect(await reset('POST', '/change-password', { old_password: link, new_password: fresh })).toMatchObject({
      status: 204,
    })
    expect(await read()).toMatchObject({ email: 'acme@example.com', pending_email: null })
    expect(await confirm(await confirmLink('attacker@evil.example'), fresh)).toMatchObject({ status: 403 })
  })

  it('needs link and password to change the address for resets, once', async () => {
    await changeEmail('new@example.com')
    const link = await confirmLink('new@example.com')
    expect(await confirm(link)).toMatchObject({ status: 204 })
    expect(await confirm(link)).toMatchObject({ status: 403 })
    expect(await read()).toMatchObject({ email: 'new@example.com', pending_email: null, email_validated: 1 })
    await forget('new@example.com')
    expect((await mailbox.to('new@example.com', 2)).mail.subject).toBe('Reset password request')
    await forget('acme@example.com')
    await settled()
    expect(mailsTo('acme@example.com').map(({ mail }) => mail.subject)).not.toContain('Reset password request')
  })

  it('gets a new link for the same address, which replaces the previous one', async () => {
    await changeEmail('new@example.com')
    const first = await confirmLink('new@example.com')
    await changeEmail('new@example.com')
    const second = await confirmLink('new@example.com', 2)
    expect(await confirm(first)).toMatchObject({ status: 403 })
    expect(await confirm(second)).toMatchObject({ status: 204 })
    expect(mailsTo('acme@example.com')).toHaveLength(1)
  })

  it('cannot flood a mailbox with links', async () => {
    for (let time = 0; time < 8; time++) {
      await changeEmail(`new${time}@example.com`)
      await changeEmail('acme@example.com')
    }
    expect(mailbox.letters.filter(({ mail }) => mail.subject === 'Confirm your email address')).toHaveLength(5)
    expect(await read()).toMatchObject({ email: 'acme@example.com', pending_email: null })
  })

  it('of a superior changes address and password at once, and the user is notified', async () => {
    const north = apiClient(backend.app, backend.world.keys.north)
    await changeEmail('mistyped@example.com')
    expect(await north('PUT', userPath, { email: 'right@example.com', initial_password: fresh })).toMatchObject({
      status: 204,
    })
    await settled()
    expect(mailsTo('acme@example.com').map(({ mail }) => mail.subject)).toEqual([
      'Your email address was changed',
      'Your email address was changed',
      'Your password was changed',
    ])
    expect(await read()).toMatchObject({ email: 'right@example.com', pending_email: null })
    await forget('right@example.com')
    expect((await mailbox.to('right@example.com')).mail.subject).toBe('Reset password request')
  })

  const people = () => backend.database.db.updateTable('users').where('name', '=', 'acme')

  it.each(['', 'joe@foo.bar', 'Joe@Foo.Bar'])('sends nothing to the placeholder address %j', async (email) => {
    await people().set({ email }).execute()
    if (email) expect(await forget(email)).toMatchObject({ status: 204 })
    await settled()
    expect(mailbox.letters).toEqual([])
    const login = () => anonymous('POST', '/login', { username: 'acme', password })
    expect((await login()).body).toMatchObject({ add_email: true })
    expect(await acme('PUT', userPath, { name: 'acme', email, force_change: 0 })).toMatchObject({ status: 204 })
    await changeEmail('acme@example.org')
    expect(mailbox.letters.flatMap(({ recipients }) => recipients)).toEqual(['acme@example.org'])
    expect((await login()).body).not.toHaveProperty('add_email')
    expect((await anonymous('POST', '/login', { username: 'bolt', password })).body).not.toHaveProperty('add_email')
  })

  it('needs no confirmation without a mail server', async () => {
    await backend.close()
    await start({ features: defaultFeatureFlags }, false)
    await changeEmail('new@example.com')
    expect(await read()).toMatchObject({ email: 'new@example.com', pending_email: null })
    const admin = apiClient(backend.app, backend.world.keys.admin)
    expect(await admin('POST', '/confirm-email', { link: 'x', password })).toMatchObject({ status: 404 })
  })

  it('is not restricted by a due password change, unless it is enforced', async () => {
    await backend.services.users.update(backend.world.users.acme, { force_change: 1 })
    expect(await acme('GET', '/Applications')).toMatchObject({ status: 200 })
    await backend.close()
    await start({ enforcePasswordChange: true })
    expect(await acme('GET', '/Applications')).toMatchObject({ status: 200 })
    await backend.services.users.update(backend.world.users.acme, { force_change: 1 })
    const refused = { status: 403, body: { msg: 'Change your password to continue' } }
    expect(await acme('GET', '/Applications')).toMatchObject(refused)
    expect(await acme('POST', '/ApiKeys', { account_sid: backend.world.accounts.acme })).toMatchObject(refused)
    expect(await acme('PUT', userPath, { email: 'new@example.com' })).toMatchObject(refused)
    expect(await acme('GET', userPath)).toMatchObject(refused)
    expect(await acme('DELETE', userPath)).toMatchObject(refused)
    expect(await acme('GET', '/Users/me')).toMatchObject({ status: 200 })
    expect(await acme('GET', '/PasswordSettings')).toMatchObject({ status: 200 })
    expect(await acme('PUT', userPath, { old_password: password, new_password: fresh })).toMatchObject({ status: 204 })
    expect(await acme('GET', '/Applications')).toMatchObject({ status: 200 })
    await backend.services.users.update(backend.world.users.acme, { force_change: 1 })
    expect(await acme('POST', '/logout')).toMatchObject({ status: 204 })
  })
})
