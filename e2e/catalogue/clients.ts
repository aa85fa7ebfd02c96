import { messages as client } from '../../contract/src/messages/client'
import { findDefaultProviderSid } from '../../scripts/launch/api'
import { expectMessage } from '../support/catalogue'
import { addUser, openAs } from '../../scripts/launch/users'
import { clickSave } from '../support/screen'
import { expect, test } from '../support/test'

const listPath = '/internal/clients'

/** Messages about SIP clients, for users of an account. */
export const defineClientTests = () => {
  test('SIP clients require a realm, and can be added, saved and deleted', async ({ page, server, api }) => {
    const service_provider_sid = await findDefaultProviderSid(api)
    const account_sid = await api.add('/Accounts', { name: 'Deskless', service_provider_sid })
    const user = await addUser(server, 'desi', { service_provider_sid, account_sid })
    await openAs(page, server, user, listPath)
    await expectMessage(page, client.realmRequired)
    await expectMessage(page, client.none)
    // Without a realm, the list has no link to the form.
    await page.goto(`${listPath}/add`)
    await expectMessage(page, client.noRealm)
    // The message stays beside other field errors.
    const password = page.getByRole('textbox', { name: 'Password' })
    await password.fill('x')
    await password.clear()
    await password.blur()
    await expect(page.getByText('Password is required.')).toBeVisible()
    await expectMessage(page, client.noRealm)
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()

    await api.put(`/Accounts/${account_sid}`, { sip_realm: 'deskless.example.com' })
    await page.reload()
    await page.getByLabel('Username').fill('lobby')
    await password.fill('secret-7')
    await clickSave(page)
    await expectMessage(page, client.added)
    await page.getByRole('link', { name: 'lobby', exact: true }).click()
    await page.getByLabel('Allow direct calling to queues').uncheck()
    await clickSave(page)
    await expectMessage(page, client.saved)
    await page.getByRole('button', { name: 'Delete user' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectMessage(page, client.removedOnScreen)

    await api.add('/Clients', { username: 'hall', password: 'secret-7', account_sid })
    await page.reload()
    await page.getByRole('button', { name: 'Delete hall' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectMessage(page, client.removed('hall'))
  })
}
