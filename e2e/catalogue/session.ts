import { messages as general } from '../../contract/src/messages/general'
import { messages as reset } from '../../contract/src/messages/password-reset'
import { messages as session } from '../../contract/src/messages/session'
import { firstProvider } from '../../scripts/launch/api'
import { startMailbox } from '../../server/test/external/smtp-double'
import { expectMessage } from '../support/catalogue'
import { addUser, openAs, signIn } from '../../scripts/launch/users'
import { heading, clickSave } from '../support/screen'
import { startServer } from '../../scripts/launch/server'
import { expect, test } from '../support/test'

/** Messages about signing in and out, and messages of all pages. */
export const sessionJourneys = () => {
  test('sign-in and sign-out show server and connection errors', async ({ page, platform, admin, context }) => {
    await page.goto('/internal/applications')
    await expectMessage(page, session.mustLogIn)
    await signIn(page, admin.name, 'not it')
    await expectMessage(page, session.wrongCredentials)

    // Simulates a failing server, and a proxy without a reachable server.
    for (const [status, sentence] of [
      [500, session.unreachable],
      [503, session.failed],
    ] as const) {
      await page.route('**/v1/login', (route) => route.fulfill({ status }))
      await signIn(page, admin.name, admin.password)
      await expectMessage(page, sentence)
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
      await page.unroute('**/v1/login')
    }

    await signIn(page, admin.name, admin.password)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expectMessage(page, session.loggedOut)

    await signIn(page, admin.name, admin.password)
    await expect(heading(page, 'Accounts')).toBeVisible()
    // a request that the page has yet to send would end the session before the click
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
    await expect(page).toHaveURL(`${platform.url}/`)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    // Signing in requires no further downloads, so it works offline up to the request.
    await signIn(page, admin.name, admin.password)
    await expectMessage(page, session.unreachable)
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(heading(page, 'Accounts')).toBeVisible()
  })

  test('a temporary password must be changed', async ({ page, platform, api }) => {
    await api.add('/PasswordSettings', { min_password_length: 8, require_digit: 1, require_special_character: 1 })
    const user = await addUser(platform, 'nora', { mustChangePassword: true })
    await page.goto('/')
    await signIn(page, user.name, user.password)
    const { title, length, digit, special } = session.passwordRule
    for (const words of [title, length(8), digit, special]) await expectMessage(page, words)
    await page.getByLabel('New password').fill('Long-enough-1')
    const again = page.getByLabel('Confirm password')
    await again.fill('Long-enough-2')
    await clickSave(page)
    await expectMessage(page, session.passwordsDiffer)
    await again.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
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

      const { mail } = await mailbox.to('petra@example.com')
      await page.goto(/href="([^"]+)"/.exec(mail.html ?? '')?.[1] ?? '')
      const [first, again] = [page.getByLabel('New password'), page.getByLabel('Confirm password')]
      await first.fill('482915')
      await clickSave(page)
      await expectMessage(page, reset.tooShort)
      await first.fill('7391-5820-4416')
      await again.fill('7391-5820-4417')
      await expectMessage(page, reset.noLetter)
      await clickSave(page)
      await expectMessage(page, reset.mismatch)
      await again.fill('7391-5820-4416')
      await clickSave(page)
      await expectMessage(page, reset.passwordSet)
    } finally {
      await server.dispose()
      await mailbox.close()
    }
  })

  test('missing, forbidden and failing pages show an error', async ({ page, platform, api, admin }) => {
    await page.goto('/no/such/page')
    await expectMessage(page, general.pageNotFound)
    const service_provider_sid = await firstProvider(api)
    const account_sid = await api.add('/Accounts', { name: 'Fenced', service_provider_sid })
    const user = await addUser(platform, 'fay', { service_provider_sid, account_sid })
    await openAs(page, platform, user, '/internal/accounts/add')
    await expectMessage(page, general.noAccess)

    const known = new Set<string>()
    page.on('response', (response) => known.add(response.url()))
    await openAs(page, platform, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await page.route('**/assets/*.js', (route) => (known.has(route.request().url()) ? route.continue() : route.abort()))
    await page.getByRole('link', { name: 'Carriers', exact: true }).click()
    await expectMessage(page, general.crashed)
  })

  test('a copy button reports success and failure', async ({ page, context, platform, api, admin }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const sid = await api.add('/Accounts', { name: 'Copied', service_provider_sid: await firstProvider(api) })
    await openAs(page, platform, admin, `/internal/accounts/${sid}/edit`)
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
