import { findDefaultProviderSid } from '../scripts/launch/api'
import { addUser, openAs, signIn } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { heading, expectToast, openUserMenu, signOut } from './support/screen'
import { expect, test } from './support/test'

const narrowSize = { width: 390, height: 844 }

test.describe('the shell', () => {
  test('marks the current page in the navigation, the window title and the breadcrumbs', async ({
    page,
    server,
    admin,
  }) => {
    await openAs(page, server, admin)
    const navigation = page.getByRole('navigation', { name: 'Main' })
    for (const [linkName, title] of [
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
      const link = navigation.getByRole('link', { name: linkName, exact: true })
      await link.click()
      await expect(heading(page, title)).toBeVisible()
      await expect(link).toHaveAttribute('aria-current', 'page')
      await expect(navigation.locator('[aria-current]')).toHaveCount(1)
      await expect(page).toHaveTitle(`${title} · Trunkline`)
      await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText(title)
    }
    await expect(navigation.getByRole('heading', { name: 'BYO Services' })).toBeVisible()
  })

  test('keeps the sidebar collapsed after a reload', async ({ page, server, admin }) => {
    await openAs(page, server, admin)
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
    const carriers = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Carriers' })
    await carriers.click()
    await expect(heading(page, 'Carriers')).toBeVisible()
    await page.getByRole('button', { name: 'Expand sidebar' }).click()
    await expect(page.getByRole('button', { name: 'Collapse sidebar' })).toBeVisible()
  })

  test('keeps the light, dark or system theme after a reload and after signing out', async ({
    page,
    server,
    admin,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await openAs(page, server, admin)
    const readColorScheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    const themeOption = (name: string) => page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name })
    await openUserMenu(page)
    await expect(themeOption('System')).toBeChecked()
    await expect.poll(readColorScheme).toBe('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(readColorScheme).toBe('dark')
    await themeOption('Light').check()
    await expect.poll(readColorScheme).toBe('light')
    await page.reload()
    await openUserMenu(page)
    await expect(themeOption('Light')).toBeChecked()
    await expect.poll(readColorScheme).toBe('light')
    await page.keyboard.press('Escape')
    // The theme also applies to forms.
    await page.getByRole('link', { name: 'Add account' }).click()
    await expect(page.getByLabel('Account name')).toBeVisible()
    await openUserMenu(page)
    await themeOption('System').check()
    await expect.poll(readColorScheme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(readColorScheme).toBe('light')
    await themeOption('Dark').check()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(readColorScheme).toBe('dark')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
    await expect.poll(readColorScheme).toBe('dark')
  })

  test('shows its navigation in a drawer on a narrow screen', async ({ page, server, admin }) => {
    await page.setViewportSize(narrowSize)
    await openAs(page, server, admin)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    const openButton = page.getByRole('button', { name: 'Open menu' })
    await openButton.click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect(drawer).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(openButton).toBeFocused()
    await openButton.click()
    await drawer.getByRole('link', { name: 'Carriers', exact: true }).click()
    await expect(drawer).toBeHidden()
    await expect(heading(page, 'Carriers')).toBeVisible()
  })

  test('makes the rows of tables compact, also after a reload and for this user only', async ({
    page,
    server,
    api,
    admin,
  }) => {
    await api.add('/Accounts', { name: 'Compact', service_provider_sid: await findDefaultProviderSid(api) })
    await openAs(page, server, admin)
    const measureRow = async () => (await page.getByRole('row', { name: /Compact/ }).boundingBox())?.height
    await expect(page.getByRole('row', { name: /Compact/ })).toBeVisible()
    expect(await measureRow()).toBe(36)
    await openUserMenu(page)
    await page.getByRole('checkbox', { name: 'Compact rows' }).check()
    await expect.poll(measureRow).toBe(30)
    await page.reload()
    await expect.poll(measureRow).toBe(30)
    await signOut(page)
    const other = await addUser(server, 'other-admin')
    await signIn(page, other.name, other.password)
    await expect.poll(measureRow).toBe(36)
  })

  test('has a user menu in every width, with nothing that the top bar repeats', async ({ page, server, admin }) => {
    await openAs(page, server, admin)
    for (const [width, scheme] of [
      [1440, 'light'],
      [1024, 'dark'],
      [768, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme: scheme })
      await openUserMenu(page)
      const menu = page.getByRole('dialog', { name: 'User menu' })
      await expect(menu).toContainText('All service providers')
      await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(1)
      const { x, width: menuWidth } = (await menu.boundingBox())!
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + menuWidth).toBeLessThanOrEqual(width)
      expect(await findAxeViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(menu).toBeHidden()
    }
  })
})

test.describe('the service provider', () => {
  test('can be added, switched and deleted by an administrator', async ({ page, server, api, admin }) => {
    const firstProviderSid = await findDefaultProviderSid(api)
    await api.add('/Accounts', { name: 'Of the first provider', service_provider_sid: firstProviderSid })
    await openAs(page, server, admin, '/internal/applications')
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
    const zephyrSid = providers.find(({ name }) => name === 'Zephyr Voice')?.service_provider_sid
    const accountSid = await api.add('/Accounts', { name: 'Breeze', service_provider_sid: zephyrSid })
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
    const refusal = page.getByRole('alertdialog', { name: "Zephyr Voice can't be deleted" })
    await expect(refusal.getByRole('link', { name: 'Breeze' })).toHaveAttribute(
      'href',
      `/internal/accounts/${accountSid}`,
    )
    await refusal.getByRole('button', { name: 'Close' }).last().click()

    await api.remove(`/Accounts/${accountSid}`)
    // the console has not deleted the account itself, so it would show the same dependents again for a few seconds
    await page.reload()
    await switcher.click()
    await page.getByRole('option', { name: 'Delete Zephyr Voice' }).click()
    const confirmation = page.getByRole('alertdialog', { name: 'Delete service provider' })
    await expect(confirmation).toContainText('Zephyr Voice')
    await confirmation.getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Deleted service provider Zephyr Voice')
    await expect(switcher).not.toContainText('Zephyr Voice')
    await expect(page).toHaveURL(/\/internal\/accounts$/)
  })
})
