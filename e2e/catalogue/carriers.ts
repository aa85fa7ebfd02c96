import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { messages as carrier } from '../../contract/src/messages/voip-carrier'
import { messages as general } from '../../contract/src/messages/general'
import { expectMessage } from '../support/catalogue'
import { insertRow } from '../../scripts/launch/database'
import { addUser, openAs } from '../../scripts/launch/users'
import { deleteRecord, clickSave } from '../support/screen'
import { test } from '../support/test'

const home = '/internal/carriers'

/** Messages about carriers, their registration and gateways. */
export const carrierJourneys = () => {
  let service_provider_sid: string
  const sip = [{ ipv4: '192.0.2.1', inbound: 1, outbound: 1 }]

  test.beforeAll(async ({ api }) => {
    service_provider_sid = await api.add('/ServiceProviders', { name: 'Wired', root_domain: 'wired.example.com' })
  })

  /** Opens a page with the carriers' provider as the current one. */
  const open = async (page: Page, path: string) => {
    await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), service_provider_sid)
    await page.goto(path)
  }

  test('a carrier form validates gateways', async ({ page, platform, admin }) => {
    await openAs(page, platform, admin, '/favicon.svg')
    await open(page, home)
    await expectMessage(page, carrier.none)
    const hint = `${carrier.sendCallsTo} wired.example.com`
    await expectMessage(page, hint, () => page.getByText(carrier.sendCallsTo))
    await page.getByRole('link', { name: 'Add carrier' }).click()
    await page.getByLabel('Carrier name').fill('Harbour')
    const row = (name: string) => page.getByRole('group', { name, exact: true })
    const address = (name: string) => row(name).getByRole('textbox').first()
    const enters = async (name: string, text: string) => {
      await address(name).fill(text)
      await address(name).blur()
    }
    await clickSave(page)
    await expectMessage(page, carrier.gateway.invalidAddress)
    await enters('SIP gateway 1', 'sip.example.com')
    await expectMessage(page, carrier.gateway.fqdnOutboundOnly)
    await enters('SIP gateway 1', '192.0.2.1')
    await page.getByRole('button', { name: 'Add SIP gateway' }).click()
    await enters('SIP gateway 2', '192.0.2.1')
    await expectMessage(page, carrier.gateway.duplicate)
    for (const at of [2, 1]) await page.getByRole('button', { name: `Delete SIP gateway ${at}` }).click()
    await clickSave(page)
    await expectMessage(page, carrier.gateway.atLeastOne)
    await page.getByRole('button', { name: 'Add SIP gateway' }).click()
    await enters('SIP gateway 1', '192.0.2.1')

    await page.getByRole('tab', { name: 'SMS' }).click()
    const side = (name: string) => page.getByRole('region', { name })
    await side('Outbound SMPP').getByLabel('System ID').fill('me')
    await clickSave(page)
    await expectMessage(page, carrier.smpp.atLeastOneOutbound)
    for (const direction of ['outbound', 'inbound'] as const) {
      const name = direction === 'outbound' ? 'Outbound gateway' : 'Inbound gateway'
      const add = page.getByRole('button', { name: `Add ${direction} gateway` })
      await add.click()
      await enters(`${name} 1`, 'nowhere')
      await expectMessage(page, carrier.smpp.invalidAddress(direction))
      if (direction === 'outbound') {
        await enters(`${name} 1`, 'example.com')
        await expectMessage(page, carrier.smpp.subdomain('smpp.example.com'))
      }
      await enters(`${name} 1`, '192.0.2.7')
      await add.click()
      await enters(`${name} 2`, '192.0.2.7')
      await expectMessage(page, carrier.smpp.duplicate(direction))
      await page.getByRole('button', { name: `Delete ${name} 2` }).click()
    }
    await side('Inbound SMPP').getByRole('textbox', { name: 'Password' }).fill('secret')
    await clickSave(page)
    await expectMessage(page, carrier.added)
  })

  test('a carrier and its gateways can be saved and deleted', async ({ page, platform, api, admin }) => {
    const sid = await api.add('/VoipCarriers', {
      name: 'Pier',
      service_provider_sid,
      smpp_inbound_password: 'secret',
      sip_gateways: [...sip, { ...sip[0], ipv4: '192.0.2.2' }],
      smpp_gateways: [{ ipv4: '192.0.2.7' }, { ipv4: '192.0.2.7', inbound: 1, outbound: 0 }],
    })
    await openAs(page, platform, admin, '/favicon.svg')
    await open(page, `${home}/${sid}/edit`)
    await page.getByRole('button', { name: 'Delete SIP gateway 2' }).click()
    await page.getByRole('tab', { name: 'SMS' }).click()
    await page.getByRole('button', { name: 'Delete Outbound gateway 1' }).click()
    await page.getByRole('button', { name: 'Delete Inbound gateway 1' }).click()
    await clickSave(page)
    await expectMessage(page, carrier.gatewayRemoved)
    await expectMessage(page, carrier.smppGatewayRemoved('outbound'))
    await expectMessage(page, carrier.smppGatewayRemoved('inbound'))
    await expectMessage(page, carrier.saved)
    // Simulates a server that refuses the deletion.
    await page.route('**/v1/VoipCarriers/*', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 403, json: { msg: 'insufficient privileges' } })
        : route.continue(),
    )
    await deleteRecord(page, 'Pier')
    await expectMessage(page, carrier.mayNotRemove)
    await page.unroute('**/v1/VoipCarriers/*')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectMessage(page, carrier.removed('Pier'))
  })

  test('the list shows the registration and gateway counts of a carrier', async ({ page, platform, api, admin }) => {
    const account_sid = await api.add('/Accounts', { name: 'Docks', service_provider_sid })
    const user = await addUser(platform, 'docker', { service_provider_sid, account_sid })
    const registering = { requires_register: 1, register_username: 'me', register_password: 'secret' }
    const carriers = [
      ['Bow', '{"status":"ok"}'],
      ['Stern', '{"status":"fail"}'],
      ['Mast', null],
    ] as const
    const sids: string[] = []
    for (const [name, register_status] of carriers) {
      sids.push(randomUUID())
      await insertRow(platform.database, 'voip_carriers', {
        voip_carrier_sid: sids.at(-1)!,
        name,
        service_provider_sid,
        register_status,
        ...registering,
      })
    }
    await openAs(page, platform, admin, '/favicon.svg')
    // Simulates a server that omits gateway counts from the list, and refuses the request for gateways after a delay.
    await page.route(/\/VoipCarriers\?/, async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: Record<string, unknown>[] }
      const data = answer.data.map(({ inbound_gateways: _, outbound_gateways: __, ...each }) => each)
      await route.fulfill({ json: { ...answer, data } })
    })
    let release = () => {}
    const held = new Promise<void>((done) => (release = done))
    await page.route('**/v1/SipGateways?*', async (route) => {
      await held
      await route.fulfill({ status: 403, json: { msg: 'insufficient privileges' } })
    })
    await open(page, home)
    await expectMessage(page, carrier.registered)
    await expectMessage(page, carrier.unregistered)
    await expectMessage(page, carrier.checkingGateways)
    release()
    await expectMessage(page, carrier.gatewaysError)
    await page.unrouteAll()
    await open(page, `${home}/${sids[2]}/edit`)
    await expectMessage(page, carrier.notStarted)
    // Accounts can only view the carriers that their provider shares.
    await openAs(page, platform, user, `${home}/${sids[0]}/edit`)
    await expectMessage(page, general.mayNotChange('Carrier'))
  })
}
