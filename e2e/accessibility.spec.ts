import type { Page } from '@playwright/test'
import { findAxeViolations } from './support/axe'
import { addUser, openAs } from '../scripts/launch/users'
import { addSampleProvider, type SampleProvider } from '../scripts/launch/sample-provider'
import { heading, expectToast } from './support/screen'
import { expect, test as base } from './support/test'
import { waitUntilIdle, navigate } from './support/navigation'

const test = base.extend<object, { sample: SampleProvider }>({
  sample: [
    async ({ api }, use) => use(await addSampleProvider(api, { accounts: 12, numbers: 30 })),
    { scope: 'worker', timeout: 120_000, auto: true },
  ],
})
test.use({ serverName: 'accessibility' })
test.describe.configure({ mode: 'parallel' })

const wideSize = { width: 1440, height: 900 }
const phoneSize = { width: 390, height: 844 }

/** All pages of the console: path and heading. */
const pagesOf = (sample: SampleProvider): [path: string, title: string][] => [
  ['/internal/home', 'Home'],
  ['/internal/settings', 'Settings'],
  ['/internal/settings?tab=provider', 'Settings'],
  ['/internal/system-health', 'System health'],
  ['/internal/accounts', 'Accounts'],
  ['/internal/accounts/add', 'Add account'],
  [`/internal/accounts/${sample.accountSids[0]}`, 'Alder & Finch Solicitors'],
  [`/internal/accounts/${sample.accountSids[0]}/edit`, 'Edit account'],
  ['/internal/users', 'Users'],
  ['/internal/users/add', 'Add user'],
  [`/internal/users/${sample.userSid}`, 'maria.lindqvist'],
  [`/internal/users/${sample.userSid}/edit`, 'Edit user'],
  ['/internal/applications', 'Applications'],
  ['/internal/applications/add', 'Add application'],
  [`/internal/applications/${sample.applicationSids[0]}`, 'Alder front desk'],
  [`/internal/applications/${sample.applicationSids[0]}/edit`, 'Edit application'],
  ['/internal/carriers', 'Carriers'],
  ['/internal/carriers/add', 'Add carrier'],
  [`/internal/carriers/${sample.carrierSids[0]}`, 'Atlas Wholesale'],
  [`/internal/carriers/${sample.carrierSids[0]}/edit`, 'Edit carrier'],
  ['/internal/speech-services', 'Speech services'],
  ['/internal/speech-services/add', 'Add speech service'],
  [`/internal/speech-services/${sample.speechCredentialSid}/edit`, 'Edit Speech Service'],
  ['/internal/recent-calls', 'Recent calls'],
  ['/internal/alerts', 'Alerts'],
  ['/internal/clients', 'SIP clients'],
  ['/internal/clients/add', 'Add SIP client'],
  ['/internal/ms-teams-tenants', 'Microsoft Teams tenants'],
  ['/internal/ms-teams-tenants/add', 'Add Microsoft Teams tenant'],
  ['/internal/phone-numbers', 'Phone numbers'],
  ['/internal/phone-numbers/add', 'Add a phone number'],
  [`/internal/phone-numbers/${sample.numberSids[0]}`, '(212) 555-0100'],
  [`/internal/phone-numbers/${sample.numberSids[0]}/edit`, 'Edit phone number'],
  ['/internal/least-cost-routing', 'Outbound call routing'],
  ['/internal/least-cost-routing/add', 'Add routing table'],
]

const waitForPage = async (page: Page, title: string) => {
  await expect(heading(page, title)).toBeVisible()
  await waitUntilIdle(page)
}

// Two combinations cover all four: colours do not depend on the width, and the layout does not depend on colours.
const appearances = [
  ['light', wideSize],
  ['dark', phoneSize],
] as const

for (const [scheme, size] of appearances)
  test.describe(`${scheme}, ${size.width} px wide`, () => {
    test.use({ colorScheme: scheme, viewport: size })

    test('has no axe violations before sign-in', async ({ page, server }) => {
      await page.goto('/')
      await waitForPage(page, 'Log in')
      expect(await findAxeViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Log in' }).click()
      await expectToast(page, 'Login credentials are incorrect')
      expect(await findAxeViolations(page)).toEqual([])
      await page.goto('/no-such-page')
      await waitForPage(page, "That page doesn't exist.")
      expect(await findAxeViolations(page)).toEqual([])
      const user = await addUser(server, `new-${scheme}-${size.width}`, { mustChangePassword: true })
      await page.goto('/')
      await page.getByRole('textbox', { name: 'Username' }).fill(user.name)
      await page.getByLabel('Password', { exact: true }).fill(user.password)
      await page.keyboard.press('Enter')
      await waitForPage(page, 'Create password')
      await page.getByRole('button', { name: 'Save' }).click()
      expect(await findAxeViolations(page)).toEqual([])
    })

    test('has no axe violations in dialogs, the palette, the menu and lists', async ({ page, server, admin }) => {
      await openAs(page, server, admin)
      await waitForPage(page, 'Accounts')

      await page
        .getByRole('button', { name: /^Delete / })
        .first()
        .click()
      await expect(page.getByRole('alertdialog', { name: /can't be deleted/ })).toBeVisible()
      expect(await findAxeViolations(page)).toEqual([])
      await page.keyboard.press('Escape')

      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill('a')
      await expect(page.getByRole('option').first()).toBeVisible()
      await waitUntilIdle(page)
      expect(await findAxeViolations(page)).toEqual([])
      // the first one clears the search
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')

      if (size === phoneSize) {
        await page.getByRole('button', { name: 'Open menu' }).click()
        await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
        expect(await findAxeViolations(page)).toEqual([])
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Filters' }).click()
      }
      await page.getByRole('combobox', { name: 'Status' }).click()
      await expect(page.getByRole('option', { name: 'Inactive' })).toBeVisible()
      expect(await findAxeViolations(page)).toEqual([])
    })

    test('has no axe violations in forms with errors, lists and a selection bar', async ({ page, server, admin }) => {
      await openAs(page, server, admin, '/internal/carriers/add')
      await waitForPage(page, 'Add carrier')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByLabel('Carrier name')).toHaveAccessibleDescription(/is required/)
      expect(await findAxeViolations(page)).toEqual([])

      await page.goto('/internal/applications/add')
      await waitForPage(page, 'Add application')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByLabel('Application name')).toBeFocused()
      await page.getByRole('combobox', { name: 'Account', exact: true }).click()
      await expect(page.getByRole('option').first()).toBeVisible()
      expect(await findAxeViolations(page)).toEqual([])

      await page.goto('/internal/phone-numbers')
      await waitForPage(page, 'Phone numbers')
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .check()
      await expect(page.getByText(/\d+ selected/)).toBeVisible()
      expect(await findAxeViolations(page)).toEqual([])
    })
  })

test('the axe check reports a violation', async ({ page }) => {
  await page.goto('/')
  await waitForPage(page, 'Log in')
  await page.evaluate(() => document.querySelector('main')?.insertAdjacentHTML('beforeend', '<img src="/favicon.svg">'))
  expect(await findAxeViolations(page)).toEqual([expect.stringContaining('image-alt')])
})

const horizontalOverflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

// A window of 1280 px at 200 % zoom has a layout width of 640 px.
const narrowSizes = [
  ['360 px wide', { width: 360, height: 740 }],
  ['a window of 1280 at 200 %', { width: 640, height: 450 }],
] as const

/** The axe violations and layout errors of an open page, in all colour schemes and window sizes. */
const layoutProblems = async (page: Page, title: string): Promise<string[]> => {
  const problems: string[] = []
  for (const [colorScheme, size] of appearances) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await waitUntilIdle(page)
    for (const violation of await findAxeViolations(page))
      problems.push(`${colorScheme}, ${size.width} px wide: ${violation}`)
  }
  for (const [sizeName, size] of narrowSizes) {
    await page.setViewportSize(size)
    await waitUntilIdle(page)
    const overflow = await horizontalOverflow(page)
    if (overflow > 0) problems.push(`${sizeName}: scrolls horizontally by ${overflow}`)
    if (/^(Add|Edit)/.test(title)) await expect(page.getByRole('button', { name: 'Save' })).toBeInViewport()
  }
  return problems
}

test.describe('every page', () => {
  // Colours in a transition would fail the contrast check.
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  // Each test checks half of the pages, because two tests can run in parallel.
  for (const remainder of [0, 1])
    test(`has no axe violations and fits each window size, ${remainder + 1} of 2`, async ({
      page,
      server,
      admin,
      sample,
    }) => {
      test.setTimeout(240_000)
      await openAs(page, server, admin)
      await waitForPage(page, 'Accounts')
      const pages = [...pagesOf(sample), ['/internal/no-such-page', 'Not found'] as const]
      const problemsByPath: Record<string, string[]> = {}
      for (const [path, title] of pages.filter((_, index) => index % 2 === remainder)) {
        await page.setViewportSize(wideSize)
        await navigate(page, path, title)
        const problems = await layoutProblems(page, title)
        if (problems.length > 0) problemsByPath[path] = problems
      }
      expect(problemsByPath).toEqual({})
    })

  test('fits each window size before sign-in', async ({ page }) => {
    await page.goto('/')
    await waitForPage(page, 'Log in')
    expect(await layoutProblems(page, 'Log in')).toEqual([])
  })
})

test('an account can be added with the keyboard only', async ({ page, server, admin }) => {
  await openAs(page, server, admin)
  await waitForPage(page, 'Accounts')
  const focusedElement = page.locator(':focus')
  /** Presses Tab until an element with this name has the focus. */
  const tabTo = async (name: string) => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab')
      if ((await focusedElement.count()) > 0 && (await focusedElement.ariaSnapshot()).includes(`"${name}"`)) return
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
  await expectToast(page, 'Account created successfully')
  await expect(heading(page, 'Edit account')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Registration webhook' })).toHaveValue(
    'https://keyboard.example.com/register',
  )
})
