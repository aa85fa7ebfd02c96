import { expect, type Page } from '@playwright/test'
import { messages } from '@trunkline/contract/messages/payment'
import { messages as subscriptionMessages } from '@trunkline/contract/messages/subscription'
import type { TestUser } from '../../scripts/launch/users'
import { openAs as openAsUser } from '../../scripts/launch/users'
import { enterCard, testCards } from './billing-test'
import type { PlanAccounts } from './hosted-accounts'
import { accountPassword, rootDomain, type HostedServer } from './hosted-server'
import { accountPath, openAs } from './hosted-test'
import { expectToast, heading } from './screen'

interface PlanContext {
  hosted: HostedServer
  accounts: PlanAccounts
  /** A user of the service provider. */
  provider: TestUser
}

/** Opens a screen of plans and payment in one of its states. */
type OpenState = (page: Page, context: PlanContext) => Promise<void>

const plan = (page: Page) => page.getByRole('region', { name: 'Plan' })

/** Opens the account with this plan, and waits for a text of its plan. */
const openAccount =
  (key: keyof PlanAccounts, text: RegExp): OpenState =>
  async (page, { accounts }) => {
    await openAs(page, accounts[key], accountPath(accounts[key]))
    await expect(plan(page)).toContainText(text)
  }

const openSubscription =
  (key: keyof PlanAccounts): OpenState =>
  async (page, { accounts }) => {
    await openAs(page, accounts[key], accountPath(accounts[key], 'subscription'))
    await expect(page.getByRole('table', { name: 'Capacity and prices' })).toBeVisible()
  }

const setQuantities = async (page: Page, sessions: number, devices: number) => {
  await page.getByRole('textbox', { name: 'Concurrent call sessions' }).fill(String(sessions))
  await page.getByRole('textbox', { name: 'Additional device registrations' }).fill(String(devices))
}

const openUpgrade: OpenState = async (page, context) => {
  await openSubscription('trial')(page, context)
  await setQuantities(page, 10, 20)
  await expect(page.getByRole('button', { name: 'Pay $138.00 and upgrade' })).toBeEnabled()
}

const pay = async (page: Page, card: string) => {
  await enterCard(page, card)
  await page.getByRole('button', { name: /^Pay .* and upgrade$/ }).click()
}

const reviewCapacity = async (page: Page, sessions: number, devices: number) => {
  await setQuantities(page, sessions, devices)
  await page.getByRole('button', { name: 'Review changes' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Confirm the new capacity' })).toBeVisible()
}

const openManagePayment =
  (key: keyof PlanAccounts): OpenState =>
  async (page, { accounts }) => {
    await openAs(page, accounts[key], accountPath(accounts[key], 'manage-payment'))
    await expect(heading(page, messages.manageTitle)).toBeVisible()
    await expect(page.getByText('Visa').first()).toBeVisible()
  }

const openDowngrade =
  (key: keyof PlanAccounts, text: RegExp): OpenState =>
  async (page, context) => {
    await openAccount(key, text)(page, context)
    await plan(page).getByRole('button', { name: 'Downgrade to free plan' }).click()
    await expect(page.getByRole('button', { name: /^Downgrade (on|now)/ })).toBeEnabled()
  }

const openDelete: OpenState = async (page, context) => {
  await openAccount('trial', /Trial ends/)(page, context)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByLabel(/^Password/).fill(accountPassword)
}

const openRealm: OpenState = async (page, { accounts }) => {
  await openAs(page, accounts.trial, accountPath(accounts.trial, 'sip-realm/edit'))
  await expect(page.getByLabel('New subdomain')).toBeVisible()
}

const accountStates: Record<string, OpenState> = {
  'account-trial': openAccount('trial', /Trial ends/),
  'account-trial-ending': openAccount('trialEnding', /2 of 21 days left/),
  'account-trial-expired': openAccount('expired', /Your free trial has expired/),
  'account-free': openAccount('free', /Free/),
  'account-paid': openAccount('paid', /\$138\.00/),
  'account-change-pending': openAccount('pending', /14 after payment/),
  'account-ending': openAccount('leaving', /Ends /),
  'account-suspended': openAccount('suspended', /Subscription suspended/),
  'account-invoice-not-loaded': async (page, context) => {
    await page.route('**/v1/Invoices', (route) => route.fulfill({ status: 502, body: '' }))
    await openAccount('paid', /Could not be loaded/)(page, context)
  },
  'delete-account': async (page, context) => {
    await openDelete(page, context)
    await page.getByLabel('Delete message').fill('delete my account')
  },
  'delete-account-wrong-text': async (page, context) => {
    await openDelete(page, context)
    await page.getByLabel('Delete message').fill('delete account')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^You must type the delete message correctly/)).toBeVisible()
  },
  downgrade: openDowngrade('paid', /\$138\.00/),
  'downgrade-at-once': openDowngrade('suspended', /Subscription suspended/),
  'sip-realm': async (page, context) => {
    await openRealm(page, context)
    await page.getByLabel('New subdomain').fill('wren-voice')
    await expect(page.getByText(`wren-voice.${rootDomain} is available`)).toBeVisible()
  },
  'sip-realm-taken': async (page, context) => {
    await openRealm(page, context)
    await page.getByLabel('New subdomain').fill('paid')
    await expect(page.getByText(`paid.${rootDomain} is already taken. Try another name.`)).toBeVisible()
  },
}

const subscriptionStates: Record<string, OpenState> = {
  'subscription-upgrade': openUpgrade,
  'subscription-upgrade-card-error': async (page, context) => {
    await openUpgrade(page, context)
    await pay(page, testCards.refused)
    await expect(page.getByText('Your card was declined.')).toBeVisible()
  },
  'subscription-upgrade-action-required': async (page, context) => {
    await openUpgrade(page, context)
    await pay(page, testCards.needsConfirmation)
    await expect(page.getByText(messages.confirmWithBank)).toBeVisible()
  },
  'subscription-configure': async (page, context) => {
    await openSubscription('paid')(page, context)
    await setQuantities(page, 14, 40)
  },
  'subscription-configure-confirm': async (page, context) => {
    await openSubscription('paid')(page, context)
    await reviewCapacity(page, 14, 40)
  },
  'subscription-configure-confirm-less': async (page, context) => {
    await openSubscription('paid')(page, context)
    await reviewCapacity(page, 6, 10)
  },
  'subscription-configure-payment-failed': async (page, context) => {
    await openSubscription('refused')(page, context)
    await reviewCapacity(page, 14, 40)
    await page.getByRole('button', { name: /and change$/ }).click()
    await expect(page.getByText(subscriptionMessages.capacityNotGranted)).toBeVisible()
  },
  'manage-payment': openManagePayment('paid'),
  'manage-payment-change': async (page, context) => {
    await openManagePayment('paid')(page, context)
    await page.getByRole('button', { name: messages.changeCard }).click()
    await expect(page.getByRole('button', { name: messages.saveCard })).toBeEnabled()
  },
  'manage-payment-open-invoice': async (page, context) => {
    await openManagePayment('suspended')(page, context)
    await enterCard(page, testCards.refusedLater)
    await page.getByRole('button', { name: messages.saveCard }).click()
    await expect(page.getByText(messages.invoiceNotPaid)).toBeVisible()
  },
}

/** These change the plan of the account, in this order. */
const changeStates: Record<string, OpenState> = {
  'subscription-changed': async (page, context) => {
    await openSubscription('spare')(page, context)
    await reviewCapacity(page, 14, 40)
    await page.getByRole('button', { name: /and change$/ }).click()
    await expectToast(page, subscriptionMessages.capacityChanged)
  },
  downgraded: async (page, context) => {
    await openDowngrade('spare', /\$/)(page, context)
    await page.getByRole('button', { name: /^Downgrade on/ }).click()
    await expectToast(page, subscriptionMessages.downgraded)
  },
  'payment-success': async (page, context) => {
    await openSubscription('expired')(page, context)
    await setQuantities(page, 10, 20)
    await pay(page, testCards.accepted)
    await expectToast(page, subscriptionMessages.paid)
  },
}

const providerStates: Record<string, OpenState> = {
  'accounts-by-plan': async (page, { hosted, provider }) => {
    await openAsUser(page, hosted, provider)
    await expect(page.getByText(/^Monthly total of paid accounts/)).toBeVisible()
  },
  'account-of-provider': async (page, { hosted, provider, accounts }) => {
    await openAsUser(page, hosted, provider, accountPath(accounts.suspended))
    await expect(page.getByText(/Subscription suspended/)).toBeVisible()
  },
  'plans-and-prices': async (page, { hosted, provider }) => {
    await openAsUser(page, hosted, provider, '/internal/settings/plans')
    await expect(page.getByText('$12.00 per session')).toBeVisible()
  },
}

/** The states of the screens of plans and payment, by name. */
export const planScreenStates = { ...accountStates, ...subscriptionStates, ...providerStates, ...changeStates }
