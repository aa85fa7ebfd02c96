import { createApiClient, type ApiClient } from '../scripts/launch/api'
import type { SampleProvider } from '../scripts/launch/sample-provider'
import {
  changeCapacity,
  daySeconds,
  downgrade,
  registerAccount,
  saveRefusedCard,
  setTrialEnd,
  startTrial,
  upgrade,
  type HostedDemo,
} from './hosted-accounts'

/** The clock of the Stripe double starts so long ago, so that the first subscriptions have ended or failed by now. */
export const startDaysAgo = 36

/** The accounts that somebody can sign in to: one in each state of a plan. */
const signInAccounts = {
  trial: { name: 'Wren & Daughters', state: 'Trial' },
  ending: { name: 'Saltmarsh Surgery', state: 'Trial, ends in 2 days' },
  expired: { name: 'Dunmore Freight', state: 'Trial expired' },
  free: { name: 'Harbor & Main Realty', state: 'Free' },
  paid: { name: 'Alder & Finch Dental', state: 'Paid' },
  leaving: { name: 'Copperline Energy', state: 'Paid, ends with its billing cycle' },
  pending: { name: 'Juniper Street Clinic', state: 'Paid, a change waits for a payment' },
  suspended: { name: 'Glasshouse Hotels', state: 'Suspended, the payment failed' },
} as const

type DemoUser = keyof typeof signInAccounts

export interface Credentials {
  email: string
  state: string
}

/** Moves the clock of the double to some days before now, and waits for the webhooks. */
const advanceToDaysAgo = async ({ stripe }: HostedDemo, days: number) => {
  stripe.advanceTo(Math.floor(Date.now() / 1000) - days * daySeconds)
  await stripe.webhooks.drain()
}

/** Clients of the accounts without users: each has an API key for its account. */
const createAccountClients = async ({ url, api }: HostedDemo, accountSids: readonly string[]) => {
  const clients: ApiClient[] = []
  for (const account_sid of accountSids) {
    const { token } = await api.post<{ token: string }>('/ApiKeys', { account_sid })
    clients.push(createApiClient(url, token))
  }
  return clients
}

/** The sample accounts, by the plan that they get. A paid plan in the sample has no payment yet. */
const groupSampleAccounts = async (demo: HostedDemo, { accountSids }: SampleProvider) => {
  const groups = { former: [] as string[], trial: [] as string[], paid: [] as string[] }
  for (const [index, account_sid] of accountSids.entries()) {
    const group = index % 7 === 3 ? 'former' : index % 4 === 1 ? 'trial' : 'paid'
    groups[group].push(account_sid)
    await demo.api.put(`/Accounts/${account_sid}`, { plan_type: 'free', is_active: 1 })
  }
  return groups
}

/** The quantities of the sample accounts that pay. */
const quantitiesForIndex = (index: number) => [5 + ((index * 7) % 40), (index * 13) % 60] as const

/**
 * Puts the accounts in all states of a plan, with the API that people use, at the time of the double: so every state has
 * the same records as on a real server.
 */
export const addPlans = async (demo: HostedDemo, sample: SampleProvider, password: string): Promise<Credentials[]> => {
  const users = {} as Record<DemoUser, Awaited<ReturnType<typeof registerAccount>>>
  for (const [subdomain, { name }] of Object.entries(signInAccounts))
    users[subdomain as DemoUser] = await registerAccount(demo, { name, subdomain, password })
  const groups = await groupSampleAccounts(demo, sample)

  // These become free at the end of their period. The card of the suspended account fails then.
  for (const client of [users.free.client, ...(await createAccountClients(demo, groups.former))]) {
    await upgrade(client, 5, 0)
    await downgrade(client)
  }
  await upgrade(users.suspended.client, 40, 0)
  await saveRefusedCard(users.suspended.client)
  await demo.stripe.webhooks.drain()

  await advanceToDaysAgo(demo, 4)
  const payingClients = await createAccountClients(demo, groups.paid)
  for (const [index, client] of payingClients.entries()) {
    if (index === Math.floor(payingClients.length / 2)) await advanceToDaysAgo(demo, 2)
    await upgrade(client, ...quantitiesForIndex(index))
  }
  await upgrade(users.paid.client, 10, 20)
  await upgrade(users.leaving.client, 20, 0)
  await downgrade(users.leaving.client)
  await upgrade(users.pending.client, 10, 20)
  await saveRefusedCard(users.pending.client)
  await advanceToDaysAgo(demo, 0)
  // Stripe drops a change that is not paid within 23 hours.
  await changeCapacity(users.pending.client, 14, 40)
  await demo.stripe.webhooks.drain()

  for (const [index, account_sid] of groups.trial.entries()) await startTrial(demo, account_sid, (index * 4) % 22 || -3)
  await setTrialEnd(demo, users.ending.account_sid, 2)
  await setTrialEnd(demo, users.expired.account_sid, -12)
  return Object.entries(signInAccounts).map(([name, { state }]) => ({ email: users[name as DemoUser].email, state }))
}
