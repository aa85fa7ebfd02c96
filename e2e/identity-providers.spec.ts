import type { ServerResponse } from 'node:http'
import type { Page } from '@playwright/test'
import { findAxeViolations } from './support/axe'
import type { HostedServer } from './support/hosted-server'
import { expect, test } from './support/hosted-test'
import { expectToast, heading } from './support/screen'

test.use({ serverName: 'identity-providers' })

/** Identities at both companies, in addition to those of the stand-in. */
const furtherIdentities = [
  { id: 5550201, login: 'vera-vale', name: 'Vera Vale', email: 'vera@example.org', isEmailVerified: true },
  { id: 5550202, login: 'pia-palm', name: 'Pia Palm', email: 'pia@example.org', isEmailVerified: true },
  { id: 5550203, login: 'rosa-rey', name: 'Rosa Rey', email: 'rosa@example.org', isEmailVerified: true },
  { id: 5550204, login: 'dora-dahl', name: 'Dora Dahl', email: 'dora@example.org', isEmailVerified: true },
]

test.beforeAll(({ hosted }) => void hosted.oauthProvider.identities.push(...furtherIdentities))

const companies = [
  { company: 'Google', provider: 'google', person: 'Nora Newman', authorizationPath: '/o/oauth2/v2/auth' },
  { company: 'Github', provider: 'github', person: 'Omar Ortiz', authorizationPath: '/login/oauth/authorize' },
] as const

const expectNoViolations = async (page: Page) => expect(await findAxeViolations(page)).toEqual([])

/** Chooses an identity at the stand-in for Google and GitHub. */
const chooseIdentity = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) }).click()

const startSignUp = async (page: Page, company: string) => {
  await page.goto('/register')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: `Sign Up With ${company}` }).click()
}

const startSignIn = async (page: Page, company: string) => {
  await page.goto('/')
  await page.getByRole('button', { name: `Sign In With ${company}` }).click()
}

/** What an authorization stores in the browser must not outlive it. */
const expectNoStoredAuthorization = async (page: Page) =>
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /oauth/i.test(key)))).toEqual([])

const expectSignInWith = async (page: Page, message: string) => {
  await expectToast(page, message)
  await expect(heading(page, 'Log in')).toBeVisible()
  await expectNoStoredAuthorization(page)
}

for (const { company, provider, person, authorizationPath } of companies)
  test(`a person registers and signs in with ${company}`, async ({ page, server }) => {
    await startSignIn(page, company)
    await chooseIdentity(page, person)
    await expect(heading(page, `No account for this ${company} user`)).toBeVisible()
    await expect(page.getByText('registering a new account not allowed from the sign-in page')).toBeVisible()
    await expectNoStoredAuthorization(page)
    await expectNoViolations(page)
    await page.getByRole('link', { name: 'Register' }).click()

    await page.getByRole('checkbox').check()
    const authorizationRequest = page.waitForRequest((request) => request.url().includes(authorizationPath))
    await page.getByRole('button', { name: `Sign Up With ${company}` }).click()
    const { searchParams } = new URL((await authorizationRequest).url())
    const redirectUri = `${server.url}/oauth-callback/${provider}`
    // GitHub returns to the address that is registered there
    expect(searchParams.get('redirect_uri')).toBe(company === 'Google' ? redirectUri : null)
    const registerRequest = page.waitForRequest('**/v1/register')
    await chooseIdentity(page, person)
    expect((await registerRequest).postDataJSON()).toMatchObject({
      provider,
      service_provider_sid: expect.any(String),
      oauth2_code: expect.any(String),
      oauth2_state: searchParams.get('state'),
      oauth2_client_id: `${provider}-client`,
      oauth2_redirect_uri: redirectUri,
      locationBeforeAuth: '/register',
    })
    await expect(heading(page, 'Choose a subdomain')).toBeVisible()
    await expectNoStoredAuthorization(page)
    await page.getByLabel('Subdomain').fill(`${provider}-user`)
    await expect(page.getByText('is available')).toBeVisible()
    await page.getByRole('button', { name: 'Complete Registration →' }).click()
    await expect(heading(page, 'Edit account')).toBeVisible()

    await page.evaluate(() => localStorage.clear())
    await startSignIn(page, company)
    await chooseIdentity(page, person)
    await expect(heading(page, 'Edit account')).toBeVisible()
    await expectNoStoredAuthorization(page)
  })

test('a response that this browser has not requested leads to the sign-in page', async ({ page }) => {
  await page.goto('/oauth-callback/github?code=c&state=s')
  await expectSignInWith(page, 'Invalid state')
  await expectNoViolations(page)
  await page.goto('/oauth-callback/twitter?code=c&state=s')
  await expectSignInWith(page, 'twitter is not a valid OAuth provider')

  // the user cancels at the provider, which returns no code
  await page.getByRole('button', { name: 'Sign In With Github' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectSignInWith(page, 'Invalid state')

  // the state of one provider is not valid for the other, nor for another response
  for (const path of ['/oauth-callback/google?code=c&state=', '/oauth-callback/github?code=c&state=other-']) {
    await startSignIn(page, 'Github')
    await expect(page.getByRole('heading', { name: 'Sign in to a stand-in for GitHub' })).toBeVisible()
    await page.goto('/favicon.svg')
    const state = await page.evaluate(() => localStorage.getItem('oauth-state'))
    await page.goto(`${path}${state}`)
    await expectSignInWith(page, 'Invalid state')
  }
})

/** Sends this JSON instead of the normal response of the provider. */
const respondWith = (status: number, body: object) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

interface Failure {
  title: string
  company: 'Google' | 'Github'
  reason: string
  /** The server knows that it has created no account. */
  isRefusal: boolean
  person: string
  prepare: (hosted: HostedServer) => unknown
}

const failures: Failure[] = [
  {
    title: 'Github refuses the code',
    company: 'Github',
    reason: 'bad verification code',
    isRefusal: true,
    person: 'Vera Vale',
    prepare: ({ oauthProvider }) =>
      oauthProvider.responses.set('/login/oauth/access_token', respondWith(200, { error: 'bad_verification_code' })),
  },
  {
    title: 'Google refuses the code',
    company: 'Google',
    reason: 'invalid grant',
    isRefusal: true,
    person: 'Vera Vale',
    prepare: ({ oauthProvider }) => oauthProvider.responses.set('/token', respondWith(400, { error: 'invalid_grant' })),
  },
  {
    title: 'Google does not work',
    company: 'Google',
    reason: 'Google failed. Try again later.',
    isRefusal: false,
    person: 'Vera Vale',
    prepare: ({ oauthProvider }) => oauthProvider.responses.set('/oauth2/v2/userinfo', respondWith(502, {})),
  },
  {
    title: 'the provider has not verified the address',
    company: 'Github',
    reason:
      'The company that you sign in with has not verified your primary email address. Verify it there, then try again.',
    isRefusal: true,
    person: 'Uma Unger',
    prepare: () => undefined,
  },
  {
    title: 'the address belongs to a user with a password',
    company: 'Google',
    reason: 'user already exists with email pia@example.org',
    isRefusal: true,
    person: 'Pia Palm',
    prepare: (hosted) => hosted.register('pia@example.org', 'pia'),
  },
]

for (const { title, company, reason, isRefusal, person, prepare } of failures)
  test(`the sign-in fails with a reason if ${title}`, async ({ page, hosted }) => {
    const { responses } = hosted.oauthProvider
    await prepare(hosted)
    try {
      await startSignUp(page, company)
      await chooseIdentity(page, person)
      await expect(heading(page, `${company} sign-in failed`)).toBeVisible()
      await expect(page.getByRole('alert').filter({ hasText: 'Reason' })).toContainText(reason)
      await expect(page.getByText('No account was created and nothing was changed.')).toHaveCount(isRefusal ? 1 : 0)
      expect(new URL(page.url()).search).toBe('')
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
      await expectNoStoredAuthorization(page)
    } finally {
      responses.clear()
    }
    await page.getByRole('button', { name: `Try again with ${company}` }).click()
    await expect(page.getByRole('heading', { name: /^Sign in to a stand-in/ })).toBeVisible()
  })

test('a sign-in that failed can be repeated, and its response is valid once', async ({ page, hosted }) => {
  const { responses } = hosted.oauthProvider
  responses.set('/login/oauth/access_token', respondWith(503, {}))
  await startSignUp(page, 'Github')
  await chooseIdentity(page, 'Rosa Rey')
  await expect(page.getByText('GitHub failed. Try again later.')).toBeVisible()
  await expectNoViolations(page)
  responses.clear()
  await page.reload()
  await expectSignInWith(page, 'Invalid state')
  await startSignUp(page, 'Github')
  await chooseIdentity(page, 'Rosa Rey')
  await expect(heading(page, 'Choose a subdomain')).toBeVisible()
})

test('a user whose account was deactivated sees that as the reason', async ({ page, hosted }) => {
  await startSignUp(page, 'Google')
  const registered = page.waitForResponse('**/v1/register')
  await chooseIdentity(page, 'Dora Dahl')
  const { user_sid } = (await (await registered).json()) as { user_sid: string }
  await expect(heading(page, 'Choose a subdomain')).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await hosted.api.put(`/Users/${user_sid}`, { is_active: 0 })
  await startSignIn(page, 'Google')
  await chooseIdentity(page, 'Dora Dahl')
  await expect(heading(page, 'Google sign-in failed')).toBeVisible()
  await expect(page.getByText('This user or account is not active.')).toBeVisible()
})
