import { openAs, signIn } from '../scripts/launch/users'
import { expect, test } from './support/test'

test.use({ serverName: 'lost-line' })

test('a short interruption is shown, and needs no sign-in', async ({ page, server, admin, context }) => {
  await openAs(page, server, admin)
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible()
  // also the code of the other screens
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('navigation').getByRole('link', { name: 'Applications', exact: true }).click()
  const notice = page.getByText('The connection to the server was lost. Trying again…')
  await expect(notice).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible()
  await expect(page.getByText('No applications.')).toBeVisible()
  await expect(notice).toBeHidden()
})

test('what was typed is back after an interruption that ended the session', async ({
  page,
  server,
  api,
  admin,
  context,
}) => {
  const [provider] = await api.get<{ service_provider_sid: string }[]>('/ServiceProviders')
  const sid = await api.add('/Accounts', { name: 'Harbour', service_provider_sid: provider!.service_provider_sid })
  await openAs(page, server, admin, `/internal/accounts/${sid}/edit`)
  const name = page.getByRole('textbox', { name: 'Account name' })
  await name.fill('Harbour East')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The server cannot be reached', { exact: true })).toBeVisible()
  await context.setOffline(false)
  await signIn(page, admin.name, admin.password)
  await expect(name).toHaveValue('Harbour East')
})
