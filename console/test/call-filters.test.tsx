import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { createCallWriter, selectOption, hourMs, noonToday, collapsedRows, findTotal } from './call-records'
import { holdRequests, requestUrl } from './hold-requests'
import { useBackend } from './render'
import { startV1Server } from './v1-server'

const { render, testData, backend } = useBackend()

const writeSampleCalls = createCallWriter({ testData, backend })

describe('recent calls', () => {
  it('list the oldest first after the sort order is reversed', async () => {
    await writeSampleCalls()
    const { user, currentPath } = await render('/internal/recent-calls?date=7', { as: 'provider' })
    await findTotal('Total: 4 records')
    const firstRowText = () => collapsedRows()[0]!.textContent
    const newestRowText = firstRowText()
    await user.click(await screen.findByRole('button', { name: 'Date' }))
    await waitFor(() => expect(firstRowText()).not.toBe(newestRowText))
    expect(currentPath()).toBe('/internal/recent-calls?date=7&order=asc')
    expect(screen.getByRole('columnheader', { name: 'Date' }).getAttribute('aria-sort')).toBe('ascending')
    await user.click(screen.getByRole('button', { name: 'Date' }))
    await waitFor(() => expect(firstRowText()).toBe(newestRowText))
  })

  it('are filtered by trunk and SIP status', async () => {
    await writeSampleCalls()
    const { user, currentPath } = await render('/internal/recent-calls?trunk=Vantage+SIP', { as: 'provider' })
    await findTotal('Total: 3 records')
    expect((await screen.findByRole('combobox', { name: /^Trunk/ })).textContent).toContain('Vantage SIP')
    await selectOption(user, /^Add filter/, 'SIP status')
    // its list is open, and searched by typing
    const statuses = within(await screen.findByRole('listbox', { name: 'SIP status' }))
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Search SIP status' }))
    await user.click(statuses.getByRole('option', { name: '200 OK' }))
    await findTotal('Total: 1 record')
    expect(currentPath()).toBe('/internal/recent-calls?trunk=Vantage+SIP&sip=200')
  })

  it('are filtered by the number in a link, also in exports, until the filter is removed', async () => {
    await writeSampleCalls()
    const releaseCapabilities = holdRequests('GET', '/Abilities')
    const path = '/internal/recent-calls?date=7&number=%2B18575550100'
    const { user, currentPath } = await render(path, { as: 'provider' })
    await screen.findByRole('combobox', { name: /^Direction/ })
    releaseCapabilities()
    await findTotal('Total: 3 records')
    // no request finds other calls before the capabilities are known
    const urls = vi.mocked(fetch).mock.calls.map(([input]) => requestUrl(input))
    const listUrls = urls.filter((url) => url.includes('/RecentCalls?'))
    expect(listUrls.map((url) => new URL(url).searchParams.get('number'))).toEqual(['+18575550100'])
    vi.restoreAllMocks()
    expect((await screen.findByRole('combobox', { name: /^Number/ })).textContent).toBe('Number+18575550100')
    await user.click(screen.getByRole('button', { name: 'Export calls as CSV' }))
    expect(await screen.findByText(/^Exported 3 calls/)).toBeTruthy()
    await selectOption(user, /^Direction/, 'outbound only')
    await findTotal('Total: 1 record')
    expect(currentPath()).toContain('number=%2B18575550100')
    await user.click(screen.getByRole('button', { name: 'Remove filter Number' }))
    await waitFor(() => expect(screen.queryByRole('combobox', { name: /^Number/ })).toBeNull())
    expect(currentPath()).toBe('/internal/recent-calls?date=7&direction=outbound')
  })

  it('ignore the number in a link in front of a v1 server, which has no such filter', async () => {
    await writeSampleCalls()
    const v1Server = await startV1Server(backend().app)
    await render('/internal/recent-calls?date=7&number=18575550102', {
      as: 'provider',
      features: { apiBaseUrl: v1Server.apiBaseUrl },
    })
    await findTotal('Total: 4 records')
    expect(screen.queryByRole('combobox', { name: /^Number/ })).toBeNull()
    v1Server.close()
  })

  it('are searched by SIP Call-ID, and by a number in another notation', async () => {
    await writeSampleCalls()
    const { user } = await render('/internal/recent-calls', { as: 'provider' })
    await user.type(await screen.findByLabelText('Filter'), 'in-1@host')
    await findTotal('Total: 1 record')
    expect(screen.getByText('(617) 555-0192')).toBeTruthy()
    await user.clear(screen.getByLabelText('Filter'))
    await user.type(screen.getByLabelText('Filter'), '+44 (0)20 7946 0821')
    await waitFor(() => expect(collapsedRows()).toHaveLength(1))
    expect(screen.getByText('+442079460821')).toBeTruthy()
  })

  it('are searched by a number as the list shows it', async () => {
    await writeSampleCalls()
    const { user, currentPath } = await render('/internal/recent-calls', { as: 'provider' })
    await user.type(await screen.findByLabelText('Filter'), '(617) 555-0192')
    await findTotal('Total: 1 record')
    expect(currentPath()).toContain('text=')
    expect(screen.getByLabelText('Filter')).toHaveProperty('value', '(617) 555-0192')
    expect(collapsedRows()).toHaveLength(1)
    expect(screen.getByText('(617) 555-0192')).toBeTruthy()
  })

  it('can be listed from a start time until now', async () => {
    await writeSampleCalls()
    const { user, currentPath } = await render('/internal/recent-calls', { as: 'provider' })
    await findTotal('Total: 3 records')
    await selectOption(user, /^Date/, 'choose times…')
    const dialog = within(await screen.findByRole('dialog', { name: 'Choose times', hidden: true }))
    await user.clear(dialog.getByLabelText('From'))
    await user.click(dialog.getByRole('button', { name: 'Apply', hidden: true }))
    expect(await dialog.findByText('Choose a date and time.')).toBeTruthy()
    const start = new Date(noonToday() - 100 * hourMs)
    const localDateTime = new Date(start.getTime() - start.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    await user.type(dialog.getByLabelText('From'), localDateTime)
    await user.click(dialog.getByRole('button', { name: 'Apply', hidden: true }))
    await findTotal('Total: 4 records')
    expect(decodeURIComponent(currentPath())).toContain(`date=${start.toISOString()}/now`)
    expect(screen.getByRole('combobox', { name: /^Date/ }).textContent).toContain('since ')
  })

  it('close their detail panel with Escape', async () => {
    await writeSampleCalls()
    localStorage.setItem('trunkline.call-place', 'inside')
    const { user } = await render('/internal/recent-calls?open=c-in', { as: 'account' })
    await screen.findByText('called party hung up')
    screen.getByRole('button', { name: 'Copy link' }).focus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText('called party hung up')).toBeNull())
    expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false')
  })
})

describe('alerts', () => {
  it('lead to their call, with its title', async () => {
    const { acme, providers } = testData()
    await writeSampleCalls()
    const tags = { account_sid: acme.account, service_provider_sid: providers.north, alert_type: 'tts-failure' }
    const fields = { message: 'no voice', target_sid: 'c-in' }
    const alert = { tags, fields, timeNs: BigInt(noonToday() - 2 * hourMs) * 1_000_000n }
    await backend().services.callHistory.writePoints('alerts', [alert])
    const { user, currentPath } = await render('/internal/alerts?text=no+voice', { as: 'account' })
    await findTotal('Total: 1 record')
    await user.click(screen.getByRole('button', { name: /no voice/, expanded: false }))
    await user.click(await screen.findByRole('link', { name: 'Call' }))
    await screen.findByText('called party hung up')
    expect(currentPath()).toBe('/internal/recent-calls/c-in?date=30&text=c-in')
    const trail = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(await trail.findByText('(617) 555-0192 → (857) 555-0100')).toBeTruthy()
  })

  it('are grouped into one row if equal, and the row opens the newest of them', async () => {
    const { acme, providers } = testData()
    const tags = { account_sid: acme.account, service_provider_sid: providers.north, alert_type: 'tts-failure' }
    const fields = { message: 'speech failed', target_sid: 'c-in' }
    await backend().services.callHistory.writePoints(
      'alerts',
      [0, 1, 2].map((index) => ({ tags, fields, timeNs: BigInt(noonToday() - hourMs - index * 1000) * 1_000_000n })),
    )
    const { user, currentPath } = await render('/internal/alerts?text=speech+failed', { as: 'account' })
    await findTotal('Total: 1 record')
    expect(screen.getByRole('cell', { name: '3' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /speech failed/, expanded: false }))
    const newestAlerts = within(await screen.findByRole('region', { name: 'Newest alerts in this group' }))
    await waitFor(() => expect(newestAlerts.getAllByRole('listitem')).toHaveLength(3))
    expect(newestAlerts.getAllByRole('link', { name: 'Call' })[0]!.getAttribute('href')).toContain('c-in')
    await selectOption(user, /^Show/, 'every alert')
    await findTotal('Total: 3 records')
    await selectOption(user, /^Type/, 'No TTS credentials')
    await findTotal('Total: 0 records')
    expect(currentPath()).toContain('type=no-tts')
  })
})
