import type { Locator, Page } from '@playwright/test'
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

test('the sign-in page is painted before its code runs, and does not move then', async ({ page }) => {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/assets\/start-[\w-]+\.js$/, async (route) => {
    await isReleased
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  const outline = page.locator('.sign-in-outline')
  await expect(outline).toBeVisible()
  const readBoxes = (texts: Locator[]) =>
    Promise.all(
      texts.map(async (text) => {
        const { x, y, height } = (await text.boundingBox())!
        return { x, y: Math.round(y), height: Math.round(height) }
      }),
    )
  const outlineBoxes: Record<number, unknown> = {}
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    outlineBoxes[width] = await readBoxes([
      outline.locator('b'),
      outline.locator('i').first(),
      outline.locator('i').last(),
    ])
  }
  release()
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible()
  await expect(outline).toBeHidden()
  const field = page.getByRole('textbox', { name: 'Username' }).locator('..')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const boxes = await readBoxes([
      page.getByRole('heading', { name: 'Log in' }),
      field,
      page.getByRole('button', { name: 'Log in' }),
    ])
    expect(boxes, `${width} px`).toEqual(outlineBoxes[width])
  }
})
