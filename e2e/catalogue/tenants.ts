import { messages as teams } from '../../contract/src/messages/ms-teams-tenant'
import { expectMessage } from '../support/catalogue'
import { openAs } from '../../scripts/launch/users'
import { selectOption, deleteRecord, clickSave } from '../support/screen'
import { expect, test } from '../support/test'

const listPath = '/internal/ms-teams-tenants'

/** Messages about Microsoft Teams tenants. */
export const defineTenantTests = () => {
  test('Microsoft Teams tenants require a domain and an account, and can be added, saved and deleted', async ({
    page,
    server,
    api,
    admin,
  }) => {
    const service_provider_sid = await api.add('/ServiceProviders', { name: 'Meeting' })
    await openAs(page, server, admin, '/favicon.svg')
    await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), service_provider_sid)
    const addLink = page.getByRole('link', { name: 'Add Microsoft Teams tenant' })
    await page.goto(listPath)
    await expectMessage(page, teams.noDomain('Meeting'))
    await expect(addLink).toHaveCount(0)
    await api.put(`/ServiceProviders/${service_provider_sid}`, { ms_teams_fqdn: 'teams.example.com' })
    await page.reload()
    await expectMessage(page, teams.needsAccount)
    await expect(addLink).toHaveCount(0)
    const account_sid = await api.add('/Accounts', { name: 'Attending', service_provider_sid })
    await page.reload()
    await expectMessage(page, teams.none)

    await api.add('/MicrosoftTeamsTenants', { tenant_fqdn: 'taken.example.com', account_sid, service_provider_sid })
    await addLink.first().click()
    const domainField = page.getByLabel('Domain name')
    await domainField.fill('taken.example.com')
    await selectOption(page, 'Account', 'Attending')
    await clickSave(page)
    await expectMessage(page, teams.duplicateDomain)
    await domainField.fill('desk.example.com')
    await clickSave(page)
    await expectMessage(page, teams.added)
    await domainField.fill('front.example.com')
    await clickSave(page)
    await expectMessage(page, teams.saved)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectMessage(page, teams.confirmRemoval('front.example.com'))
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await deleteRecord(page, 'front.example.com')
    await expectMessage(page, teams.removed('front.example.com'))
  })
}
