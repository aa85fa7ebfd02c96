import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, fetchToken } from '../../../test/api-client'
import { newPassword, startHostedBackend, type HostedBackend } from '../../../test/hosted-backend'
import { toColumnTime } from '../../db/time'
import { createTrials } from './trials'

const dayMs = 86_400_000
const publicUrl = 'https://voice.example.com'

describe.each(databaseEngines)('trials (%s)', (databaseEngine) => {
  let backend: HostedBackend
  let account_sid: string
  beforeEach(async () => {
    backend = await startHostedBackend({ databaseEngine })
    const { registration } = await backend.registerUser('anna@example.com')
    account_sid = registration.account_sid
  })
  afterEach(() => backend.close())

  /** Trials as another server would handle them, some days from now. */
  const trialsInDays = (days: number) =>
    createTrials(
      { store: backend.services.store, mail: backend.services.mail },
      { publicUrl, canUpgrade: true, now: () => new Date(Date.now() + days * dayMs) },
    )
  const readAccount = () =>
    backend.database.db
      .selectFrom('accounts')
      .select(['plan_type', 'is_active', 'deactivated_reason'])
      .where('account_sid', '=', account_sid)
      .executeTakeFirstOrThrow()
  const readQuantities = () =>
    backend.database.db
      .selectFrom('account_subscriptions as s')
      .innerJoin('account_products as a', 'a.account_subscription_sid', 's.account_subscription_sid')
      .innerJoin('products as p', 'p.product_sid', 'a.product_sid')
      .select(['p.category', 'a.quantity'])
      .where('s.account_sid', '=', account_sid)
      .where('s.effective_end_date', 'is', null)
      .orderBy('p.category')
      .execute()
  const mailsAboutTrial = () =>
    backend.mailbox.receivedMails.filter(({ mail }) => mail.subject === 'Your trial ends soon')

  it('do not end early', async () => {
    await trialsInDays(20).endExpired()
    expect(await readAccount()).toEqual({ plan_type: 'trial', is_active: 1, deactivated_reason: null })
  })

  it('end at their date, with the quantities of the free plan', async () => {
    await trialsInDays(22).endExpired()
    expect(await readAccount()).toEqual({ plan_type: 'free', is_active: 0, deactivated_reason: 'trial expired' })
    expect(await readQuantities()).toEqual(
      expect.arrayContaining([
        { category: 'voice_call_session', quantity: 1 },
        { category: 'device', quantity: 1 },
      ]),
    )
    const ended = await backend.database.db
      .selectFrom('account_subscriptions')
      .select('change_reason')
      .where('account_sid', '=', account_sid)
      .where('effective_end_date', 'is not', null)
      .execute()
    expect(ended).toEqual([{ change_reason: 'trial expired' }])
  })

  it('end once if several servers end them at the same time', async () => {
    await Promise.all([trialsInDays(22).endExpired(), trialsInDays(22).endExpired(), trialsInDays(22).endExpired()])
    expect(await readQuantities()).toHaveLength(2)
  })

  it('leave paid accounts as they are', async () => {
    await backend.services.accounts.update(account_sid, { plan_type: 'paid' })
    await trialsInDays(22).endExpired()
    expect(await readAccount()).toMatchObject({ plan_type: 'paid', is_active: 1 })
  })

  it('let users sign in after the end, to upgrade, but refuse the API keys of the account', async () => {
    const key = await createApiClient(backend.app, backend.testData.keys.admin)('POST', '/ApiKeys', { account_sid })
    const keyClient = createApiClient(backend.app, key.body.token)
    expect((await keyClient('GET', '/Applications')).status).toBe(200)
    await trialsInDays(22).endExpired()
    const client = createApiClient(backend.app, await fetchToken(backend.app, 'anna@example.com', newPassword))
    expect(await client('GET', '/Users/me')).toMatchObject({
      status: 200,
      body: { account: { is_active: false, plan_type: 'free' } },
    })
    expect((await keyClient('GET', '/Applications')).status).toBe(401)
    for (const path of ['Calls', 'Messages'])
      expect(await client('POST', `/Accounts/${account_sid}/${path}`, {})).toMatchObject({
        status: 403,
        body: { msg: 'The account is not active, so it makes no calls.' },
      })
  })

  it('keep users out of an account that was deactivated for another reason', async () => {
    await backend.services.accounts.update(account_sid, { is_active: 0, deactivated_reason: 'abuse' })
    const client = createApiClient(backend.app)
    const response = await client('POST', '/login', { username: 'anna@example.com', password: newPassword })
    expect(response.status).toBe(403)
  })

  it('are announced by one email three days before, again after an extension', async () => {
    await trialsInDays(17).sendReminders()
    expect(mailsAboutTrial()).toHaveLength(0)
    await Promise.all([trialsInDays(18.5).sendReminders(), trialsInDays(18.5).sendReminders()])
    await trialsInDays(19).sendReminders()
    expect(mailsAboutTrial()).toHaveLength(1)
    expect(mailsAboutTrial()[0]!.mail.text).toContain('The free trial of the account anna@example.com')
    expect(mailsAboutTrial()[0]!.mail.text).toContain(publicUrl)
    await backend.services.accounts.update(account_sid, {
      trial_end_date: toColumnTime(new Date(Date.now() + 30 * dayMs)),
    })
    await trialsInDays(28).sendReminders()
    expect(mailsAboutTrial()).toHaveLength(2)
  })

  it('are announced in the next round if the mail server refused the email', async () => {
    const { mail } = backend.services
    const failing = createTrials(
      {
        store: backend.services.store,
        mail: { ...mail!, send: () => Promise.reject(new Error('the mail server is down')) },
      },
      { publicUrl, canUpgrade: true, now: () => new Date(Date.now() + 19 * dayMs) },
    )
    await expect(failing.sendReminders()).rejects.toThrow('the mail server is down')
    await trialsInDays(19).sendReminders()
    expect(mailsAboutTrial()).toHaveLength(1)
  })
})
