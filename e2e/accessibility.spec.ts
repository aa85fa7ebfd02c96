import type { Page } from '@playwright/test'
import { axeFaults } from './support/axe'
import { addPerson, enter } from '../scripts/launch/users'
import { fillProvider, type Filled } from '../scripts/launch/sample-provider'
import { heading, said } from './support/screen'
import { expect, test as plain } from './support/test'
import { quiet, visit } from './support/navigation'

const test = plain.extend<object, { filled: Filled }>({
  filled: [
    async ({ api }, use) => use(await fillProvider(api, { accounts: 12, numbers: 30 })),
    { scope: 'worker', timeout: 120_000, auto: true },
  ],
})
test.use({ world: 'accessibility' })
test.describe.configure({ mode: 'parallel' })

const wide = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** All pages of the console: path and heading. */
const pagesOf = (filled: Filled): [path: string, title: string][] => [
  ['/internal/settings', 'Settings'],
  ['/internal/settings?tab=provider', 'Settings'],
  ['/internal/accounts', 'Accounts'],
  ['/internal/accounts/add', 'Add account'],
  [`/internal/accounts/${filled.accounts[0]}/edit`, 'Edit account'],
  ['/internal/users', 'Users'],
  ['/internal/users/add', 'Add user'],
  [`/internal/users/${filled.user}/edit`, 'Edit user'],
  ['/internal/applications', 'Applications'],
  ['/internal/applications/add', 'Add application'],
  [`/internal/applications/${filled.applications[0]}/edit`, 'Edit application'],
  ['/internal/carriers', 'Carriers'],
  ['/internal/carriers/add', 'Add carrier'],
  [`/internal/carriers/${filled.carriers[0]}/edit`, 'Edit carrier'],
  ['/internal/speech-services', 'Speech services'],
  ['/internal/speech-services/add', 'Add speech service'],
  [`/internal/speech-services/${filled.speech}/edit`, 'Edit Speech Service'],
  ['/internal/recent-calls', 'Recent calls'],
  ['/internal/alerts', 'Alerts'],
  ['/internal/clients', 'SIP clients'],
  ['/internal/clients/add', 'Add SIP client'],
  ['/internal/ms-teams-tenants', 'Microsoft Teams tenants'],
  ['/internal/ms-teams-tenants/add', 'Add Microsoft Teams tenant'],
  ['/internal/phone-numbers', 'Phone numbers'],
  ['/internal/phone-numbers/add', 'Add a phone number'],
  [`/internal/phone-numbers/${filled.numbers[0]}/edit`, 'Edit phone number'],
  ['/internal/least-cost-routing', 'Outbound call routing'],
  ['/internal/least-cost-routing/add', 'Add outbound call routes'],
]

const settled = async (page: Page, title: string) => {
  await expect(heading(page, title)).toBeVisible()
  await quiet(page)
}

// Colours do not depend on the width, and the layout not on the colours, so two of the four combinations cover both.
const looks = [
  ['light', wide],
  ['dark', phone],
] as const

for (const [scheme, size] of looks)
  test.describe(`${scheme}, ${size.width} px wide`, () => {
    test.use({ colorScheme: scheme, viewport: size })

    test('axe reports nothing before sign-in', async ({ page, platform }) => {
      await page.goto('/')
      await settled(page, 'Log in')
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Log in' }).click()
      await said(page, 'Login credentials are incorrect')
      expect(await axeFaults(page)).toEqual([])
      await page.goto('/no-such-page')
      await settled(page, "That page doesn't exist.")
      expect(await axeFaults(page)).toEqual([])
      const person = await addPerson(platform, `new-${scheme}-${size.width}`, { mustChange: true })
      await page.goto('/')
      await page.getByRole('textbox', { name: 'Username' }).fill(person.name)
      await page.getByLabel('Password', { exact: true }).fill(person.password)
      await page.keyboard.press('Enter')
      await settled(page, 'Create password')
      await page.getByRole('button', { name: 'Save' }).click()
      expect(await axeFaults(page)).toEqual([])
    })

    test('axe reports nothing in dialogs, the palette, the menu and lists', async ({ page, platform, admin }) => {
      await enter(page, platform, admin)
      await settled(page, 'Accounts')

      await page
        .getByRole('button', { name: /^Delete / })
        .first()
        .click()
      await expect(page.getByRole('alertdialog', { name: /can't be deleted/ })).toBeVisible()
      expect(await axeFaults(page)).toEqual([])
      await page.keyboard.press('Escape')

      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill('a')
      await expect(page.getByRole('option').first()).toBeVisible()
      await quiet(page)
      expect(await axeFaults(page)).toEqual([])
      await page.keyboard.press('Escape')

      if (size === phone) {
        await page.getByRole('button', { name: 'Open menu' }).click()
        await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
        expect(await axeFaults(page)).toEqual([])
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Filters' }).click()
      }
      await page.getByRole('combobox', { name: 'Status' }).click()
      await expect(page.getByRole('option', { name: 'Inactive' })).toBeVisible()
      expect(await axeFaults(page)).toEqual([])
    })

    test('axe reports nothing in forms with errors, lists and a selection bar', async ({ page, platform, admin }) => {
      await enter(page, platform, admin, '/internal/carriers/add')
      await settled(page, 'Add carrier')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByLabel('Carrier name')).toHaveAccessibleDescription(/is required/)
      expect(await axeFaults(page)).toEqual([])

      await page.goto('/internal/applications/add')
      await settled(page, 'Add application')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByLabel('Application name')).toBeFocused()
      await page.getByRole('combobox', { name: 'Account', exact: true }).click()
      await expect(page.getByRole('option').first()).toBeVisible()
      expect(await axeFaults(page)).toEqual([])

      await page.goto('/internal/phone-numbers')
      await settled(page, 'Phone numbers')
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .check()
      await expect(page.getByText(/\d+ selected/)).toBeVisible()
      expect(await axeFaults(page)).toEqual([])
    })
  })

test('axe reports violations', async ({ page }) => {
  await page.goto('/')
  await settled(page, 'Log in')
  await page.evaluate(() => document.querySelector('main')?.insertAdjacentHTML('beforeend', '<img src="/favicon.svg">'))
  expect(await axeFaults(page)).toEqual([expect.stringContaining('image-alt')])
})

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

// A window of 1280 px at 200 % zoom has a layout width of 640 px.
const narrow = [
  ['360 px wide', { width: 360, height: 740 }],
  ['a window of 1280 at 200 %', { width: 640, height: 450 }],
] as const

/** The axe violations and layout errors of an open page, in all colour schemes and window sizes. */
const faultsOf = async (page: Page, title: string): Promise<string[]> => {
  const found: string[] = []
  for (const [colorScheme, size] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await quiet(page)
    for (const fault of await axeFaults(page)) found.push(`${colorScheme}, ${size.width} px wide: ${fault}`)
  }
  for (const [window, size] of narrow) {
    await page.setViewportSize(size)
    await quiet(page)
    const over = await overflow(page)
    if (over > 0) found.push(`${window}: scrolls sideways by ${over}`)
    if (/^(Add|Edit)/.test(title)) await expect(page.getByRole('button', { name: 'Save' })).toBeInViewport()
  }
  return found
}

test.describe('every page', () => {
  // Colours in a transition would fail the contrast check.
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  // Half of the pages each, because two tests can run in parallel.
  for (const half of [0, 1])
    test(`has no axe violations, and fits each window, ${half + 1} of 2`, async ({ page, platform, admin, filled }) => {
      test.setTimeout(240_000)
      await enter(page, platform, admin)
      await settled(page, 'Accounts')
      const all = [...pagesOf(filled), ['/internal/no-such-page', 'Not found'] as const]
      const found: Record<string, string[]> = {}
      for (const [path, title] of all.filter((_, at) => at % 2 === half)) {
        await page.setViewportSize(wide)
        await visit(page, path, title)
        const faults = await faultsOf(page, title)
        if (faults.length > 0) found[path] = faults
      }
      expect(found).toEqual({})
    })

  test('fits each window size before sign-in', async ({ page }) => {
    await page.goto('/')
    await settled(page, 'Log in')
    expect(await faultsOf(page, 'Log in')).toEqual([])
  })
})

test('an account can be added with the keyboard only', async ({ page, platform, admin }) => {
  await enter(page, platform, admin)
  await settled(page, 'Accounts')
  const focused = page.locator(':focus')
  /** Presses Tab until an element with this name has the focus. */
  const tabTo = async (name: string) => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab')
      if ((await focused.count()) > 0 && (await focused.ariaSnapshot()).includes(`"${name}"`)) return
    }
    throw new Error(`Tab does not reach ${name}`)
  }
  await page.keyboard.press('Tab')
  await page.locator('body').press('Home')
  await tabTo('Add account')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Add account')).toBeVisible()
  await tabTo('Account name')
  await page.keyboard.type('Keyboard Inc')
  await tabTo('SIP realm')
  await page.keyboard.type('keyboard.example.com')
  await tabTo('Registration webhook')
  await page.keyboard.type('https://keyboard.example.com/register')
  await tabTo('Method')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo('Use HTTP basic authentication')
  await page.keyboard.press('Space')
  await tabTo('Username')
  await page.keyboard.type('key')
  await tabTo('Password')
  await page.keyboard.type('board')
  await page.keyboard.press('Enter')
  await said(page, 'Account created successfully')
  await expect(heading(page, 'Edit account')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Registration webhook' })).toHaveValue(
    'https://keyboard.example.com/register',
  )
})
