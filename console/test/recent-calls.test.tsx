import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Point } from '../../server/src/ports/call-history'
import { describe, expect, it, vi } from 'vitest'
import { startV1Server } from './v1-server'
import { captures, createCallWriter, selectOption, hourMs, noonToday, collapsedRows, findTotal } from './call-records'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'

const { render, testData, backend } = useBackend({}, { captures })

const writeSampleCalls = createCallWriter({ testData, backend })

describe('recent calls', () => {
  it("lists today's calls of all accounts, and filters them", async () => {
    await writeSampleCalls()
    const { user, currentPath } = await render('/internal/recent-calls', { as: 'provider' })
    await screen.findByRole('heading', { name: /^Recent calls/, level: 1 })
    await findTotal('Total: 3 records')
    expect(collapsedRows()).toHaveLength(3)
    expect(screen.getByText('(617) 555-0192')).toBeTruthy()
    await selectOption(user, /^Direction/, 'outbound only')
    await findTotal('Total: 1 record')
    await selectOption(user, /^Direction/, 'either')
    await selectOption(user, /^Status/, 'not answered')
    await findTotal('Total: 1 record')
    await selectOption(user, /^Status/, 'all')
    await selectOption(user, /^Date/, 'last 7 days')
    await findTotal('Total: 4 records')
    expect(currentPath()).toBe('/internal/recent-calls?date=7')
    await user.type(screen.getByLabelText('Filter'), 'C-OLD')
    await findTotal('Total: 1 record')
    expect(currentPath()).toBe('/internal/recent-calls?date=7&text=C-OLD')
    await selectOption(user, /^Date/, 'yesterday')
    await screen.findByText('No data.')
    await findTotal('Total: 0 records')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await findTotal('Total: 3 records')
    await user.type(screen.getByLabelText('Filter'), 'c-old')
    // if today is empty, the newest calls of other days are shown with a note
    await screen.findByText('None today. These are the newest of the last 30 days.')
    await findTotal('Total: 1 record')
  })

  it('shows account users their own calls, without the account filter', async () => {
    await writeSampleCalls()
    await render('/internal/recent-calls', { as: 'account' })
    await findTotal('Total: 2 records')
    expect(screen.queryByRole('combobox', { name: /^Account/ })).toBeNull()
    expect(screen.queryByRole('columnheader', { name: 'Account' })).toBeNull()
  })

  it('shows a tab for the trace of a call', async () => {
    await writeSampleCalls()
    const { user } = await render('/internal/recent-calls?open=c-bolt', { as: 'provider' })
    await user.click(await screen.findByRole('tab', { name: 'Tracing' }))
    await waitFor(() => expect(screen.queryByText('Attempted at')).toBeNull())
    await user.click(screen.getByRole('tab', { name: 'Details' }))
    await screen.findByText('Attempted at')
  })

  it('opens a call of another day by its link', async () => {
    await writeSampleCalls()
    const date = encodeURIComponent(new Date(noonToday() - 96 * hourMs).toISOString())
    await render(`/internal/recent-calls?date=${date}&open=c-old`, { as: 'account' })
    await findTotal('Total: 1 record')
    await screen.findByText('Attempted at')
    expect(screen.queryByRole('button', { name: 'Download pcap' })).toBeNull()
  })

  it('shows calls with the same SID as separate rows with an address each', async () => {
    await writeSampleCalls()
    const { acme, providers } = testData()
    const callTime = noonToday() - 200 * hourMs
    const call = (offsetMs: number, fields: Point['fields']): Point => ({
      tags: {
        account_sid: acme.account,
        service_provider_sid: providers.north,
        direction: 'inbound',
        answered: 'true',
      },
      fields,
      timeNs: BigInt(callTime + offsetMs) * 1_000_000n,
    })
    await backend().services.callHistory.writePoints('cdrs', [
      call(10, { call_sid: 'c-twin', from: '16175550192', termination_reason: 'the later' }),
      call(0, { call_sid: 'c-twin', from: '16175550192', termination_reason: 'the earlier' }),
      call(5, { call_sid: 'c-single', from: '19785550139' }),
    ])
    const dateRange = encodeURIComponent(
      `${new Date(callTime - hourMs).toISOString()}/${new Date(callTime + hourMs).toISOString()}`,
    )
    const { user } = await render(`/internal/recent-calls?date=${dateRange}`, { as: 'account' })
    await findTotal('Total: 3 records')
    expect(collapsedRows()).toHaveLength(3)
    await user.type(screen.getByLabelText('Filter'), 'c-single')
    await findTotal('Total: 1 record')
    expect(collapsedRows()).toHaveLength(1)
    await user.clear(screen.getByLabelText('Filter'))
    await findTotal('Total: 3 records')
    await user.click(collapsedRows()[2]!)
    await screen.findByText('the earlier')
    expect(screen.queryByText('the later')).toBeNull()
    expect(screen.getAllByRole('link', { current: true })).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Copy link' }))
    const { pathname, search } = new URL(await navigator.clipboard.readText())

    const openCallAt = async (path: string) => {
      cleanup()
      await render(path, { as: 'account' })
      await screen.findByText('Attempted at')
      return screen.getByText(/^the (later|earlier)$/).textContent
    }
    expect(await openCallAt(pathname + search)).toBe('the earlier')
    // older links contain only the SID
    expect(await openCallAt(`/internal/recent-calls?date=${dateRange}&open=c-twin`)).toBe('the later')
    const earlierDate = encodeURIComponent(new Date(callTime).toISOString())
    expect(await openCallAt(`/internal/recent-calls?date=${earlierDate}&open=c-twin`)).toBe('the earlier')
  })

  it('remembers the chosen columns', async () => {
    await writeSampleCalls()
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await findTotal('Total: 2 records')
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByLabelText('Trunk'))
    await user.click(within(dialog).getByLabelText('Call SID'))
    await user.click(within(dialog).getByRole('button', { name: 'Done' }))
    const columnHeadings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    await waitFor(() => expect(columnHeadings()).toContain('Call SID'))
    expect(columnHeadings()).not.toContain('Trunk')
    cleanup()
    await render('/internal/recent-calls', { as: 'account' })
    await findTotal('Total: 2 records')
    expect(columnHeadings()).toContain('Call SID')
    expect(columnHeadings()).not.toContain('Trunk')
  })

  it('refreshes until it is paused', async () => {
    await writeSampleCalls()
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await findTotal('Total: 2 records')
    const { acme, providers } = testData()
    const writeCall = (sip_callid: string) =>
      backend().services.callHistory.writePoints('cdrs', [
        {
          tags: { account_sid: acme.account, service_provider_sid: providers.north },
          fields: { sip_callid },
          timeNs: BigInt(noonToday() + 3000) * 1_000_000n,
        },
      ])
    await writeCall('while-live')
    await findTotal('Total: 3 records')
    await user.click(screen.getByRole('button', { name: 'Pause live refresh' }))
    expect(screen.getByText('Paused').closest('[role=status]')).toBeTruthy()
    await writeCall('while-paused')
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await findTotal('Total: 4 records')
    await user.click(screen.getByRole('button', { name: 'Resume live refresh' }))
    expect(screen.queryByText('Paused')).toBeNull()
    // pause again with fake timers, to see a minute without requests
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const fetchSpy = vi.spyOn(globalThis, 'fetch')
    const countListRequests = () =>
      fetchSpy.mock.calls.filter(([url]) => /\/RecentCalls\?.*page=/.test(requestUrl(url))).length
    try {
      fireEvent.click(screen.getByRole('button', { name: 'Pause live refresh' }))
      fireEvent.click(screen.getByRole('button', { name: 'Resume live refresh' }))
      await act(() => vi.advanceTimersByTimeAsync(15_000))
      expect(countListRequests()).toBeGreaterThan(0)
      fireEvent.click(screen.getByRole('button', { name: 'Pause live refresh' }))
      fetchSpy.mockClear()
      await act(() => vi.advanceTimersByTimeAsync(60_000))
      expect(countListRequests()).toBe(0)
    } finally {
      vi.useRealTimers()
      fetchSpy.mockRestore()
    }
  })

  it('keeps the calls while the server cannot be reached, and ends the session with its token', async () => {
    await writeSampleCalls()
    const { currentPath } = await render('/internal/recent-calls', { as: 'account' })
    await screen.findByText('(617) 555-0192')
    await screen.findByText(/% answered/)
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
    await screen.findByText(/^Not updated since \d\d:\d\d:\d\d$/)
    expect(screen.getByText('(617) 555-0192')).toBeTruthy()
    expect(screen.queryByText('The server cannot be reached')).toBeNull()
    fetchSpy.mockRestore()
    await waitFor(() => expect(screen.queryByText(/^Not updated since/)).toBeNull())
    expect(currentPath()).toBe('/internal/recent-calls')
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    await backend().app.inject({ method: 'POST', url: '/v1/logout', headers })
    await waitFor(() => expect(currentPath()).toBe('/'))
    await screen.findByText('Your session has expired. Please log in and try again.')
  })

  it('searches for a text that a v1 server treats as a pattern', async () => {
    const calls = [
      { call_sid: 'c-plus', from: '+4930123', to: '1617' },
      { call_sid: 'c-bare', from: '4930124', to: '1617' },
      { call_sid: 'c-name', from: "o'neil/x^", to: 'alice.b@host' },
    ].map((row) => ({
      ...row,
      attempted_at: new Date(noonToday()).toISOString(),
      answered: true,
      direction: 'inbound',
    }))
    const v1Server = await startV1Server(backend().app, ({ pathname, searchParams }) => {
      if (!pathname.endsWith('/RecentCalls')) return undefined
      const text = searchParams.get('filter') ?? ''
      if (/[\\/']/.test(text)) throw new Error(`not a valid pattern: ${text}`)
      const pattern = new RegExp(`.*${text}.*`)
      const data = calls.filter(({ from, to, call_sid }) => pattern.test(from) || pattern.test(to) || call_sid === text)
      return { total: data.length, batch: data.length, page: 1, data }
    })
    const countMatches = async (text: string) => {
      const path = `/internal/recent-calls?text=${encodeURIComponent(text)}`
      await render(path, { as: 'account', features: { apiBaseUrl: v1Server.apiBaseUrl } })
      await findTotal('Total: 1 record')
      const rowCount = collapsedRows().length
      cleanup()
      return rowCount
    }
    try {
      for (const text of ['+49', '+49 30 124', '(493) 0124', 'alice.', "o'neil/x^", 'c-bare'])
        expect(await countMatches(text)).toBe(1)
    } finally {
      v1Server.close()
    }
  })
})

describe('alerts', () => {
  it('are listed for today or several days, and open with all their fields', async () => {
    await writeSampleCalls()
    const fetchSpy = vi.spyOn(globalThis, 'fetch')
    const { user } = await render('/internal/alerts', { as: 'provider' })
    await screen.findByRole('heading', { name: /^Alerts/, level: 1 })
    await findTotal('Total: 1 record')
    await user.click(screen.getByRole('button', { name: /returned 404/, expanded: false }))
    await screen.findByText('the full response')
    // the name is part of the row: the list does not load all accounts
    expect(screen.getAllByRole('link', { name: 'acme' })).toHaveLength(4)
    const requestedUrls = fetchSpy.mock.calls.map(([url]) => url as string)
    fetchSpy.mockRestore()
    expect(requestedUrls.filter((url) => /Accounts(\?|$)/.test(url) && !url.includes('page='))).toEqual([])
    expect(screen.getAllByText('Webhook failure').length).toBeGreaterThan(1)
    expect(screen.queryByText(/account_name|alert_type|account_sid/)).toBeNull()
    for (const link of screen.getAllByRole('link', { name: 'Calls at that time' }))
      expect(link.getAttribute('href')).toContain(`account=${testData().acme.account}`)
    await user.click(await screen.findByRole('combobox', { name: /^Date/ }))
    expect((await screen.findAllByRole('option', { hidden: true })).map(({ textContent }) => textContent)).toEqual([
      'today',
      'yesterday',
      'last 7 days',
      'last 14 days',
      'last 30 days',
      'choose times…',
    ])
    await user.click(screen.getByRole('option', { name: 'last 7 days', hidden: true }))
    await findTotal('Total: 2 records')
  })
})
