import { axeFaults } from './support/axe'
import { firstProvider } from './support/api'
import { addPerson, enter, signIn, tokenOf } from './support/people'
import { choose, heading, said, save } from './support/screen'
import { expect, test } from './support/test'

test.use({ world: 'users' })
test.describe.configure({ mode: 'serial' })

test.describe('users', () => {
  let service_provider_sid: string
  let account_sid: string
  test.beforeAll(async ({ api }) => {
    service_provider_sid = await firstProvider(api)
    account_sid = await api.add('/Accounts', { name: 'Larkspur Travel', service_provider_sid })
  })

  test('one of an account is added, signs in with the temporary password and makes one of the own', async ({
    page,
    platform,
    api,
    admin,
  }) => {
    await api.add('/PasswordSettings', { min_password_length: 10, require_digit: 1, require_special_character: 1 })
    await enter(page, platform, admin, '/internal/users')
    await page.getByRole('link', { name: 'Add user' }).click()
    await expect(heading(page, 'Add user')).toBeVisible()
    await page.getByLabel('User name').fill('nell')
    await page.getByLabel('Email').fill('nell@larkspur.example')
    const password = page.getByRole('textbox', { name: 'Temporary password' })
    const rule = page.getByRole('list', { name: 'Password must:' })
    await expect(rule.getByRole('listitem')).toHaveText([
      'Be at least 10 characters long',
      'Contain at least one number',
      'Contain at least one special character',
    ])
    await password.fill('short')
    await choose(page, 'Account', 'Larkspur Travel')
    await save(page)
    await expect(password).toBeFocused()
    await expect(password).toHaveAccessibleDescription(/Invalid password\./)
    await password.fill('Temporary-1')
    await expect(rule.getByText('(done)')).toHaveCount(3)
    await save(page)
    await said(page, 'User created successfully')
    await expect(heading(page, 'Users')).toBeVisible()
    const row = page.getByRole('row', { name: /nell@larkspur/ })
    await expect(row).toContainText('Larkspur Travel')
    await expect(row).toContainText('At next sign-in')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, 'nell', 'Temporary-1')
    await expect(page).toHaveURL(/\/create-password$/)
    await page.getByLabel('New password').fill('Of-her-own-1')
    await page.getByLabel('Confirm password').fill('Of-her-own-1')
    await save(page)
    await expect(heading(page, 'Applications')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, 'nell', 'Of-her-own-1')
    await expect(page).toHaveURL(new RegExp(`/internal/accounts/${account_sid}/edit$`))
    await api.add('/PasswordSettings', { min_password_length: 8, require_digit: 0, require_special_character: 0 })
  })

  test('deletes itself, which ends the session', async ({ page, platform }) => {
    const person = await addPerson(platform, 'moss', { service_provider_sid, account_sid })
    await enter(page, platform, person, '/internal/users')
    await page.getByRole('link', { name: 'moss', exact: true }).first().click()
    await expect(heading(page, 'Edit user')).toBeVisible()
    await page.getByLabel('Email').fill('moss@larkspur.example')
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Deleting it ends your session.')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await said(page, 'Deleted user moss')
    await expect(page).toHaveURL(`${platform.url}/`)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await expect(tokenOf(platform.url, person)).rejects.toThrow('403')
  })

  test('of a provider give no rights above their own, and see nobody of another', async ({ page, platform, api }) => {
    const other = await api.add('/ServiceProviders', { name: 'Elsewhere' })
    await addPerson(platform, 'far', { service_provider_sid: other })
    const person = await addPerson(platform, 'pam', { service_provider_sid })
    await enter(page, platform, person, '/internal/users')
    await expect(page.getByRole('row', { name: /pam@example/ })).toBeVisible()
    await expect(page.getByRole('row', { name: /far@example|joe@foo/ })).toHaveCount(0)
    await page.getByRole('combobox', { name: 'Scope' }).click()
    await expect(page.getByRole('option')).toHaveText(['All scopes', 'Service provider', 'Account'])
    await page.goto('/internal/users/add')
    await page.getByRole('combobox', { name: 'Scope' }).click()
    await expect(page.getByRole('option')).toHaveText(['Service provider', 'Account'])
  })

  test('are found in the command palette', async ({ page, platform, admin }) => {
    await enter(page, platform, admin)
    await expect(heading(page, 'Accounts')).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('pam')
    await page.getByRole('group', { name: 'Records' }).getByRole('option', { name: /pam/ }).click()
    await expect(heading(page, 'Edit user')).toBeVisible()
    await expect(page.getByLabel('User name')).toHaveValue('pam')
  })

  test('axe finds nothing in a form with errors, and in the question about the own user', async ({
    page,
    platform,
    admin,
  }) => {
    await enter(page, platform, admin, '/internal/users/add')
    await expect(heading(page, 'Add user')).toBeVisible()
    await page.getByRole('textbox', { name: 'Temporary password' }).fill('x')
    await save(page)
    await expect(page.getByLabel('User name')).toBeFocused()
    expect(await axeFaults(page)).toEqual([])
    await page.goto(`/internal/users/${admin.user_sid}/edit`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    expect(await axeFaults(page)).toEqual([])
  })
})
