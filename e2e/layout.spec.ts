import { openAs } from '../scripts/launch/users'
import { findAxeViolations } from './support/axe'
import { heading, expectToast } from './support/screen'
import { expect, test } from './support/test'

test.describe('keys pressed directly after Ctrl+K', () => {
  test('reach the palette, also while it loads', async ({ page, server, admin }) => {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/assets/palette-*.js', async (route) => {
      await released
      await route.continue()
    })
    await openAs(page, server, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('bluewater')
    release()
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await expect(palette.getByRole('combobox')).toHaveValue('bluewater')
    await page.keyboard.type(' sip')
    await expect(palette.getByRole('combobox')).toHaveValue('bluewater sip')
    // the first clears the search field
    await page.keyboard.press('Escape')
    await expect(palette.getByRole('combobox')).toHaveValue('')
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('harbour')
    await expect(palette.getByRole('combobox')).toHaveValue('harbour')
  })
})

test.describe('toasts', () => {
  test('do not cover a dialog, and disappear after the pointer leaves', async ({ page, server, admin }) => {
    await openAs(page, server, admin)
    await page.getByRole('button', { name: 'Add service provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add service provider' })
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await dialog.getByLabel('Name').fill('default service provider')
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      const toast = page.getByRole('region', { name: 'Notifications' }).locator('[data-kind]').first()
      await expect(toast).toBeVisible()
      // An earlier toast may disappear between two measurements.
      await expect(async () => {
        const [dialogBox, toastBox] = [await dialog.boundingBox(), await toast.boundingBox()]
        const isBeside =
          toastBox!.y >= dialogBox!.y + dialogBox!.height ||
          toastBox!.x >= dialogBox!.x + dialogBox!.width ||
          toastBox!.x + toastBox!.width <= dialogBox!.x
        expect(isBeside, `at ${width}`).toBe(true)
      }).toPass({ timeout: 5000 })
    }
    const toastBox = (await page
      .getByRole('region', { name: 'Notifications' })
      .locator('[data-kind]')
      .first()
      .boundingBox())!
    await page.mouse.move(toastBox.x + 20, toastBox.y + 10)
    await page.mouse.move(5, 5)
    await expect(page.getByRole('region', { name: 'Notifications' }).locator('[data-kind]')).toHaveCount(0)
  })

  test('do not cover the fields of a wide form', async ({ page, server, api, admin }) => {
    const service_provider_sid = await api.add('/ServiceProviders', { name: 'Toaster' })
    const sid = await api.add('/VoipCarriers', {
      name: 'Toasted',
      service_provider_sid,
      sip_gateways: ['192.0.2.41', '192.0.2.42'].map((ipv4) => ({ ipv4, inbound: 1, outbound: 1 })),
    })
    await openAs(page, server, admin, `/internal/carriers/${sid}/edit`)
    await page.getByRole('button', { name: 'Delete SIP gateway 2' }).click()
    const toast = page.getByRole('region', { name: 'Notifications' }).locator('[data-kind]').first()
    await expect(toast).toBeVisible()
    const fieldEnd = page.getByRole('button', { name: 'Delete SIP gateway 1' })
    for (const width of [1341, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      const [toastBox, buttonBox] = [(await toast.boundingBox())!, (await fieldEnd.boundingBox())!]
      expect(toastBox.x, `at ${width}`).toBeGreaterThanOrEqual(buttonBox.x + buttonBox.width)
    }
  })

  test('stay in their corner while a dialog opens', async ({ page, server, admin }) => {
    await openAs(page, server, admin)
    await page.setViewportSize({ width: 1440, height: 800 })
    const openDialog = () => page.getByRole('button', { name: 'Add service provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add service provider' })
    const toast = page.getByRole('region', { name: 'Notifications' }).locator('[data-kind]')
    await openDialog()
    await dialog.getByLabel('Name').fill('default service provider')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(toast).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.evaluate(() => {
      const style = new CSSStyleSheet()
      style.replaceSync('dialog { animation-play-state: paused !important }')
      document.adoptedStyleSheets = [style]
    })
    await openDialog()
    await expect(dialog).toBeAttached()
    const toastBox = (await toast.boundingBox())!
    expect(toastBox.x + toastBox.width).toBe(1440 - 16)
  })
})

test.describe('the user menu', () => {
  test('contains the profile, the theme, the shortcuts and the documentation', async ({ page, server, admin }) => {
    await openAs(page, server, admin)
    const menuButton = page.getByRole('banner').getByRole('button', { name: /ada/ })
    await expect(menuButton).toHaveAccessibleName('ada Admin User menu')
    await menuButton.click()
    await expect(page.getByRole('radiogroup', { name: 'Theme' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Documentation' })).toHaveAttribute('href', '/docs/')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await page.keyboard.press('Escape')
    await menuButton.click()
    await page.getByRole('link', { name: 'Profile and password' }).click()
    await expect(page).toHaveURL(`${server.url}/internal/users/${admin.user_sid}/edit`)
    await expect(page.getByRole('radiogroup', { name: 'Theme' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  })
})

test('the console shows its outline and then the page heading on a slow connection', async ({
  page,
  server,
  admin,
}) => {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await openAs(page, server, admin)
  await page.evaluate(() => localStorage.removeItem('activeServiceProvider'))
  await page.route('**/assets/lists-*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.route('**/v1/ServiceProviders', () => undefined)
  await page.goto('/internal/carriers', { waitUntil: 'commit' })
  await expect(page.locator('.loading-page')).toBeVisible()
  release()
  await expect(heading(page, 'Carriers')).toBeVisible()
  await expect(page.locator('.loading-page')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Carriers')
})

test('if the first script fails to load, the page reports an unreachable server', async ({ page, server }) => {
  await page.route('**/assets/start-*.js', (route) => route.abort())
  await page.goto(server.url)
  await expect(page.getByText('The server cannot be reached')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Reload the page' })).toBeVisible()
})

test.describe('a list in a narrow window', () => {
  for (const width of [900, 1024, 1100, 1280])
    test(`shows names and actions at ${width} pixels`, async ({ page, server, api, admin }) => {
      const [provider] = await api.get<{ service_provider_sid: string }[]>('/ServiceProviders')
      const name = `Wide ${width}`
      await api.add('/Accounts', { name, service_provider_sid: provider!.service_provider_sid })
      await page.setViewportSize({ width, height: 768 })
      await openAs(page, server, admin)
      await expect(page.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('button', { name: `Delete ${name}` })).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('columnheader', { name: 'SID' })).toHaveCount(width >= 1280 ? 1 : 0)
      await expect(
        page.getByRole('button', { name: width < 1100 ? 'Expand sidebar' : 'Collapse sidebar' }),
      ).toBeVisible()
    })

  test('shows cards with all actions at 768 pixels', async ({ page, server, api, admin }) => {
    const [provider] = await api.get<{ service_provider_sid: string }[]>('/ServiceProviders')
    await api.add('/Accounts', { name: 'Narrow', service_provider_sid: provider!.service_provider_sid })
    await page.setViewportSize({ width: 768, height: 1024 })
    await openAs(page, server, admin)
    await expect(page.getByRole('table')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Delete Narrow' })).toBeInViewport({ ratio: 1 })
  })
})

test('a truncated cell shows its text as a tooltip', async ({ page, server, api, admin }) => {
  const [provider] = await api.get<{ service_provider_sid: string }[]>('/ServiceProviders')
  const service_provider_sid = provider!.service_provider_sid
  const account_sid = await api.add('/Accounts', { name: 'Truncated cells', service_provider_sid })
  const url = `https://calls.example.com/${'answer/'.repeat(12)}`
  const hook = { url, method: 'POST' }
  await api.add('/Applications', { name: 'Long hook', account_sid, call_hook: hook, call_status_hook: hook })
  await page.setViewportSize({ width: 1280, height: 768 })
  await openAs(page, server, admin)
  const cellOf = (name: string, text: string) =>
    page.getByRole('row', { name }).getByRole('cell').filter({ hasText: text }).first()
  await cellOf('Truncated cells', account_sid).hover({ position: { x: 30, y: 10 } })
  await expect(cellOf('Truncated cells', account_sid)).toHaveAttribute('title', account_sid)
  await page.getByRole('link', { name: 'Applications', exact: true }).click()
  await cellOf('Long hook', url).hover()
  await expect(cellOf('Long hook', url)).toHaveAttribute('title', url)
})

test('a narrow form shows its actions as icons beside the title', async ({ page, server, api, admin }) => {
  const [provider] = await api.get<{ service_provider_sid: string }[]>('/ServiceProviders')
  const service_provider_sid = provider!.service_provider_sid
  const account_sid = await api.add('/Accounts', { name: 'Narrow form', service_provider_sid })
  const hook = { url: 'https://calls.example.com/answer', method: 'POST' }
  const sid = await api.add('/Applications', { name: 'Copy me', account_sid, call_hook: hook, call_status_hook: hook })
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, server, admin, `/internal/applications/${sid}/edit`)
  const actions = [page.getByRole('link', { name: 'Duplicate' }), page.getByRole('button', { name: 'Delete' })]
  const widthOf = async (index: number) => (await actions[index]!.boundingBox())!.width
  await expect(heading(page, 'Edit application')).toBeVisible()
  for (const index of [0, 1]) expect(await widthOf(index)).toBeLessThan(48)
  const lineHeight = await heading(page, 'Edit application').evaluate((h1) =>
    parseFloat(getComputedStyle(h1).lineHeight),
  )
  expect((await heading(page, 'Edit application').boundingBox())!.height).toBeLessThan(1.5 * lineHeight)
  await page.setViewportSize({ width: 600, height: 844 })
  for (const index of [0, 1]) await expect.poll(() => widthOf(index)).toBeGreaterThan(60)
})

test('the actions of the import of phone numbers fit a narrow window', async ({ page, server, admin }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await openAs(page, server, admin, '/internal/phone-numbers/import')
  await expect(page.getByRole('link', { name: 'Back to phone numbers' })).toBeInViewport({ ratio: 1 })
  const main = page.getByRole('main')
  expect(await main.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
})

test('an API key is not reported as missing if its deletion is refused', async ({ page, server, api, admin }) => {
  const [provider] = await api.get<{ service_provider_sid: string }[]>('/ServiceProviders')
  await api.post('/ApiKeys', { service_provider_sid: provider!.service_provider_sid })
  await page.route('**/v1/ApiKeys/*', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 400, json: { msg: 'not today' } })
      : route.continue(),
  )
  await openAs(page, server, admin, '/internal/settings?tab=provider')
  await page
    .getByRole('button', { name: /^Delete key/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'not today')
  await expect(page.getByText('This record no longer exists.')).toHaveCount(0)
})

test('a wide window shows the SIDs of accounts in full', async ({ page, server, admin }) => {
  await page.setViewportSize({ width: 1920, height: 900 })
  await openAs(page, server, admin)
  const sid = page.getByRole('region', { name: 'Accounts' }).getByText(/^[\da-f]{8}-[\da-f-]{27}$/)
  await expect(sid.first()).toBeVisible()
  expect(await sid.first().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('a wide form shows the headings of its sections at the left of the fields', async ({ page, server, admin }) => {
  await openAs(page, server, admin, '/internal/applications/add')
  const section = page.getByRole('region', { name: 'Webhooks' })
  const measure = async () => {
    const headingBox = (await section.getByRole('heading', { name: 'Webhooks' }).boundingBox())!
    const fieldBox = (await section.getByRole('textbox', { name: 'Calling webhook' }).boundingBox())!
    return { isBeside: headingBox.x + headingBox.width < fieldBox.x, isAbove: headingBox.y < fieldBox.y - 40 }
  }
  await expect(section).toBeVisible()
  for (const width of [1100, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(measure, `${width} px`).toEqual({ isBeside: true, isAbove: false })
  }
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(measure, `${width} px`).toEqual({ isBeside: false, isAbove: true })
  }
})

test('a long form lists its sections beside it, and marks those that need attention', async ({
  page,
  server,
  api,
  admin,
}) => {
  const service_provider_sid = await api.add('/ServiceProviders', { name: 'Form sections' })
  const sid = await api.add('/Accounts', { name: 'Sectioned', service_provider_sid })
  await openAs(page, server, admin, `/internal/accounts/${sid}/edit`)
  const sections = page.getByRole('navigation', { name: 'Form sections' })
  const getSection = (name: RegExp) => sections.getByRole('link', { name })
  await expect(getSection(/^General/)).toHaveAttribute('aria-current', 'true')
  await page.getByLabel('Account name').fill('')
  await expect(getSection(/^General/)).toHaveAccessibleName('General changed')
  await page.getByLabel('Account name').blur()
  await expect(getSection(/^General/)).toHaveAccessibleName('General needs attention')
  expect(await findAxeViolations(page)).toEqual([])
  await getSection(/^API keys/).click()
  await expect(page.getByRole('region', { name: 'API keys' })).toBeInViewport()
  await expect(getSection(/^API keys/)).toHaveAttribute('aria-current', 'true')
  await page.setViewportSize({ width: 1340, height: 900 })
  await expect(sections).toBeHidden()
})

test('the sections of a hidden tab are not listed', async ({ page, server, admin }) => {
  await openAs(page, server, admin, '/internal/settings')
  await expect(page.getByRole('region', { name: 'System information' })).toBeVisible()
  const sections = page.getByRole('navigation', { name: 'Form sections' })
  await page.getByRole('tab', { name: 'Service provider' }).click()
  await expect(page.getByRole('region', { name: 'Limits' })).toBeVisible()
  await expect(sections.getByText('System information')).toHaveCount(0)
})

test('filters in use can be removed one by one or all at once', async ({ page, server, admin }) => {
  await openAs(page, server, admin, '/internal/accounts?is_active=1&plan_type=trial')
  const status = page.getByRole('combobox', { name: 'Status' })
  await expect(status).toHaveText(/Active/)
  expect(await findAxeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(status).toHaveText(/all/)
  expect(page.url()).not.toContain('?')
  await page.goto(`${server.url}/internal/accounts?is_active=1&plan_type=trial`)
  await page.getByRole('button', { name: 'Remove filter Plan' }).click()
  await expect(page).toHaveURL(/\?is_active=1$/)
  await expect(page.getByRole('button', { name: 'Clear all' })).toHaveCount(0)
})
