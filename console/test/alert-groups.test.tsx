import { screen, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/recent-call'
import { maxAlertGroups } from '@trunkline/contract/resources/alert'
import { describe, expect, it, vi } from 'vitest'
import type { Point } from '../../server/src/ports/call-history'
import { findTotal, hourMs, noonToday } from './call-records'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'

const { render, testData, backend } = useBackend()

/** Writes identical alerts of an account, one second apart. The newest one is of this hour before noon. */
const writeAlerts = (
  account_sid: string,
  count: number,
  { tags = {}, fields = {}, hoursAgo = 1 }: { tags?: Point['tags']; fields?: Point['fields']; hoursAgo?: number },
) =>
  backend().services.callHistory.writePoints(
    'alerts',
    Array.from({ length: count }, (_, index) => ({
      tags: { account_sid, service_provider_sid: testData().providers.north, ...tags },
      fields: { vendor: 'acme', ...fields },
      timeNs: BigInt(noonToday() - hoursAgo * hourMs - index * 1000) * 1_000_000n,
    })),
  )

const speechFailure = (message: string) => ({ tags: { alert_type: 'tts-failure' }, fields: { message } })
const findPart = async (name: string) => within(await screen.findByRole('region', { name }))
const collapsedRows = () => screen.getAllByRole('button', { expanded: false }).filter((button) => button.closest('tr'))

describe('a group of equal alerts', () => {
  it('is one row with its count, times, accounts and history', async () => {
    const { accounts } = testData()
    await writeAlerts(accounts.acme, 3, speechFailure('speech failed'))
    await writeAlerts(accounts.bolt, 2, { ...speechFailure('speech failed'), hoursAgo: 3 })
    await render('/internal/alerts?text=speech+failed', { as: 'provider' })
    await findTotal('Total: 1 record')
    const row = within(collapsedRows()[0]!.closest('tr')!)
    expect(row.getByText('TTS failure')).toBeTruthy()
    expect(row.getByText('5')).toBeTruthy()
    expect(row.getByText(/^first /)).toBeTruthy()
    expect(row.getByRole('link', { name: 'acme' })).toBeTruthy()
    expect(row.getByText('+1')).toBeTruthy()
    const history = row.getByRole('img', { name: '5 in 7 days' })
    expect(history.querySelectorAll('rect')).toHaveLength(28)
  })

  it('opens with its newest alerts, each with its call, and the accounts with the most alerts first', async () => {
    const { accounts, acme, providers } = testData()
    const call_sid = '5f0c4b1e-4b5e-4b4e-9a8e-1f2f3a4b5c6d'
    await backend().services.callHistory.writePoints('cdrs', [
      {
        tags: { account_sid: accounts.bolt, service_provider_sid: providers.north, trunk: 'acme trunk' },
        fields: { call_sid, application_sid: acme.application, from: '1', to: '2' },
        timeNs: BigInt(noonToday() - hourMs) * 1_000_000n,
      },
    ])
    await writeAlerts(accounts.acme, 3, { ...speechFailure('voice gone'), hoursAgo: 2 })
    const newest = speechFailure('voice gone')
    await writeAlerts(accounts.bolt, 1, { ...newest, fields: { ...newest.fields, target_sid: call_sid } })
    const { user } = await render('/internal/alerts?text=voice', { as: 'provider' })
    await findTotal('Total: 1 record')
    await user.click(collapsedRows()[0]!)

    const alerts = await findPart('Newest alerts in this group')
    expect(await alerts.findAllByRole('link', { name: 'acme' })).toHaveLength(3)
    const callLink = new URL(alerts.getByRole('link', { name: 'Call' }).getAttribute('href')!, 'http://console')
    expect(callLink.pathname).toBe(`/internal/recent-calls/${call_sid}`)
    expect(alerts.getAllByRole('link', { name: 'Calls at that time' })).toHaveLength(3)
    expect(alerts.queryByRole('link', { name: /Show all/ })).toBeNull()

    const affected = await findPart('Accounts affected')
    await affected.findByText('2 accounts affected')
    expect((await affected.findAllByRole('link')).map((link) => link.textContent)).toEqual([
      'acme',
      '3 alerts',
      'bolt',
      '1 alert',
    ])

    const investigate = await findPart('Investigate')
    expect(await investigate.findByRole('link', { name: 'The call of the newest alert' })).toBeTruthy()
    expect(investigate.getByText(/^Carrier/)).toBeTruthy()
    expect(investigate.getByRole('link', { name: 'Speech services of acme' }).getAttribute('href')).toBe(
      '/internal/speech-services?text=acme',
    )
    const period = new URL(
      investigate.getByRole('link', { name: 'Calls of this period' }).getAttribute('href')!,
      'http://console',
    )
    expect(period.searchParams.get('account')).toBeNull()
    expect((await findPart('Newest alert')).getByText(call_sid)).toBeTruthy()
  })

  it.each(['account filter', 'provider'])('links to all of its alerts (%s)', async (list) => {
    const { accounts } = testData()
    const message = `link from ${list}`
    for (const account of [accounts.acme, accounts.bolt]) await writeAlerts(account, 11, speechFailure(message))
    const filter: Record<string, string> = list === 'provider' ? {} : { account: accounts.acme }
    const query = new URLSearchParams({ ...filter, text: message })
    const { user, currentPath } = await render(`/internal/alerts?${query.toString()}`, { as: 'provider' })
    await findTotal('Total: 1 record')
    await user.click(collapsedRows()[0]!)
    const count = list === 'provider' ? 22 : 11
    await user.click(await screen.findByRole('link', { name: `Show all ${count}` }))
    await findTotal(`Total: ${count} records`)
    const search = new URLSearchParams({ ...filter, type: 'tts-failure', text: message, group: 'off' })
    expect(currentPath()).toBe(`/internal/alerts?${search.toString()}`)
  })

  it.each([
    ['message', (text: string) => text.includes('No STT') && !text.includes('no type')],
    ['type', (text: string) => text.includes('no type') && !text.includes('No STT')],
  ])('shows no alerts of other groups if it has no %s', async (_, isGroup) => {
    const { corp, providers } = testData()
    await writeAlerts(corp.account, 2, { tags: { alert_type: 'no-stt' } })
    await writeAlerts(corp.account, 2, { fields: { message: 'no type' } })
    await writeAlerts(corp.account, 2, { tags: { alert_type: 'no-stt' }, fields: { message: 'no type' } })
    localStorage.setItem('activeServiceProvider', providers.south)
    const { user } = await render(`/internal/alerts?account=${corp.account}`, { as: 'admin' })
    await findTotal('Total: 3 records')
    const fetchSpy = vi.spyOn(globalThis, 'fetch')
    await user.click(collapsedRows().find((button) => isGroup(button.closest('tr')!.textContent))!)
    const alerts = await findPart('Newest alerts in this group')
    const requestUrls = fetchSpy.mock.calls.map(([url]) => requestUrl(url))
    fetchSpy.mockRestore()
    expect(requestUrls.filter((url) => /\/Alerts\?|by=account/.test(url))).toEqual([])
    expect(alerts.getAllByRole('listitem')).toHaveLength(1)
    expect(screen.queryByRole('link', { name: /Show all/ })).toBeNull()
  })

  it('shows account users no other accounts', async () => {
    const { accounts } = testData()
    await writeAlerts(accounts.acme, 2, speechFailure('of acme and bolt'))
    await writeAlerts(accounts.bolt, 2, speechFailure('of acme and bolt'))
    const { user } = await render('/internal/alerts?text=of+acme', { as: 'acme' })
    await findTotal('Total: 1 record')
    await user.click(collapsedRows()[0]!)
    const alerts = await findPart('Newest alerts in this group')
    await alerts.findByText('Newest of 2')
    expect(screen.queryByRole('region', { name: 'Accounts affected' })).toBeNull()
    expect(alerts.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Calls at that time',
      'Calls at that time',
    ])
  })

  it('ignores fields of an alert that have the names of its own', async () => {
    const { accounts } = testData()
    await writeAlerts(accounts.acme, 1, {
      tags: { alert_type: 'no-carrier' },
      fields: { message: 'odd fields', history: 'constructor', count: 'many', first: 7, accounts: 'all' },
    })
    const { user } = await render('/internal/alerts?text=odd+fields', { as: 'provider' })
    await findTotal('Total: 1 record')
    expect(screen.getByRole('img', { name: '1 in 7 days' })).toBeTruthy()
    await user.click(collapsedRows()[0]!)
    expect(await (await findPart('Investigate')).findByRole('link', { name: 'Carriers' })).toBeTruthy()
  })
})

it('shows the columns of alerts and of groups as the user chose them for each', async () => {
  await writeAlerts(testData().accounts.acme, 2, speechFailure('columns'))
  localStorage.setItem('trunkline.columns', JSON.stringify({ alert: ['vendor'] }))
  const { user } = await render('/internal/alerts?text=columns', { as: 'provider' })
  await findTotal('Total: 1 record')
  expect(screen.getByRole('columnheader', { name: 'Count' })).toBeTruthy()
  await user.click(screen.getByRole('combobox', { name: /^Show/ }))
  await user.click(await screen.findByRole('option', { name: 'every alert' }))
  await findTotal('Total: 2 records')
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Time', 'Vendor'])
})

describe('the list of groups', () => {
  it('says that it ends after 5,000 different alerts', async () => {
    const { accounts, providers } = testData()
    await backend().services.callHistory.writePoints(
      'alerts',
      Array.from({ length: maxAlertGroups }, (_, index) => ({
        tags: { account_sid: accounts.bolt, service_provider_sid: providers.north, alert_type: 'tts-failure' },
        fields: { message: `failure ${index}` },
        timeNs: BigInt(noonToday() - 3 * hourMs - index) * 1_000_000n,
      })),
    )
    await render('/internal/alerts', { as: 'provider' })
    expect(await screen.findByText(messages.tooManyAlertGroups(5000))).toBeTruthy()
  })
})
