import { screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startV1Server } from './v1-server'
import { useBackend } from './render'

const { render, ask, backend, world } = useBackend()
let server: Awaited<ReturnType<typeof startV1Server>>

const hook = { url: 'https://app.example.com/hook' }

beforeAll(async () => {
  server = await startV1Server(backend().app)
  for (const name of ['c', 'B', 'a'])
    for (let at = 0; at < 10; at++)
      await ask('north', 'POST', '/Applications', {
        name: `${name}${at}`,
        account_sid: world().accounts.acme,
        call_hook: hook,
        call_status_hook: hook,
      })
})
beforeEach(() => {
  server.asked.length = 0
})
afterAll(() => server.close())

const open = (path: string) => render(path, { as: 'provider', features: { apiBaseUrl: server.base } })

/** Reads the DOM directly: queries by role take seconds in long tables. */
const names = () => [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('a')?.textContent)

const total = (records: number) => screen.findByText(`Total: ${records} records`)

describe('with a server that returns full lists', () => {
  it('sorts, pages and filters in the browser after one request', async () => {
    const { user } = await open('/internal/applications')
    await total(32)
    expect(names().slice(0, 3)).toEqual(['a0', 'a1', 'a2'])
    expect(names()).toHaveLength(25)
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(names()).toHaveLength(7))
    await user.click(screen.getByRole('button', { name: /^Name/ }))
    await waitFor(() => expect(names()[0]).toBe('c9'))
    await user.type(screen.getByRole('searchbox', { name: 'Filter applications' }), 'b')
    await total(11)
    expect(names()[0]).toBe('bolt app')
    expect(server.asked.filter((call) => call.endsWith('/Applications'))).toHaveLength(1)
  })

  it('sends no requests that a v1 server refuses', async () => {
    await open('/internal/applications')
    await total(32)
    expect(server.asked).toContain('GET /ServiceProviders')
    expect(server.asked).not.toContain('GET /Abilities')
  })

  it('loads the full list even if the first request had a filter', async () => {
    const { user } = await open('/internal/applications?text=b')
    await total(11)
    await user.click(screen.getByRole('button', { name: 'Clear filter' }))
    await total(32)
  })

  it('loads the names of owners with one request', async () => {
    await open('/internal/applications?text=bolt')
    const row = await screen.findByRole('row', { name: /bolt app/ })
    await within(row).findByText('bolt')
    // the other request checks whether there is an account to add an application to
    expect(server.asked.filter((call) => call.endsWith('/Accounts'))).toHaveLength(2)
  })

  it('shows the users of the provider and the administrators, and filters them in the browser', async () => {
    localStorage.setItem('activeServiceProvider', world().providers.north)
    const { user } = await render('/internal/users', { as: 'admin', features: { apiBaseUrl: server.base } })
    await total(5)
    expect(names()).toEqual(['acme', 'admin', 'bolt', 'north', 'viewer'])
    await user.click(screen.getByRole('combobox', { name: 'Scope' }))
    await user.click(await screen.findByRole('option', { name: 'Account', hidden: true }))
    await total(3)
    await user.type(screen.getByRole('searchbox', { name: 'Filter users' }), 'bolt@')
    await waitFor(() => expect(names()).toEqual(['bolt']))
    expect(server.asked.filter((call) => call === 'GET /Users')).toHaveLength(1)
  })
})
