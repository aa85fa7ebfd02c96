import { messages as number } from '../../contract/src/messages/phone-number'
import { expectMessage } from '../support/catalogue'
import { openAs } from '../../scripts/launch/users'
import { selectOption, deleteRecord, clickSave } from '../support/screen'
import { expect, test } from '../support/test'

const listPath = '/internal/phone-numbers'

/** Messages about phone numbers. */
export const defineNumberTests = () => {
  test('phone numbers can be added, changed, assigned in bulk and deleted', async ({ page, server, api, admin }) => {
    // The first provider by name, so that it is the current one.
    const service_provider_sid = await api.add('/ServiceProviders', { name: 'Aa numbers' })
    const account_sid = await api.add('/Accounts', { name: 'Ringing', service_provider_sid })
    await api.add('/Accounts', { name: 'Silent', service_provider_sid })
    const voip_carrier_sid = await api.add('/VoipCarriers', { name: 'Of Ringing', service_provider_sid, account_sid })
    const webhook = { url: 'https://ringing.example.com' }
    await api.add('/Applications', { name: 'Bell', account_sid, call_hook: webhook, call_status_hook: webhook })
    await api.add('/PhoneNumbers', { number: '15550000031', account_sid, voip_carrier_sid })

    await openAs(page, server, admin, `${listPath}/add`)
    const numberField = page.getByRole('textbox', { name: 'Phone number' })
    await numberField.fill('15550000031')
    await selectOption(page, 'Carrier', 'Of Ringing')
    await clickSave(page)
    await expectMessage(page, number.duplicateNumber)
    await numberField.fill('15550000032')
    await selectOption(page, 'Account', 'Silent')
    await clickSave(page)
    await expect(page.getByText(number.foreignCarrier).first()).toBeVisible()
    await selectOption(page, 'Account', 'Ringing')
    await clickSave(page)
    await expectMessage(page, number.added)

    await page.getByRole('checkbox', { name: 'Select 15550000031' }).check()
    await selectOption(page, 'Application', 'Bell')
    // Simulates a slow connection.
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(
      (url) => url.pathname.endsWith('/v1/PhoneNumbers'),
      async (route) => {
        if (route.request().method() === 'PUT') await released
        await route.continue()
      },
    )
    await page.getByRole('button', { name: 'Apply' }).click()
    await expectMessage(page, number.updating)
    release()
    await expectMessage(page, number.updated)

    const [{ phone_number_sid }] = await api.get<[{ phone_number_sid: string }]>(
      `/PhoneNumbers?account_sid=${account_sid}&filter=15550000031`,
    )
    await page.goto(`${listPath}/${phone_number_sid}/edit`)
    const application = page.getByRole('combobox', { name: 'Application' })
    await expect(application).toHaveText('Bell')
    await selectOption(page, 'Application', number.chooseApplication)
    await expectMessage(page, number.chooseApplication, () => application)
    await clickSave(page)
    await expectMessage(page, number.saved)
    await deleteRecord(page, '555')
    await expectMessage(page, number.removed('15550000031'))
  })
}
