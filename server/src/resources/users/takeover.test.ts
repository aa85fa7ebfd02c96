import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { createSmtpMail } from '../../adapters/mail/smtp'
import type { Config } from '../../config/config'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { hostedEdition } from '../../../test/hosted-edition'
import { startMailbox, type Mailbox } from '../../../../scripts/launch/mailbox'
import { createApiClient, fetchToken, type ApiClient } from '../../../test/api-client'
import { password } from '../../../test/test-data'

const newPassword = 'Another-horse-2'
const features = { ...defaultFeatureFlags, forgotPassword: true }

describe.each(databaseEngines)('a stolen session token (%s)', (databaseEngine) => {
  let mailbox: Mailbox
  let backend: Backend
  let anonymousClient: ApiClient
  let acmeClient: ApiClient
  let userPath: string

  const start = async (config: Partial<Config> = {}, hasMail = true) => {
    const externalServices = hasMail
      ? { mail: createSmtpMail({ url: mailbox.url, from: 'Trunkline <no-reply@example.com>' }) }
      : undefined
    backend = await startBackend({
      databaseEngine,
      config: { features, publicUrl: 'https://voice.example.com', ...config },
      ...(externalServices ? { externalServices } : {}),
    })
    anonymousClient = createApiClient(backend.app)
    acmeClient = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
    userPath = `/Users/${backend.testData.users.acme}`
  }
  beforeEach(async () => {
    mailbox = await startMailbox()
    await start()
  })
  afterEach(async () => {
    await backend.close()
    await mailbox.close()
  })

  const mailsTo = (address: string) => mailbox.receivedMails.filter(({ recipients }) => recipients.includes(address))
  const requestReset = (email: string) => anonymousClient('POST', '/forgot-password', { email })
  const sendScheduledMail = () => backend.services.outbox.drain()
  const linkOf = (text: string | undefined, page: string) => new RegExp(`/${page}/(\\S+)`).exec(text ?? '')?.[1] ?? ''
  const changeEmail = async (email: string) => {
    expect(await acmeClient('PUT', userPath, { email })).toMatchObject({ status: 204 })
    await sendScheduledMail()
  }
  const mailedConfirmLink = async (address: string, count = 1) =>
    linkOf((await mailbox.waitForMail(address, count)).mail.text, 'confirm-email')
  const confirmEmail = (link: string, enteredPassword = password) =>
    anonymousClient('POST', '/confirm-email', { link, password: enteredPassword })
  const readUser = async () => (await createApiClient(backend.app, backend.testData.keys.admin)('GET', userPath)).body

  it('cannot change the password by any field without the old one', async () => {
    const refusal = { status: 400, body: { msg: expect.stringContaining('old_password'), field: 'old_password' } }
    expect(await acmeClient('PUT', userPath, { initial_password: newPassword })).toMatchObject(refusal)
    expect(await acmeClient('PUT', userPath, { name: 'acme', initial_password: newPassword })).toMatchObject(refusal)
    expect(await acmeClient('PUT', userPath, { new_password: newPassword })).toMatchObject(refusal)
    expect(await acmeClient('PUT', userPath, { initial_password: newPassword, old_password: 'wrong' })).toMatchObject({
      status: 403,
    })
    await expect(fetchToken(backend.app, 'acme', newPassword)).rejects.toThrow('403')
    expect(
      await acmeClient('PUT', userPath, { name: 'acme', initial_password: newPassword, old_password: password }),
    ).toMatchObject({
      status: 204,
    })
    expect(await fetchToken(backend.app, 'acme', newPassword)).toBeTruthy()
  })

  it('causes no reset link to a new address, and the previous address is notified', async () => {
    await changeEmail('attacker@evil.example')
    expect(await readUser()).toMatchObject({ email: 'attacker@evil.example', pending_email: 'attacker@evil.example' })
    const { mail } = await mailbox.waitForMail('acme@example.com')
    expect(mail.subject).toBe('Your email address was changed')
    expect(mail.text).toContain('attacker@evil.example')
    await requestReset('attacker@evil.example')
    await sendScheduledMail()
    expect(mailsTo('attacker@evil.example').map((sentMail) => sentMail.mail.subject)).toEqual([
      'Confirm your email address',
    ])
  })

  it('cannot confirm a new address without the password', async () => {
    await changeEmail('attacker@evil.example')
    const link = await mailedConfirmLink('attacker@evil.example')
    expect(await confirmEmail(link, 'wrong')).toMatchObject({ status: 400, body: { field: 'password' } })
    expect(await acmeClient('POST', '/confirm-email', { link })).toMatchObject({ status: 400 })
    await requestReset('attacker@evil.example')
    await sendScheduledMail()
    expect(mailsTo('attacker@evil.example')).toHaveLength(1)
  })

  it('cannot clear the forced password change', async () => {
    const force_change = async () => (await readUser()).force_change
    await backend.services.users.update(backend.testData.users.acme, { force_change: 1 })
    for (const value of [false, 0])
      expect(await acmeClient('PUT', userPath, { name: 'acme', force_change: value })).toMatchObject({ status: 204 })
    expect(await force_change()).toBe(1)
    await acmeClient('PUT', userPath, { old_password: password, new_password: newPassword })
    expect(await force_change()).toBe(0)
    expect(await acmeClient('PUT', userPath, { force_change: 1 })).toMatchObject({ status: 204 })
    const northClient = createApiClient(backend.app, backend.testData.keys.north)
    expect(await northClient('PUT', userPath, { force_change: 0 })).toMatchObject({ status: 204 })
    expect(await force_change()).toBe(0)
  })

  it('does not redirect password resets: a reset at the confirmed address reverts the change', async () => {
    await changeEmail('attacker@evil.example')
    await requestReset('acme@example.com')
    const { mail } = await mailbox.waitForMail('acme@example.com', 2)
    const link = linkOf(mail.text, 'reset-password')
    const { body } = await anonymousClient('POST', '/signin', { link })
    const resetSessionClient = createApiClient(backend.app, body.jwt)
    expect(
      await resetSessionClient('POST', '/change-password', { old_password: link, new_password: newPassword }),
    ).toMatchObject({
      status: 204,
    })
    expect(await readUser()).toMatchObject({ email: 'acme@example.com', pending_email: null })
    expect(await confirmEmail(await mailedConfirmLink('attacker@evil.example'), newPassword)).toMatchObject({
      status: 403,
    })
  })

  it('changes the address for resets only with the mailed link and the password, once', async () => {
    await changeEmail('new@example.com')
    const link = await mailedConfirmLink('new@example.com')
    expect(await confirmEmail(link)).toMatchObject({ status: 204 })
    expect(await confirmEmail(link)).toMatchObject({ status: 403 })
    expect(await readUser()).toMatchObject({ email: 'new@example.com', pending_email: null, email_validated: 1 })
    await requestReset('new@example.com')
    expect((await mailbox.waitForMail('new@example.com', 2)).mail.subject).toBe('Reset password request')
    await requestReset('acme@example.com')
    await sendScheduledMail()
    expect(mailsTo('acme@example.com').map(({ mail }) => mail.subject)).not.toContain('Reset password request')
  })

  it('causes a new link for the same address, which replaces the previous one', async () => {
    await changeEmail('new@example.com')
    const firstLink = await mailedConfirmLink('new@example.com')
    await changeEmail('new@example.com')
    const secondLink = await mailedConfirmLink('new@example.com', 2)
    expect(await confirmEmail(firstLink)).toMatchObject({ status: 403 })
    expect(await confirmEmail(secondLink)).toMatchObject({ status: 204 })
    expect(mailsTo('acme@example.com')).toHaveLength(1)
  })

  it('cannot flood a mailbox with links', async () => {
    for (let round = 0; round < 8; round++) {
      await changeEmail(`new${round}@example.com`)
      await changeEmail('acme@example.com')
    }
    expect(mailbox.receivedMails.filter(({ mail }) => mail.subject === 'Confirm your email address')).toHaveLength(5)
    expect(await readUser()).toMatchObject({ email: 'acme@example.com', pending_email: null })
  })

  it('cannot flood mailboxes by parallel requests', async () => {
    const addresses = Array.from({ length: 12 }, (_, index) => `new${index}@example.com`)
    const responses = await Promise.all(addresses.map((email) => acmeClient('PUT', userPath, { email })))
    expect(responses.map(({ status }) => status)).toEqual(addresses.map(() => 204))
    await sendScheduledMail()
    expect(mailbox.receivedMails.filter(({ mail }) => mail.subject === 'Confirm your email address')).toHaveLength(5)
    const { email, pending_email } = await readUser()
    expect(pending_email).toBe(email)
  })

  it('does not prevent a provider from changing address and password at once, which notifies the user', async () => {
    const northClient = createApiClient(backend.app, backend.testData.keys.north)
    await changeEmail('mistyped@example.com')
    expect(
      await northClient('PUT', userPath, { email: 'right@example.com', initial_password: newPassword }),
    ).toMatchObject({
      status: 204,
    })
    await sendScheduledMail()
    expect(mailsTo('acme@example.com').map(({ mail }) => mail.subject)).toEqual([
      'Your email address was changed',
      'Your email address was changed',
      'Your password was changed',
    ])
    expect(await readUser()).toMatchObject({ email: 'right@example.com', pending_email: null })
    await requestReset('right@example.com')
    expect((await mailbox.waitForMail('right@example.com')).mail.subject).toBe('Reset password request')
  })

  const updateAcme = () => backend.database.db.updateTable('users').where('name', '=', 'acme')

  it.each(['', 'joe@foo.bar', 'Joe@Foo.Bar'])('causes no mail to the placeholder address %j', async (email) => {
    await updateAcme().set({ email }).execute()
    if (email) expect(await requestReset(email)).toMatchObject({ status: 204 })
    await sendScheduledMail()
    expect(mailbox.receivedMails).toEqual([])
    const login = () => anonymousClient('POST', '/login', { username: 'acme', password })
    expect((await login()).body).toMatchObject({ add_email: true })
    expect(await acmeClient('PUT', userPath, { name: 'acme', email, force_change: 0 })).toMatchObject({ status: 204 })
    await changeEmail('acme@example.org')
    expect(mailbox.receivedMails.flatMap(({ recipients }) => recipients)).toEqual(['acme@example.org'])
    expect((await login()).body).not.toHaveProperty('add_email')
    expect((await anonymousClient('POST', '/login', { username: 'bolt', password })).body).not.toHaveProperty(
      'add_email',
    )
  })

  it('needs no confirmation without a mail server', async () => {
    await backend.close()
    await start({ features: defaultFeatureFlags }, false)
    await changeEmail('new@example.com')
    expect(await readUser()).toMatchObject({ email: 'new@example.com', pending_email: null })
    const adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    expect(await adminClient('POST', '/confirm-email', { link: 'x', password })).toMatchObject({ status: 404 })
  })

  it('is restricted by a forced password change only if the installation enforces it', async () => {
    await backend.services.users.update(backend.testData.users.acme, { force_change: 1 })
    expect(await acmeClient('GET', '/Applications')).toMatchObject({ status: 200 })
    await backend.close()
    await start({ enforcePasswordChange: true })
    expect(await acmeClient('GET', '/Applications')).toMatchObject({ status: 200 })
    await backend.services.users.update(backend.testData.users.acme, { force_change: 1 })
    const refusal = { status: 403, body: { msg: 'Change your password to continue' } }
    expect(await acmeClient('GET', '/Applications')).toMatchObject(refusal)
    expect(await acmeClient('POST', '/ApiKeys', { account_sid: backend.testData.accounts.acme })).toMatchObject(refusal)
    expect(await acmeClient('PUT', userPath, { email: 'new@example.com' })).toMatchObject(refusal)
    expect(await acmeClient('GET', userPath)).toMatchObject(refusal)
    expect(await acmeClient('DELETE', userPath)).toMatchObject(refusal)
    expect(await acmeClient('GET', '/Users/me')).toMatchObject({ status: 200 })
    expect(await acmeClient('GET', '/PasswordSettings')).toMatchObject({ status: 200 })
    expect(await acmeClient('PUT', userPath, { old_password: password, new_password: newPassword })).toMatchObject({
      status: 204,
    })
    expect(await acmeClient('GET', '/Applications')).toMatchObject({ status: 200 })
    await backend.services.users.update(backend.testData.users.acme, { force_change: 1 })
    expect(await acmeClient('POST', '/logout')).toMatchObject({ status: 204 })
  })

  it('is not restricted by a forced password change in the hosted edition, which has none', async () => {
    await backend.close()
    await start({ enforcePasswordChange: true, hostedEdition })
    await backend.services.users.update(backend.testData.users.acme, { force_change: 1 })
    expect(await acmeClient('GET', '/Applications')).toMatchObject({ status: 200 })
  })
})
