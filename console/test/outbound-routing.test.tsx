import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/lcr'
import type { Lcr } from '@trunkline/contract/shapes/lcr'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdRequests } from './hold-requests'
import type { Person } from './render'
import {
  findCarrier,
  choose,
  routingPath,
  page,
  pattern,
  patterns,
  findButton,
  findText,
  type,
  useRoutingBackend,
} from './outbound-route-fields'

const { render, ask, world, routesOf, brief, fill } = useRoutingBackend()

afterEach(() => void vi.restoreAllMocks())

describe('the list of outbound call routes', () => {
  it('shows the owner of each LCR, and its number of routes without the default', async () => {
    await fill(world().bolt.lcr, ['44', '1'])
    const { sid } = await ask<{ sid: string }>('admin', 'POST', '/Lcrs', {
      name: 'Of the provider',
      is_active: 0,
      service_provider_sid: world().providers.north,
    })
    const { user } = await render(routingPath, { as: 'admin' })
    const row = async (name: RegExp) => within(await screen.findByRole('row', { name })).getAllByRole('cell')
    const words = async (name: RegExp) => (await row(name)).map((cell) => cell.textContent).slice(0, 4)
    expect(await words(/bolt routes/)).toEqual(['bolt routes', 'Active', 'bolt', '2'])
    expect(await words(/Of the provider/)).toEqual(['Of the provider', 'Inactive', 'All accounts', '0'])
    expect(screen.getAllByText(messages.purpose)).toHaveLength(1)
    expect(screen.queryByText('corp routes')).toBeNull()
    await user.click(await findButton('Delete Of the provider'))
    await user.click(await findButton('Delete'))
    expect(await findText(messages.removed('Of the provider'))).toBeTruthy()
    expect(await ask<Lcr[]>('admin', 'GET', '/Lcrs')).not.toContainEqual(expect.objectContaining({ lcr_sid: sid }))
  })

  it.each<Person>(['north', 'acme'])('is forbidden for %s', async (as) => {
    const { address } = await render(routingPath, { as })
    expect(await findText(messages.mayNotManageAll)).toBeTruthy()
    await waitFor(() => expect(address()).not.toBe(routingPath))
  })
})

it('is not found in any screen or search if the feature is disabled', async () => {
  const { user } = await render(routingPath, { as: 'admin', features: { leastCostRouting: false } })
  expect(await findText(general.pageNotFound)).toBeTruthy()
  await user.keyboard('{Control>}k{/Control}')
  expect(await screen.findByRole('option', { name: /Add carrier/ })).toBeTruthy()
  expect(screen.queryAllByText(/outbound call rout/i)).toEqual([])
})

describe('adding outbound call routes', () => {
  it('requires the fields of every route, and saves the default route last', async () => {
    const { user, address } = await render(`${routingPath}/add`, { as: 'admin' })
    await user.click(await findButton('Save'))
    expect(await findText('Name is required.')).toBeTruthy()
    expect(screen.getByText('Default outbound carrier is required.')).toBeTruthy()
    expect(screen.getByText(messages.patternMissing)).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Europe')
    await choose(user, 'Default outbound carrier', 'North shared')
    await type(1, '(44')
    expect(await findText(messages.invalidPattern)).toBeTruthy()
    await type(1, '44')
    expect(await findText(messages.carrierMissing)).toBeTruthy()
    await choose(user, 'Carrier of route 1', 'North shared')
    await user.click(await findButton('Add route'))
    await type(2, '^(33|49)')
    await choose(user, 'Carrier of route 2', 'North shared')
    // the provider's LCR cannot use a carrier of an account
    expect(screen.queryByRole('option', { name: 'acme trunk', hidden: true })).toBeNull()
    await user.click(await findButton('Save'))
    expect(await findText(messages.added)).toBeTruthy()
    await waitFor(() => expect(address()).toBe(routingPath))
    const made = (await ask<Lcr[]>('admin', 'GET', '/Lcrs')).find(({ name }) => name === 'Europe')!
    expect(made).toMatchObject({ account_sid: null, service_provider_sid: world().providers.north, is_active: 1 })
    const stored = await routesOf(made.lcr_sid)
    expect(stored.map(({ regex, priority, description, to }) => [regex, priority, description, to.length])).toEqual([
      ['44', 0, null, 1],
      ['^(33|49)', 1, null, 1],
      ['.*', 9999, 'System Default Route', 1],
    ])
    expect(made.default_carrier_set_entry_sid).toBe(stored[2]!.lcr_carrier_set_entries[0]!.lcr_carrier_set_entry_sid)
    await ask('admin', 'DELETE', `/Lcrs/${made.lcr_sid}`)
  })

  it('marks carriers that accept no outbound calls', async () => {
    const add = (body: object) => ask<{ sid: string }>('north', 'POST', '/VoipCarriers', body)
    const made = [await add({ name: 'Resting trunk', is_active: 0 }), await add({ name: 'Empty trunk' })]
    const { user } = await render(`${routingPath}/add`, { as: 'admin' })
    await user.click(await screen.findByRole('combobox', { name: 'Default outbound carrier' }))
    for (const name of [messages.inactiveCarrier('Resting trunk'), messages.noOutboundGateway('Empty trunk')])
      expect(await screen.findByRole('option', { name, hidden: true })).toBeTruthy()
    for (const { sid } of made) await ask('north', 'DELETE', `/VoipCarriers/${sid}`)
  })

  it('shows an error if the account already has an LCR', async () => {
    const { user } = await render(`${routingPath}/add`, { as: 'admin' })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'x')
    await choose(user, 'Used by', 'acme')
    await choose(user, 'Default outbound carrier', 'acme trunk')
    await user.click(await findButton('Delete route 1'))
    await user.click(await findButton('Save'))
    expect(
      await screen.findByText(/acme {2}already has an active call routing table/, { normalizer: String }),
    ).toBeTruthy()
  })

  it.each<[string, string]>([
    ['admin', messages.noCarriers],
    ['account', messages.noCarriersOfAccount],
  ])('cannot be saved without carriers (%s)', async (who, words) => {
    const provider = (await ask<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: `Aa ${who}` })).sid
    const account = { name: `only of ${who}`, service_provider_sid: provider }
    await ask('admin', 'POST', '/Accounts', account)
    localStorage.setItem('activeServiceProvider', provider)
    const { user } = await render(`${routingPath}/add`, { as: 'admin' })
    if (who === 'account') await choose(user, 'Used by', account.name)
    expect(await findText(words)).toBeTruthy()
    expect((await findButton('Save')).hasAttribute('disabled')).toBe(true)
  })

  it("lets a provider user create the provider's LCR, and opens it", async () => {
    const { user, address } = await render(`${routingPath}/add`, { as: 'north' })
    expect(await screen.findByRole<HTMLInputElement>('combobox', { name: 'Used by' })).toHaveProperty('disabled', true)
    expect(screen.queryByRole('link', { name: 'Cancel' })).toBeNull()
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'North')
    await choose(user, 'Default outbound carrier', 'North shared')
    await user.click(await findButton('Delete route 1'))
    await user.click(await findButton('Save'))
    expect(await findText(messages.added)).toBeTruthy()
    await screen.findByRole('heading', { name: 'Edit outbound call routes' })
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Duplicate' })).toBeNull()
    const [made] = await ask<Lcr[]>('north', 'GET', '/Lcrs')
    expect(address()).toBe(page(made!.lcr_sid))
    const entry = await screen.findByRole('link', { name: 'Outbound call routing' })
    await waitFor(() => expect(entry.getAttribute('href')).toBe(page(made!.lcr_sid)))
    expect(await brief(made!.lcr_sid)).toEqual([['.*', 9999]])
    await ask('north', 'DELETE', `/Lcrs/${made!.lcr_sid}`)
  })
})

describe('editing outbound call routes', () => {
  it('moves routes with the keyboard, and saves their order', async () => {
    const { lcr } = world().acme
    await fill(lcr, ['1', '2', '3', '4'])
    const before = await routesOf(lcr)
    const { user } = await render(page(lcr), { as: 'acme' })
    await waitFor(async () => expect((await pattern(4)).value).toBe('4'))
    const grip = async (at: number) => screen.findByRole('button', { name: `Move route ${at}` })
    const key = async (at: number, name: string) => fireEvent.keyDown(await grip(at), { key: name })
    await key(1, ' ')
    await key(1, 'ArrowDown')
    await key(2, 'ArrowDown')
    await waitFor(() => expect(patterns()).toEqual(['2', '3', '1', '4']))
    expect(await screen.findByText(messages.order.moved(3, 4))).toBeTruthy()
    await waitFor(async () => expect(document.activeElement).toBe(await grip(3)))
    await key(3, 'Escape')
    expect(patterns()).toEqual(['1', '2', '3', '4'])
    await key(4, 'Enter')
    await key(4, 'Home')
    await key(1, ' ')
    await user.click(await findButton('Move route 4 up'))
    expect(patterns()).toEqual(['4', '1', '3', '2'])
    await type(2, '^1[2-9]')
    await choose(user, 'Carrier of route 2', 'acme trunk')
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect(await findText(messages.routesSaved)).toBeTruthy()
    const after = await routesOf(lcr)
    expect(after.map(({ regex, priority }) => [regex, priority])).toEqual([
      ['4', 0],
      ['^1[2-9]', 1],
      ['3', 2],
      ['2', 3],
      ['.*', 9999],
    ])
    expect(after[1]!.to).toEqual([world().acme.voip_carrier])
    // the same routes as before, not replaced by new ones
    expect(after.map(({ lcr_route_sid }) => lcr_route_sid).toSorted()).toEqual(
      before.map(({ lcr_route_sid }) => lcr_route_sid).toSorted(),
    )
  })

  it('deletes a stored route at once, and only removes an unsaved one', async () => {
    const { lcr } = world().acme
    await fill(lcr, ['1', '2', '3'])
    const { user } = await render(page(lcr), { as: 'acme' })
    await user.click(await findButton('Delete route 2'))
    expect(await findText(messages.routeRemoved)).toBeTruthy()
    expect(await brief(lcr)).toEqual([
      ['1', 0],
      ['3', 2],
      ['.*', 9999],
    ])
    await waitFor(() => expect(patterns()).toEqual(['1', '3']))
    await user.click(await findButton('Add route'))
    await type(3, '5')
    await user.click(await findButton('Delete route 3'))
    expect(patterns()).toEqual(['1', '3'])
    expect(await brief(lcr)).toHaveLength(3)
    expect((await findCarrier(1)).textContent).toBe('North shared')
  })

  it('delays Save until a route is deleted', async () => {
    const { lcr } = world().acme
    await fill(lcr, ['1', '2', '3'])
    const { user } = await render(page(lcr), { as: 'acme' })
    await type(1, '9')
    const release = holdRequests('DELETE', '/LcrRoutes/')
    await user.click(await findButton('Delete route 2'))
    expect(await findText(messages.removingRoute)).toBeTruthy()
    await user.keyboard('{Control>}s{/Control}')
    expect((await brief(lcr)).map(([regex]) => regex)).toEqual(['1', '2', '3', '.*'])
    release()
    expect(await findText(messages.routeRemoved)).toBeTruthy()
    await waitFor(() => expect(screen.queryByText(messages.removingRoute)).toBeNull())
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect((await brief(lcr)).map(([regex]) => regex)).toEqual(['9', '3', '.*'])
  })

  it('marks routes that are never reached or never match', async () => {
    await fill(world().acme.lcr, ['^1(617|508)', '44', '161755', '\\+49'])
    const { user } = await render(page(world().acme.lcr), { as: 'acme' })
    expect(await findText(messages.unreachable([1]))).toBeTruthy()
    expect(await findText(messages.neverMatches)).toBeTruthy()
    await user.click(await findButton('Move route 3 up'))
    await user.click(await findButton('Move route 2 up'))
    await waitFor(() => expect(screen.queryByText(messages.unreachable([1]))).toBeNull())
  })

  it('adds a default route to an LCR without one, and saves a route that had no carrier', async () => {
    const { lcr } = world().bolt
    for (const { lcr_route_sid } of await routesOf(lcr)) await ask('admin', 'DELETE', `/LcrRoutes/${lcr_route_sid}`)
    await ask('admin', 'POST', '/LcrRoutes', { lcr_sid: lcr, regex: '7', priority: 3 })
    const { user } = await render(page(lcr), { as: 'admin' })
    await choose(user, 'Default outbound carrier', 'bolt trunk')
    await choose(user, 'Carrier of route 1', 'North shared')
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect((await routesOf(lcr)).map(({ regex, priority, to }) => [regex, priority, to])).toEqual([
      ['7', 0, [world().shared.north.voip_carrier]],
      ['.*', 9999, [world().bolt.voip_carrier]],
    ])
  })

  it('marks a route whose carrier has been deleted', async () => {
    const { lcr } = world().bolt
    const { sid } = await ask<{ sid: string }>('north', 'POST', '/VoipCarriers', { name: 'Brief' })
    await fill(lcr, ['1', '2'])
    const { user } = await render(page(lcr), { as: 'admin' })
    await choose(user, 'Carrier of route 2', messages.noOutboundGateway('Brief'))
    await ask('north', 'DELETE', `/VoipCarriers/${sid}`)
    await user.click(await findButton('Save'))
    expect(await findText(messages.carrierUnusable)).toBeTruthy()
    expect((await findCarrier(2)).getAttribute('aria-invalid')).toBe('true')
    expect((await findCarrier(1)).getAttribute('aria-invalid')).toBeNull()
  })

  it("offers an administrator the carriers of the LCR's provider", async () => {
    localStorage.setItem('activeServiceProvider', world().providers.south)
    await fill(world().acme.lcr, ['1'])
    const { user } = await render(page(world().acme.lcr), { as: 'admin' })
    expect((await findCarrier(1)).textContent).toBe('North shared')
    await choose(user, 'Carrier of route 1', 'acme trunk')
    await user.click(await findButton('Save'))
    expect(await findText(messages.saved)).toBeTruthy()
    expect((await routesOf(world().acme.lcr))[0]?.to).toEqual([world().acme.voip_carrier])
  })

  it.each<Person>(['north', 'acme'])('turns %s away from foreign routes', async (as) => {
    const { address } = await render(page(world().bolt.lcr), { as })
    expect(await findText(general.noAccess)).toBeTruthy()
    await waitFor(() => expect(address()).not.toBe(page(world().bolt.lcr)))
  })

  it('shows a view-only user all routes without buttons to change them', async () => {
    await fill(world().acme.lcr, ['1'])
    await render(page(world().acme.lcr), { as: 'viewer' })
    expect((await pattern(1)).readOnly).toBe(true)
    for (const name of ['Add route', 'Delete route 1', 'Move route 1', 'Delete'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })
})
