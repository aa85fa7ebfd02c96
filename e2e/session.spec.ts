import type { Page, Response, Route } from '@playwright/test'
import { findDefaultProviderSid } from '../scripts/launch/api'
import { addUser, openAs, signIn, signInForToken } from '../scripts/launch/users'
import { heading, expectToast, clickSave, signOut } from './support/screen'
import { expect, test } from './support/test'

/** The token in the browser's storage. */
const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'))

const passwordField = (page: Page) => page.getByLabel('Password', { exact: true })

test.describe('signing in', () => {
  test('a wrong password, an unknown name and empty fields cause the same error', async ({ page, admin }) => {
    await page.goto('/')
    for (const [name, password] of [
      [admin.name, 'not it'],
      ['nobody-of-that-name', admin.password],
      ['', ''],
    ] as const) {
      await signIn(page, name, password)
      await expectToast(page, 'Login credentials are incorrect')
      await expect(name ? passwordField(page) : page.getByRole('textbox', { name: 'Username' })).toBeFocused()
      await page.reload()
    }
    expect(await readToken(page)).toBeNull()
  })

  test('the server refuses the correct password after too many wrong ones', async ({ page, server }) => {
    const lockedUser = await addUser(server, 'lars')
    for (let attempt = 1; attempt <= 6; attempt += 1)
      await expect(signInForToken(server.url, { ...lockedUser, password: `guess ${attempt}` })).rejects.toThrow('403')
    await page.goto('/')
    await signIn(page, lockedUser.name, lockedUser.password)
    await expectToast(page, 'Login credentials are incorrect')
    expect(await readToken(page)).toBeNull()
  })

  test('an administrator can sign in with the keyboard and starts at the accounts', async ({ page, admin }) => {
    await page.goto('/')
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused()
    await page.keyboard.type(admin.name)
    await page.keyboard.press('Tab')
    await page.keyboard.type(admin.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/internal\/accounts$/)
    await expect(heading(page, 'Accounts')).toBeVisible()
    const header = page.getByRole('banner')
    await expect(header).toContainText(admin.name)
    await expect(header).toContainText('Admin')
    // The sign-in page redirects users who are signed in.
    await page.goto('/')
    await expect(page).toHaveURL(/\/internal\/accounts$/)
  })
})

test.describe('the end of a session', () => {
  test('signing out shows a confirmation and clears all stored data', async ({ page, server, admin }) => {
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    const oldToken = await readToken(page)
    await page.getByRole('link', { name: 'Applications', exact: true }).click()
    await expect(heading(page, 'Applications')).toBeVisible()
    await signOut(page)
    await expect(page).toHaveURL(`${server.url}/`)
    await expectToast(page, "You've successfully logged out.")
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    const response = await fetch(`${server.url}/v1/Users/me`, { headers: { authorization: `Bearer ${oldToken}` } })
    expect(response.status).toBe(401)
    await page.goBack()
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
    await expect(heading(page, 'Accounts')).toHaveCount(0)
  })

  test('signing out in one window also ends the session in others', async ({ page, context, server, admin }) => {
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    const otherPage = await context.newPage()
    await otherPage.goto(`${server.url}/internal/applications`)
    await expect(heading(otherPage, 'Applications')).toBeVisible()
    await signOut(page)
    await expect(otherPage.getByRole('button', { name: 'Log in' })).toBeVisible()
  })

  test('leaving a page while it loads does not end the session', async ({ page, server, admin }) => {
    // The request gets no response, so each reload aborts it.
    await page.route('**/v1/ServiceProviders/*/Accounts?*', () => undefined)
    await openAs(page, server, admin)
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(heading(page, 'Accounts')).toBeVisible()
      await page.reload()
    }
    await page.unroute('**/v1/ServiceProviders/*/Accounts?*')
    await page.reload()
    await expect(heading(page, 'Accounts')).toHaveText(/^Accounts \d+$/)
    expect(await readToken(page)).not.toBeNull()
  })
})

test.describe('the console by scope', () => {
  test("a provider user sees the provider's name and manages its accounts", async ({ page, server, api }) => {
    const service_provider_sid = await api.add('/ServiceProviders', { name: 'Lighthouse Voice' })
    await api.add('/Accounts', { name: 'Keeper', service_provider_sid })
    const user = await addUser(server, 'petra', { service_provider_sid })
    await page.goto('/')
    await signIn(page, user.name, user.password)
    await expect(page).toHaveURL(/\/internal\/accounts$/)
    await expect(heading(page, 'Accounts')).toHaveText('Accounts 1')
    await expect(page.getByRole('link', { name: 'Keeper', exact: true })).toBeVisible()
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    await expect(sidebar).toContainText(/Service provider: .*Lighthouse Voice/)
    await expect(sidebar.getByRole('combobox')).toHaveCount(0)
    await expect(sidebar.getByRole('button', { name: 'Add service provider' })).toHaveCount(0)
    await expect(sidebar.getByRole('link', { name: 'Account', exact: true })).toHaveCount(0)
    await expect(page.getByRole('banner')).toContainText('Service provider')
  })

  test('an account user can open only their account', async ({ page, server, api }) => {
    const service_provider_sid = await findDefaultProviderSid(api)
    const account_sid = await api.add('/Accounts', { name: 'Pebble', service_provider_sid })
    const otherAccountSid = await api.add('/Accounts', { name: 'Boulder', service_provider_sid })
    const user = await addUser(server, 'paul', { service_provider_sid, account_sid })
    const ownAccountUrl = `${server.url}/internal/accounts/${account_sid}/edit`
    await page.goto('/')
    await signIn(page, user.name, user.password)
    await expect(page).toHaveURL(ownAccountUrl)
    await expect(page.getByLabel('Account name')).toHaveValue('Pebble')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await expect(navigation.getByRole('link', { name: 'Account', exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(navigation.getByRole('link', { name: 'Accounts', exact: true })).toHaveCount(0)
    await expect(page.getByRole('combobox', { name: 'Service provider' })).toHaveCount(0)

    await page.goto('/internal/accounts')
    await expect(page).toHaveURL(ownAccountUrl)
    await expectToast(page, 'You do not have permissions to manage all accounts')
    await page.goto(`/internal/accounts/${otherAccountSid}/edit`)
    await expect(page).toHaveURL(ownAccountUrl)
    await expectToast(page, 'You do not have access.')
    await page.goto('/internal/accounts/add')
    await expect(page).toHaveURL(ownAccountUrl)
    await expectToast(page, 'You do not have access to this resource')

    await page.getByLabel('Account name').fill('Pebble & Sons')
    await clickSave(page)
    await expectToast(page, 'Account updated successfully')
    await expect(page.getByRole('banner')).toContainText('Account')
  })
})

test.describe('a page with code that fails to load', () => {
  /**
   * Returns a function that starts to intercept scripts: those that the page has already loaded are served, all others
   * go to `handleNewScript`.
   */
  const interceptNewScripts = async (page: Page, handleNewScript: (route: Route) => Promise<void>) => {
    const loadedUrls = new Set<string>()
    const recordUrl = (response: Response) => loadedUrls.add(response.url())
    page.on('response', recordUrl)
    return () => {
      page.off('response', recordUrl)
      return page.route('**/assets/*', (route) =>
        loadedUrls.has(route.request().url()) ? route.continue() : handleNewScript(route),
      )
    }
  }

  const openCarriers = (page: Page) => page.getByRole('link', { name: 'Carriers', exact: true }).click()

  test('offers a reload if its script is blocked', async ({ page, server, admin }) => {
    const block = await interceptNewScripts(page, (route) => route.abort())
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await block()
    await openCarriers(page)
    await expect(page.getByText('Unexpected Application Error!')).toBeVisible()
    await page.unroute('**/assets/*')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await expect(heading(page, 'Carriers')).toBeVisible()
  })

  test('offers a reload if an upgrade of the server has removed its script', async ({ page, server, admin }) => {
    const remove = await interceptNewScripts(page, (route) => route.fulfill({ status: 404, body: 'Not Found' }))
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    let navigations = 0
    page.on('framenavigated', () => (navigations += 1))
    await remove()
    await openCarriers(page)
    await expect(page.getByText('Unexpected Application Error!')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Reload the page' })).toBeVisible()
    // Only the URL has changed; the console has not reloaded the page automatically.
    expect(navigations).toBe(1)
    expect(await readToken(page)).not.toBeNull()
  })

  test('ends the session with the reason if the server is down', async ({ page, server, admin }) => {
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    // The sign-in page is part of the first script.
    await page.waitForLoadState('networkidle')
    await page.route('**/*', (route) => route.abort('connectionrefused'))
    await openCarriers(page)
    await expectToast(page, 'The server cannot be reached')
    await expect(page).toHaveURL(`${server.url}/`)
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })
})
