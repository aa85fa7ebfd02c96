import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { callPoint } from '../../server/test/call-stores'
import { noPlatform } from '../../server/src/ports/live-platform'
import { UnavailableError } from '../../server/src/ports/service-errors'
import { parseCsv } from '../src/lib/csv'
import { localValues } from '../src/lib/storage'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'
import { startV1Server } from './v1-server'

const liveCalls: { accountSid: string }[] = []
const { render, requestAs, backend, testData } = useBackend(
  {},
  { livePlatform: { ...noPlatform, listCalls: () => Promise.resolve(liveCalls) } },
)

/** The phone number of acme in the test data. */
const acmeNumber = '15550000011'

const { fetch } = globalThis
let countRequests: URLSearchParams[] = []

beforeAll(async () => {
  const { acme, providers } = testData()
  await backend().services.callHistory.backfill(new AbortController().signal)
  await backend().services.callHistory.writePoints(
    'cdrs',
    [1, 2].map((minutes) =>
      callPoint(
        { service_provider_sid: providers.north, account_sid: acme.account },
        {
          timeMs: Date.now() - minutes * 60_000,
          tags: { trunk: 'acme trunk' },
          fields: { application_sid: acme.application },
        },
      ),
    ),
  )
  await backend().services.callHistory.writePoints(
    'cdrs',
    [3, 6, 8].map((days) =>
      callPoint(
        { service_provider_sid: providers.north, account_sid: acme.account },
        { timeMs: Date.now() - days * 86_400_000 + 60_000, fields: { to: `+${acmeNumber}` } },
      ),
    ),
  )
  // calls that only contain the number
  await backend().services.callHistory.writePoints(
    'cdrs',
    Object.entries({ to: `${acmeNumber}9`, from: acmeNumber, termination_reason: acmeNumber }).map(([name, value]) =>
      callPoint(
        { service_provider_sid: providers.north, account_sid: acme.account },
        { timeMs: Date.now() - 2 * 86_400_000, fields: { [name]: value } },
      ),
    ),
  )
  await requestAs('admin', 'POST', `/Accounts/${acme.account}/Limits`, { category: 'voice_call_session', quantity: 5 })
  liveCalls.push({ accountSid: acme.account }, { accountSid: acme.account })
})
beforeEach(() => {
  countRequests = []
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = new URL(requestUrl(input), 'http://console')
    if (url.pathname.endsWith('/RecordCounts')) countRequests.push(url.searchParams)
    return fetch(input, init)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  localValues.columns.clear()
})

const openDialog = async (user: UserEvent) => {
  await user.click(await screen.findByRole('button', { name: 'Columns' }))
  return within(await screen.findByRole('dialog', { name: 'Columns' }))
}

/** Exports the list in view, and returns the rows of the file. */
const exportRows = async (user: UserEvent, buttonName: string) => {
  const downloads: Blob[] = []
  // jsdom does not implement downloads
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => (downloads.push(file as Blob), 'blob:'))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  await user.click(screen.getByRole('button', { name: buttonName }))
  await screen.findByText(/^Exported \d+/)
  const [header, ...lines] = parseCsv(await downloads[0]!.text())
  return lines.map(({ cells }) => Object.fromEntries(cells.map((cell, index) => [header!.cells[index], cell])))
}

/** The text of a cell, by the heading of its column. */
const readCell = (rowName: RegExp, head: string) => {
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  return within(screen.getByRole('row', { name: rowName })).getAllByRole('cell')[heads.indexOf(head)]!
}

it('requests nothing for the default columns, and one response for all rows when columns are selected', async () => {
  const { acme, bolt } = testData()
  const { user } = await render('/internal/accounts', { as: 'north' })
  await screen.findByRole('row', { name: /acme/ })
  const dialog = await openDialog(user)
  await dialog.findByRole('checkbox', { name: 'Phone numbers' })
  expect(countRequests).toEqual([])
  for (const name of ['Phone numbers', 'Calls in 24 hours', 'Last call', 'Calls in progress'])
    await user.click(dialog.getByRole('checkbox', { name }))
  await user.click(dialog.getByRole('button', { name: 'Done' }))

  await waitFor(() => expect(readCell(/^Select acme|acme/, 'Calls in progress').textContent).toBe('2 of 5'))
  const [lastRequest] = countRequests.slice(-1)
  expect(lastRequest?.get('sids')?.split(',').sort()).toEqual([acme.account, bolt.account].sort())
  expect(lastRequest?.get('figures')).toBe('phone_numbers,calls,live_calls')
  // one request for each selection, although there are several rows and columns
  expect(countRequests.length).toBeLessThanOrEqual(3)

  const linkIn = (head: string) => within(readCell(/acme/, head)).getByRole('link')
  expect(linkIn('Phone numbers').textContent).toBe('1')
  expect(linkIn('Phone numbers').getAttribute('href')).toBe(`/internal/phone-numbers?account=${acme.account}`)
  expect(linkIn('Calls in 24 hours').textContent).toBe('2')
  expect(decodeURIComponent(linkIn('Calls in 24 hours').getAttribute('href') ?? '')).toMatch(
    new RegExp(`^/internal/recent-calls\\?date=[-0-9T:.]+Z/now&account=${acme.account}$`),
  )
  expect(linkIn('Calls in progress').getAttribute('href')).toBe(
    `/internal/recent-calls?show=live&account=${acme.account}`,
  )
  expect(readCell(/bolt/, 'Calls in 24 hours').textContent).toBe('0')
  expect(readCell(/bolt/, 'Last call').textContent).toBe('None in 30 days')
  expect(readCell(/bolt/, 'Calls in progress').textContent).toBe('0')
})

it('exports the figures of the selected columns with the rows', async () => {
  localValues.columns.set(JSON.stringify({ account: ['calls_24h', 'last_call_at', 'phone_numbers'] }))
  const { user } = await render('/internal/accounts', { as: 'north' })
  await waitFor(() => expect(readCell(/acme/, 'Calls in 24 hours').textContent).toBe('2'))
  countRequests = []
  const rows = await exportRows(user, 'Export accounts as CSV')
  expect(rows).toHaveLength(2)
  const exportedRow = (name: string) => rows.find((row) => row.name === name)
  expect(exportedRow('acme')).toMatchObject({ phone_numbers: '1', calls_24h: '2' })
  expect(Date.parse(exportedRow('acme')?.last_call_at ?? '')).toBeGreaterThan(Date.now() - 600_000)
  expect(exportedRow('bolt')).toMatchObject({ phone_numbers: '1', calls_24h: '0', last_call_at: '' })
  expect(exportedRow('acme')).not.toHaveProperty('live_calls')
  // one request, although two of the columns show calls
  expect(countRequests).toHaveLength(1)
})

it('shows the selection of an earlier visit, and requests only its figures', async () => {
  localValues.columns.set(JSON.stringify({ voip_carrier: ['calls_24h', 'phone_numbers'] }))
  await render('/internal/carriers', { as: 'acme' })
  await waitFor(() => expect(readCell(/acme trunk/, 'Calls in 24 hours').textContent).toBe('2'))
  const link = within(readCell(/acme trunk/, 'Calls in 24 hours')).getByRole('link')
  expect(link.getAttribute('href')).toContain('trunk=acme+trunk')
  expect(
    within(readCell(/acme trunk/, 'Phone numbers'))
      .getByRole('link')
      .getAttribute('href'),
  ).toBe(`/internal/phone-numbers?carrier=${testData().acme.voip_carrier}`)
  expect(countRequests.map((query) => [query.get('kind'), query.get('figures')])).toEqual([
    ['voip_carrier', 'phone_numbers,calls'],
  ])
})

it('shows and exports the calls of phone numbers in 7 days, with a link to them', async () => {
  localValues.columns.set(JSON.stringify({ phone_number: ['account_name', 'calls_7d'] }))
  const { user } = await render('/internal/phone-numbers', { as: 'north' })
  await waitFor(() => expect(readCell(/acme/, 'Calls in 7 days').textContent).toBe('2'))
  expect(readCell(/bolt/, 'Calls in 7 days').textContent).toBe('0')
  const link = within(readCell(/acme/, 'Calls in 7 days')).getByRole('link')
  const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', 'http://console')
  expect(pathname).toBe('/internal/recent-calls')
  expect(searchParams.get('number')).toBe(`+${acmeNumber}`)
  const [start] = (searchParams.get('date') ?? '').split('/now')
  expect(Math.abs(Date.now() - Date.parse(start!) - 7 * 86_400_000)).toBeLessThan(60_000)
  expect(countRequests.map((query) => [query.get('kind'), query.get('figures')])).toEqual([['phone_number', 'calls']])

  countRequests = []
  const rows = await exportRows(user, 'Export phone numbers as CSV')
  expect(rows.map(({ number, calls_7d }) => [number, calls_7d])).toContainEqual([acmeNumber, '2'])
  expect(countRequests).toHaveLength(1)

  await user.click(link)
  expect(await screen.findByRole('heading', { level: 1, name: /^Recent calls.*2/ })).toBeTruthy()
})

it('says if a figure is unknown, and keeps the others', async () => {
  localValues.columns.set(JSON.stringify({ application: ['phone_numbers', 'calls_24h', 'last_call_at'] }))
  const listActivities = vi
    .spyOn(backend().services.callHistory, 'listActivities')
    .mockRejectedValue(new UnavailableError('no store'))
  await render('/internal/applications', { as: 'acme' })
  await waitFor(() => expect(readCell(/acme app/, 'Calls in 24 hours').textContent).toBe('Unknown'))
  expect(readCell(/acme app/, 'Last call').textContent).toBe('Unknown')
  expect(readCell(/acme app/, 'Phone numbers').textContent).toBe('1')
  listActivities.mockRestore()
})

it('shows the rows while the figures are loading, and after their request has failed', async () => {
  localValues.columns.set(JSON.stringify({ application: ['phone_numbers'] }))
  let fail = () => {}
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    requestUrl(input).includes('/RecordCounts')
      ? new Promise((_, reject) => (fail = () => reject(new TypeError('no network'))))
      : fetch(input, init),
  )
  await render('/internal/applications', { as: 'acme' })
  await waitFor(() => expect(readCell(/acme app/, 'Phone numbers').textContent).toBe('…'))
  fail()
  await waitFor(() => expect(readCell(/acme app/, 'Phone numbers').textContent).toBe('Unknown'))
  // a failed background request neither shows an error nor ends the session
  expect(screen.getByRole('alert').textContent).toBe('')
  expect(screen.getByRole('row', { name: /acme app/ })).toBeTruthy()
})

it('offers no such columns in front of a server without these figures', async () => {
  localValues.columns.set(JSON.stringify({ application: ['call_hook', 'phone_numbers'] }))
  const v1Server = await startV1Server(backend().app)
  const { user, navigate } = await render('/internal/applications', {
    as: 'provider',
    features: { apiBaseUrl: v1Server.apiBaseUrl },
  })
  await screen.findByRole('row', { name: /acme app/ })
  const dialog = await openDialog(user)
  await dialog.findByRole('checkbox', { name: 'SID' })
  expect(dialog.queryByRole('checkbox', { name: 'Phone numbers' })).toBeNull()
  expect(screen.queryByRole('columnheader', { name: 'Phone numbers', hidden: true })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  localValues.columns.set(JSON.stringify({ phone_number: ['account_name', 'calls_7d'] }))
  await navigate('/internal/phone-numbers')
  const numberDialog = await openDialog(user)
  await numberDialog.findByRole('checkbox', { name: 'SID' })
  expect(numberDialog.queryByRole('checkbox', { name: 'Calls in 7 days' })).toBeNull()
  expect(countRequests).toEqual([])
  v1Server.close()
})
