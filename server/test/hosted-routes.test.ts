import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { createStripePayment } from '../src/adapters/payment/stripe'
import { startStripeDouble, type StripeDouble } from '../../scripts/launch/stripe-double/server'
import { listRoutes } from './api-client'
import { startBackend, type Backend } from './backend'
import { databaseEngines } from './databases'
import { newPassword, rootDomain, startHostedBackend, type HostedBackend } from './hosted-backend'
import { webhookSecret } from './payment-backend'
import { listen } from './raw-request'

const features = { ...defaultFeatureFlags, forgotPassword: true }

/** The routes that only the hosted edition has. */
const listHostedRoutes = async (hostedBackend: Backend, selfHostedBackend: Backend): Promise<string[]> => {
  const selfHostedRoutes = new Set(await listRoutes(selfHostedBackend.app))
  return (await listRoutes(hostedBackend.app)).filter((route) => !selfHostedRoutes.has(route))
}

const startWithStripe = async (databaseEngine: (typeof databaseEngines)[number]) => {
  const double = await startStripeDouble()
  const stripe = { apiKey: 'sk_test_double', webhookSecret, apiUrl: double.url }
  const backend = await startHostedBackend({
    databaseEngine,
    edition: { stripe },
    config: { features },
    externalServices: { payment: createStripePayment(stripe) },
  })
  return { double, backend }
}

interface ResponseDescription {
  content?: Record<string, { schema: Parameters<typeof z.fromJSONSchema>[0] }>
}

interface ApiDescription {
  paths: Record<string, Record<string, { responses: Record<string, ResponseDescription> }>>
}

interface Call {
  params?: Record<string, string>
  body?: unknown
  token?: string
}

const sendJson = async (url: string, method: string, { body, token }: Call) => {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** Sends requests and compares each response with its description. */
const createDescribedClient = async (url: string) => {
  const description = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDescription
  const calledRoutes = new Set<string>()
  const call = async (route: string, expectedStatus: number, options: Call = {}): Promise<unknown> => {
    const [method = '', path = ''] = route.split(' ')
    const filledPath = path.replace(/:(\w+)/g, (_, name: string) => options.params![name]!)
    const { status, text } = await sendJson(`${url}/v1${filledPath}`, method, options)
    expect({ route, status, text }).toMatchObject({ status: expectedStatus })
    calledRoutes.add(route)
    const { responses } = description.paths[`/v1${path.replace(/:(\w+)/g, '{$1}')}`]![method.toLowerCase()]!
    expect(Object.keys(responses), route).toContain(String(status))
    const schema = responses[status]?.content?.['application/json']?.schema
    const json: unknown = text === '' ? null : JSON.parse(text)
    const result = z.fromJSONSchema(schema ?? { type: 'null' }).safeParse(json)
    expect({ route, issues: result.error?.issues ?? [] }).toEqual({ route, issues: [] })
    return json
  }
  return { call, calledRoutes }
}

describe('a server without the hosted edition', () => {
  let backend: Backend
  let hostedRoutes: string[]
  beforeAll(async () => {
    backend = await startBackend()
    const { backend: hostedBackend, double } = await startWithStripe('sqlite')
    hostedRoutes = await listHostedRoutes(hostedBackend, backend)
    await hostedBackend.close()
    await double.close()
  })
  afterAll(() => backend.close())

  it.each(['without a credential', 'with an unknown token', 'as administrator'] as const)(
    'returns 404 for each of its routes, %s',
    async (caller) => {
      expect(hostedRoutes.length).toBeGreaterThan(15)
      const token = {
        'without a credential': '',
        'with an unknown token': 'x',
        'as administrator': backend.testData.keys.admin,
      }
      for (const route of hostedRoutes) {
        const [method = '', path = ''] = route.split(' ')
        for (const payload of method === 'GET' || method === 'DELETE' ? [undefined] : [undefined, { a: 1 }]) {
          const { statusCode } = await backend.app.inject({
            method: method as 'GET',
            url: `/v1${path.replace(/:\w+/g, () => randomUUID())}`,
            headers: token[caller] ? { authorization: `Bearer ${token[caller]}` } : {},
            ...(payload ? { payload } : {}),
          })
          expect({ route, payload, statusCode }).toEqual({ route, payload, statusCode: 404 })
        }
      }
    },
  )

  it('returns 404 to Stripe', async () => {
    const response = await backend.app.inject({ method: 'POST', url: '/stripe/webhook', payload: { id: 'evt_1' } })
    expect(response.statusCode).toBe(404)
  })
})

describe.each(databaseEngines)('the description of the hosted edition (%s)', (databaseEngine) => {
  let backend: HostedBackend
  let double: StripeDouble
  let url: string
  beforeAll(async () => {
    ;({ backend, double } = await startWithStripe(databaseEngine))
    url = `http://127.0.0.1:${await listen(backend.app)}`
  })
  afterAll(async () => {
    await backend.close()
    await double.close()
  })

  it('has every route, and is true for the response of each', async () => {
    const selfHostedBackend = await startBackend()
    const hostedRoutes = await listHostedRoutes(backend, selfHostedBackend)
    await selfHostedBackend.close()

    const { call, calledRoutes } = await createDescribedClient(url)
    const admin = { token: backend.testData.keys.admin }
    const email = 'jo@new.example.com'

    // registration
    const { codes } = (await call('POST /BetaInviteCodes', 200, { ...admin, body: { count: 2 } })) as {
      codes: string[]
    }
    await call('POST /InviteCodes', 204, { body: { code: codes[0], test: true } })
    const { jwt, user_sid, account_sid } = (await call('POST /register', 200, {
      body: {
        provider: 'local',
        service_provider_sid: backend.serviceProviderSid,
        email,
        password: newPassword,
        email_activation_code: '111111',
      },
    })) as Record<string, string>
    const registrant = { token: jwt! }
    const firstCode = await backend.readCode(email)
    await backend.database.db
      .updateTable('trunkline_registrations')
      .set({ sent_at: 0 })
      .where('email', '=', email)
      .execute()
    await call('POST /ActivationCode', 204, { ...registrant, body: { user_sid, type: 'email' } })
    const code = await backend.readCode(email, 2)
    expect(code).not.toBe(firstCode)
    await call('PUT /ActivationCode/:code', 204, { ...registrant, params: { code }, body: { user_sid, type: 'email' } })
    const sip_realm = `acme.${rootDomain}`
    await call('POST /Accounts/:account_sid/SipRealms/:sip_realm', 204, {
      ...registrant,
      params: { account_sid: account_sid!, sip_realm },
    })
    await call('GET /Users/me', 200, registrant)

    // the plan, as the provider sees and changes it
    const params = { account_sid: account_sid! }
    const inAccount = { ...admin, params }
    const trial_end_date = new Date(Date.now() + 86_400_000).toISOString()
    await call('PUT /Accounts/:account_sid/Trial', 204, { ...inAccount, body: { trial_end_date } })
    await call('POST /Accounts/:account_sid/Reactivation', 204, inAccount)
    await call('GET /Accounts/:account_sid/Subscription', 200, inAccount)

    // payment
    const prices = (await call('GET /Prices', 200, registrant)) as {
      category: string
      product_sid: string
      prices: { stripe_price_id: string }[]
    }[]
    const buildProducts = (sessions: number) =>
      prices.map(({ product_sid, prices: [price], category }) => ({
        product_sid,
        price_id: price!.stripe_price_id,
        quantity: category === 'device' ? 0 : sessions,
      }))
    await call('GET /StripeCustomerId', 200, registrant)
    await call('DELETE /StripeCustomerId', 204, registrant)
    const upgrade = { action: 'upgrade-to-paid', payment_method_id: 'pm_card_visa', products: buildProducts(5) }
    await call('POST /Subscriptions', 201, { ...registrant, body: { ...upgrade, dry_run: true } })
    await call('POST /Subscriptions', 201, { ...registrant, body: upgrade })
    await call('GET /Subscriptions', 200, registrant)
    await call('GET /Invoices', 200, registrant)
    await call('GET /Users/me', 200, registrant)
    await call('GET /Accounts/:account_sid/Subscription', 200, inAccount)
    await call('GET /Accounts', 200, admin)
    await call('GET /ServiceProviders/:service_provider_sid/PlanSummary', 200, {
      ...admin,
      params: { service_provider_sid: backend.serviceProviderSid },
    })
    const update = { action: 'update-quantities', products: buildProducts(8) }
    await call('POST /Subscriptions', 201, { ...registrant, body: { ...update, dry_run: true } })
    await call('POST /Subscriptions', 201, { ...registrant, body: update })
    await call('POST /Subscriptions', 200, { ...registrant, body: { action: 'downgrade-to-free' } })
    await call('GET /Users/me', 200, registrant)

    // sign-in with the address, also a changed one
    await call('POST /signin', 200, { body: { email, password: newPassword } })
    await call('PUT /Users/:user_sid', 204, {
      ...registrant,
      params: { user_sid: user_sid! },
      body: { email: 'jo@two.example.com' },
    })
    const confirmationMail = await backend.mailbox.waitForMail('jo@two.example.com')
    const link = /confirm-email\/(\S+)/.exec(confirmationMail.mail.text ?? '')?.[1]
    await call('POST /confirm-email', 204, { body: { link, password: newPassword } })
    await call('POST /forgot-password', 204, { body: { email: 'jo@two.example.com' } })

    expect(hostedRoutes.filter((route) => !calledRoutes.has(route))).toEqual([])
  })
})
