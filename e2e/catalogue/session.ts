import { messages as general } from '../../contract/src/messages/general'
import { messages as password } from '../../contract/src/messages/password'
import { messages as reset } from '../../contract/src/messages/password-reset'
import { messages as session } from '../../contract/src/messages/session'
import { findDefaultProviderSid } from '../../scripts/launch/api'
import { startMailbox } from '../../scripts/launch/mailbox'
import { expectMessage } from '../support/catalogue'
import { addUser, openAs, signIn } from '../../scripts/launch/users'
import { heading, clickSave, signOut } from '../support/screen'
import { startServer } from '../../scripts/launch/server'
import { expect, test } from '../support/test'

const defineSignInTests = () => {
  test('sign-in and sign-out show server and connection errors', async ({ page, server, admin, context }) => {
    await page.goto('/internal/applications')
    await expectMessage(page, session.mustLogIn)
    await signIn(page, admin.name, 'not it')
    await expectMessage(page, session.wrongCredentials)

    // Simulates a failing server, and a proxy without a reachable server.
    for (const [status, message] of [
      [500, session.unreachable],
      [503, session.failed],
    ] as const) {
      await page.route('**/v1/login', (route) => route.fulfill({ status }))
      await signIn(page, admin.name, admin.password)
      await expectMessage(page, message)
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
      await page.unroute('**/v1/login')
    }

    await signIn(page, admin.name, admin.password)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await signOut(page)
    await expectMessage(page, session.loggedOut)

    await signIn(page, admin.name, admin.password)
    await expect(heading(page, 'Accounts')).toBeVisible()
    // A request that the page still has to send would end the session before the click.
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => localStorage.setItem('token', `${localStorage.getItem('token')}x`))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expectMessage(page, session.expired)

    await signIn(page, admin.name, admin.password)
    await expect(heading(page, 'Accounts')).toBeVisible()
    const refresh = page.getByRole('button', { name: 'Refresh' })
    // The heading is visible before the code of the page has loaded.
    await expect(refresh).toBeVisible()
    await context.setOffline(true)
    await refresh.click()
    await expectMessage(page, session.unreachable)
    await expect(page).toHaveURL(`${server.url}/`)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    // Signing in requires no further downloads, so it works offline up to the request.
    await signIn(page, admin.name, admin.password)
    await expectMessage(page, session.unreachable)
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(heading(page, 'Accounts')).toBeVisible()
  })
}

const definePasswordTests = () => {
  test('a temporary password must be changed', async ({ page, server, api }) => {
    await api.add('/PasswordSettings', { min_password_length: 8, require_digit: 1, require_special_character: 1 })
    const user = await addUser(server, 'nora', { mustChangePassword: true })
    await page.goto('/')
    await signIn(page, user.name, user.password)
    const { title, length, digit, special } = password.rule
    for (const rule of [title, length(8), digit, special]) await expectMessage(page, rule)
    await page.getByLabel('New password').fill('Long-enough-1')
    const confirmationField = page.getByLabel('Confirm password')
    await confirmationField.fill('Long-enough-2')
    await clickSave(page)
    await expectMessage(page, password.differ)
    await confirmationField.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
    await expectMessage(page, session.capsLock)
  })

  test('a forgotten password can be reset', async ({ page }) => {
    const mailbox = await startMailbox()
    const server = await startServer({ SMTP_URL: mailbox.url, MAIL_FROM: 'no-reply@example.com' })
    try {
      await addUser(server, 'petra')
      await page.goto(`${server.url}/forgot-password`)
      await page.getByLabel('Email').fill('petra@example.com')
      await page.getByRole('button', { name: 'Send email' }).click()
      await expectMessage(page, reset.sent)

      const { mail } = await mailbox.waitForMail('petra@example.com')
      await page.goto(/href="([^"]+)"/.exec(mail.html ?? '')?.[1] ?? '')
      const passwordField = page.getByLabel('New password')
      const confirmationField = page.getByLabel('Confirm password')
      const saveButton = page.getByRole('button', { name: 'Set new password' })
      await passwordField.fill('482915')
      await saveButton.click()
      await expectMessage(page, reset.tooShort)
      await passwordField.fill('7391-5820-4416')
      await confirmationField.fill('7391-5820-4417')
      await expectMessage(page, reset.noLetter)
      await saveButton.click()
      await expectMessage(page, reset.mismatch)
      await confirmationField.fill('7391-5820-4416')
      await saveButton.click()
      await expectMessage(page, reset.passwordSet)
    } finally {
      await server.dispose()
      await mailbox.close()
    }
  })
}

const definePageTests = () => {
  test('missing, forbidden and failing pages show an error', async ({ page, server, api, admin }) => {
    await page.goto('/no/such/page')
    await expectMessage(page, general.screenNotFound)
    const service_provider_sid = await findDefaultProviderSid(api)
    const account_sid = await api.add('/Accounts', { name: 'Fenced', service_provider_sid })
    const user = await addUser(server, 'fay', { service_provider_sid, account_sid })
    await openAs(page, server, user, '/internal/accounts/add')
    await expectMessage(page, general.noAccess)

    const loadedUrls = new Set<string>()
    page.on('response', (response) => loadedUrls.add(response.url()))
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await page.route('**/assets/*.js', (route) =>
      loadedUrls.has(route.request().url()) ? route.continue() : route.abort(),
    )
    await page.getByRole('link', { name: 'Carriers', exact: true }).click()
    await expectMessage(page, general.crashed)
  })

  test('a copy button reports success and failure', async ({ page, context, server, api, admin }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const sid = await api.add('/Accounts', { name: 'Copied', service_provider_sid: await findDefaultProviderSid(api) })
    await openAs(page, server, admin, `/internal/accounts/${sid}/edit`)
    await expectMessage(page, general.asterisk)
    await page.getByRole('button', { name: `Copy ${sid}` }).click()
    await expectMessage(page, general.copied(sid))
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sid)
    // Browsers provide no clipboard on pages without TLS, except on localhost.
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.reload()
    await page.getByRole('button', { name: `Copy ${sid}` }).click()
    await expectMessage(page, general.notCopied(sid))
  })
}

/** Messages about signing in and out, and messages of all pages. */
export const defineSessionTests = () => {
  defineSignInTests()
  definePasswordTests()
  definePageTests()
}
