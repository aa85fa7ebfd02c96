import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/lcr'
import { messages as routeMessages } from '@trunkline/contract/messages/lcr-route'
import type { Lcr } from '@trunkline/contract/shapes/lcr'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdRequests } from './hold-requests'
import type { TestUser } from './render'
import {
  findCarrierField,
  selectOption,
  routingPath,
  editPath,
  findPatternField,
  readPatternValues,
  findButton,
  findText,
  typePattern,
  useRoutingBackend,
} from './outbound-route-fields'

const { render, requestAs, testData, listRoutes, readPatterns, setRoutes } = useRoutingBackend()

afterEach(() => void vi.restoreAllMocks())

describe('the list of routing tables', () => {
  it('shows the owner of each LCR, and its number of routes without the default', async () => {
    await setRoutes(testData().bolt.lcr, ['44', '1'])
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/Lcrs', {
      name: 'North default',
      is_active: 0,
      service_provider_sid: testData().providers.north,
    })
    const { user } = await render(routingPath, { as: 'admin' })
    const findCells = async (name: RegExp) => within(await screen.findByRole('row', { name })).getAllByRole('cell')
    const readCellTexts = async (name: RegExp) => (await findCells(name)).map((cell) => cell.textContent).slice(1, 5)
    expect(await readCellTexts(/bolt routes/)).toEqual(['bolt routes', 'Active', 'bolt', '2'])
    expect(await readCellTexts(/North default/)).toEqual(['North default', 'Inactive', 'All accounts', '0'])
    expect(screen.getAllByText(messages.purpose)).toHaveLength(1)
    // an LCR of the other provider
    expect(screen.queryByText('corp routes')).toBeNull()
    await user.click(await findButton('Delete North default'))
    await user.click(await findButton('Delete'))
    expect(await findText(messages.removed('North default'))).toBeTruthy()
    expect(await requestAs<Lcr[]>('admin', 'GET', '/Lcrs')).not.toContainEqual(
      expect.objectContaining({ lcr_sid: sid }),
    )
  })

  it.each<TestUser>(['north', 'acme'])('is forbidden for %s', async (as) => {
    const { currentPath } = await render(routingPath, { as })
    expect(await findText(messages.mayNotListAllLcrs)).toBeTruthy()
    await waitFor(() => expect(currentPath()).not.toBe(routingPath))
  })
})

it('has no screen and no search result if the feature flag is off', async () => {
  const { user } = await render(routingPath, { as: 'admin', features: { leastCostRouting: false } })
  expect(await findText(general.screenNotFound)).toBeTruthy()
  await user.keyboard('{Control>}k{/Control}')
  expect(await screen.findByRole('option', { name: /Add carrier/ })).toBeTruthy()
  expect(screen.queryAllByText(/outbound call rout/i)).toEqual([])
})

describe('adding routing tables', () => {
  it('requires the fields of every route, and saves the default route last', async () => {
    const { user, currentPath } = await render(`${routingPath}/add`, { as: 'admin' })
    await user.click(await findButton('Save'))
    expect(await findText('Name is required.')).toBeTruthy()
    expect(screen.getByText('Default outbound carrier is required.')).toBeTruthy()
    expect(screen.getByText(routeMessages.patternMissing)).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Europe')
    await selectOption(user, 'Default outbound carrier', 'North shared')
    await typePattern(1, '(44')
    expect(await findText(routeMessages.invalidPattern)).toBeTruthy()
    await typePattern(1, '44')
    expect(await findText(routeMessages.carrierMissing)).toBeTruthy()
    await selectOption(user, 'Carrier of route 1', 'North shared')
    await user.click(await findButton('Add route'))
    await typePattern(2, '^(33|49)')
    await selectOption(user, 'Carrier of route 2', 'North shared')
    // the provider's LCR cannot use a carrier of an account
    expect(screen.queryByRole('option', { name: 'acme trunk', hidden: true })).toBeNull()
    await user.click(await findButton('Save'))
    expect(await findText(messages.added)).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe(routingPath))
    const createdLcr = (await requestAs<Lcr[]>('admin', 'GET', '/Lcrs')).find(({ name }) => name === 'Europe')!
    expect(createdLcr).toMatchObject({
      account_sid: null,
      service_provider_sid: testData().providers.north,
      is_active: 1,
    })
    const storedRoutes = await listRoutes(createdLcr.lcr_sid)
    expect(
      storedRoutes.map(({ regex, priority, description, carrierSids }) => [
        regex,
        priority,
        description,
        carrierSids.length,
      ]),
    ).toEqual([
      ['44', 0, null, 1],
      ['^(33|49)', 1, null, 1],
      ['.*', 9999, 'System Default Route', 1],
    ])
    expect(createdLcr.default_carrier_set_entry_sid).toBe(
      storedRoutes[2]!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid,
    )
    await requestAs('admin', 'DELETE', `/Lcrs/${createdLcr.lcr_sid}`)
  })

  it('marks carriers that accept no outbound calls', async () => {
    const addCarrier = (body: object) => requestAs<{ sid: string }>('north', 'POST', '/VoipCarriers', body)
    const createdCarriers = [
      await addCarrier({ name: 'Inactive trunk', is_active: 0 }),
      await addCarrier({ name: 'Empty trunk' }),
    ]
    const { user } = await render(`${routingPath}/add`, { as: 'admin' })
    await user.click(await screen.findByRole('combobox', { name: 'Default outbound carrier' }))
    for (const name of [
      routeMessages.inactiveCarrier('Inactive trunk'),
      routeMessages.noOutboundGateway('Empty trunk'),
    ])
      expect(await screen.findByRole('option', { name, hidden: true })).toBeTruthy()
    for (const { sid } of createdCarriers) await requestAs('north', 'DELETE', `/VoipCarriers/${sid}`)
  })

  it('shows an error if the account already has an LCR', async () => {
    const { user } = await render(`${routingPath}/add`, { as: 'admin' })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'x')
    await selectOption(user, 'Used by', 'acme')
    await selectOption(user, 'Default outbound carrier', 'acme trunk')
    await user.click(await findButton('Delete route 1'))
    await user.click(await findButton('Save'))
    expect(
      await screen.findByText(/acme {2}already has an active call routing table/, { normalizer: String }),
    ).toBeTruthy()
  })

  it.each<[string, string]>([
    ['admin', messages.noCarriers],
    ['account', messages.noCarriersOfAccount],
  ])('is impossible without carriers (%s)', async (ownerKind, message) => {
    const providerSid = (
      await requestAs<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: `Aa ${ownerKind}` })
    ).sid
    const account = { name: `only of ${ownerKind}`, service_provider_sid: providerSid }
    await requestAs('admin', 'POST', '/Accounts', account)
    localStorage.setItem('activeServiceProvider', providerSid)
    const { user } = await render(`${routingPath}/add`, { as: 'admin' })
    if (ownerKind === 'account') await selectOption(user, 'Used by', account.name)
    expect(await findText(message)).toBeTruthy()
    expect((await findButton('Save')).hasAttribute('disabled')).toBe(true)
  })

  it("lets a provider user create the provider's LCR, and opens it", async () => {
    const { user, currentPath } = await render(`${routingPath}/add`, { as: 'north' })
    expect(await screen.findByRole<HTMLInputElement>('combobox', { name: 'Used by' })).toHaveProperty('disabled', true)
    expect(screen.queryByRole('link', { name: 'Cancel' })).toBeNull()
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'North')
    await selectOption(user, 'Default outbound carrier', 'North shared')
    await user.click(await findButton('Delete route 1'))
    await user.click(await findButton('Save'))
    expect(await findText(messages.added)).toBeTruthy()
    await screen.findByRole('heading', { name: 'Edit routing table' })
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Duplicate' })).toBeNull()
    const [createdLcr] = await requestAs<Lcr[]>('north', 'GET', '/Lcrs')
    expect(currentPath()).toBe(editPath(createdLcr!.lcr_sid))
    const navigationLink = await screen.findByRole('link', { name: 'Outbound call routing' })
    await waitFor(() => expect(navigationLink.getAttribute('href')).toBe(editPath(createdLcr!.lcr_sid)))
    expect(await readPatterns(createdLcr!.lcr_sid)).toEqual([['.*', 9999]])
    await requestAs('north', 'DELETE', `/Lcrs/${createdLcr!.lcr_sid}`)
  })
})

describe('editing routing tables', () => {
  it('moves routes with the keyboard, and saves their order', async () => {
    const { lcr } = testData().acme
    await setRoutes(lcr, ['1', '2', '3', '4'])
    const routesBefore = await listRoutes(lcr)
    const { user } = await render(editPath(lcr), { as: 'acme' })
    await waitFor(async () => expect((await findPatternField(4)).value).toBe('4'))
    const findMoveButton = async (position: number) => screen.findByRole('button', { name: `Move route ${position}` })
    const pressKey = async (position: number, name: string) =>
      fireEvent.keyDown(await findMoveButton(position), { key: name })
    await pressKey(1, ' ')
    await pressKey(1, 'ArrowDown')
    await pressKey(2, 'ArrowDown')
    await waitFor(() => expect(readPatternValues()).toEqual(['2', '3', '1', '4']))
    expect(await screen.findByText(routeMessages.order.moved(3, 4))).toBeTruthy()
    await waitFor(async () => expect(document.activeElement).toBe(await findMoveButton(3)))
    await pressKey(3, 'Escape')
    expect(readPatternValues()).toEqual(['1', '2', '3', '4'])
    await pressKey(4, 'Enter')
    await pressKey(4, 'Home')
    await pressKey(1, ' ')
    await user.click(await findButton('Move route 4 up'))
    expect(readPatternValues()).toEqual(['4', '1', '3', '2'])
    await typePattern(2, '^1[2-9]')
    await selectOption(user, 'Carrier of route 2', 'acme trunk')
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect(await findText(messages.routesSaved)).toBeTruthy()
    const routesAfter = await listRoutes(lcr)
    expect(routesAfter.map(({ regex, priority }) => [regex, priority])).toEqual([
      ['4', 0],
      ['^1[2-9]', 1],
      ['3', 2],
      ['2', 3],
      ['.*', 9999],
    ])
    expect(routesAfter[1]!.carrierSids).toEqual([testData().acme.voip_carrier])
    // the same routes as before, not replaced by new ones
    expect(routesAfter.map(({ lcr_route_sid }) => lcr_route_sid).toSorted()).toEqual(
      routesBefore.map(({ lcr_route_sid }) => lcr_route_sid).toSorted(),
    )
  })

  it('deletes a stored route at once, and only removes an unsaved one', async () => {
    const { lcr } = testData().acme
    await setRoutes(lcr, ['1', '2', '3'])
    const { user } = await render(editPath(lcr), { as: 'acme' })
    await user.click(await findButton('Delete route 2'))
    expect(await findText(messages.routeRemoved)).toBeTruthy()
    expect(await readPatterns(lcr)).toEqual([
      ['1', 0],
      ['3', 2],
      ['.*', 9999],
    ])
    await waitFor(() => expect(readPatternValues()).toEqual(['1', '3']))
    await user.click(await findButton('Add route'))
    await typePattern(3, '5')
    await user.click(await findButton('Delete route 3'))
    expect(readPatternValues()).toEqual(['1', '3'])
    expect(await readPatterns(lcr)).toHaveLength(3)
    expect((await findCarrierField(1)).textContent).toBe('North shared')
  })

  it('does not save while a route is being deleted', async () => {
    const { lcr } = testData().acme
    await setRoutes(lcr, ['1', '2', '3'])
    const { user } = await render(editPath(lcr), { as: 'acme' })
    await typePattern(1, '9')
    const release = holdRequests('DELETE', '/LcrRoutes/')
    await user.click(await findButton('Delete route 2'))
    expect(await findText(messages.removingRoute)).toBeTruthy()
    await user.keyboard('{Control>}s{/Control}')
    expect((await readPatterns(lcr)).map(([regex]) => regex)).toEqual(['1', '2', '3', '.*'])
    release()
    expect(await findText(messages.routeRemoved)).toBeTruthy()
    await waitFor(() => expect(screen.queryByText(messages.removingRoute)).toBeNull())
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect((await readPatterns(lcr)).map(([regex]) => regex)).toEqual(['9', '3', '.*'])
  })

  it('marks routes that are never reached or never match', async () => {
    await setRoutes(testData().acme.lcr, ['^1(617|508)', '44', '161755', '\\+49'])
    const { user } = await render(editPath(testData().acme.lcr), { as: 'acme' })
    expect(await findText(routeMessages.unreachable([1]))).toBeTruthy()
    expect(await findText(routeMessages.neverMatches)).toBeTruthy()
    await user.click(await findButton('Move route 3 up'))
    await user.click(await findButton('Move route 2 up'))
    await waitFor(() => expect(screen.queryByText(routeMessages.unreachable([1]))).toBeNull())
  })

  it('adds a default route to an LCR without one, and saves a route that had no carrier', async () => {
    const { lcr } = testData().bolt
    for (const { lcr_route_sid } of await listRoutes(lcr))
      await requestAs('admin', 'DELETE', `/LcrRoutes/${lcr_route_sid}`)
    await requestAs('admin', 'POST', '/LcrRoutes', { lcr_sid: lcr, regex: '7', priority: 3 })
    const { user } = await render(editPath(lcr), { as: 'admin' })
    await selectOption(user, 'Default outbound carrier', 'bolt trunk')
    await selectOption(user, 'Carrier of route 1', 'North shared')
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect((await listRoutes(lcr)).map(({ regex, priority, carrierSids }) => [regex, priority, carrierSids])).toEqual([
      ['7', 0, [testData().shared.north.voip_carrier]],
      ['.*', 9999, [testData().bolt.voip_carrier]],
    ])
  })

  it('marks a route whose carrier has been deleted', async () => {
    const { lcr } = testData().bolt
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', '/VoipCarriers', { name: 'Brief' })
    await setRoutes(lcr, ['1', '2'])
    const { user } = await render(editPath(lcr), { as: 'admin' })
    await selectOption(user, 'Carrier of route 2', routeMessages.noOutboundGateway('Brief'))
    await requestAs('north', 'DELETE', `/VoipCarriers/${sid}`)
    await user.click(await findButton('Save'))
    expect(await findText(routeMessages.carrierUnusable)).toBeTruthy()
    expect((await findCarrierField(2)).getAttribute('aria-invalid')).toBe('true')
    expect((await findCarrierField(1)).getAttribute('aria-invalid')).toBeNull()
  })

  it("offers an administrator the carriers of the LCR's provider", async () => {
    localStorage.setItem('activeServiceProvider', testData().providers.south)
    await setRoutes(testData().acme.lcr, ['1'])
    const { user } = await render(editPath(testData().acme.lcr), { as: 'admin' })
    expect((await findCarrierField(1)).textContent).toBe('North shared')
    await selectOption(user, 'Carrier of route 1', 'acme trunk')
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect((await listRoutes(testData().acme.lcr))[0]?.carrierSids).toEqual([testData().acme.voip_carrier])
  })

  it.each<TestUser>(['north', 'acme'])('refuses %s access to foreign routes', async (as) => {
    const { currentPath } = await render(editPath(testData().bolt.lcr), { as })
    expect(await findText(general.noAccess)).toBeTruthy()
    await waitFor(() => expect(currentPath()).not.toBe(editPath(testData().bolt.lcr)))
  })

  it('shows a view-only user all routes without buttons to change them', async () => {
    await setRoutes(testData().acme.lcr, ['1'])
    await render(editPath(testData().acme.lcr), { as: 'viewer' })
    expect((await findPatternField(1)).readOnly).toBe(true)
    for (const name of ['Add route', 'Delete route 1', 'Move route 1', 'Delete'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })
})
