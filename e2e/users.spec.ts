import { findDefaultProviderSid } from '../scripts/launch/api'
import { addUser, openAs, signIn } from '../scripts/launch/users'
import { selectOption, heading, expectToast, clickSave, signOut } from './support/screen'
import { expect, test } from './support/test'

test.use({ serverName: 'users' })
test.describe.configure({ mode: 'serial' })

test.describe('users', () => {
  let service_provider_sid: string
  let account_sid: string
  test.beforeAll(async ({ api }) => {
    service_provider_sid = await findDefaultProviderSid(api)
    account_sid = await api.add('/Accounts', { name: 'Larkspur Travel', service_provider_sid })
  })

  test('an account user can be added, signs in with the temporary password and sets a new one', async ({
    page,
    server,
    api,
    admin,
  }) => {
    await api.add('/PasswordSettings', { min_password_length: 10, require_digit: 1, require_special_character: 1 })
    await openAs(page, server, admin, '/internal/users')
    await page.getByRole('link', { name: 'Add user' }).click()
    await expect(heading(page, 'Add user')).toBeVisible()
    await page.getByLabel('Username').fill('nell')
    await page.getByLabel('Email').fill('nell@larkspur.example')
    const password = page.getByRole('textbox', { name: 'Temporary password' })
    const checklist = page.getByRole('list', { name: 'Password must:' })
    await expect(checklist.getByRole('listitem')).toHaveText([
      'Be at least 10 characters long',
      'Contain at least one number',
      'Contain at least one special character',
    ])
    await password.fill('short')
    await selectOption(page, 'Account', 'Larkspur Travel')
    await clickSave(page)
    await expect(password).toBeFocused()
    await expect(password).toHaveAccessibleDescription(/Invalid password\./)
    await password.fill('Temporary-1')
    await expect(checklist.getByText('(done)')).toHaveCount(3)
    await clickSave(page)
    await expectToast(page, 'User created successfully')
    await expect(heading(page, 'Users')).toBeVisible()
    const row = page.getByRole('row', { name: /nell@larkspur/ })
    await expect(row).toContainText('Larkspur Travel')
    await expect(row).toContainText('At next login')

    await signOut(page)
    await signIn(page, 'nell', 'Temporary-1')
    await expect(page).toHaveURL(/\/create-password$/)
    await page.getByLabel('New password').fill('Of-her-own-1')
    await page.getByLabel('Confirm password').fill('Of-her-own-1')
    await clickSave(page)
    await expect(heading(page, 'Applications')).toBeVisible()
    await signOut(page)
    await signIn(page, 'nell', 'Of-her-own-1')
    await expect(page).toHaveURL(new RegExp(`/internal/accounts/${account_sid}/edit$`))
    await api.add('/PasswordSettings', { min_password_length: 8, require_digit: 0, require_special_character: 0 })
  })

  test('a provider user cannot grant admin rights, nor see users of other providers', async ({ page, server, api }) => {
    const otherProviderSid = await api.add('/ServiceProviders', { name: 'Elsewhere' })
    await addUser(server, 'far', { service_provider_sid: otherProviderSid })
    const user = await addUser(server, 'pam', { service_provider_sid })
    await openAs(page, server, user, '/internal/users')
    await expect(page.getByRole('row', { name: /pam@example/ })).toBeVisible()
    // joe@foo.bar is the administrator of a new installation
    await expect(page.getByRole('row', { name: /far@example|joe@foo/ })).toHaveCount(0)
    await page.getByRole('combobox', { name: 'Scope' }).click()
    await expect(page.getByRole('option')).toHaveText(['All scopes', 'Service provider', 'Account'])
    await page.goto('/internal/users/add')
    await page.getByRole('combobox', { name: 'Scope' }).click()
    await expect(page.getByRole('option')).toHaveText(['Service provider', 'Account'])
  })
})
