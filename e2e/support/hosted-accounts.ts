import { createApiClient } from '../../scripts/launch/api'
import type { StripeDouble } from '../../scripts/launch/stripe-double/server'
import type { HostedServer, RegisteredAccount } from './hosted-server'
import { upgradeAccount } from './billing-test'

const daySeconds = 86_400

/** The clock of the double of Stripe starts so long ago that the first subscriptions have ended or failed by now. */
const startDaysAgo = 33

/** The accounts, by the state of their plan. */
const accountNames = {
  trial: 'Wren & Daughters',
  trialEnding: 'Saltmarsh Surgery',
  expired: 'Dunmore Freight',
  free: 'Harbor & Main Realty',
  suspended: 'Glasshouse Hotels',
  paid: 'Alder & Finch Dental',
  leaving: 'Copperline Energy',
  pending: 'Juniper Street Clinic',
  /** Its next payment fails. */
  refused: 'Kestrel Taxi',
  /** The tests change its plan. */
  spare: 'Marlowe Books',
} as const

export type PlanAccounts = Record<keyof typeof accountNames, RegisteredAccount>

const nowSeconds = () => Math.floor(Date.now() / 1000)
const inDays = (days: number) => new Date((nowSeconds() + days * daySeconds) * 1000).toISOString()

/** The unix time at which the clock of the double of Stripe starts. */
export const getStartSeconds = () => nowSeconds() - startDaysAgo * daySeconds

/** Changes a subscription as the user of its account. */
const changePlan = ({ url }: HostedServer, { token }: RegisteredAccount, body: Record<string, unknown>) =>
  createApiClient(url, token).post('/Subscriptions', body)

/** Saves a card that the bank refuses from now on. */
const saveRefusedCard = (hosted: HostedServer, account: RegisteredAccount) =>
  changePlan(hosted, account, {
    action: 'update-payment-method',
    payment_method_id: 'pm_card_chargeCustomerFail',
  })

const changeSessions = async (hosted: HostedServer, account: RegisteredAccount, quantity: number) => {
  const prices = await createApiClient(hosted.url, account.token).get<
    { category: string; product_sid: string; prices: { stripe_price_id: string }[] }[]
  >('/Prices')
  const products = prices.map(({ category, product_sid, prices: [price] }) => ({
    price_id: price!.stripe_price_id,
    product_sid,
    quantity: category === 'device' ? 20 : quantity,
  }))
  return changePlan(hosted, account, { action: 'update-quantities', products })
}

/** Registers the accounts and puts each into its state, with the API that people use. */
export const addPlanAccounts = async (hosted: HostedServer, stripe: StripeDouble): Promise<PlanAccounts> => {
  const { url, api } = hosted
  const accounts = {} as PlanAccounts
  for (const [key, name] of Object.entries(accountNames)) {
    const subdomain = key.toLowerCase()
    const account = await hosted.register(`${subdomain}@example.com`, subdomain)
    await api.put(`/Accounts/${account.account_sid}`, { name })
    accounts[key as keyof PlanAccounts] = account
  }
  await upgradeAccount(url, accounts.suspended, { sessions: 40, devices: 0 })
  await saveRefusedCard(hosted, accounts.suspended)
  await upgradeAccount(url, accounts.free)
  await changePlan(hosted, accounts.free, { action: 'downgrade-to-free' })
  await stripe.webhooks.drain()
  stripe.advanceTo(nowSeconds())
  await stripe.webhooks.drain()

  for (const key of ['paid', 'leaving', 'pending', 'refused', 'spare'] as const)
    await upgradeAccount(url, accounts[key])
  await changePlan(hosted, accounts.leaving, { action: 'downgrade-to-free' })
  await saveRefusedCard(hosted, accounts.refused)
  await saveRefusedCard(hosted, accounts.pending)
  await changeSessions(hosted, accounts.pending, 14)
  await api.put(`/Accounts/${accounts.trialEnding.account_sid}`, { trial_end_date: inDays(2) })
  await api.put(`/Accounts/${accounts.expired.account_sid}`, { trial_end_date: inDays(-12) })
  await createApiClient(url, accounts.trial.token).add('/Clients', {
    account_sid: accounts.trial.account_sid,
    username: '1001',
    password: 'quiet-harbour',
  })
  await stripe.webhooks.drain()
  return accounts
}
