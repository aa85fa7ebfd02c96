import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStripeDouble, type Interference } from '../../scripts/launch/stripe-double/server'
import { createEmptyDatabase, databaseEngines, type EmptyDatabase } from './databases'
import { bundleServer, createTemporaryFolder, killAllServers, startProcess, type ServerProcess } from './process'

const INITIAL_ADMIN_API_KEY = '5f3c7b1e-2a4d-4c6f-8e9a-0b1c2d3e4f50'
/** More than the requests of the longest change. */
const maxRequests = 14

interface Response {
  status: number
  body: ReturnType<typeof JSON.parse>
}

/** A server process with the double of Stripe, which kills it at a request. */
const createKilledServer = async (environment: Record<string, string>) => {
  const double = await startStripeDouble()
  let server: ServerProcess
  let url: string

  const start = async () => {
    server = startProcess({
      INITIAL_ADMIN_API_KEY,
      ENABLE_HOSTED_SYSTEM: 'true',
      TERMS_URL: 'https://example.com/terms',
      PRIVACY_URL: 'https://example.com/privacy',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'no-reply@example.com',
      STRIPE_API_KEY: 'sk_test_double',
      STRIPE_WEBHOOK_SECRET: 'whsec_double',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_double',
      STRIPE_API_URL: double.url,
      DISABLE_RATE_LIMITS: 'true',
      LOG_LEVEL: 'silent',
      JWT_SECRET: 'a secret',
      ENCRYPTION_SECRET: 'another',
      ...environment,
    })
    url = await server.ready
  }
  await start()

  const request = async (method: string, path: string, body?: object, token = INITIAL_ADMIN_API_KEY) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
  }

  /** The jobs of a start have ended if no request follows for a while. */
  const waitForQuiet = async () => {
    for (let count = -1; count !== double.requests.length;) {
      count = double.requests.length
      await delay(250)
    }
  }

  return {
    double,
    request,
    /** Creates an account. Returns its SID and an API key of it. */
    async addAccount(name: string) {
      const { body: providers } = await request('GET', '/ServiceProviders')
      const account = await request('POST', '/Accounts', {
        name,
        service_provider_sid: providers[0].service_provider_sid,
      })
      const account_sid: string = account.body.sid
      const { body } = await request('POST', '/ApiKeys', { account_sid })
      return { account_sid, token: body.token as string }
    },

    /** Runs a change and kills the server at its n-th request to Stripe. Returns whether there was such a request. */
    async killDuring(send: () => Promise<Response>, requestNumber: number, interference: Interference) {
      await waitForQuiet()
      let count = 0
      let isKilled = false
      double.setInterference((_, path) => {
        if (/^\/v1\/(products|prices)$/.test(path)) return 'none'
        count += 1
        if (count < requestNumber) return 'none'
        if (!isKilled) server.kill('SIGKILL')
        isKilled = true
        return interference
      })
      const response = await send().catch(() => undefined)
      if (isKilled) await server.exitStatus
      double.setInterference(() => 'none')
      if (isKilled) {
        expect(response).toBeUndefined()
        await start()
      }
      return isKilled
    },

    close: async () => {
      server.kill('SIGTERM')
      await server.exitStatus
      await double.close()
    },
  }
}

type KilledServer = Awaited<ReturnType<typeof createKilledServer>>

beforeAll(bundleServer)
afterAll(killAllServers)

describe.each(databaseEngines)('after a SIGKILL, a server completes (%s)', (databaseEngine) => {
  let server: KilledServer
  let database: EmptyDatabase | undefined
  const { folder, remove } = createTemporaryFolder()
  beforeAll(async () => {
    database = databaseEngine === 'mysql' ? await createEmptyDatabase('mysql') : undefined
    const name = database
      ? (await sql<{ name: string }>`select database() as name`.execute(database.db)).rows[0]!.name
      : ''
    server = await createKilledServer({
      DATA_DIR: folder,
      ...(database ? { DATABASE_URL: new URL(`/${name}`, process.env.TEST_MYSQL_URL).href } : {}),
    })
  }, 60_000)
  afterAll(async () => {
    await server.close()
    await database?.close()
    remove()
  })

  /** On MySQL a restarted server waits until the lease of the killed one expires, so only some requests are tested. */
  const killPoints = (
    databaseEngine === 'mysql' ? [2] : Array.from({ length: maxRequests }, (_, index) => index + 1)
  ).flatMap((requestNumber) =>
    (['lose-request', 'lose-response'] as const).map((interference) => ({ requestNumber, interference })),
  )

  const buildProducts = async (token: string, sessions: number, devices: number) => {
    const { body } = await server.request('GET', '/Prices', undefined, token)
    return (body as { product_sid: string; prices: { stripe_price_id: string }[] }[]).map(
      ({ product_sid, prices }, index) => ({
        product_sid,
        price_id: prices[0]!.stripe_price_id,
        quantity: [sessions, devices][index]!,
      }),
    )
  }
  const change = (token: string, body: object) => server.request('POST', '/Subscriptions', body, token)
  const upgrade = async (token: string, sessions: number, devices: number) =>
    change(token, {
      action: 'upgrade-to-paid',
      payment_method_id: 'pm_card_visa',
      products: await buildProducts(token, sessions, devices),
    })

  /** What Stripe has of an account. */
  const readStripe = (account_sid: string) => {
    const { store } = server.double
    const customers = [...store.customers.values()].filter(({ metadata }) => metadata.account_sid === account_sid)
    const subscriptions = [...store.subscriptions.values()].filter(
      ({ metadata }) => metadata.account_sid === account_sid,
    )
    const invoices = [...store.invoices.values()].filter(({ customer }) => customers.some(({ id }) => id === customer))
    return { customers, subscriptions, charged: invoices.reduce((sum, { amount_paid }) => sum + amount_paid, 0) }
  }
  const readAccount = async (account_sid: string) => (await server.request('GET', `/Accounts/${account_sid}`)).body
  const readSubscription = async (account_sid: string) => {
    const { body: providers } = await server.request('GET', '/ServiceProviders')
    const { body } = await server.request('GET', `/ServiceProviders/${providers[0].service_provider_sid}/Accounts`)
    return (body as { account_sid: string; subscription: object }[]).find((row) => row.account_sid === account_sid)!
      .subscription
  }
  /** Runs a change once for every kill point that it reaches. */
  const killAtEachRequest = async (
    name: string,
    prepare: (token: string) => Promise<unknown>,
    send: (token: string) => Promise<Response>,
    check: (account_sid: string) => Promise<void>,
    firstRequest = 1,
  ) => {
    let killCount = 0
    for (const { requestNumber, interference } of killPoints) {
      if (requestNumber < firstRequest) continue
      const { account_sid, token } = await server.addAccount(`${name} ${requestNumber} ${interference}`)
      await prepare(token)
      if (await server.killDuring(() => send(token), requestNumber, interference)) killCount += 1
      await expect
        .poll(() => check(account_sid).then(() => 'complete', String), { timeout: 45_000, interval: 100 })
        .toBe('complete')
    }
    return killCount
  }

  it('an upgrade, and charges it once', { timeout: 300_000 }, async () => {
    const killCount = await killAtEachRequest(
      'upgrade',
      () => Promise.resolve(),
      (token) => upgrade(token, 10, 20),
      async (account_sid) => {
        expect(await readAccount(account_sid)).toMatchObject({ plan_type: 'paid' })
        expect(await readSubscription(account_sid)).toMatchObject({
          status: 'active',
          products: [{ quantity: 10 }, { quantity: 20 }],
        })
        const { customers, subscriptions, charged } = readStripe(account_sid)
        expect(customers).toHaveLength(1)
        expect(subscriptions.map(({ status }) => status)).toEqual(['active'])
        expect(charged).toBe(13_800)
      },
    )
    // Customer, two requests for the card, subscription, its state, its next invoice.
    expect(killCount).toBeGreaterThanOrEqual(databaseEngine === 'mysql' ? 2 : 12)
  })

  it('a change of quantities, and charges it once', { timeout: 300_000 }, async () => {
    const killCount = await killAtEachRequest(
      'change',
      (token) => upgrade(token, 10, 20),
      async (token) => change(token, { action: 'update-quantities', products: await buildProducts(token, 20, 20) }),
      async (account_sid) => {
        expect(await readSubscription(account_sid)).toMatchObject({
          status: 'active',
          products: [{ quantity: 20 }, { quantity: 20 }],
        })
        const { subscriptions, charged } = readStripe(account_sid)
        expect(subscriptions).toMatchObject([
          { status: 'active', items: { data: [{ quantity: 20 }, { quantity: 20 }] } },
        ])
        expect(charged).toBeGreaterThan(13_800)
        expect(charged).toBeLessThanOrEqual(13_800 + 12_000)
      },
      // The first request reads the currency of the subscription, before the change is stored.
      2,
    )
    expect(killCount).toBeGreaterThanOrEqual(databaseEngine === 'mysql' ? 2 : 8)
  })

  it('a downgrade', { timeout: 300_000 }, async () => {
    const killCount = await killAtEachRequest(
      'downgrade',
      (token) => upgrade(token, 10, 20),
      (token) => change(token, { action: 'downgrade-to-free' }),
      async (account_sid) => {
        const { subscriptions } = readStripe(account_sid)
        expect(subscriptions).toMatchObject([{ status: 'active', cancel_at_period_end: true }])
        expect(await readSubscription(account_sid)).toMatchObject({ ends_at: expect.any(String) })
      },
    )
    expect(killCount).toBeGreaterThanOrEqual(databaseEngine === 'mysql' ? 2 : 4)
  })
})
