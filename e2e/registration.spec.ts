import type { Page } from '@playwright/test'
import { findAxeViolations } from './support/axe'
import { accountPassword, rootDomain } from './support/hosted-server'
import { accountPath, expect, openAs, test } from './support/hosted-test'
import { expectToast, heading } from './support/screen'

test.use({ serverName: 'registration' })

// Before the first page: the server reads what the console needs every few seconds only.
test.beforeAll(({ api }) =>
  api.add('/PasswordSettings', { min_password_length: 9, require_digit: 1, require_special_character: 1 }),
)

const expectNoViolations = async (page: Page) => expect(await findAxeViolations(page)).toEqual([])

/** Registers until the page for the code. */
const register = async (page: Page, email: string) => {
  await page.goto('/register')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Sign Up With Email' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(accountPassword)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(heading(page, 'Verify your email')).toBeVisible()
}

test('a person registers with an e-mail address, with the keyboard only', async ({ page, hosted }) => {
  const email = 'priya@example.com'
  await page.goto('/')
  await page.getByRole('link', { name: 'Register' }).focus()
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Register')).toBeVisible()
  await expect(page.getByText('New accounts start with a 21-day trial: 5 simultaneous calls')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Up With Email' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Accept the Terms of Service and Privacy Policy to continue.')).toBeVisible()
  await expect(page.getByRole('checkbox')).toBeFocused()
  await expectNoViolations(page)
  await page.keyboard.press('Space')
  // past the links to the terms and to the privacy policy
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Sign Up With Email' })).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(heading(page, 'Register with email')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('horse')
  await page.keyboard.press('Enter')
  const rules = [
    'Be at least 9 characters long',
    'Contain at least one number',
    'Contain at least one special character',
  ]
  await expect(page.getByText('Password must:')).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveText(rules)
  await expectNoViolations(page)
  await page.getByLabel('Password', { exact: true }).fill(accountPassword)
  await page.keyboard.press('Enter')

  await expect(heading(page, 'Verify your email')).toBeVisible()
  await expect(page.getByText(email)).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Verification code')).toBeFocused()
  const code = await hosted.readCode(email)
  await page.keyboard.type(code === '000000' ? '111111' : '000000')
  await expect(page.getByText('invalid user or activation code')).toBeVisible()
  await expectNoViolations(page)
  // the wrong code is selected, so typing replaces it
  await page.keyboard.type(code)

  await expect(heading(page, 'Choose a subdomain')).toBeVisible()
  await page.reload()
  await expect(page.getByText(`.${rootDomain}`, { exact: true })).toBeVisible()
  await page.keyboard.type('Bramble')
  await expect(page.getByText(`bramble.${rootDomain} is available`)).toBeVisible()
  await expectNoViolations(page)
  await page.keyboard.press('Enter')

  await expect(heading(page, 'Edit account')).toBeVisible()
  await expect(page.getByLabel('SIP realm', { exact: true })).toHaveValue(`bramble.${rootDomain}`)
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0)
})

test('a registration that stops half way continues after the next sign-in', async ({ page, hosted, context }) => {
  const email = 'half.way@example.com'
  const signIn = async () => {
    await page.goto('/')
    await page.getByLabel('Username').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(accountPassword)
    await page.getByRole('button', { name: 'Log in' }).click()
  }
  await register(page, email)
  await page.evaluate(() => sessionStorage.clear())
  await context.clearCookies()
  await signIn()
  await expect(heading(page, 'Verify your email')).toBeVisible()
  await page.getByLabel('Verification code').fill(await hosted.readCode(email))
  await expect(heading(page, 'Choose a subdomain')).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await signIn()
  await expect(heading(page, 'Choose a subdomain')).toBeVisible()
  // a signed-in user who opens an earlier page continues too
  await page.goto('/register')
  await expect(heading(page, 'Choose a subdomain')).toBeVisible()
})

test('a subdomain is checked while it is typed, and saved only if it is available', async ({ page, hosted }) => {
  await hosted.register('taken@example.com', 'taken-name')
  const account = await hosted.register('subdomain@example.com')
  const checkedRealms: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/v1/Availability') checkedRealms.push(searchParams.get('value'))
  })
  const field = page.getByLabel('Subdomain')
  const button = page.getByRole('button', { name: 'Complete Registration →' })
  const expectRefusal = async (text: string | RegExp) => {
    await expect(page.getByRole('alert').filter({ hasText: text }).first()).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await field.press('Enter')
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(heading(page, 'Choose a subdomain')).toBeVisible()
  }
  await openAs(page, account, '/')
  await expect(heading(page, 'Choose a subdomain')).toBeVisible()
  await field.fill('ab')
  await field.press('Enter')
  await field.fill('taken-name')
  await expectRefusal(`taken-name.${rootDomain} is already taken. Try another name.`)
  expect(checkedRealms).toEqual([`taken-name.${rootDomain}`])
  await field.fill('my_company')
  await expectRefusal('Use letters, digits and hyphens only.')

  // a proxy responds for the server, without a text
  await page.route('**/v1/Availability*', (route) => route.fulfill({ status: 502 }))
  await field.fill('my-company')
  await expectRefusal(/^Something went wrong, please try again\.( Check again)?$/)
  await expectToast(page, 'Something went wrong, please try again.')
  await expectNoViolations(page)
  await page.unroute('**/v1/Availability*')
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText(`my-company.${rootDomain} is available`)).toBeVisible()
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await button.click()
  await expect(heading(page, 'Edit account')).toBeVisible()
})

test('the user of an account changes its SIP realm', async ({ page, hosted }) => {
  const account = await hosted.register('realm@example.com', 'old-name')
  const { account_sid } = account
  await hosted.api.add('/Clients', { account_sid, username: 'desk', password: 'Desk-phone-1' })
  await openAs(page, account, '/')
  await page.getByRole('link', { name: 'Change Sip Realm' }).click()
  await expect(heading(page, 'Change Sip Realm')).toBeVisible()
  await expect(page.getByText(`1 client registers with old-name.${rootDomain}`)).toBeVisible()
  const save = page.getByRole('button', { name: 'Change Sip Realm' })
  await page.getByLabel('New subdomain').fill('www')
  await expect(page.getByText(`www.${rootDomain} is already taken. Try another name.`)).toBeVisible()
  await expect(save).toBeDisabled()
  await page.getByLabel('New subdomain').fill('new-name')
  await expect(page.getByText(`new-name.${rootDomain} is available`)).toBeVisible()
  await expectNoViolations(page)
  await save.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Change Sip Realm' }).click()
  await expectToast(page, `SIP realm changed to new-name.${rootDomain}`)
  await expect(page.getByLabel('SIP realm', { exact: true })).toHaveValue(`new-name.${rootDomain}`)
})

test('without card payment, an account cannot be upgraded, and says so', async ({ page, hosted }) => {
  const account = await hosted.register('no-card@example.com', 'no-card')
  await openAs(page, account, '/')
  await page.getByRole('link', { name: 'Upgrade' }).click()
  await expect(heading(page, 'Upgrade your Subscription')).toBeVisible()
  await expect(page.getByText('Card payment is not set up')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
  await page.goto(accountPath(account, 'manage-payment'))
  await expect(page.getByText('Card payment is not set up')).toBeVisible()
})
