import { firstProvider } from '../scripts/launch/api'
import { openAs } from '../scripts/launch/users'
import { heading, expectToast } from './support/screen'
import { expect, test } from './support/test'

const narrow = { width: 390, height: 844 }

test.describe('the frame', () => {
  test('marks the current page in the navigation, the window title and the breadcrumbs', async ({
    page,
    platform,
    admin,
  }) => {
    await openAs(page, platform, admin)
    const navigation = page.getByRole('navigation', { name: 'Main' })
    for (const [entry, title] of [
      ['Users', 'Users'],
      ['Settings', 'Settings'],
      ['Accounts', 'Accounts'],
      ['Applications', 'Applications'],
      ['Recent calls', 'Recent calls'],
      ['Alerts', 'Alerts'],
      ['Carriers', 'Carriers'],
      ['Speech', 'Speech services'],
      ['Phone numbers', 'Phone numbers'],
      ['Outbound call routing', 'Outbound call routing'],
    ] as const) {
      const link = navigation.getByRole('link', { name: entry, exact: true })
      await link.click()
      await expect(heading(page, title)).toBeVisible()
      await expect(link).toHaveAttribute('aria-current', 'page')
      await expect(navigation.locator('[aria-current]')).toHaveCount(1)
      await expect(page).toHaveTitle(`${title} · Trunkline`)
      await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText(title)
    }
    await expect(navigation.getByRole('heading', { name: 'BYO Services' })).toBeVisible()
  })

  test('keeps the sidebar collapsed after a reload', async ({ page, platform, admin }) => {
    await openAs(page, platform, admin)
    await page.getByRole('button', { name: 'Collapse' }).click()
    await expect(page.getByRole('button', { name: 'Expand' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Expand' })).toBeVisible()
    const carriers = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Carriers' })
    await carriers.click()
    await expect(heading(page, 'Carriers')).toBeVisible()
    await page.getByRole('button', { name: 'Expand' }).click()
    await expect(page.getByRole('button', { name: 'Collapse' })).toBeVisible()
  })

  test('keeps the light, dark or system theme after a reload and after signing out', async ({
    page,
    platform,
    admin,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await openAs(page, platform, admin)
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    const choice = (name: string) => page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name })
    const openMenu = () =>
      page
        .getByRole('banner')
        .getByRole('button', { name: /User menu/ })
        .click()
    await openMenu()
    await expect(choice('System')).toBeChecked()
    await expect.poll(scheme).toBe('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(scheme).toBe('dark')
    await choice('Light').check()
    await expect.poll(scheme).toBe('light')
    await page.reload()
    await openMenu()
    await expect(choice('Light')).toBeChecked()
    await expect.poll(scheme).toBe('light')
    await page.keyboard.press('Escape')
    // The theme also applies to forms.
    await page.getByRole('link', { name: 'Add account' }).click()
    await expect(page.getByLabel('Account name')).toBeVisible()
    await openMenu()
    await choice('System').check()
    await expect.poll(scheme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(scheme).toBe('light')
    await choice('Dark').check()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(scheme).toBe('dark')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
    await expect.poll(scheme).toBe('dark')
  })

  test('shows its navigation in a drawer on a narrow screen', async ({ page, platform, admin }) => {
    await page.setViewportSize(narrow)
    await openAs(page, platform, admin)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    const open = page.getByRole('button', { name: 'Open menu' })
    await open.click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect(drawer.getByRole('button', { name: 'Sign out' })).toBeVisible()
    await expect(drawer.getByRole('radiogroup', { name: 'Theme' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(open).toBeFocused()
    await open.click()
    await drawer.getByRole('link', { name: 'Carriers', exact: true }).click()
    await expect(drawer).toBeHidden()
    await expect(heading(page, 'Carriers')).toBeVisible()
  })
})

test.describe('the service provider', () => {
  test('can be added, switched and deleted by an administrator', async ({ page, platform, api, admin }) => {
    const first = await firstProvider(api)
    await api.add('/Accounts', { name: 'Of the first provider', service_provider_sid: first })
    await openAs(page, platform, admin, '/internal/applications')
    await page.getByRole('button', { name: 'Add service provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add service provider' })
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription('Name is required.')
    await dialog.getByLabel('Name').fill('Zephyr Voice')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expectToast(page, 'Added new service provider Zephyr Voice')

    // The new provider becomes the current one, and the default page opens.
    const switcher = page.getByRole('combobox', { name: 'Service provider' })
    await expect(switcher).toContainText('Zephyr Voice')
    await expect(page).toHaveURL(/\/internal\/accounts$/)
    await expect(page.getByText('No accounts.')).toBeVisible()

    const providers = await api.get<{ name: string; service_provider_sid: string }[]>('/ServiceProviders')
    const zephyr = providers.find(({ name }) => name === 'Zephyr Voice')?.service_provider_sid
    const tenant = await api.add('/Accounts', { name: 'Breeze', service_provider_sid: zephyr })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('link', { name: 'Breeze', exact: true })).toBeVisible()

    await switcher.click()
    await page.getByRole('option', { name: 'default service provider' }).click()
    await expect(page.getByRole('link', { name: 'Of the first provider', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Breeze', exact: true })).toHaveCount(0)
    await page.reload()
    await expect(switcher).toContainText('default service provider')

    await switcher.click()
    await page.getByRole('option', { name: 'Zephyr Voice', exact: true }).click()
    await expect(page.getByRole('link', { name: 'Breeze', exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Carriers', exact: true }).click()
    await expect(heading(page, 'Carriers')).toBeVisible()

    await switcher.click()
    await page.getByRole('option', { name: 'Delete Zephyr Voice' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete service provider' })
    await expect(question).toContainText('Zephyr Voice')
    await question.getByRole('button', { name: 'Delete' }).click()
    const refusal = page.getByRole('alertdialog', { name: "Zephyr Voice can't be deleted" })
    await expect(refusal.getByRole('link', { name: 'Breeze' })).toHaveAttribute(
      'href',
      `/internal/accounts/${tenant}/edit`,
    )
    await refusal.getByRole('button', { name: 'Close' }).last().click()

    await api.remove(`/Accounts/${tenant}`)
    await switcher.click()
    await page.getByRole('option', { name: 'Delete Zephyr Voice' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Deleted service provider Zephyr Voice')
    await expect(switcher).not.toContainText('Zephyr Voice')
    await expect(page).toHaveURL(/\/internal\/accounts$/)
  })
})
