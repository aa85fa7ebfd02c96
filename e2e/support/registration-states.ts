import { expect, type Page } from '@playwright/test'
import { messages as sessionMessages } from '@trunkline/contract/messages/password-reset'
import { accountPassword, rootDomain, type HostedServer } from './hosted-server'
import { expectToast, heading } from './screen'

/** Opens the screens before sign-in in each of their states. */
type OpenState = (page: Page, hosted: HostedServer) => Promise<void>

let addressCount = 0
const nextAddress = () => `person-${(addressCount += 1)}@example.com`

const openRegister = async (page: Page) => {
  await page.goto('/register')
  await expect(heading(page, 'Register')).toBeVisible()
}

const acceptTerms = async (page: Page) => {
  await openRegister(page)
  await page.getByRole('checkbox').check()
}

const openRegisterByEmail = async (page: Page) => {
  await acceptTerms(page)
  await page.getByRole('button', { name: 'Sign Up With Email' }).click()
  await expect(heading(page, 'Register with email')).toBeVisible()
}

/** Registers until the page for the code. */
const openVerifyEmail = async (page: Page, email = nextAddress()) => {
  await openRegisterByEmail(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(accountPassword)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Verification code')).toBeFocused()
}

const openChooseSubdomain: OpenState = async (page, hosted) => {
  const { token } = await hosted.register(nextAddress())
  await page.addInitScript((value) => localStorage.setItem('token', value), token)
  await page.goto('/register/choose-a-subdomain')
  await expect(page.getByText(`.${rootDomain}`, { exact: true })).toBeVisible()
}

/** Chooses an identity at the stand-in for an identity provider. */
const signInWith = async (page: Page, company: 'Google' | 'Github', person: string, verb: 'In' | 'Up' = 'In') => {
  await page.getByRole('button', { name: `Sign ${verb} With ${company}` }).click()
  await page.getByRole('button', { name: new RegExp(person) }).click()
}

const openResetPassword: OpenState = async (page, hosted) => {
  const { email } = await hosted.register(nextAddress())
  await fetch(`${hosted.url}/v1/forgot-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  const { mail } = await hosted.mailbox.waitForMail(email, 2)
  await page.goto(/href="([^"]+\/reset-password\/[^"]+)"/.exec(mail.html ?? '')?.[1] ?? '')
  await expect(page.getByLabel('New password')).toBeVisible()
}

const enterNewPassword = async (page: Page, password: string, confirmation = password) => {
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Confirm password').fill(confirmation)
  await page.getByRole('button', { name: 'Set new password' }).click()
}

const signInStates: Record<string, OpenState> = {
  'sign-in': async (page) => {
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Sign In With Github' })).toBeVisible()
  },
  'sign-in-invalid-state': async (page) => {
    await page.goto('/oauth-callback/github?code=c&state=s')
    await expectToast(page, 'Invalid state')
  },
  'sign-in-unknown-provider': async (page) => {
    await page.goto('/oauth-callback/twitter?code=c&state=s')
    await expectToast(page, 'twitter is not a valid OAuth provider')
  },
  'oauth-callback': async (page) => {
    await page.goto('/')
    await page.route('**/v1/register', () => undefined)
    await signInWith(page, 'Github', 'Omar Ortiz')
    await expect(page.getByRole('status').filter({ hasText: 'Checking with Github' })).toBeVisible()
  },
  'oauth-callback-failed': async (page) => {
    await acceptTerms(page)
    await signInWith(page, 'Github', 'Uma Unger', 'Up')
    await expect(heading(page, 'Github sign-in failed')).toBeVisible()
  },
  'oauth-callback-not-registered': async (page) => {
    await page.goto('/')
    await signInWith(page, 'Github', 'Omar Ortiz')
    await expect(heading(page, 'No account for this Github user')).toBeVisible()
  },
}

const registrationStates: Record<string, OpenState> = {
  register: openRegister,
  'register-terms-required': async (page) => {
    await openRegister(page)
    // the button looks disabled, so that Playwright would not press it
    await page.getByRole('button', { name: 'Sign Up With Google' }).press('Enter')
    await expect(page.getByText('Accept the Terms of Service and Privacy Policy to continue.')).toBeVisible()
  },
  'register-terms-accepted': acceptTerms,
  'register-email': async (page) => {
    await openRegisterByEmail(page)
    await page.getByLabel('Email').fill('priya.nair@fernwood.example')
    await page.getByLabel('Password', { exact: true }).fill('fernwood-7')
  },
  'register-email-errors': async (page) => {
    await page.route('**/v1/register', (route) =>
      route.fulfill({ status: 422, json: { msg: 'account already exists for this email' } }),
    )
    await openRegisterByEmail(page)
    await page.getByLabel('Email').fill('priya.nair@fernwood.example')
    await page.getByLabel('Password', { exact: true }).fill(accountPassword)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('account already exists for this email')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill('horse')
    await page.keyboard.press('Tab')
    await expect(page.getByText('Password must: Be at least 8 characters long')).toBeVisible()
  },
  'verify-your-email': async (page) => {
    await openVerifyEmail(page)
    await page.keyboard.type('418')
  },
  'verify-your-email-wrong-code': async (page, hosted) => {
    const email = nextAddress()
    await openVerifyEmail(page, email)
    await page.keyboard.type((await hosted.readCode(email)) === '418906' ? '418907' : '418906')
    await expect(page.getByText('invalid user or activation code')).toBeVisible()
  },
  'choose-a-subdomain': openChooseSubdomain,
  'choose-a-subdomain-checking': async (page, hosted) => {
    await page.route('**/Availability?*', () => undefined)
    await openChooseSubdomain(page, hosted)
    await page.getByLabel('Subdomain').fill('fernwood')
    await expect(page.getByText(`Checking fernwood.${rootDomain}`)).toBeVisible()
  },
  'choose-a-subdomain-available': async (page, hosted) => {
    await openChooseSubdomain(page, hosted)
    await page.getByLabel('Subdomain').fill('fernwood')
    await expect(page.getByText(`fernwood.${rootDomain} is available`)).toBeVisible()
  },
  'choose-a-subdomain-taken': async (page, hosted) => {
    await page.route('**/Availability?*', (route) => route.fulfill({ json: { available: false } }))
    await openChooseSubdomain(page, hosted)
    await page.getByLabel('Subdomain').fill('fern')
    await expect(page.getByText(`fern.${rootDomain} is already taken. Try another name.`)).toBeVisible()
  },
  'choose-a-subdomain-failed': async (page, hosted) => {
    await page.route('**/Availability?*', (route) => route.fulfill({ status: 502, body: '' }))
    await openChooseSubdomain(page, hosted)
    await page.getByLabel('Subdomain').fill('fernwood')
    await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible()
  },
}

const resetStates: Record<string, OpenState> = {
  'reset-password': openResetPassword,
  'reset-password-mismatch': async (page, hosted) => {
    await openResetPassword(page, hosted)
    await enterNewPassword(page, 'Fernwood-77', 'Fernwood-78')
    await expect(page.getByText(sessionMessages.mismatch)).toBeVisible()
  },
  'reset-password-short': async (page, hosted) => {
    await openResetPassword(page, hosted)
    await enterNewPassword(page, '71-55')
    await expect(page.getByText(sessionMessages.tooShort)).toBeVisible()
    await expect(page.getByText(sessionMessages.noLetter)).toBeVisible()
  },
  'reset-password-link-expired': async (page) => {
    await page.goto('/reset-password/1111111111111111111111')
    await expect(page.getByText('This link has expired or was already used.')).toBeVisible()
  },
  'sign-in-password-set': async (page, hosted) => {
    await openResetPassword(page, hosted)
    await enterNewPassword(page, 'Fernwood-77')
    await expectToast(page, sessionMessages.passwordSet)
  },
}

/** The states of the screens before sign-in, by name. */
export const registrationScreenStates = { ...signInStates, ...registrationStates, ...resetStates }
