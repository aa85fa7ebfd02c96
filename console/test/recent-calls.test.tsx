import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { Point } from '../../server/src/ports/call-history'
import { describe, expect, it, vi } from 'vitest'
import { startV1Server } from './v1-server'
import { callWriter, choose, hour, noon, rows, total } from './call-records'
import { useBackend } from './render'

const dialogues = new Map([['in-1@host', 'packets']])
const captures = {
  trace: async (id: string) => ({ total: dialogues.has(id) ? 3 : 0 }),
  pcap: async (id: string) => Buffer.from(dialogues.get(id) ?? ''),
}
const { render, world, backend } = useBackend({}, { captures })

const fill = callWriter({ world, backend })

describe('recent calls', () => {
  it("lists today's calls of all accounts, and filters them", async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls', { as: 'provider' })
    await screen.findByRole('heading', { name: /^Recent calls/, level: 1 })
    await total('Total: 3 records')
    expect(rows()).toHaveLength(3)
    expect(screen.getByText('(617) 555-0192')).toBeTruthy()
    await choose(user, /^Direction/, 'outbound only')
    await total('Total: 1 record')
    await choose(user, /^Direction/, 'either')
    await choose(user, /^Status/, 'not answered')
    await total('Total: 1 record')
    await choose(user, /^Status/, 'all')
    await choose(user, /^Date/, 'last 7 days')
    await total('Total: 4 records')
    expect(address()).toBe('/internal/recent-calls?date=7')
    await user.type(screen.getByLabelText('Filter'), 'C-OLD')
    await total('Total: 1 record')
    expect(address()).toBe('/internal/recent-calls?date=7&text=c-old')
    await choose(user, /^Date/, 'yesterday')
    await screen.findByText('No data.')
    await total('Total: 0 records')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await total('Total: 3 records')
    await user.type(screen.getByLabelText('Filter'), 'c-old')
    // if today is empty, the newest calls of other days are shown with a note
    await screen.findByText('None today. These are the newest of the last 30 days.')
    await total('Total: 1 record')
  })

  it('shows account users their own calls, without the account filter', async () => {
    await fill()
    await render('/internal/recent-calls', { as: 'account' })
    await total('Total: 2 records')
    expect(screen.queryByRole('combobox', { name: /^Account/ })).toBeNull()
    expect(screen.queryByRole('columnheader', { name: 'Account' })).toBeNull()
  })

  it('opens a call in its row, with all its fields, and by link', async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls', { as: 'account' })
    await total('Total: 2 records')
    await user.click(rows()[0]!)
    await screen.findByText('called party hung up')
    expect(screen.getByText('Attempted at')).toBeTruthy()
    expect(screen.getByText('200 answered')).toBeTruthy()
    expect(screen.getByText('cost')).toBeTruthy()
    expect(screen.queryByRole('tab', { name: 'Tracing' })).toBeNull()
    expect(await screen.findByRole('button', { name: 'Download pcap' })).toBeTruthy()
    await user.click(screen.getByRole('tab', { name: 'Call flow' }))
    // the capture server's response is not a capture file
    await screen.findByText(/The console cannot read this packet capture/)
    await user.click(screen.getByRole('tab', { name: 'Details' }))
    expect(address()).toMatch(/^\/internal\/recent-calls\?open=c-in\+\d{4}-[^&]*$/)
    await user.click(screen.getByRole('button', { expanded: true, name: /^\d{4}-/ }))
    await waitFor(() => expect(screen.queryByText('called party hung up')).toBeNull())
  })

  it('shows a tab for the trace of a call', async () => {
    await fill()
    const { user } = await render('/internal/recent-calls?open=c-bolt', { as: 'provider' })
    await user.click(await screen.findByRole('tab', { name: 'Tracing' }))
    await waitFor(() => expect(screen.queryByText('Attempted at')).toBeNull())
    await user.click(screen.getByRole('tab', { name: 'Details' }))
    await screen.findByText('Attempted at')
  })

  it('opens a call of another day by its link', async () => {
    await fill()
    const at = encodeURIComponent(new Date(noon() - 96 * hour).toISOString())
    await render(`/internal/recent-calls?date=${at}&open=c-old`, { as: 'account' })
    await total('Total: 1 record')
    await screen.findByText('Attempted at')
    expect(screen.queryByRole('button', { name: 'Download pcap' })).toBeNull()
  })

  it('shows calls with the same SID as separate rows that open one by one', async () => {
    await fill()
    const { acme, providers } = world()
    const callTime = noon() - 200 * hour
    const call = (at: number, fields: Point['fields']): Point => ({
      tags: {
        account_sid: acme.account,
        service_provider_sid: providers.north,
        direction: 'inbound',
        answered: 'true',
      },
      fields,
      time: BigInt(callTime + at) * 1_000_000n,
    })
    await backend().services.callHistory.write('cdrs', [
      call(10, { call_sid: 'c-twin', from: '16175550192', termination_reason: 'the later' }),
      call(0, { call_sid: 'c-twin', from: '16175550192', termination_reason: 'the earlier' }),
      call(5, { call_sid: 'c-single', from: '19785550139' }),
    ])
    const day = encodeURIComponent(
      `${new Date(callTime - hour).toISOString()}/${new Date(callTime + hour).toISOString()}`,
    )
    const { user } = await render(`/internal/recent-calls?date=${day}`, { as: 'account' })
    await total('Total: 3 records')
    expect(rows()).toHaveLength(3)
    await user.type(screen.getByLabelText('Filter'), 'c-single')
    await total('Total: 1 record')
    expect(rows()).toHaveLength(1)
    await user.clear(screen.getByLabelText('Filter'))
    await total('Total: 3 records')
    await user.click(rows()[2]!)
    await screen.findByText('the earlier')
    expect(screen.queryByText('the later')).toBeNull()
    expect(screen.getAllByRole('button', { expanded: true, name: /^\d{4}-/ })).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Copy link' }))
    const { pathname, search } = new URL(await navigator.clipboard.readText())

    const openCallAt = async (at: string) => {
      cleanup()
      await render(at, { as: 'account' })
      await screen.findByText('Attempted at')
      expect(screen.getAllByRole('button', { expanded: true, name: /^\d{4}-/ })).toHaveLength(1)
      return screen.getByText(/^the (later|earlier)$/).textContent
    }
    expect(await openCallAt(pathname + search)).toBe('the earlier')
    // older links contain only the SID
    expect(await openCallAt(`/internal/recent-calls?date=${day}&open=c-twin`)).toBe('the later')
    const earlier = encodeURIComponent(new Date(callTime).toISOString())
    expect(await openCallAt(`/internal/recent-calls?date=${earlier}&open=c-twin`)).toBe('the earlier')
  })

  it('remembers the chosen columns', async () => {
    await fill()
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await total('Total: 2 records')
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByLabelText('Trunk'))
    await user.click(within(dialog).getByLabelText('Call SID'))
    await user.click(within(dialog).getByRole('button', { name: 'Done' }))
    const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    await waitFor(() => expect(heads()).toContain('Call SID'))
    expect(heads()).not.toContain('Trunk')
    expect(JSON.parse(localStorage.getItem('trunkline.columns') ?? '{}')).toMatchObject({
      recent_call: expect.arrayContaining(['call_sid']) as unknown,
    })
  })

  it('refreshes until it is paused', async () => {
    await fill()
    const { user } = await render('/internal/recent-calls', { as: 'account' })
    await total('Total: 2 records')
    const { acme, providers } = world()
    const ring = (sip_callid: string) =>
      backend().services.callHistory.write('cdrs', [
        {
          tags: { account_sid: acme.account, service_provider_sid: providers.north },
          fields: { sip_callid },
          time: BigInt(noon() + 3000) * 1_000_000n,
        },
      ])
    await ring('while-live')
    await total('Total: 3 records')
    await user.click(screen.getByRole('button', { name: 'Pause live refresh' }))
    expect(screen.getByText('Paused').closest('[role=status]')).toBeTruthy()
    await ring('while-paused')
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await total('Total: 4 records')
    await user.click(screen.getByRole('button', { name: 'Resume live refresh' }))
    expect(screen.queryByText('Paused')).toBeNull()
  })

  it('keeps the calls while the server cannot be reached, and ends the session with its token', async () => {
    await fill()
    const { address } = await render('/internal/recent-calls', { as: 'account' })
    await screen.findByText('(617) 555-0192')
    await screen.findByText(/% answered/)
    const dead = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
    await screen.findByText(/^Not updated since \d\d:\d\d:\d\d$/)
    expect(screen.getByText('(617) 555-0192')).toBeTruthy()
    expect(screen.queryByText('The server cannot be reached')).toBeNull()
    dead.mockRestore()
    await waitFor(() => expect(screen.queryByText(/^Not updated since/)).toBeNull())
    expect(address()).toBe('/internal/recent-calls')
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    await backend().app.inject({ method: 'POST', url: '/v1/logout', headers })
    await waitFor(() => expect(address()).toBe('/'))
    await screen.findByText('Your session has expired. Please log in and try again.')
  })

  it('searches for a text that a v1 server treats as a pattern', async () => {
    const calls = [
      { call_sid: 'c-plus', from: '+4930123', to: '1617' },
      { call_sid: 'c-bare', from: '4930124', to: '1617' },
      { call_sid: 'c-name', from: "o'neil/x^", to: 'alice.b@host' },
    ].map((row) => ({ ...row, attempted_at: new Date(noon()).toISOString(), answered: true, direction: 'inbound' }))
    const older = await startV1Server(backend().app, ({ pathname, searchParams }) => {
      if (!pathname.endsWith('/RecentCalls')) return undefined
      const text = searchParams.get('filter') ?? ''
      if (/[\\/']/.test(text)) throw new Error(`ends the pattern: ${text}`)
      const pattern = new RegExp(`.*${text}.*`)
      const data = calls.filter(({ from, to, call_sid }) => pattern.test(from) || pattern.test(to) || call_sid === text)
      return { total: data.length, batch: data.length, page: 1, data }
    })
    const find = async (text: string) => {
      const at = `/internal/recent-calls?text=${encodeURIComponent(text)}`
      await render(at, { as: 'account', features: { apiBaseUrl: older.base } })
      await total('Total: 1 record')
      const rowCount = rows().length
      cleanup()
      return rowCount
    }
    try {
      for (const text of ['+49', '+49 30 124', '(493) 0124', 'alice.', "o'neil/x^", 'c-bare'])
        expect(await find(text)).toBe(1)
    } finally {
      older.close()
    }
  })
})

describe('alerts', () => {
  it('are listed for today or several days, and open with all their fields', async () => {
    await fill()
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { user } = await render('/internal/alerts', { as: 'provider' })
    await screen.findByRole('heading', { name: /^Alerts/, level: 1 })
    await total('Total: 1 record')
    await user.click(rows()[0]!)
    await screen.findByText('the whole answer')
    // the name is part of the row: the list does not load all accounts
    expect(screen.getAllByRole('link', { name: 'acme' })).toHaveLength(2)
    const requestedUrls = fetched.mock.calls.map(([url]) => url as string)
    fetched.mockRestore()
    expect(requestedUrls.filter((url) => /Accounts(\?|$)/.test(url) && !url.includes('page='))).toEqual([])
    expect(screen.getAllByText('Webhook failure').length).toBeGreaterThan(1)
    expect(screen.queryByText(/account_name|alert_type|account_sid/)).toBeNull()
    expect(screen.getByRole('link', { name: 'Calls at that time' }).getAttribute('href')).toContain(
      `account=${world().acme.account}`,
    )
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
    await total('Total: 2 records')
  })
})
