import { findDefaultProviderSid } from '../scripts/launch/api'
import { addUser, signIn, signInForToken } from '../scripts/launch/users'
import { heading, expectToast, clickSave } from './support/screen'
import { expect, test } from './support/test'

test.describe('the forced change of a password', () => {
  test('enforces the password policy and a confirmation, and warns of Caps Lock', async ({ page, server, api }) => {
    await api.add('/PasswordSettings', { min_password_length: 10, require_digit: 1, require_special_character: 1 })
    const service_provider_sid = await findDefaultProviderSid(api)
    const account_sid = await api.add('/Accounts', { name: 'Newcomers', service_provider_sid })
    const user = await addUser(server, 'nora', { service_provider_sid, account_sid, mustChangePassword: true })
    await page.goto('/')
    await signIn(page, user.name, user.password)
    await expect(page).toHaveURL(/\/create-password$/)

    const passwordField = page.getByLabel('New password')
    const confirmationField = page.getByLabel('Confirm password')
    const checklist = page.getByRole('list', { name: 'Password must:' })
    await expect(checklist.getByRole('listitem')).toContainText([
      'Be at least 10 characters long',
      'Contain at least one number',
      'Contain at least one special character',
    ])
    await passwordField.fill('short')
    await confirmationField.fill('short')
    await clickSave(page)
    await expect(passwordField).toBeFocused()
    await expect(passwordField).toHaveAccessibleDescription(/Password must: Be at least 10 characters long/)

    await passwordField.fill('Long-enough-1')
    await expect(checklist.getByText('(done)')).toHaveCount(3)
    await confirmationField.fill('Long-enough-2')
    await clickSave(page)
    await expect(confirmationField).toHaveAccessibleDescription('Passwords do not match')
    await expect(confirmationField).toBeFocused()

    await expect(page.getByText('CAPSLOCK is enabled!')).toBeHidden()
    await confirmationField.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
    await expect(page.getByText('CAPSLOCK is enabled!')).toBeVisible()
    await confirmationField.dispatchEvent('keyup', { key: 'a' })
    await expect(page.getByText('CAPSLOCK is enabled!')).toBeHidden()

    await confirmationField.fill('Long-enough-1')
    await clickSave(page)
    // The start screen of users without a list of accounts.
    await expect(page).toHaveURL(/\/internal\/applications$/)
    await expect(heading(page, 'Applications')).toBeVisible()
    // No password remains in storage; `area` is for saved filters.
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual(['area'])
    await expect(signInForToken(server.url, user)).rejects.toThrow('403')
    await signInForToken(server.url, { ...user, password: 'Long-enough-1' })
    await api.add('/PasswordSettings', { min_password_length: 8, require_digit: 0, require_special_character: 0 })
  })

  test('requires a sign-in first', async ({ page, server }) => {
    await page.goto('/create-password')
    await expect(page).toHaveURL(`${server.url}/`)
    await expectToast(page, 'You must log in to view that page')
  })
})
