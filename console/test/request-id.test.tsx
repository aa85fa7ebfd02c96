import { screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, backend } = useBackend()

/** Makes all requests about SIP clients fail with a 503. */
const renameTable = (from: string, to: string) =>
  sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(backend().database.db)
const breakTable = () => renameTable('clients', 'clients_away')
let isBroken = false
afterEach(async () => {
  if (isBroken) await renameTable('clients_away', 'clients')
  isBroken = false
})

/** The IDs of the failed requests in the server's log. */
const readLoggedIds = () =>
  backend()
    .log()
    .split('\n')
    .filter((line) => line.includes('request failed'))
    .map((line) => (JSON.parse(line) as { reqId: string }).reqId)

const findRequestId = async (container: HTMLElement) => {
  const element = await within(container).findByText(/^Request ID \S+$/)
  return element.textContent.replace('Request ID ', '')
}

describe('the request ID', () => {
  it('of a failed list is on the screen, in the toast and in the log, and can be copied', async () => {
    await breakTable()
    isBroken = true
    const { user } = await render('/internal/clients', { as: 'acme' })
    expect(
      await screen.findByRole('heading', { name: /^The tables of the database do not match this server/ }),
    ).toBeTruthy()
    const requestId = await findRequestId(screen.getByRole('main'))
    expect(readLoggedIds()).toContain(requestId)
    expect(await findRequestId(screen.getByRole('region', { name: 'Notifications' }))).toBe(requestId)
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Copy request ID' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(requestId))
  })

  it('of a save that fails is in the toast', async () => {
    const { user } = await render('/internal/clients/add', { as: 'acme' })
    await user.type(await screen.findByRole('textbox', { name: 'Username' }), 'jo')
    await user.type(screen.getByLabelText(/^Password/), 'secret1')
    await breakTable()
    isBroken = true
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const requestId = await findRequestId(screen.getByRole('region', { name: 'Notifications' }))
    expect(readLoggedIds()).toContain(requestId)
  })

  it('of a refusal that names a field is not shown', async () => {
    const { user } = await render('/internal/applications/add', { as: 'acme' })
    await user.type(await screen.findByRole('textbox', { name: 'Application name' }), 'x')
    await user.type(screen.getByRole('textbox', { name: 'Calling webhook' }), 'no url')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(document.querySelector('[aria-invalid=true]')).toBeTruthy())
    expect(screen.queryByText(/Request ID/)).toBeNull()
  })
})
