import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'

/** What uses a record, asked from our server. The tests of v1 servers are in record-pages.test.tsx and v1-server.test.tsx. */

const { render, requestAs, testData } = useBackend()

afterEach(() => void vi.restoreAllMocks())

const findDialog = async (name: string) => within(await screen.findByRole('alertdialog', { name }))

describe('the dependents of a record', () => {
  it('are requested once for the page of an account and the dialog that deletes it', async () => {
    const requests = vi.spyOn(globalThis, 'fetch')
    const listPaths = () => requests.mock.calls.map(([input]) => requestUrl(input))
    const { user } = await render(`/internal/accounts/${testData().accounts.acme}`, { as: 'north' })
    const panel = within(await screen.findByRole('region', { name: 'Also in this account' }))
    // what is deleted with the account
    expect((await panel.findByRole('link', { name: 'Carriers' })).getAttribute('href')).toBe(
      `/internal/carriers?account=${testData().accounts.acme}`,
    )
    expect(listPaths().filter((path) => path.includes('/Dependents/account/'))).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Delete', hidden: true }))
    const dialog = await findDialog("acme can't be deleted")
    expect(dialog.getByRole('link', { name: 'acme app' })).toBeTruthy()
    expect(dialog.queryByText('Carriers')).toBeNull()
    expect(listPaths().filter((path) => /\/(ApiKeys|MicrosoftTeamsTenants)/.test(path))).toEqual([])
  })

  it('beyond the first 20 are a link to the list of all', async () => {
    const account_sid = testData().accounts.bolt
    const hook = { url: 'https://example.com/', method: 'POST' as const, username: null, password: null }
    for (let index = 0; index < 21; index += 1)
      await requestAs('bolt', 'POST', '/Applications', {
        account_sid,
        name: `app ${index}`,
        call_hook: hook,
        call_status_hook: hook,
      })
    const { user } = await render('/internal/accounts', { as: 'north' })
    await user.click(await screen.findByRole('button', { name: 'Delete bolt' }))
    const more = await (await findDialog("bolt can't be deleted")).findByRole('link', { name: 'and 2 more' })
    expect(more.getAttribute('href')).toBe(`/internal/applications?account=${account_sid}`)
  })

  it('that do not prevent a deletion do not stop it', async () => {
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', '/Accounts', { name: 'Fernhill' })
    await requestAs('north', 'POST', '/Clients', { account_sid: sid, username: 'jo', password: 'secret', is_active: 1 })
    const { user } = await render('/internal/accounts', { as: 'north' })
    await user.click(await screen.findByRole('button', { name: 'Delete Fernhill' }))
    const dialog = await findDialog('Delete account')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await screen.findByText('Deleted account Fernhill')
  })
})
