import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { callWriter, choose, hour, noon, rows, total } from './call-records'
import { useBackend } from './render'

const { render, world, backend } = useBackend()

const fill = callWriter({ world, backend })

describe('recent calls', () => {
  it('list the oldest first after the sort order is reversed', async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls?date=7', { as: 'provider' })
    await total('Total: 4 records')
    const first = () => rows()[0]!.textContent
    const newest = first()
    await user.click(await screen.findByRole('button', { name: 'Date' }))
    await waitFor(() => expect(first()).not.toBe(newest))
    expect(address()).toBe('/internal/recent-calls?date=7&order=asc')
    expect(screen.getByRole('columnheader', { name: 'Date' }).getAttribute('aria-sort')).toBe('ascending')
    await user.click(screen.getByRole('button', { name: 'Date' }))
    await waitFor(() => expect(first()).toBe(newest))
  })

  it('are filtered by trunk and SIP status', async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls?trunk=Vantage+SIP', { as: 'provider' })
    await total('Total: 3 records')
    expect((await screen.findByRole('combobox', { name: /^Trunk/ })).textContent).toContain('Vantage SIP')
    await choose(user, /^Add filter/, 'SIP status')
    await choose(user, /^SIP status/, '200 OK')
    await total('Total: 1 record')
    expect(address()).toBe('/internal/recent-calls?trunk=Vantage+SIP&sip=200')
  })

  it('are searched by SIP Call-ID, and by a number in another notation', async () => {
    await fill()
    const { user } = await render('/internal/recent-calls', { as: 'provider' })
    await user.type(await screen.findByLabelText('Filter'), 'in-1@host')
    await total('Total: 1 record')
    expect(screen.getByText('(617) 555-0192')).toBeTruthy()
    await user.clear(screen.getByLabelText('Filter'))
    await user.type(screen.getByLabelText('Filter'), '+44 (0)20 7946 0821')
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(screen.getByText('+442079460821')).toBeTruthy()
  })

  it('are searched by a number as the list shows it', async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls', { as: 'provider' })
    await user.type(await screen.findByLabelText('Filter'), '(617) 555-0192')
    await total('Total: 1 record')
    expect(address()).toContain('text=')
    expect(screen.getByLabelText('Filter')).toHaveProperty('value', '(617) 555-0192')
    expect(rows()).toHaveLength(1)
    expect(screen.getByText('(617) 555-0192')).toBeTruthy()
  })

  it('can be listed from a start time until now', async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls', { as: 'provider' })
    await total('Total: 3 records')
    await choose(user, /^Date/, 'choose times…')
    const dialog = within(await screen.findByRole('dialog', { hidden: true }))
    await user.clear(dialog.getByLabelText('From'))
    await user.click(dialog.getByRole('button', { name: 'Apply', hidden: true }))
    expect(await dialog.findByText('Choose a date and time.')).toBeTruthy()
    const from = new Date(noon() - 100 * hour)
    const local = new Date(from.getTime() - from.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    await user.type(dialog.getByLabelText('From'), local)
    await user.click(dialog.getByRole('button', { name: 'Apply', hidden: true }))
    await total('Total: 4 records')
    expect(decodeURIComponent(address())).toContain(`date=${from.toISOString()}/now`)
    expect(screen.getByRole('combobox', { name: /^Date/ }).textContent).toContain('since ')
  })

  it('close their detail panel with Escape', async () => {
    await fill()
    const { user } = await render('/internal/recent-calls?open=c-in', { as: 'account' })
    await screen.findByText('called party hung up')
    screen.getByRole('button', { name: 'Copy link' }).focus()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText('called party hung up')).toBeNull())
    expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false')
  })
})

describe('alerts', () => {
  it('are grouped into one row if equal, and the row opens the newest of them', async () => {
    const { acme, providers } = world()
    const tags = { account_sid: acme.account, service_provider_sid: providers.north, alert_type: 'tts-failure' }
    const fields = { message: 'speech failed', target_sid: 'c-in' }
    await backend().services.callHistory.write(
      'alerts',
      [0, 1, 2].map((at) => ({ tags, fields, time: BigInt(noon() - hour - at * 1000) * 1_000_000n })),
    )
    const { user, address } = await render('/internal/alerts?text=speech+failed', { as: 'account' })
    await total('Total: 1 record')
    expect(screen.getByText('3×')).toBeTruthy()
    await user.click(rows()[0]!)
    const newest = within(await screen.findByRole('region', { name: 'Newest alerts in this group' }))
    expect(newest.getAllByRole('listitem')).toHaveLength(3)
    expect(screen.getByRole('link', { name: 'Find the call' }).getAttribute('href')).toContain('text=c-in')
    await choose(user, /^Show/, 'every alert')
    await total('Total: 3 records')
    await choose(user, /^Type/, 'No TTS credentials')
    await total('Total: 0 records')
    expect(address()).toContain('type=no-tts')
  })
})
