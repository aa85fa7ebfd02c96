import type { Page, Response, Route } from '@playwright/test'
import { firstProvider } from '../scripts/launch/api'
import { addUser, openAs, signIn, signInForToken } from '../scripts/launch/users'
import { heading, expectToast, clickSave } from './support/screen'
import { expect, test } from './support/test'

/** The token in the browser's storage. */
const token = (page: Page) => page.evaluate(() => localStorage.getItem('token'))

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click()

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
    expect(await token(page)).toBeNull()
  })

  test('the server refuses the correct password after too many wrong ones', async ({ page, platform }) => {
    const locked = await addUser(platform, 'lars')
    for (let attempt = 1; attempt <= 6; attempt += 1)
      await expect(signInForToken(platform.url, { ...locked, password: `guess ${attempt}` })).rejects.toThrow('403')
    await page.goto('/')
    await signIn(page, locked.name, locked.password)
    await expectToast(page, 'Login credentials are incorrect')
    expect(await token(page)).toBeNull()
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
  test('signing out shows a confirmation and clears all stored data', async ({ page, platform, admin }) => {
    await openAs(page, platform, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    const old = await token(page)
    await page.getByRole('link', { name: 'Applications', exact: true }).click()
    await expect(heading(page, 'Applications')).toBeVisible()
    await signOut(page)
    await expect(page).toHaveURL(`${platform.url}/`)
    await expectToast(page, "You've successfully logged out.")
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    const answer = await fetch(`${platform.url}/v1/Users/me`, { headers: { authorization: `Bearer ${old}` } })
    expect(answer.status).toBe(401)
    await page.goBack()
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
    await expect(heading(page, 'Accounts')).toHaveCount(0)
  })

  test('signing out in one window also ends the session in others', async ({ page, context, platform, admin }) => {
    await openAs(page, platform, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    const other = await context.newPage()
    await other.goto(`${platform.url}/internal/applications`)
    await expect(heading(other, 'Applications')).toBeVisible()
    await signOut(page)
    await expect(other.getByRole('button', { name: 'Log in' })).toBeVisible()
  })

  test('leaving a page while it loads does not end the session', async ({ page, platform, admin }) => {
    // The request gets no response, so each reload aborts it.
    await page.route('**/v1/ServiceProviders/*/Accounts?*', () => undefined)
    await openAs(page, platform, admin)
    for (let time = 1; time <= 3; time += 1) {
      await expect(heading(page, 'Accounts')).toBeVisible()
      await page.reload()
    }
    await page.unroute('**/v1/ServiceProviders/*/Accounts?*')
    await page.reload()
    await expect(heading(page, 'Accounts')).toHaveText(/^Accounts \d+$/)
    expect(await token(page)).not.toBeNull()
  })
})

test.describe('the console by scope', () => {
  test("a provider user sees the provider's name and manages its accounts", async ({ page, platform, api }) => {
    const service_provider_sid = await api.add('/ServiceProviders', { name: 'Lighthouse Voice' })
    await api.add('/Accounts', { name: 'Keeper', service_provider_sid })
    const user = await addUser(platform, 'petra', { service_provider_sid })
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

  test('an account user can open only their account', async ({ page, platform, api }) => {
    const service_provider_sid = await firstProvider(api)
    const account_sid = await api.add('/Accounts', { name: 'Pebble', service_provider_sid })
    const other = await api.add('/Accounts', { name: 'Boulder', service_provider_sid })
    const user = await addUser(platform, 'paul', { service_provider_sid, account_sid })
    const own = `${platform.url}/internal/accounts/${account_sid}/edit`
    await page.goto('/')
    await signIn(page, user.name, user.password)
    await expect(page).toHaveURL(own)
    await expect(page.getByLabel('Account name')).toHaveValue('Pebble')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await expect(navigation.getByRole('link', { name: 'Account', exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(navigation.getByRole('link', { name: 'Accounts', exact: true })).toHaveCount(0)
    await expect(page.getByRole('combobox', { name: 'Service provider' })).toHaveCount(0)

    await page.goto('/internal/accounts')
    await expect(page).toHaveURL(own)
    await expectToast(page, 'You do not have permissions to manage all accounts')
    await page.goto(`/internal/accounts/${other}/edit`)
    await expect(page).toHaveURL(own)
    await expectToast(page, 'You do not have access.')
    await page.goto('/internal/accounts/add')
    await expect(page).toHaveURL(own)
    await expectToast(page, 'You do not have access to this resource')

    await page.getByLabel('Account name').fill('Pebble & Sons')
    await clickSave(page)
    await expectToast(page, 'Account updated successfully')
    await expect(page.getByRole('banner')).toContainText('Account')
  })
})

test.describe('a page with code that fails to load', () => {
  /** Returns a function that intercepts scripts: loaded ones are served, others go to `answer`. */
  const interceptNewScripts = async (page: Page, answer: (route: Route) => Promise<void>) => {
    const loaded = new Set<string>()
    const add = (response: Response) => loaded.add(response.url())
    page.on('response', add)
    return () => {
      page.off('response', add)
      return page.route('**/assets/*', (route) =>
        loaded.has(route.request().url()) ? route.continue() : answer(route),
      )
    }
  }

  const openCarriers = (page: Page) => page.getByRole('link', { name: 'Carriers', exact: true }).click()

  test('offers a reload if its script is blocked', async ({ page, platform, admin }) => {
    const block = await interceptNewScripts(page, (route) => route.abort())
    await openAs(page, platform, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await block()
    await openCarriers(page)
    await expect(page.getByText('Unexpected Application Error!')).toBeVisible()
    await page.unroute('**/assets/*')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await expect(heading(page, 'Carriers')).toBeVisible()
  })

  test('offers a reload if an upgrade of the server has removed its script', async ({ page, platform, admin }) => {
    const remove = await interceptNewScripts(page, (route) => route.fulfill({ status: 404, body: 'Not Found' }))
    await openAs(page, platform, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    let navigations = 0
    page.on('framenavigated', () => (navigations += 1))
    await remove()
    await openCarriers(page)
    await expect(page.getByText('Unexpected Application Error!')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Reload the page' })).toBeVisible()
    // Only the URL has changed; the console has not reloaded the page automatically.
    expect(navigations).toBe(1)
    expect(await token(page)).not.toBeNull()
  })

  test('ends the session with the reason if the server is down', async ({ page, platform, admin }) => {
    await openAs(page, platform, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    // The sign-in page is part of the first script.
    await page.waitForLoadState('networkidle')
    await page.route('**/*', (route) => route.abort('connectionrefused'))
    await openCarriers(page)
    await expectToast(page, 'The server cannot be reached')
    await expect(page).toHaveURL(`${platform.url}/`)
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  })
})
