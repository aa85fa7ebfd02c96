import { messages as general } from '../../contract/src/messages/general'
import { messages as limit } from '../../contract/src/messages/limit'
import { messages as provider } from '../../contract/src/messages/service-provider'
import { messages as settings } from '../../contract/src/messages/system-information'
import { messages as cache } from '../../contract/src/messages/tts-cache'
import { messages as user } from '../../contract/src/messages/user'
import { findDefaultProviderSid } from '../../scripts/launch/api'
import { expectMessage } from '../support/catalogue'
import { addUser, openAs } from '../../scripts/launch/users'
import { selectOption, deleteRecord, clickSave } from '../support/screen'
import { expect, test } from '../support/test'

/** Messages about users, settings and service providers. */
export const definePeopleTests = () => {
  test('a user can be added, saved and deleted', async ({ page, server, api, admin }) => {
    // A provider without accounts.
    const emptyProviderSid = await api.add('/ServiceProviders', { name: 'Without accounts' })
    await openAs(page, server, admin, '/favicon.svg')
    await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), emptyProviderSid)
    await page.goto('/internal/users/add')
    await page.getByLabel('Username').fill('zed')
    await page.getByLabel('Email').fill('zed@example.com')
    const password = page.getByRole('textbox', { name: 'Temporary password' })
    await password.fill('x')
    await selectOption(page, 'Scope', 'Account')
    await clickSave(page)
    await expectMessage(page, user.invalidPassword)
    await expectMessage(page, user.noAccounts)
    await selectOption(page, 'Scope', 'Service provider')
    await password.fill('Temporary-1')
    await clickSave(page)
    await expectMessage(page, user.added)
    await page.getByRole('link', { name: 'Edit zed' }).click()
    await page.getByLabel('Email').fill('zed@example.org')
    await clickSave(page)
    await expectMessage(page, user.saved)
    await deleteRecord(page, 'zed')
    await expectMessage(page, user.removed('zed'))
  })

  test('platform settings can be saved, and the TTS cache cleared', async ({ page, server, admin }) => {
    // Simulates a TTS cache with entries.
    await page.route('**/v1/TtsCache', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: { size: 3 } }) : route.continue(),
    )
    await openAs(page, server, admin, '/internal/settings')
    await selectOption(page, 'Minimum length', '12')
    await clickSave(page)
    await expectMessage(page, settings.passwordSaved)
    await page.getByRole('button', { name: 'Clear TTS cache' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click()
    await expectMessage(page, cache.cleared)
  })

  test('a service provider and its settings can be added, saved and deleted', async ({ page, server, admin }) => {
    await openAs(page, server, admin)
    await page.getByRole('button', { name: 'Add service provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('Quartz')
    await dialog.getByRole('button', { name: /^(Add|Save)/ }).click()
    await expectMessage(page, provider.added('Quartz'))
    await page.goto('/internal/settings?tab=provider')
    const name = page.getByLabel('Service provider name')
    await expect(name).toHaveValue('Quartz')
    await expectMessage(page, limit.quantity, () => page.getByPlaceholder(limit.quantity, { exact: true }))
    await name.fill('Onyx')
    await clickSave(page)
    await expectMessage(page, provider.saved)
    await expect(page.getByRole('complementary', { name: 'Sidebar' }).getByText('Onyx').first()).toBeVisible()
    await deleteRecord(page, 'Onyx')
    await expectMessage(page, provider.removed('Onyx'))
  })

  test('account users have no access to settings', async ({ page, server, api }) => {
    const service_provider_sid = await findDefaultProviderSid(api)
    const account_sid = await api.add('/Accounts', { name: 'Without settings', service_provider_sid })
    const accountUser = await addUser(server, 'sid', { service_provider_sid, account_sid })
    await openAs(page, server, accountUser, '/internal/settings')
    await expectMessage(page, general.mayNotManageSettings)
  })
}
