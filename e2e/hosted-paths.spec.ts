import { findDefaultProviderSid } from '../scripts/launch/api'
import { addUser, openAs } from '../scripts/launch/users'
import { heading } from './support/screen'
import { expect, test } from './support/test'

const publicPaths = [
  '/register',
  '/register/email',
  '/register/email/verify-your-email',
  '/register/choose-a-subdomain',
  '/oauth-callback/google?code=c&state=s',
  '/oauth-callback/github',
  '/reset-password/some-link',
]

test('without the hosted edition, nobody can register or sign in with another company', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  await expect(page.getByText(/Register|Sign In With|Forgot Password/)).toHaveCount(0)
  for (const path of publicPaths) {
    await page.goto(path)
    await expect(heading(page, "That page doesn't exist.")).toBeVisible()
  }
})

test('without the hosted edition, an account has no pages for its plan', async ({ page, server, api }) => {
  const service_provider_sid = await findDefaultProviderSid(api)
  const account_sid = await api.add('/Accounts', { name: 'Quarry', service_provider_sid })
  const user = await addUser(server, 'quinn', { service_provider_sid, account_sid })
  await openAs(page, server, user, `/internal/accounts/${account_sid}/edit`)
  await expect(page.getByLabel('Account name')).toHaveValue('Quarry')
  await expect(page.getByText(/Change Sip Realm|Upgrade|Manage payment/)).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' })).toBeVisible()
  for (const path of ['subscription', 'manage-payment', 'modify-subscription', 'sip-realm/edit']) {
    await page.goto(`/internal/accounts/${account_sid}/${path}`)
    await expect(page.getByText("That page doesn't exist.")).toBeVisible()
  }
})
