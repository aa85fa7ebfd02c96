import type { Page } from '@playwright/test'
import { signIn, openAs } from '../scripts/launch/users'
import { expect, test } from './support/test'

test.use({ serverName: 'loading' })

/** Records the paths of the scripts, style sheets and data that the page requests from now on. */
const trackRequests = (page: Page) => {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\.(js|css)$/.test(pathname) || pathname.startsWith('/v1/')) paths.push(pathname)
  })
  return paths
}

const isCode = (path: string) => path.startsWith('/assets/')

test('the code behind the sign-in page loads while the user types', async ({ page, admin }) => {
  await page.goto('/')
  const paths = trackRequests(page)
  await page.getByRole('textbox', { name: 'Username' }).pressSequentially('a')
  await expect.poll(() => paths.filter(isCode).length).toBeGreaterThan(0)
  await page.waitForLoadState('networkidle')
  paths.length = 0
  await signIn(page, admin.name, admin.password)
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible()
  expect(paths.filter(isCode)).toEqual([])
})

test('the first requests after a sign-in do not wait for each other', async ({ page, admin }) => {
  await page.goto('/')
  const paths = trackRequests(page)
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/v1/ServiceProviders', async (route) => {
    await isReleased
    await route.continue()
  })
  await signIn(page, admin.name, admin.password)
  await expect
    .poll(() => paths)
    .toEqual(expect.arrayContaining(['/v1/ServiceProviders', '/v1/Users/me', '/v1/Abilities']))
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible()
  await expect.poll(() => paths.filter((path) => path.endsWith('/Accounts')).length).toBe(1)
})

for (const name of [
  'Home',
  'Users',
  'Settings',
  'Clients',
  'Applications',
  'Recent calls',
  'Alerts',
  'Carriers',
  'Speech',
])
  test(`${name} loads at most three files after the first list`, async ({ page, server, admin }) => {
    // browsers that save data load nothing in advance
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
    )
    const alertsLoaded = page.waitForRequest(/\/shared-[\w-]+\.js$/)
    await openAs(page, server, admin)
    await alertsLoaded
    await page.waitForLoadState('networkidle')
    const paths = trackRequests(page)
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.waitForURL((url) => !url.pathname.endsWith('/accounts'))
    await page.waitForLoadState('networkidle')
    const files = paths.filter(isCode)
    expect(files.length).toBeGreaterThan(0)
    expect(files.length).toBeLessThanOrEqual(3)
  })
