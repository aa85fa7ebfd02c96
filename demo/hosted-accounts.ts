import { createApiClient, request, type ApiClient } from '../scripts/launch/api'
import type { StripeDouble } from '../scripts/launch/stripe-double/server'

/** What the steps of the demonstration need. */
export interface HostedDemo {
  url: string
  /** An administrator's client. */
  api: ApiClient
  stripe: StripeDouble
  service_provider_sid: string
  rootDomain: string
  readCode: (email: string) => Promise<string>
}

export const daySeconds = 86_400

const inDays = (days: number) => new Date(Date.now() + days * daySeconds * 1000).toISOString()

/** An account that somebody can sign in to. */
export interface DemoAccount {
  account_sid: string
  email: string
  client: ApiClient
}

const sendPublic = async <T>(url: string, token: string, method: string, path: string, body?: object): Promise<T> => {
  const response = await request<T>(url, token, method, path, body as Record<string, unknown> | undefined)
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body
}

/** Registers an account as people do: with a code from a mail, and a SIP realm. */
export const registerAccount = async (
  demo: HostedDemo,
  { name, subdomain, password }: { name: string; subdomain: string; password: string },
): Promise<DemoAccount> => {
  const { url, api, service_provider_sid, rootDomain } = demo
  const email = `${subdomain}@${rootDomain}`
  const { jwt, user_sid, account_sid } = await sendPublic<{ jwt: string; user_sid: string; account_sid: string }>(
    url,
    '',
    'POST',
    '/register',
    { provider: 'local', service_provider_sid, email, password, email_activation_code: '000000' },
  )
  await sendPublic(url, jwt, 'PUT', `/ActivationCode/${await demo.readCode(email)}`, { user_sid, type: 'email' })
  await sendPublic(url, jwt, 'POST', `/Accounts/${account_sid}/SipRealms/${subdomain}.${rootDomain}`)
  await api.put(`/Accounts/${account_sid}`, { name })
  return { account_sid, email, client: createApiClient(url, jwt) }
}

interface Product {
  category: string
  product_sid: string
  prices: { stripe_price_id: string }[]
}

const buildProducts = async (client: ApiClient, sessions: number, devices: number) =>
  (await client.get<Product[]>('/Prices')).map(({ category, product_sid, prices }) => ({
    price_id: prices[0]?.stripe_price_id,
    product_sid,
    quantity: category === 'device' ? devices : sessions,
  }))

/** Buys the paid plan. */
export const upgrade = async (client: ApiClient, sessions: number, devices: number) =>
  client.post('/Subscriptions', {
    action: 'upgrade-to-paid',
    payment_method_id: 'pm_card_visa',
    products: await buildProducts(client, sessions, devices),
  })

export const downgrade = (client: ApiClient) => client.post('/Subscriptions', { action: 'downgrade-to-free' })

/** Saves a card that the bank refuses from now on. */
export const saveRefusedCard = (client: ApiClient) =>
  client.post('/Subscriptions', { action: 'update-payment-method', payment_method_id: 'pm_card_chargeCustomerFail' })

export const changeCapacity = async (client: ApiClient, sessions: number, devices: number) =>
  client.post('/Subscriptions', {
    action: 'update-quantities',
    products: await buildProducts(client, sessions, devices),
  })

export const setTrialEnd = ({ api }: HostedDemo, account_sid: string, days: number) =>
  api.put(`/Accounts/${account_sid}`, { trial_end_date: inDays(days) })

/** Gives an account that was not registered a trial. */
export const startTrial = async (demo: HostedDemo, account_sid: string, days: number) => {
  await demo.api.put(`/Accounts/${account_sid}`, { plan_type: 'free' })
  await demo.api.put(`/Accounts/${account_sid}/Trial`, { trial_end_date: inDays(Math.max(days, 1)) })
  if (days < 1) await setTrialEnd(demo, account_sid, days)
}
