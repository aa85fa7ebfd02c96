import { messages as number } from '../../contract/src/messages/phone-number'
import { reads } from '../support/catalogue'
import { enter } from '../../scripts/launch/users'
import { choose, removeIt, save } from '../support/screen'
import { expect, test } from '../support/test'

const home = '/internal/phone-numbers'

/** Messages about phone numbers. */
export const numberJourneys = () => {
  test('phone numbers can be added, changed, assigned in bulk and deleted', async ({ page, platform, api, admin }) => {
    // The first provider by name, so that it is the current one.
    const service_provider_sid = await api.add('/ServiceProviders', { name: 'Aa numbers' })
    const mine = await api.add('/Accounts', { name: 'Ringing', service_provider_sid })
    await api.add('/Accounts', { name: 'Silent', service_provider_sid })
    const own = await api.add('/VoipCarriers', { name: 'Of Ringing', service_provider_sid, account_sid: mine })
    const hook = { url: 'https://ringing.example.com' }
    await api.add('/Applications', { name: 'Bell', account_sid: mine, call_hook: hook, call_status_hook: hook })
    await api.add('/PhoneNumbers', { number: '15550000031', account_sid: mine, voip_carrier_sid: own })

    await enter(page, platform, admin, `${home}/add`)
    const field = page.getByRole('textbox', { name: 'Phone number' })
    await field.fill('15550000031')
    await choose(page, 'Carrier', 'Of Ringing')
    await save(page)
    await reads(page, number.duplicateNumber)
    await field.fill('15550000032')
    await choose(page, 'Account', 'Silent')
    await save(page)
    await expect(page.getByText(number.foreignCarrier).first()).toBeVisible()
    await choose(page, 'Account', 'Ringing')
    await save(page)
    await reads(page, number.added)

    await page.getByRole('checkbox', { name: 'Select 15550000031' }).check()
    await choose(page, 'Application', 'Bell')
    // Simulates a slow connection.
    let letGo = () => {}
    const held = new Promise<void>((done) => (letGo = done))
    await page.route(
      (url) => url.pathname.endsWith('/v1/PhoneNumbers'),
      async (route) => {
        if (route.request().method() === 'PUT') await held
        await route.continue()
      },
    )
    await page.getByRole('button', { name: 'Apply' }).click()
    await reads(page, number.updating)
    letGo()
    await reads(page, number.updated)

    const [{ phone_number_sid }] = await api.get<[{ phone_number_sid: string }]>(
      `/PhoneNumbers?account_sid=${mine}&filter=15550000031`,
    )
    await page.goto(`${home}/${phone_number_sid}/edit`)
    const application = page.getByRole('combobox', { name: 'Application' })
    await expect(application).toHaveText('Bell')
    await choose(page, 'Application', number.chooseApplication)
    await reads(page, number.chooseApplication, () => application)
    await save(page)
    await reads(page, number.saved)
    await removeIt(page, '555')
    await reads(page, number.removed('15550000031'))
  })
}
