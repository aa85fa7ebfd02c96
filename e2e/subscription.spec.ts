import type { Page } from '@playwright/test'
import { messages } from '@trunkline/contract/messages/payment'
import { enterCard, readMe, test, testCards, upgradeAccount } from './support/billing-test'
import { accountPath, expect, openAs } from './support/hosted-test'
import { expectToast, heading } from './support/screen'

test.use({ serverName: 'subscription' })

const capacityNotGranted =
  'The additional capacity you that you requested could not be granted due to a failure processing payment. Please configure a valid credit card for your account and the upgrade will be automatically processed'

/** The server's response to the next payment, apart from previews. */
const readNextResult = async (page: Page) => {
  const response = await page.waitForResponse(
    (candidate) =>
      candidate.url().endsWith('/v1/Subscriptions') &&
      !(candidate.request().postDataJSON() as { dry_run?: boolean }).dry_run,
  )
  return (await response.json()) as { status?: string; reason?: string }
}

let accountNumber = 0
const nextName = () => `plan-${(accountNumber += 1)}`

test('a trial becomes a paid plan, and no request to the server contains the card', async ({
  page,
  hosted,
  server,
}) => {
  const account = await hosted.register(`${nextName()}@example.com`, 'upgrade-one')
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(server.url)) bodies.push(`${request.url()} ${request.postData() ?? ''}`)
  })
  await openAs(page, account, accountPath(account))
  const plan = page.getByRole('region', { name: 'Plan' })
  await expect(plan).toContainText('Trial ends')
  await expect(plan).toContainText('5 for each call')
  await plan.getByRole('link', { name: 'Upgrade' }).click()

  await expect(heading(page, 'Upgrade your Subscription')).toBeVisible()
  await expect(page.getByText('Payment is by card only. Fields marked with an asterisk are required.')).toBeVisible()
  const sessions = page.getByRole('textbox', { name: 'Concurrent call sessions' })
  const devices = page.getByRole('textbox', { name: 'Additional device registrations' })
  for (const [field, quantity, error] of [
    [sessions, '4', 'Enter a number from 5 to 1,000.'],
    [sessions, '1001', 'Enter a number from 5 to 1,000.'],
    [devices, '201', 'Enter a number from 0 to 200.'],
  ] as const) {
    await field.fill(quantity)
    await field.blur()
    await expect(page.getByText(error)).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
  }
  await sessions.fill('10')
  await devices.fill('20')
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('5 × 10 calls + 20 additional')
  await expect(page.getByRole('row', { name: /Monthly total/ })).toContainText('$138.00')
  await enterCard(page, testCards.accepted)
  await page.getByRole('button', { name: 'Pay $138.00 and upgrade' }).click()

  await expectToast(page, 'Payment completed successfully')
  await expect(page).toHaveURL(accountPath(account))
  await expect(plan).toContainText('Paid')
  await expect(plan).toContainText('$138.00')
  await expect(plan).toContainText('70')
  await expect(plan).toContainText('ending in 4242')
  expect((await readMe(server.url, account)).account.plan_type).toBe('paid')
  expect(bodies.some((body) => body.includes('/Subscriptions'))).toBe(true)
  expect(bodies.filter((body) => body.replace(/\D/g, '').includes(testCards.accepted))).toEqual([])
})

test('a refused card is explained at its number, and another card pays', async ({ page, hosted }) => {
  const account = await hosted.register(`${nextName()}@example.com`, 'upgrade-two')
  await openAs(page, account, accountPath(account, 'subscription'))
  const pay = page.getByRole('button', { name: /^Pay .* and upgrade$/ })
  const expectCardError = async (text: string) => {
    await expect(page.getByRole('alert').getByText(text, { exact: true })).toBeVisible()
    await expect(page.getByLabel('Credit or debit card number')).toBeFocused()
  }
  await enterCard(page, testCards.refused)
  await pay.click()
  await expectCardError('Your card was declined.')
  await enterCard(page, testCards.refusedLater)
  const result = readNextResult(page)
  await pay.click()
  expect(await result).toMatchObject({ status: 'card error', reason: 'Your card was declined.' })
  await expectCardError('Your card was declined.')

  // v1 servers do not always know the reason
  await page.route('**/v1/Subscriptions', (route) =>
    (route.request().postDataJSON() as { dry_run?: boolean }).dry_run
      ? route.continue()
      : route.fulfill({ status: 201, json: { status: 'card error' } }),
  )
  await pay.click()
  await expectCardError('Something went wrong, please try again.')
  await page.unroute('**/v1/Subscriptions')
  await enterCard(page, testCards.accepted)
  await pay.click()
  await expectToast(page, 'Payment completed successfully')
})

test('the bank confirms a payment, or refuses it', async ({ page, hosted }) => {
  const account = await hosted.register(`${nextName()}@example.com`, 'upgrade-three')
  await openAs(page, account, accountPath(account, 'subscription'))
  const pay = async () => {
    await enterCard(page, testCards.needsConfirmation)
    const result = readNextResult(page)
    await page.getByRole('button', { name: /^Pay .* and upgrade$/ }).click()
    expect(await result).toMatchObject({ status: 'action required', client_secret: expect.any(String) })
    await expect(page.getByText(messages.confirmWithBank)).toBeVisible()
  }
  await pay()
  await page.getByRole('button', { name: 'Fail authentication' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /authenticat/ })).toBeVisible()
  await pay()
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  await expectToast(page, 'Payment completed successfully')
  const plan = page.getByRole('region', { name: 'Plan' })
  await expect(plan).toContainText('Paid')

  const addSession = async () => {
    await page.getByRole('link', { name: 'Change capacity' }).click()
    await page.getByRole('button', { name: 'Concurrent call sessions: one more' }).click()
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: /and change$/ }).click()
  }
  await addSession()
  await page.getByRole('button', { name: 'Fail authentication' }).click()
  await expect(page.getByRole('alert').getByText(capacityNotGranted, { exact: true })).toBeVisible()
  await page.goto(accountPath(account))
  await addSession()
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  await expectToast(page, 'Your subscription capacity has been successfully modified.')
  await expect(plan).toContainText('Simultaneous calls6')
})

test('a lost response is checked before the user can pay again', async ({ page, hosted, stripe, server }) => {
  const account = await hosted.register(`${nextName()}@example.com`, 'upgrade-four')
  await openAs(page, account, accountPath(account, 'subscription'))
  await enterCard(page, testCards.accepted)
  const countPayments = () =>
    stripe.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/subscriptions').length
  const before = countPayments()
  await page.route('**/v1/Users/me', (route) => route.abort())
  // the server carries the request out, but its response does not arrive
  await page.route('**/v1/Subscriptions', async (route) => {
    if (route.request().postDataJSON().dry_run) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: /^Pay .* and upgrade$/ }).click()
  await expect(page.getByText(messages.outcomeUnknown)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay / })).toHaveCount(0)
  await page.unroute('**/v1/Users/me')
  await page.getByRole('button', { name: 'Check the payment' }).click()
  await expectToast(page, 'Payment completed successfully')
  expect(countPayments()).toBe(before + 1)
  expect((await readMe(server.url, account)).account.plan_type).toBe('paid')
})

test('more capacity is charged once it is confirmed', async ({ page, hosted, server }) => {
  const account = await hosted.register(`${nextName()}@example.com`, 'change-one')
  await upgradeAccount(server.url, account)
  await openAs(page, account, accountPath(account))
  await page.getByRole('link', { name: 'Change capacity' }).click()
  await expect(heading(page, 'Configure Your Subscription')).toBeVisible()
  const review = page.getByRole('button', { name: 'Review changes' })
  await expect(review).toBeDisabled()
  await page.getByRole('textbox', { name: 'Concurrent call sessions' }).fill('14')
  await page.getByRole('textbox', { name: 'Additional device registrations' }).fill('40')
  await expect(page.getByText('2 changes')).toBeVisible()
  await review.click()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm the new capacity' })
  await expect(dialog).toContainText('Charged now')
  await expect(dialog).toContainText('$204.00')
  await expect(dialog).toContainText('with Visa ending in 4242')
  await dialog.getByRole('button', { name: /^Pay \$[\d.]+ and change$/ }).click()
  await expectToast(page, 'Your subscription capacity has been successfully modified.')
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('110')
})

test('less capacity is credited on the next invoice', async ({ page, hosted, server }) => {
  const account = await hosted.register(`${nextName()}@example.com`, 'change-two')
  await upgradeAccount(server.url, account)
  await openAs(page, account, accountPath(account, 'modify-subscription'))
  await page.getByRole('textbox', { name: 'Concurrent call sessions' }).fill('6')
  await page.getByRole('textbox', { name: 'Additional device registrations' }).fill('10')
  await page.getByRole('button', { name: 'Review changes' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm the new capacity' })
  await expect(dialog).toContainText('Credit on the next invoice')
  await expect(dialog).toContainText(messages.limitsAtOnce(6, 40))
  expect(await dialog.textContent()).not.toMatch(/[-−]\s?\$/)
  await dialog.getByRole('button', { name: 'Change capacity' }).click()
  await expectToast(page, 'Your subscription capacity has been successfully modified.')
})

test('capacity waits for a card that can pay, and starts when it is replaced', async ({
  page,
  hosted,
  stripe,
  server,
}) => {
  const account = await hosted.register(`${nextName()}@example.com`, 'change-three')
  await upgradeAccount(server.url, account)
  await openAs(page, account, accountPath(account, 'manage-payment'))
  await expect(page.getByText(/^Visa .*ending in 4242$/)).toBeVisible()
  await expect(page.getByText('Expires 08/2030')).toBeVisible()
  await page.getByRole('button', { name: 'Change Payment Info' }).click()
  await enterCard(page, testCards.refusedLater)
  await page.getByRole('button', { name: 'Save New Card' }).click()
  await expectToast(page, messages.cardSaved)

  await page.getByRole('link', { name: 'Change capacity' }).click()
  await page.getByRole('textbox', { name: 'Concurrent call sessions' }).fill('14')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('button', { name: /and change$/ }).click()
  await expect(page.getByRole('alert').getByText(capacityNotGranted, { exact: true })).toBeVisible()
  await page.goto(accountPath(account))
  const plan = page.getByRole('region', { name: 'Plan' })
  await expect(plan).toContainText('Change pending')
  await expect(plan).toContainText('14 after payment')
  await plan.getByRole('link', { name: 'Check your card' }).click()
  await enterCard(page, testCards.accepted)
  await page.getByRole('button', { name: 'Save New Card' }).click()
  await expectToast(page, 'Payment completed successfully')
  await expect(plan).not.toContainText('Change pending')
  await expect(plan).toContainText('14')
  await stripe.webhooks.drain()
})

test('a downgrade is scheduled, taken back, and scheduled again', async ({ page, hosted, server }) => {
  const account = await hosted.register(`${nextName()}@example.com`, 'downgrade-one')
  await upgradeAccount(server.url, account)
  await openAs(page, account, accountPath(account))
  const plan = page.getByRole('region', { name: 'Plan' })
  await plan.getByRole('button', { name: 'Downgrade to free plan' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Downgrade to free plan' })
  await expect(dialog).toContainText('at the start of the next billing cycle')
  await dialog.getByRole('button', { name: /^Downgrade on / }).click()
  await expectToast(page, 'Downgrade to free plan completed successfully')
  await expect(plan).toContainText('Ends ')
  await plan.getByRole('button', { name: 'Keep the paid plan' }).click()
  await expectToast(page, messages.paidPlanKept)
  await expect(plan).not.toContainText('Ends ')
  await page.goto(accountPath(account, 'modify-subscription'))
  await page.getByRole('button', { name: 'Downgrade', exact: true }).click()
  await page.getByRole('button', { name: /^Downgrade on / }).click()
  await expect(plan).toContainText('Ends ')
  expect((await readMe(server.url, account)).subscription.ends_at).toBeTruthy()
})
