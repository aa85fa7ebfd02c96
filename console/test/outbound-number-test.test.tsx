import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { messages as form } from '@trunkline/contract/messages/form'
import { messages } from '@trunkline/contract/messages/lcr'
import { messages as routeMessages } from '@trunkline/contract/messages/lcr-route'
import type { Lcr } from '@trunkline/contract/shapes/lcr'
import { describe, expect, it } from 'vitest'
import { startV1Server } from './v1-server'
import type { TestUser } from './render'
import {
  selectOption,
  routingPath,
  editPath,
  findPatternField,
  findButton,
  findText,
  typePattern,
  useRoutingBackend,
} from './outbound-route-fields'

const { render, requestAs, backend, testData, listRoutes, readPatterns, setRoutes } = useRoutingBackend()

describe('the test of a number', () => {
  it('shows which route matches, why earlier ones do not, and the gateways', async () => {
    const { lcr, voip_carrier } = testData().bolt
    await setRoutes(lcr, ['44', '^1(212|646)', '1', '^33'], voip_carrier)
    await requestAs('admin', 'PUT', `/VoipCarriers/${voip_carrier}`, { tech_prefix: '4471#', e164_leading_plus: 1 })
    const { user } = await render(editPath(lcr), { as: 'admin' })
    const numberField = await screen.findByRole('textbox', { name: 'Number' })
    await user.type(numberField, '+1 (617) 555-0148{Enter}')
    const readTestResults = async () =>
      within(await screen.findByRole('list', { name: 'Routes tested' }))
        .getAllByRole('listitem')
        .map((item) => item.lastChild?.textContent)
    expect(await readTestResults()).toEqual(['does not start with 44', 'no match', 'match', 'not reached'])
    expect(screen.getByText('4471#+16175550148')).toBeTruthy()
    const gateways = within(await screen.findByRole('list', { name: 'Outbound gateways' }))
    expect(gateways.getByText('192.0.2.12:5060')).toBeTruthy()
    // the routes on screen are tested, saved or not
    await typePattern(1, '16175')
    expect(await readTestResults()).toEqual(['match', 'not reached', 'not reached', 'not reached'])
    await typePattern(1, '(')
    await selectOption(user, 'Default outbound carrier', 'North shared')
    fireEvent.change(numberField, { target: { value: '390' } })
    expect(await readTestResults()).toEqual([
      'not valid',
      'no match',
      'does not start with 1',
      'does not start with 33',
    ])
    expect(await screen.findByText('198.51.100.1:5060')).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: 'Active' }))
    expect(await findText(routeMessages.numberTest.inactive)).toBeTruthy()
    fireEvent.change(numberField, { target: { value: 'alice' } })
    expect(await findText(routeMessages.numberTest.invalidNumber)).toBeTruthy()
  })

  it('shows all carriers of the route, in the order of attempts', async () => {
    const { acme, shared } = testData()
    await setRoutes(acme.lcr, ['44'])
    const [{ lcr_route_sid } = { lcr_route_sid: '' }] = await listRoutes(acme.lcr)
    const fallbackEntry = { lcr_route_sid, voip_carrier_sid: acme.voip_carrier, priority: 1 }
    await requestAs('admin', 'POST', '/LcrCarrierSetEntries', fallbackEntry)
    const { user } = await render(editPath(acme.lcr), { as: 'acme' })
    await user.type(await screen.findByRole('textbox', { name: 'Number' }), '4420')
    expect(await findText('North shared, then acme trunk')).toBeTruthy()
    expect(await screen.findAllByRole('list', { name: 'Outbound gateways' })).toHaveLength(2)
    expect((await listRoutes(acme.lcr))[0]?.carrierSids).toEqual([shared.north.voip_carrier, acme.voip_carrier])
  })

  it('explains what happens if a carrier cannot take the call', async () => {
    const { acme, shared } = testData()
    await setRoutes(acme.lcr, ['44', '33'])
    const [{ lcr_route_sid } = { lcr_route_sid: '' }] = await listRoutes(acme.lcr)
    const fallbackEntry = { lcr_route_sid, voip_carrier_sid: acme.voip_carrier, priority: 1 }
    await requestAs('admin', 'POST', '/LcrCarrierSetEntries', fallbackEntry)
    const setActive = async (is_active: number) => {
      for (const voip_carrier_sid of [shared.north.voip_carrier, acme.voip_carrier])
        await requestAs('admin', 'PUT', `/VoipCarriers/${voip_carrier_sid}`, { is_active })
    }
    await setActive(0)
    const { user } = await render(editPath(acme.lcr), { as: 'acme' })
    const numberField = await screen.findByRole('textbox', { name: 'Number' })
    await user.type(numberField, '4420')
    expect(await findText('This carrier is inactive, so the next carrier is tried.')).toBeTruthy()
    expect(await findText('This carrier is inactive, so it cannot take the call.')).toBeTruthy()
    fireEvent.change(numberField, { target: { value: '3320' } })
    expect(await findText('This carrier is inactive, so the call would fail.')).toBeTruthy()
    await setActive(1)
  })
})

describe('deleting and duplicating routing tables', () => {
  it('copies an LCR with all its routes for another owner', async () => {
    const { lcr } = testData().acme
    await setRoutes(lcr, ['44', '^(33|49)'])
    // each route gets fallback carriers; the copy drops those that the other account cannot use
    for (const { lcr_route_sid } of await listRoutes(lcr))
      for (const [priority, voip_carrier_sid] of [
        testData().shared.north.voip_carrier,
        testData().acme.voip_carrier,
      ].entries())
        await requestAs('acme', 'POST', '/LcrCarrierSetEntries', {
          lcr_route_sid,
          voip_carrier_sid,
          workload: 3,
          priority: priority + 5,
        })
    await requestAs('admin', 'DELETE', `/Lcrs/${testData().bolt.lcr}`)
    const { user, currentPath } = await render(editPath(lcr), { as: 'admin' })
    await user.click(await screen.findByRole('link', { name: 'Duplicate' }))
    expect(await screen.findByDisplayValue('Copy of acme routes')).toBeTruthy()
    await selectOption(user, 'Used by', 'bolt')
    await user.click(await findButton('Save'))
    expect(await findText(messages.added)).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe(routingPath))
    const copiedLcr = (await requestAs<Lcr[]>('bolt', 'GET', '/Lcrs'))[0]!
    expect(copiedLcr.name).toBe('Copy of acme routes')
    const copiedRoutes = await listRoutes(copiedLcr.lcr_sid)
    const originalRoutes = await listRoutes(lcr)
    expect(copiedRoutes.map(({ regex }) => regex)).toEqual(['44', '^(33|49)', '.*'])
    for (const { lcr_carrier_set_entries } of copiedRoutes)
      expect(lcr_carrier_set_entries).toMatchObject([
        { voip_carrier_sid: testData().shared.north.voip_carrier, workload: 1, priority: 0 },
        { voip_carrier_sid: testData().shared.north.voip_carrier, workload: 3, priority: 5 },
      ])
    expect(copiedRoutes[0]!.lcr_route_sid).not.toBe(originalRoutes[0]!.lcr_route_sid)
  })

  it('marks the carriers that a shared copy cannot use', async () => {
    const { acme, shared } = testData()
    await setRoutes(acme.lcr, ['44', '33'], acme.voip_carrier)
    const [, { lcr_route_sid } = { lcr_route_sid: '' }] = await listRoutes(acme.lcr)
    const entry = { lcr_route_sid, voip_carrier_sid: acme.voip_carrier, priority: 1 }
    await requestAs('admin', 'POST', '/LcrCarrierSetEntries', entry)
    const { user, currentPath } = await render(`${routingPath}/add?copy=${acme.lcr}`, { as: 'admin' })
    await selectOption(user, 'Carrier of route 2', 'North shared')
    await user.click(await findButton('Save'))
    await waitFor(() => expect(screen.queryAllByText(routeMessages.carrierUnusable)).toHaveLength(2))
    const readInvalidState = (name: string) => screen.getByRole('combobox', { name }).getAttribute('aria-invalid')
    expect(readInvalidState('Carrier of route 1')).toBe('true')
    expect(readInvalidState('Carrier of route 2')).toBeNull()
    await selectOption(user, 'Carrier of route 1', 'North shared')
    await selectOption(user, 'Default outbound carrier', 'North shared')
    await user.click(await findButton('Save'))
    await waitFor(() => expect(currentPath()).toBe(routingPath))
    const copiedLcr = (await requestAs<Lcr[]>('north', 'GET', '/Lcrs'))[0]!
    expect((await listRoutes(copiedLcr.lcr_sid)).map(({ carrierSids }) => carrierSids)).toEqual(
      Array(3).fill([shared.north.voip_carrier]),
    )
    await requestAs('admin', 'DELETE', `/Lcrs/${copiedLcr.lcr_sid}`)
  })

  it.each<[TestUser, string]>([
    ['acme', `${routingPath}/add`],
    ['admin', routingPath],
  ])('redirects %s to %s after deleting', async (as, destination) => {
    const lcr = (await requestAs<Lcr[]>(as, 'GET', '/Lcrs')).find(({ name }) => name !== 'corp routes')!
    const { user, currentPath } = await render(editPath(lcr.lcr_sid), { as })
    await user.click(await findButton('Delete'))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await findText(messages.removedOnScreen(lcr.name!))).toBeTruthy()
    expect(currentPath()).toBe(destination)
  })
})

describe('with a server that does not replace the list of routes', () => {
  it('reports the change of another user, and then saves the routes on screen', async () => {
    const { lcr } = testData().corp
    const carrierSid = testData().shared.south.voip_carrier
    await setRoutes(lcr, ['1', '2'], carrierSid)
    const v1Server = await startV1Server(backend().app)
    localStorage.clear()
    const { user } = await render(editPath(lcr), { as: 'corp', features: { apiBaseUrl: v1Server.apiBaseUrl } })
    await findPatternField(2)
    // another user adds a route that this screen does not show
    await requestAs('admin', 'PUT', `/Lcrs/${lcr}/Routes`, [
      { regex: '9', priority: 7, lcr_carrier_set_entries: [{ voip_carrier_sid: carrierSid, priority: 0 }] },
    ])
    await user.click(await findButton('Move route 2 up'))
    await user.click(await findButton('Add route'))
    await typePattern(3, '3')
    await selectOption(user, 'Carrier of route 3', 'South shared')
    await user.click(await findButton('Save'))
    expect(await findText(`${messages.changedMeanwhile} ${form.inputKept}`)).toBeTruthy()
    expect(await findText(form.fieldConflict)).toBeTruthy()
    expect(await readPatterns(lcr)).toHaveLength(4)
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect(await readPatterns(lcr)).toEqual([
      ['2', 0],
      ['1', 1],
      ['3', 2],
      ['.*', 9999],
    ])
    v1Server.close()
  })
})
