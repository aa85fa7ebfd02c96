import { screen, waitFor, within } from '@testing-library/react'
import type { ApiKey } from '@trunkline/contract/shapes/api-key'
import { describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, ask, backend, world } = useBackend()

const keys = () => ask<ApiKey[]>('north', 'GET', `/Accounts/${world().accounts.acme}/ApiKeys`)
const page = () => `/internal/accounts/${world().accounts.acme}/edit`
const press = (name: string | RegExp) => screen.findByRole('button', { name })
/** The rows of the table without its header. */
const rows = async () =>
  within(await screen.findByRole('table', { name: 'API keys' }))
    .getAllByRole('row')
    .slice(1)

describe('the API keys of an account', () => {
  it('are masked, and show when they were last used', async () => {
    const [first] = await keys()
    const used = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
    await backend()
      .database.db.updateTable('api_keys')
      .set({ last_used: used })
      .where('account_sid', '=', world().accounts.acme)
      .execute()
    const { user } = await render(page(), { as: 'north' })
    const [row] = await rows()
    expect(screen.getByRole('columnheader', { name: 'Last used' })).toBeTruthy()
    expect(row!.textContent).toContain('3 days ago')
    expect(row!.textContent).toContain(`•${first!.token.slice(-4)}`)
    expect(screen.queryByText(first!.token)).toBeNull()
    await user.click(within(row!).getByRole('button', { name: /^Show key/ }))
    expect(screen.getByText(first!.token)).toBeTruthy()
  })

  it('show a new key once, ready to copy', async () => {
    const { user } = await render(page(), { as: 'acme' })
    await rows()
    await user.click(await press('Create API key'))
    const question = within(await screen.findByRole('dialog', { name: 'Create API key' }))
    expect(question.getByText(/^Anyone with this key can act as this account/)).toBeTruthy()
    expect(await keys()).toHaveLength(1)
    await user.type(question.getByLabelText('Name'), 'Voice agent')
    await user.click(question.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('API key created')).toBeTruthy()
    const dialog = within(await screen.findByRole('dialog', { name: 'New API key' }))
    const token = dialog.getByLabelText<HTMLInputElement>('API key').value
    await user.click(dialog.getByRole('button', { name: `Copy ${token}` }))
    expect(await navigator.clipboard.readText()).toBe(token)
    expect((await keys()).map((each) => each.token)).toContain(token)
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    await waitFor(async () => expect(await rows()).toHaveLength(2))
    const fresh = (await rows()).find((row) => row.textContent?.includes(token.slice(-4)))
    expect(fresh?.textContent).toContain('Voice agent')
    expect(fresh?.textContent).toContain('Never used')
    expect(fresh?.textContent).toContain('No expiry')
  })

  it('show their expiry date, and mark expired keys', async () => {
    const { acme } = world().accounts
    const add = (expires_at: string) => ask('north', 'POST', '/ApiKeys', { account_sid: acme, expires_at })
    await add('2020-05-06T12:00:00Z')
    await add('2099-03-05T12:00:00Z')
    await render(page(), { as: 'north' })
    const texts = (await rows()).map((row) => row.textContent)
    expect(texts.filter((text) => text?.includes('Mar 05, 2099'))).toHaveLength(1)
    expect(screen.getAllByTitle('Expired on May 06, 2020')).toHaveLength(1)
  })

  it('are deleted after confirmation', async () => {
    const { user } = await render(page(), { as: 'north' })
    for (const { name, token } of await keys()) {
      await user.click(await press(new RegExp(`^Delete key .*ending in ${token.slice(-4)}$`)))
      const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete API key' }))
      expect(dialog.getByText(name ?? new RegExp(token.slice(-4)))).toBeTruthy()
      await user.click(dialog.getByRole('button', { name: 'Delete' }))
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    }
    expect((await screen.findAllByText('API key deleted')).length).toBeGreaterThan(0)
    expect(await screen.findByText('No API keys.')).toBeTruthy()
    expect(await keys()).toEqual([])
  })
})
