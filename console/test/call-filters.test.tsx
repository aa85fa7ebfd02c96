import { screen, waitFor, within } from '@testing-library/react'
import type { Point } from '../../server/src/ports/call-history'
import { describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, world, backend } = useBackend()

const hour = 3_600_000
/** Noon of today, so that no test stands on the edge of a day. */
const noon = () => new Date().setHours(12, 0, 0, 0)

let written = false
/** Three calls of acme, one of bolt, all of today, and one of acme of four days ago. */
const fill = async () => {
  if (written) return
  written = true
  const { acme, bolt, providers } = world()
  const call = (account: string, at: number, tags: object, fields: Point['fields']): Point => ({
    tags: { account_sid: account, service_provider_sid: providers.north, trunk: 'Vantage SIP', ...tags },
    fields,
    time: BigInt(at) * 1_000_000n,
  })
  const inbound = { direction: 'inbound', answered: 'true' }
  await backend().services.callHistory.write('cdrs', [
    call(acme.account, noon() + 2000, inbound, {
      call_sid: 'c-in',
      sip_callid: 'in-1@host',
      from: '16175550192',
      to: '18575550100',
      duration: 38,
      sip_status: 200,
      termination_reason: 'called party hung up',
      trace_id: '0'.repeat(32),
      cost: 0.25,
    }),
    call(
      acme.account,
      noon() + 1000,
      { direction: 'outbound', answered: 'false' },
      { call_sid: 'c-out', from: '18575550100', to: '442079460821' },
    ),
    call(bolt.account, noon(), inbound, {
      call_sid: 'c-bolt',
      trace_id: 'd0fa554885664a7da849d5aa5a4a76d7',
      from: '15085550163',
      to: '18575550102',
    }),
    call(acme.account, noon() - 96 * hour, inbound, { call_sid: 'c-old', from: '19785550139', to: '18575550100' }),
  ])
}

const total = (words: string) => screen.findByText(words)
const rows = () => screen.getAllByRole('button', { expanded: false, name: /^\d{4}-/ })
const choose = async (user: Awaited<ReturnType<typeof render>>['user'], name: RegExp, option: string) => {
  await user.click(await screen.findByRole('combobox', { name }))
  await user.click(await screen.findByRole('option', { name: option, hidden: true }))
}

describe('recent calls', () => {
  it('are listed with the oldest first when the list is turned round', async () => {
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

  it('are narrowed by a trunk and by a SIP status that are added as filters', async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls?trunk=Vantage+SIP', { as: 'provider' })
    await total('Total: 3 records')
    expect((await screen.findByRole('combobox', { name: /^Trunk/ })).textContent).toContain('Vantage SIP')
    await choose(user, /^Add filter/, 'SIP status')
    await choose(user, /^SIP status/, '200 OK')
    await total('Total: 1 record')
    expect(address()).toBe('/internal/recent-calls?trunk=Vantage+SIP&sip=200')
  })

  it('are found by their SIP Call-ID, and by a number in another notation', async () => {
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

  it('are found by a number as the list says it', async () => {
    await fill()
    const { user, address } = await render('/internal/recent-calls', { as: 'provider' })
    await user.type(await screen.findByLabelText('Filter'), '(617) 555-0192')
    await total('Total: 1 record')
    expect(address()).toContain('text=')
    expect(screen.getByLabelText('Filter')).toHaveProperty('value', '(617) 555-0192')
    expect(rows()).toHaveLength(1)
    expect(screen.getByText('(617) 555-0192')).toBeTruthy()
  })

  it('can be listed from a moment until now', async () => {
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

  it('close by Escape', async () => {
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
  it('are one row where they are equal, which opens to the newest of them', async () => {
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
    const newest = within(await screen.findByRole('region', { name: 'Newest alerts of this group' }))
    expect(newest.getAllByRole('listitem')).toHaveLength(3)
    expect(screen.getByRole('link', { name: 'Find its call' }).getAttribute('href')).toContain('text=c-in')
    await choose(user, /^Show/, 'every alert')
    await total('Total: 3 records')
    await choose(user, /^Type/, 'No TTS credentials')
    await total('Total: 0 records')
    expect(address()).toContain('type=no-tts')
  })
})
