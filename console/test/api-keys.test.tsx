import { screen, waitFor, within } from '@testing-library/react'
import type { ApiKey } from '@trunkline/contract/shapes/api-key'
import { describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, requestAs, backend, testData } = useBackend()

const listKeys = () => requestAs<ApiKey[]>('north', 'GET', `/Accounts/${testData().accounts.acme}/ApiKeys`)
const editPath = () => `/internal/accounts/${testData().accounts.acme}/edit`
const findButton = (name: string | RegExp) => screen.findByRole('button', { name })
/** The rows of the table without its header. */
const readKeyRows = async () =>
  within(await screen.findByRole('table', { name: 'API keys' }))
    .getAllByRole('row')
    .slice(1)

describe('the API keys of an account', () => {
  it('are masked, and show when they were last used', async () => {
    const [firstKey] = await listKeys()
    const lastUsed = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
    await backend()
      .database.db.updateTable('api_keys')
      .set({ last_used: lastUsed })
      .where('account_sid', '=', testData().accounts.acme)
      .execute()
    const { user } = await render(editPath(), { as: 'north' })
    const [row] = await readKeyRows()
    expect(screen.getByRole('columnheader', { name: 'Last used' })).toBeTruthy()
    expect(row!.textContent).toContain('3 days ago')
    expect(row!.textContent).toContain(`•${firstKey!.token.slice(-4)}`)
    expect(screen.queryByText(firstKey!.token)).toBeNull()
    await user.click(within(row!).getByRole('button', { name: /^Show key/ }))
    expect(screen.getByText(firstKey!.token)).toBeTruthy()
  })

  it('show a new key once, ready to copy', async () => {
    const { user } = await render(editPath(), { as: 'acme' })
    await readKeyRows()
    await user.click(await findButton('Create API key'))
    const createDialog = within(await screen.findByRole('dialog', { name: 'Create API key' }))
    expect(createDialog.getByText(/^Anyone with this key can act as this account/)).toBeTruthy()
    expect(await listKeys()).toHaveLength(1)
    await user.type(createDialog.getByLabelText('Name'), 'Voice agent')
    await user.click(createDialog.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('API key created')).toBeTruthy()
    const newKeyDialog = within(await screen.findByRole('dialog', { name: 'New API key' }))
    const token = newKeyDialog.getByLabelText<HTMLInputElement>('API key').value
    await user.click(newKeyDialog.getByRole('button', { name: `Copy ${token}` }))
    expect(await navigator.clipboard.readText()).toBe(token)
    expect((await listKeys()).map((key) => key.token)).toContain(token)
    await user.click(newKeyDialog.getByRole('button', { name: 'Done' }))
    await waitFor(async () => expect(await readKeyRows()).toHaveLength(2))
    const newRow = (await readKeyRows()).find((row) => row.textContent?.includes(token.slice(-4)))
    expect(newRow?.textContent).toContain('Voice agent')
    expect(newRow?.textContent).toContain('Never used')
    expect(newRow?.textContent).toContain('No expiry')
  })

  it('show their expiry date, and mark expired keys', async () => {
    const { acme } = testData().accounts
    const addKey = (expires_at: string) => requestAs('north', 'POST', '/ApiKeys', { account_sid: acme, expires_at })
    await addKey('2020-05-06T12:00:00Z')
    await addKey('2099-03-05T12:00:00Z')
    await render(editPath(), { as: 'north' })
    const rowTexts = (await readKeyRows()).map((row) => row.textContent)
    expect(rowTexts.filter((text) => text?.includes('Mar 05, 2099'))).toHaveLength(1)
    expect(screen.getAllByTitle('Expired on May 06, 2020')).toHaveLength(1)
  })

  it('are deleted after confirmation', async () => {
    const { user } = await render(editPath(), { as: 'north' })
    for (const { name, token } of await listKeys()) {
      await user.click(await findButton(new RegExp(`^Delete key .*ending in ${token.slice(-4)}$`)))
      const deletionDialog = within(await screen.findByRole('alertdialog', { name: 'Delete API key' }))
      expect(deletionDialog.getByText(name ?? new RegExp(token.slice(-4)))).toBeTruthy()
      await user.click(deletionDialog.getByRole('button', { name: 'Delete' }))
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    }
    expect((await screen.findAllByText('API key deleted')).length).toBeGreaterThan(0)
    expect(await screen.findByText('No API keys.')).toBeTruthy()
    expect(await listKeys()).toEqual([])
  })
})
