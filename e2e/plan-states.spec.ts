import type { Page } from '@playwright/test'
import { createApiClient } from '../scripts/launch/api'
import { addUser, openAs as openAsUser, signIn } from '../scripts/launch/users'
import type { StripeDouble } from '../scripts/launch/stripe-double/server'
import { findAxeViolations } from './support/axe'
import { enterCard, readMe, test, testCards, upgradeAccount } from './support/billing-test'
import type { RegisteredAccount } from './support/hosted-server'
import { accountPath, expect, openAs } from './support/hosted-test'
import { deleteRecord, expectToast, heading } from './support/screen'

test.use({ serverName: 'plan-states' })

const dayMs = 86_400_000

const planOf = (page: Page) => page.getByRole('region', { name: 'Plan' })
const expectNoViolations = async (page: Page) => expect(await findAxeViolations(page)).toEqual([])

/** A value of the plan box, with the note below it. */
const factOf = (page: Page, label: string) =>
  planOf(page)
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })

/** 'Dec 04, 2026' */
const formatDay = (date: Date) => {
  const [, day, month, year] = date.toUTCString().split(' ')
  return `${month} ${day}, ${year}`
}

const findSubscription = ({ store }: StripeDouble, { email }: RegisteredAccount) => {
  const customer = [...store.customers.values()].find((entry) => entry.email === email)
  return [...store.subscriptions.values()].find((entry) => entry.customer === customer?.id)
}

/** Saves a card that cannot pay, and lets the next renewal fail. */
const suspend = async (url: string, stripe: StripeDouble, account: RegisteredAccount) => {
  await createApiClient(url, account.token).post('/Subscriptions', {
    action: 'update-payment-method',
    payment_method_id: 'pm_card_chargeCustomerFail',
  })
  stripe.advanceTo(findSubscription(stripe, account)!.items.data[0]!.current_period_end)
  await stripe.webhooks.drain()
}

test('a trial shows its capacity and its end, and warns before it', async ({ page, hosted }) => {
  const account = await hosted.register('trial@example.com', 'trial')
  await openAs(page, account, accountPath(account))
  await expect(planOf(page).getByText('Trial', { exact: true })).toBeVisible()
  await expect(page.getByText('Fields marked with an asterisk are required')).toBeVisible()
  await expect(factOf(page, 'Simultaneous calls')).toContainText('5')
  await expect(factOf(page, 'Registered devices')).toContainText('25')
  await expect(factOf(page, 'Trial ends')).toContainText('21 of 21 days left')
  await expect(factOf(page, 'Trial ends')).toContainText(formatDay(new Date(Date.now() + 21 * dayMs)))

  const trialEnd = new Date(Date.now() + 2 * dayMs)
  await hosted.api.put(`/Accounts/${account.account_sid}`, { trial_end_date: trialEnd.toISOString() })
  await page.reload()
  await expect(factOf(page, 'Trial ends')).toContainText('2 of 21 days left')
  await expect(factOf(page, 'Trial ends')).toContainText(formatDay(trialEnd))
  await expectNoViolations(page)
})

test('an expired trial says so, and leads to the upgrade', async ({ page, hosted }) => {
  const account = await hosted.register('expired@example.com', 'expired')
  const trialEnd = new Date(Date.now() - 3 * dayMs)
  await hosted.api.put(`/Accounts/${account.account_sid}`, { trial_end_date: trialEnd.toISOString() })
  await openAs(page, account, accountPath(account))
  const expectExpired = async () => {
    await expect(
      planOf(page).getByText('Your free trial has expired. Please upgrade...', { exact: true }),
    ).toBeVisible()
    await expect(planOf(page).getByText('Simultaneous calls')).toHaveCount(0)
  }
  await expectExpired()
  await expect(planOf(page)).toContainText(`It ended on ${formatDay(trialEnd)}.`)
  // what the account becomes within a day; its users can still sign in, to upgrade
  await hosted.api.put(`/Accounts/${account.account_sid}`, {
    plan_type: 'free',
    is_active: 0,
    deactivated_reason: 'trial expired',
  })
  await page.reload()
  await signIn(page, account.email, account.password)
  await expectExpired()
  await expectNoViolations(page)
  await planOf(page).getByRole('link', { name: 'Upgrade' }).click()
  await expect(heading(page, 'Upgrade your Subscription')).toBeVisible()
})

test('the next invoice can be loaded again after a failure', async ({ page, hosted, server }) => {
  const account = await hosted.register('invoice@example.com', 'invoice')
  await upgradeAccount(server.url, account)
  await page.route('**/v1/Invoices', (route) => route.fulfill({ status: 502 }))
  await openAs(page, account, accountPath(account))
  await expect(factOf(page, 'Simultaneous calls')).toContainText('10')
  await expect(factOf(page, 'Registered devices')).toContainText('70')
  await expect(factOf(page, 'Next billing')).toContainText('Could not be loaded')
  await expectNoViolations(page)
  await page.unroute('**/v1/Invoices')
  await factOf(page, 'Next billing').getByRole('button', { name: 'Try again' }).click()
  await expect(factOf(page, 'Next billing')).toHaveText(/^Next billing\$138\.00on [A-Z][a-z]{2} \d{2}, \d{4}$/)
})

test('a suspended plan continues once a card pays the open invoice', async ({ page, hosted, server, stripe }) => {
  const account = await hosted.register('suspended@example.com', 'suspended')
  await upgradeAccount(server.url, account)
  await suspend(server.url, stripe, account)
  await openAs(page, account, accountPath(account))
  await expect(planOf(page).getByText('Suspended', { exact: true })).toBeVisible()
  await expect(planOf(page).getByRole('alert')).toContainText('Subscription suspended: payment failed')
  await expect(factOf(page, 'Simultaneous calls')).toContainText('suspended')
  await expect(factOf(page, 'Open invoice')).toContainText('$138.00')
  await expectNoViolations(page)
  await planOf(page).getByRole('link', { name: 'Change Payment Info' }).click()

  await expect(heading(page, 'Manage payment')).toBeVisible()
  await enterCard(page, testCards.refusedLater)
  await page.getByRole('button', { name: 'Save New Card' }).click()
  const unpaid = page.getByRole('alert').filter({ hasText: 'The card was saved, but the open invoice was not paid' })
  await expect(unpaid).toContainText('Failed to pay outstanding invoices. Ask your bank, or save another card.')
  await expectNoViolations(page)
  await enterCard(page, testCards.accepted)
  await page.getByRole('button', { name: 'Save New Card' }).click()
  await expectToast(page, 'Payment completed successfully')
  await expect(planOf(page).getByText('Paid', { exact: true })).toBeVisible()
  await expect(planOf(page)).toContainText('ending in 4242')
  expect(findSubscription(stripe, account)!.status).toBe('active')
})

test('a suspended plan becomes free at once', async ({ page, hosted, server, stripe }) => {
  const account = await hosted.register('leaving@example.com', 'leaving')
  await upgradeAccount(server.url, account)
  await suspend(server.url, stripe, account)
  const subscription = findSubscription(stripe, account)!
  await openAs(page, account, accountPath(account))
  await planOf(page).getByRole('button', { name: 'Downgrade to free plan' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Downgrade to free plan' })
  await expect(dialog).toContainText('This takes effect now')
  await dialog.getByRole('button', { name: 'Downgrade now' }).click()
  await expectToast(page, 'Downgrade to free plan completed successfully')
  await expect(planOf(page).getByText('Free', { exact: true })).toBeVisible()
  await expect(factOf(page, 'Simultaneous calls')).toHaveText(/^Simultaneous calls1$/)
  await expect(factOf(page, 'Registered devices')).toHaveText(/^Registered devices1$/)
  await expect(planOf(page).getByText('Next billing')).toHaveCount(0)
  expect(subscription.status).toBe('canceled')
  expect(stripe.store.invoices.get(subscription.latest_invoice!)!.status).toBe('void')
  expect((await readMe(server.url, account)).subscription.products).toMatchObject([
    { name: 'concurrent call session', quantity: 1 },
    { name: 'registered device', quantity: 1 },
  ])
})

test('a provider who deletes an account ends what is billed', async ({ page, hosted, server, stripe }) => {
  const account = await hosted.register('deleted@example.com', 'deleted')
  await upgradeAccount(server.url, account)
  const subscription = findSubscription(stripe, account)!
  const { service_provider_sid } = await hosted.api.get<{ service_provider_sid: string }>(
    `/Accounts/${account.account_sid}`,
  )
  await openAsUser(page, hosted, await addUser(hosted, 'petra', { service_provider_sid }), accountPath(account))
  await deleteRecord(page, account.email)
  await expectToast(page, `Deleted account ${account.email}`)
  expect(subscription.status).toBe('canceled')
  expect(stripe.store.customers.has(subscription.customer)).toBe(false)
})
