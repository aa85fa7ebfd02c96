import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/lcr'
import type { Lcr } from '@trunkline/contract/shapes/lcr'
import { describe, expect, it } from 'vitest'
import { startV1Server } from './v1-server'
import type { Person } from './render'
import {
  choose,
  routingPath,
  page,
  pattern,
  findButton,
  findText,
  type,
  useRoutingBackend,
} from './outbound-route-fields'

const { render, ask, backend, world, routesOf, brief, fill } = useRoutingBackend()

describe('trying a number', () => {
  it('shows which route matches, why earlier ones do not, and the gateways', async () => {
    const { lcr, voip_carrier } = world().bolt
    await fill(
      lcr,
      ['44', '^1(212|646)', '(', '1', '^33'].filter((regex) => regex !== '('),
      voip_carrier,
    )
    await ask('admin', 'PUT', `/VoipCarriers/${voip_carrier}`, { tech_prefix: '4471#', e164_leading_plus: 1 })
    const { user } = await render(page(lcr), { as: 'admin' })
    const number = await screen.findByRole('textbox', { name: 'Number' })
    await user.type(number, '+1 (617) 555-0148{Enter}')
    const tests = async () =>
      within(await screen.findByRole('list', { name: 'Routes tested' }))
        .getAllByRole('listitem')
        .map((test) => test.lastChild?.textContent)
    expect(await tests()).toEqual(['does not start with 44', 'no match', 'match', 'not tested'])
    expect(screen.getByText('4471#+16175550148')).toBeTruthy()
    const gateways = within(await screen.findByRole('list', { name: 'Outbound gateways' }))
    expect(gateways.getByText('192.0.2.12:5060')).toBeTruthy()
    // the routes on screen are tested, saved or not
    await type(1, '16175')
    expect(await tests()).toEqual(['match', 'not tested', 'not tested', 'not tested'])
    await type(1, '(')
    await choose(user, 'Default outbound carrier', 'North shared')
    fireEvent.change(number, { target: { value: '390' } })
    expect(await tests()).toEqual(['not valid', 'no match', 'does not start with 1', 'does not start with 33'])
    expect(await screen.findByText('198.51.100.1:5060')).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: 'Active' }))
    expect(await findText(messages.numberTest.inactive)).toBeTruthy()
    fireEvent.change(number, { target: { value: 'alice' } })
    expect(await findText(messages.numberTest.invalidNumber)).toBeTruthy()
  })

  it('shows all carriers of the route, in the order of attempts', async () => {
    const { acme, shared } = world()
    await fill(acme.lcr, ['44'])
    const [{ lcr_route_sid } = { lcr_route_sid: '' }] = await routesOf(acme.lcr)
    const next = { lcr_route_sid, voip_carrier_sid: acme.voip_carrier, priority: 1 }
    await ask('admin', 'POST', '/LcrCarrierSetEntries', next)
    const { user } = await render(page(acme.lcr), { as: 'acme' })
    await user.type(await screen.findByRole('textbox', { name: 'Number' }), '4420')
    expect(await findText('North shared, then acme trunk')).toBeTruthy()
    expect(await screen.findAllByRole('list', { name: 'Outbound gateways' })).toHaveLength(2)
    expect((await routesOf(acme.lcr))[0]?.to).toEqual([shared.north.voip_carrier, acme.voip_carrier])
  })
})

describe('deleting and duplicating outbound call routes', () => {
  it('copies an LCR with all its routes for another owner', async () => {
    const { lcr } = world().acme
    await fill(lcr, ['44', '^(33|49)'])
    // routes have fallback carriers, and another account can use only those of the provider
    for (const { lcr_route_sid } of await routesOf(lcr))
      for (const [priority, voip_carrier_sid] of [
        world().shared.north.voip_carrier,
        world().acme.voip_carrier,
      ].entries())
        await ask('acme', 'POST', '/LcrCarrierSetEntries', {
          lcr_route_sid,
          voip_carrier_sid,
          workload: 3,
          priority: priority + 5,
        })
    await ask('admin', 'DELETE', `/Lcrs/${world().bolt.lcr}`)
    const { user, address } = await render(page(lcr), { as: 'admin' })
    await user.click(await screen.findByRole('link', { name: 'Duplicate' }))
    expect(await screen.findByDisplayValue('Copy of acme routes')).toBeTruthy()
    await choose(user, 'Used by', 'bolt')
    await user.click(await findButton('Save'))
    expect(await findText(messages.added)).toBeTruthy()
    await waitFor(() => expect(address()).toBe(routingPath))
    const made = (await ask<Lcr[]>('bolt', 'GET', '/Lcrs'))[0]!
    expect(made.name).toBe('Copy of acme routes')
    const copied = await routesOf(made.lcr_sid)
    const stored = await routesOf(lcr)
    expect(copied.map(({ regex }) => regex)).toEqual(['44', '^(33|49)', '.*'])
    for (const { lcr_carrier_set_entries } of copied)
      expect(lcr_carrier_set_entries).toMatchObject([
        { voip_carrier_sid: world().shared.north.voip_carrier, workload: 1, priority: 0 },
        { voip_carrier_sid: world().shared.north.voip_carrier, workload: 3, priority: 5 },
      ])
    expect(copied[0]!.lcr_route_sid).not.toBe(stored[0]!.lcr_route_sid)
  })

  it('marks the carriers that a shared copy cannot use', async () => {
    const { acme, shared } = world()
    await fill(acme.lcr, ['44', '33'], acme.voip_carrier)
    const [, { lcr_route_sid } = { lcr_route_sid: '' }] = await routesOf(acme.lcr)
    const entry = { lcr_route_sid, voip_carrier_sid: acme.voip_carrier, priority: 1 }
    await ask('admin', 'POST', '/LcrCarrierSetEntries', entry)
    const { user, address } = await render(`${routingPath}/add?copy=${acme.lcr}`, { as: 'admin' })
    await choose(user, 'Carrier of route 2', 'North shared')
    await user.click(await findButton('Save'))
    await waitFor(() => expect(screen.queryAllByText(messages.carrierUnusable)).toHaveLength(2))
    const marked = (name: string) => screen.getByRole('combobox', { name }).getAttribute('aria-invalid')
    expect(marked('Carrier of route 1')).toBe('true')
    expect(marked('Carrier of route 2')).toBeNull()
    await choose(user, 'Carrier of route 1', 'North shared')
    await choose(user, 'Default outbound carrier', 'North shared')
    await user.click(await findButton('Save'))
    await waitFor(() => expect(address()).toBe(routingPath))
    const made = (await ask<Lcr[]>('north', 'GET', '/Lcrs'))[0]!
    expect((await routesOf(made.lcr_sid)).map(({ to }) => to)).toEqual(Array(3).fill([shared.north.voip_carrier]))
    await ask('admin', 'DELETE', `/Lcrs/${made.lcr_sid}`)
  })

  it.each<[Person, string]>([
    ['acme', `${routingPath}/add`],
    ['admin', routingPath],
  ])('redirects %s to %s after deleting', async (as, to) => {
    const mine = (await ask<Lcr[]>(as, 'GET', '/Lcrs')).find(({ name }) => name !== 'corp routes')!
    const { user, address } = await render(page(mine.lcr_sid), { as })
    await user.click(await findButton('Delete'))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await findText(messages.removedOnPage(mine.name!))).toBeTruthy()
    expect(address()).toBe(to)
  })
})

describe('with a server that does not replace the list of routes', () => {
  it('still saves the routes on screen', async () => {
    const { lcr } = world().corp
    const carrier = world().shared.south.voip_carrier
    await fill(lcr, ['1', '2'], carrier)
    const older = await startV1Server(backend().app)
    localStorage.clear()
    const { user } = await render(page(lcr), { as: 'corp', features: { apiBaseUrl: older.base } })
    await pattern(2)
    // another user adds a route that this screen does not show
    await ask('admin', 'PUT', `/Lcrs/${lcr}/Routes`, [
      { regex: '9', priority: 7, lcr_carrier_set_entries: [{ voip_carrier_sid: carrier, priority: 0 }] },
    ])
    await user.click(await findButton('Move route 2 up'))
    await user.click(await findButton('Add route'))
    await type(3, '3')
    await choose(user, 'Carrier of route 3', 'South shared')
    await user.click(await findButton('Save'))
    expect(await findText(`${messages.changedMeanwhile} ${general.inputKept}`)).toBeTruthy()
    expect(await findText(general.fieldConflict)).toBeTruthy()
    expect(await brief(lcr)).toHaveLength(4)
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect(await brief(lcr)).toEqual([
      ['2', 0],
      ['1', 1],
      ['3', 2],
      ['.*', 9999],
    ])
    older.close()
  })
})
