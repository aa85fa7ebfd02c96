import { messages as routing } from '../../contract/src/messages/lcr'
import { expectMessage } from '../support/catalogue'
import { addUser, openAs } from '../../scripts/launch/users'
import { selectOption, heading, deleteRecord, clickSave } from '../support/screen'
import { expect, test } from '../support/test'

const listPath = '/internal/least-cost-routing'

/** Messages about LCRs, for an administrator and a user of an account. */
export const defineRoutingTests = () => {
  test('an LCR can be added, saved and deleted', async ({ page, server, api, admin }) => {
    // The first provider by name, so that it is the current one.
    const service_provider_sid = await api.add('/ServiceProviders', { name: 'Aa routes' })
    await openAs(page, server, admin, listPath)
    await expectMessage(page, routing.purpose)
    await expectMessage(page, routing.none)
    await page.getByRole('link', { name: 'Add routing table' }).click()
    await expectMessage(page, routing.noCarriers)
    const voip_carrier_sid = await api.add('/VoipCarriers', { name: 'Halden Telecom', service_provider_sid })
    await api.add('/SipGateways', { voip_carrier_sid, ipv4: '192.0.2.10', inbound: 0, outbound: 1 })
    await page.reload()
    await page.getByRole('textbox', { name: 'Name' }).fill('Europe')
    await selectOption(page, 'Default outbound carrier', 'Halden Telecom')
    await page.getByRole('textbox', { name: 'Digit prefix or regex of route 1' }).fill('^(33|49)')
    await selectOption(page, 'Carrier of route 1', 'Halden Telecom')
    await clickSave(page)
    await expectMessage(page, routing.added)
    await page.getByRole('link', { name: 'Europe', exact: true }).click()
    await page.getByRole('textbox', { name: 'Digit prefix or regex of route 1' }).fill('^(33|49|39)')
    await clickSave(page)
    await expectMessage(page, routing.routesSaved)
    await expectMessage(page, routing.saved)
    await page.getByRole('button', { name: 'Delete route 1' }).click()
    await expectMessage(page, routing.routeRemoved)
    await page.goto(listPath)
    await page.getByRole('button', { name: 'Delete Europe' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectMessage(page, routing.removed('Europe'))
  })

  test('account users have one LCR and no list', async ({ page, server, api }) => {
    const service_provider_sid = await api.add('/ServiceProviders', { name: 'Without carriers' })
    const account_sid = await api.add('/Accounts', { name: 'Own routes', service_provider_sid })
    const user = await addUser(server, 'router', { service_provider_sid, account_sid })
    await openAs(page, server, user, listPath)
    await expectMessage(page, routing.mayNotListAllLcrs)
    await page.getByRole('link', { name: 'Outbound call routing' }).click()
    await expectMessage(page, routing.noCarriersOfAccount)
    const lcr_sid = await api.add('/Lcrs', { name: 'Mine', account_sid })
    await page.goto(`${listPath}/${lcr_sid}/edit`)
    await deleteRecord(page, 'Mine')
    await expectMessage(page, routing.removedOnScreen('Mine'))
    await expect(heading(page, 'Add routing table')).toBeVisible()
  })
}
