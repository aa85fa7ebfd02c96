import type { Page } from '@playwright/test'
import { addUser, openAs as openAsUser, signIn } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { readMe, test, upgradeAccount } from './support/billing-test'
import { accountPassword } from './support/hosted-server'
import { accountPath, expect, openAs } from './support/hosted-test'
import { expectToast, heading } from './support/screen'

test.use({ serverName: 'hosted-account' })

const expectNoViolations = async (page: Page) => expect(await findAxeViolations(page)).toEqual([])

test('the sign-in page offers registration, companies and a new password, and explains failures', async ({
  page,
  hosted,
}) => {
  const { email } = await hosted.register('sign-in@example.com', 'sign-in')
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Register', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Forgot Password', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Sign In With / })).toHaveText([
    'Sign In With Google',
    'Sign In With Github',
  ])
  await expectNoViolations(page)
  await signIn(page, email, 'Not-the-password-1')
  await expectToast(page, 'Login credentials are incorrect')

  // a proxy responds for the server
  await page.route('**/v1/login', (route) => route.fulfill({ status: 502 }))
  await signIn(page, email, accountPassword)
  await expectToast(page, 'Something went wrong, please try again')
  await page.unroute('**/v1/login')
  await signIn(page, email, accountPassword)
  await expect(heading(page, 'Edit account')).toBeVisible()
})

test('a forgotten password is replaced by a new one', async ({ page, hosted }) => {
  const { email } = await hosted.register('forgetful@example.com', 'forgetful')
  await page.goto('/')
  await page.getByRole('link', { name: 'Forgot Password' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect(page.getByText(/^A password reset email has been sent to your email\./)).toBeVisible()
  // the first mail has the code of the registration
  const { mail } = await hosted.mailbox.waitForMail(email, 2)
  await page.goto(/href="([^"]+\/reset-password\/[^"]+)"/.exec(mail.html ?? '')?.[1] ?? '')

  const password = page.getByLabel('New password')
  const saveButton = page.getByRole('button', { name: 'Set new password' })
  const confirmation = page.getByLabel('Confirm password')
  for (const tooShort of ['five5', 'sixsix']) {
    await password.fill(tooShort)
    await saveButton.click()
    await expect(page.getByText('The password must be at least 7 characters long.')).toBeVisible()
    await expect(password).toBeFocused()
  }
  await expectNoViolations(page)
  // seven characters are enough for that sentence, but not for the rule of the installation
  await password.fill('seven-7')
  await saveButton.click()
  await expect(page.getByText('The password must be at least 7 characters long.')).toHaveCount(0)
  await expect(page.getByText('Password must: Be at least 8 characters long')).toBeVisible()

  await password.fill('7391-5820-4416')
  await confirmation.fill('7391-5820-4417')
  await expect(page.getByRole('status').getByText('Password must contain a letter.')).toBeVisible()
  await saveButton.click()
  const mismatch =
    'The confirmation password does not match the new password. Please ensure both passwords are identical.'
  await expect(page.getByText(mismatch)).toBeVisible()
  await expect(confirmation).toBeFocused()
  await expectNoViolations(page)
  // the warning does not prevent saving
  await confirmation.fill('7391-5820-4416')
  await saveButton.click()
  await expectToast(page, 'New password was successfully set.')
  await signIn(page, email, '7391-5820-4416')
  await expect(heading(page, 'Edit account')).toBeVisible()
})

test('users are not managed in the hosted edition, nor asked for a new password', async ({ page, hosted, admin }) => {
  const { account_sid } = await hosted.register('colleague@example.com', 'colleague')
  const { service_provider_sid } = await hosted.api.get<{ service_provider_sid: string }>(`/Accounts/${account_sid}`)
  const provider = await addUser(hosted, 'parker', { service_provider_sid })
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const user of [admin, provider]) {
    await openAsUser(page, hosted, user)
    await expect(navigation.getByRole('link', { name: 'Plans and prices' })).toBeVisible()
    await expect(navigation.getByRole('link', { name: 'Users' })).toHaveCount(0)
  }
  await page.evaluate(() => localStorage.clear())
  const colleague = await addUser(hosted, 'cora', { account_sid, service_provider_sid, mustChangePassword: true })
  await page.goto('/')
  await signIn(page, colleague.name, colleague.password)
  await expect(heading(page, 'Edit account')).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Account', exact: true })).toHaveAttribute(
    'href',
    accountPath({ account_sid }),
  )
  await expect(navigation.getByRole('link', { name: 'Users' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Search or jump to' }).click()
  await page.getByRole('dialog').getByRole('combobox').fill('Users')
  await expect(page.getByRole('option', { name: 'Users', exact: true })).toHaveCount(0)
})

test('a session that has ended leads to the sign-in page, which says so', async ({ page, hosted, server }) => {
  const account = await hosted.register('expired@example.com', 'expired-session')
  await openAs(page, account, '/')
  await expect(heading(page, 'Edit account')).toBeVisible()
  await fetch(`${server.url}/v1/logout`, { method: 'POST', headers: { authorization: `Bearer ${account.token}` } })
  await page.reload()
  await expectToast(page, 'Your session has expired. Please log in and try again.')
  await expect(heading(page, 'Log in')).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
})

test('deleting the own account ends what is billed', async ({ page, hosted, server, stripe }) => {
  const account = await hosted.register('leaver@example.com', 'leaver')
  await upgradeAccount(server.url, account)
  const { products } = (await readMe(server.url, account)).subscription
  expect(products).toMatchObject([
    { name: 'concurrent call session', quantity: 10 },
    { name: 'registered device', quantity: 20 },
  ])
  const customer = [...stripe.store.customers.values()].find(({ email }) => email === account.email)!
  const subscription = [...stripe.store.subscriptions.values()].find((entry) => entry.customer === customer.id)!
  expect(subscription.status).toBe('active')

  await openAs(page, account, '/')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  const message = dialog.getByLabel('Delete message')
  const password = dialog.getByLabel('Password').and(page.locator('input'))
  const remove = dialog.getByRole('button', { name: 'Delete' })
  const wrongMessage = 'You must type the delete message correctly in order to delete your account.'
  await remove.click()
  await expect(dialog.getByText(wrongMessage)).toBeVisible()
  await expect(dialog.getByText('Password is required.')).toBeVisible()
  await expectNoViolations(page)
  await message.fill('Delete my account')
  await password.fill('Not-the-password-1')
  await remove.click()
  await expect(dialog.getByText(wrongMessage)).toBeVisible()
  await expect(message).toBeFocused()
  await message.fill('delete my account')
  await remove.click()
  await expect(dialog.getByText('password is incorrect')).toBeVisible()
  await expect(password).toBeFocused()
  expect(subscription.status).toBe('active')
  await password.fill(account.password)
  await remove.click()

  await expectToast(page, `Deleted account ${account.email}`)
  await expect(heading(page, 'Log in')).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  expect(subscription.status).toBe('canceled')
  expect(stripe.store.customers.has(customer.id)).toBe(false)
  const countInvoices = () =>
    [...stripe.store.invoices.values()].filter((entry) => entry.customer === customer.id).length
  const invoiceCount = countInvoices()
  stripe.advanceTo(stripe.store.now() + 62 * 86_400)
  await stripe.webhooks.drain()
  expect(countInvoices()).toBe(invoiceCount)
  await signIn(page, account.email, account.password)
  await expectToast(page, 'Login credentials are incorrect')
})

test('a user of another company deletes the account without a password', async ({ page }) => {
  await page.goto('/register')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Sign Up With Google' }).click()
  await page.getByRole('button', { name: /^Nora Newman/ }).click()
  await page.getByLabel('Subdomain').fill('nora')
  await page.getByRole('button', { name: 'Complete Registration →' }).and(page.locator(':not([aria-disabled])')).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByLabel('Delete message').fill('delete my account')
  await expect(dialog.getByLabel('Password')).toHaveCount(0)
  const removal = page.waitForRequest((request) => request.method() === 'DELETE')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  expect((await removal).postDataJSON()).toEqual({})
  await expectToast(page, 'Deleted account nora@example.org')
  await expect(heading(page, 'Log in')).toBeVisible()
})
