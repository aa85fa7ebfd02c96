import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { messages as carrier } from '../../contract/src/messages/voip-carrier'
import { messages as general } from '../../contract/src/messages/general'
import { expectMessage } from '../support/catalogue'
import { insertRow } from '../../scripts/launch/database'
import { addUser, openAs } from '../../scripts/launch/users'
import { deleteRecord, clickSave } from '../support/screen'
import { test } from '../support/test'

const listPath = '/internal/carriers'

/** The provider of the carriers. */
let service_provider_sid: string

/** Opens a page with the carriers' provider as the current one. */
const openAtProvider = async (page: Page, path: string) => {
  await page.evaluate((sid) => localStorage.setItem('activeServiceProvider', sid), service_provider_sid)
  await page.goto(path)
}

const defineCarrierFormTests = () => {
  test('a carrier form validates gateways', async ({ page, server, admin }) => {
    await openAs(page, server, admin, '/favicon.svg')
    await openAtProvider(page, listPath)
    await expectMessage(page, carrier.none)
    const hint = `${carrier.sendCallsTo} wired.example.com`
    await expectMessage(page, hint, () => page.getByText(carrier.sendCallsTo))
    await page.getByRole('link', { name: 'Add carrier' }).click()
    await page.getByLabel('Carrier name').fill('Harbour')
    const gatewayRow = (name: string) => page.getByRole('group', { name, exact: true })
    const addressField = (name: string) => gatewayRow(name).getByRole('textbox').first()
    const enterAddress = async (name: string, text: string) => {
      await addressField(name).fill(text)
      await addressField(name).blur()
    }
    await clickSave(page)
    await expectMessage(page, carrier.gateway.invalidAddress)
    await enterAddress('SIP gateway 1', 'sip.example.com')
    await expectMessage(page, carrier.gateway.fqdnOutboundOnly)
    await enterAddress('SIP gateway 1', '192.0.2.1')
    await page.getByRole('button', { name: 'Add SIP gateway' }).click()
    await enterAddress('SIP gateway 2', '192.0.2.1')
    await expectMessage(page, carrier.gateway.duplicate)
    for (const number of [2, 1]) await page.getByRole('button', { name: `Delete SIP gateway ${number}` }).click()
    await clickSave(page)
    await expectMessage(page, carrier.gateway.atLeastOne)
    await page.getByRole('button', { name: 'Add SIP gateway' }).click()
    await enterAddress('SIP gateway 1', '192.0.2.1')

    await page.getByRole('tab', { name: 'SMS' }).click()
    const section = (name: string) => page.getByRole('region', { name })
    await section('Outbound SMPP').getByLabel('System ID').fill('me')
    await clickSave(page)
    await expectMessage(page, carrier.smpp.atLeastOneOutbound)
    for (const direction of ['outbound', 'inbound'] as const) {
      const name = direction === 'outbound' ? 'Outbound gateway' : 'Inbound gateway'
      const addButton = page.getByRole('button', { name: `Add ${direction} gateway` })
      await addButton.click()
      await enterAddress(`${name} 1`, 'nowhere')
      await expectMessage(page, carrier.smpp.invalidAddress(direction))
      if (direction === 'outbound') {
        await enterAddress(`${name} 1`, 'example.com')
        await expectMessage(page, carrier.smpp.subdomain('smpp.example.com'))
      }
      await enterAddress(`${name} 1`, '192.0.2.7')
      await addButton.click()
      await enterAddress(`${name} 2`, '192.0.2.7')
      await expectMessage(page, carrier.smpp.duplicate(direction))
      await page.getByRole('button', { name: `Delete ${name} 2` }).click()
    }
    await section('Inbound SMPP').getByRole('textbox', { name: 'Password' }).fill('secret')
    await clickSave(page)
    await expectMessage(page, carrier.added)
  })
}

const defineCarrierDeletionTests = () => {
  test('a carrier and its gateways can be saved and deleted', async ({ page, server, api, admin }) => {
    const sid = await api.add('/VoipCarriers', {
      name: 'Pier',
      service_provider_sid,
      smpp_inbound_password: 'secret',
      sip_gateways: ['192.0.2.1', '192.0.2.2'].map((ipv4) => ({ ipv4, inbound: 1, outbound: 1 })),
      smpp_gateways: [{ ipv4: '192.0.2.7' }, { ipv4: '192.0.2.7', inbound: 1, outbound: 0 }],
    })
    await openAs(page, server, admin, '/favicon.svg')
    await openAtProvider(page, `${listPath}/${sid}/edit`)
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
}

const defineCarrierListTests = () => {
  test('the list shows the registration and gateway counts of a carrier', async ({ page, server, api, admin }) => {
    const account_sid = await api.add('/Accounts', { name: 'Docks', service_provider_sid })
    const user = await addUser(server, 'docker', { service_provider_sid, account_sid })
    const registration = { requires_register: 1, register_username: 'me', register_password: 'secret' }
    const carriers = [
      ['Bow', '{"status":"ok"}'],
      ['Stern', '{"status":"fail"}'],
      ['Mast', null],
    ] as const
    const sids: string[] = []
    for (const [name, register_status] of carriers) {
      sids.push(randomUUID())
      await insertRow(server.database, 'voip_carriers', {
        voip_carrier_sid: sids.at(-1)!,
        name,
        service_provider_sid,
        register_status,
        ...registration,
      })
    }
    await openAs(page, server, admin, '/favicon.svg')
    // Simulates a server that omits gateway counts from the list, and refuses the request for gateways after a delay.
    await page.route(/\/VoipCarriers\?/, async (route) => {
      const list = (await (await route.fetch()).json()) as { data: Record<string, unknown>[] }
      const data = list.data.map(({ inbound_gateways: _, outbound_gateways: __, ...row }) => row)
      await route.fulfill({ json: { ...list, data } })
    })
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/v1/SipGateways?*', async (route) => {
      await released
      await route.fulfill({ status: 403, json: { msg: 'insufficient privileges' } })
    })
    await openAtProvider(page, listPath)
    await expectMessage(page, carrier.registered)
    await expectMessage(page, carrier.unregistered)
    await expectMessage(page, carrier.checkingGateways)
    release()
    await expectMessage(page, carrier.gatewaysError)
    await page.unrouteAll()
    await openAtProvider(page, `${listPath}/${sids[2]}/edit`)
    await expectMessage(page, carrier.notStarted)
    // Accounts can only view the carriers that their provider shares.
    await openAs(page, server, user, `${listPath}/${sids[0]}/edit`)
    await expectMessage(page, general.mayNotChange('Carrier'))
  })
}

/** Messages about carriers, their registration and gateways. */
export const defineCarrierTests = () => {
  test.beforeAll(async ({ api }) => {
    service_provider_sid = await api.add('/ServiceProviders', { name: 'Wired', root_domain: 'wired.example.com' })
  })
  defineCarrierFormTests()
  defineCarrierDeletionTests()
  defineCarrierListTests()
}
