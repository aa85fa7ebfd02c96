import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createClients } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { rootDomain, startHostedBackend, type HostedBackend } from '../../../test/hosted-backend'

describe.each(databaseEngines)('the current user of the hosted edition (%s)', (databaseEngine) => {
  let backend: HostedBackend
  afterEach(() => backend.close())
  const start = async () => {
    backend = await startHostedBackend({ databaseEngine })
  }

  it('has the subscription, the API keys and the root domain of the account', async () => {
    await start()
    const { client, registration } = await backend.registerUser('jo@new.example.com')
    const { account_sid, user_sid } = registration
    const { body: key } = await client('POST', '/ApiKeys', { account_sid })
    const { db } = backend.database
    await db
      .insertInto('account_static_ips')
      .values({
        account_static_ip_sid: randomUUID(),
        account_sid,
        public_ipv4: '192.0.2.7',
        private_ipv4: Buffer.from('10.0.0.7'),
      })
      .execute()
    const { status, body } = await client('GET', '/Users/me')
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['account', 'api_keys', 'static_ips', 'subscription', 'user'])
    expect(body).toMatchObject({
      user: { user_sid, email: 'jo@new.example.com', provider: 'local', email_validated: true },
      account: { account_sid, is_active: true, root_domain: rootDomain, plan_type: 'trial', sip_realm: null },
      api_keys: [{ api_key_sid: key.sid, token: key.token, last_used: null, created_at: expect.any(String) }],
      subscription: {
        status: 'active',
        account_subscription_sid: expect.any(String),
        start_date: expect.stringMatching(/Z$/),
        products: [
          { name: 'concurrent call session', quantity: 5 },
          { name: 'registered device', quantity: 0 },
        ],
      },
      static_ips: ['192.0.2.7'],
    })
    for (const hidden of ['account_sid', 'hashed_password', 'email_activation_code'])
      expect(body.user).not.toHaveProperty(hidden)
  })

  it('has the card, a waiting change and the reason of a suspension', async () => {
    await start()
    const { client, registration } = await backend.registerUser('jo@new.example.com')
    const { account_sid } = registration
    const { db } = backend.database
    const stripe_subscription_id = 'sub_1'
    const card = {
      stripe_subscription_id,
      last4: backend.services.encryption.encrypt('4242'),
      exp_month: 4,
      exp_year: 2030,
      card_type: 'visa',
      stripe_statement_descriptor: 'TRUNKLINE',
    }
    await db.updateTable('account_subscriptions').set(card).where('account_sid', '=', account_sid).execute()
    const waitingSid = randomUUID()
    await db
      .insertInto('account_subscriptions')
      .values({
        account_subscription_sid: waitingSid,
        account_sid,
        pending: 1,
        pending_reason: Buffer.from('payment failed'),
        stripe_subscription_id,
      })
      .execute()
    const { product_sid } = await db
      .selectFrom('products')
      .select('product_sid')
      .where('category', '=', 'device')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('account_products')
      .values({ account_product_sid: randomUUID(), account_subscription_sid: waitingSid, product_sid, quantity: 20 })
      .execute()
    const readSubscription = async () => (await client('GET', '/Users/me')).body.subscription
    expect(await readSubscription()).toMatchObject({
      status: 'active',
      last4: '4242',
      exp_month: 4,
      exp_year: 2030,
      card_type: 'visa',
      statement_descriptor: 'TRUNKLINE',
      pending: { products: [{ name: 'registered device', quantity: 20 }], reason: 'payment failed' },
    })
    await db.deleteFrom('account_products').where('account_subscription_sid', '=', waitingSid).execute()
    await db.deleteFrom('account_subscriptions').where('account_subscription_sid', '=', waitingSid).execute()
    await db
      .updateTable('account_subscriptions')
      .set({ pending: 1, pending_reason: Buffer.from('payment failed'), last4: 'damaged' })
      .where('account_sid', '=', account_sid)
      .execute()
    const suspended = await readSubscription()
    expect(suspended).toMatchObject({ status: 'suspended', suspend_reason: 'payment failed' })
    expect(suspended).not.toHaveProperty('pending')
    expect(suspended).not.toHaveProperty('last4')
  })

  it('has the quantities of the free plan if the account has no subscription', async () => {
    await start()
    const { users, viewer } = await createClients(backend)
    expect((await users.acme('GET', '/Users/me')).body).toMatchObject({
      subscription: {
        status: 'active',
        start_date: null,
        products: [
          { name: 'concurrent call session', quantity: 1 },
          { name: 'registered device', quantity: 1 },
        ],
      },
    })
    const { body } = await viewer('GET', '/Users/me')
    expect(body.api_keys[0].token).toMatch(/^X{8}-/)
  })

  it('has the form of the self-hosted edition for administrators and providers', async () => {
    await start()
    const { users } = await createClients(backend)
    for (const client of [users.admin, users.north]) {
      const { status, body } = await client('GET', '/Users/me')
      expect(status).toBe(200)
      expect(Object.keys(body).sort()).toEqual(['account', 'sp', 'user'])
      expect(body.account.account_sid).toBeNull()
    }
  })

  it('learns nothing about the addresses of other accounts', async () => {
    await start()
    const { users } = await createClients(backend)
    const isAvailable = async (client: typeof users.acme, email: string) =>
      (await client('GET', `/Availability?type=email&value=${email}`)).body.available
    expect(await isAvailable(users.acme, 'bolt@example.com')).toBe(true)
    expect(await isAvailable(users.acme, 'ACME@example.com')).toBe(false)
    expect(await isAvailable(users.north, 'bolt@example.com')).toBe(false)
    expect(await users.acme('GET', '/Availability?type=subdomain&value=bolt.example.com')).toMatchObject({
      body: { available: false },
    })
  })
})
