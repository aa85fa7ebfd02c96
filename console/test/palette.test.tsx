import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, testData } = useBackend()

const openPalette = async (user: UserEvent) => {
  await user.keyboard('{Control>}k{/Control}')
  return screen.findByRole('combobox', { name: 'Search or jump to' })
}

const readOptions = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)

describe('the command palette', () => {
  it('starts with recent records and the actions of the record in view', async () => {
    const { user, navigate } = await render(`/internal/accounts/${testData().accounts.acme}`, { as: 'north' })
    await screen.findByRole('heading', { level: 1, name: 'acme' })
    await waitFor(() => expect(document.title).toBe('acme · Accounts · Trunkline'))
    await openPalette(user)
    await waitFor(() => expect(readOptions('On this page')).toContain('Copy SID'))
    expect(readOptions('On this page')).toEqual(
      expect.arrayContaining(['Edit accountE', 'Numbers3', 'Calls9', 'Alerts', 'Copy link', 'Delete']),
    )
    expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull()
    await user.keyboard('{Escape}')
    await navigate('/internal/applications')
    await screen.findByRole('heading', { level: 1, name: /^Applications/ })
    await openPalette(user)
    await waitFor(() => expect(readOptions('Recent')).toEqual(['acmeAccount']))
    expect(readOptions('On this page')).toEqual(['Add applicationC'])
  })

  it('finds a record by the first eight digits of its SID', async () => {
    const sid = testData().accounts.acme
    const { user, currentPath } = await render('/internal/applications', { as: 'north' })
    await screen.findByRole('heading', { level: 1, name: /^Applications/ })
    await user.type(await openPalette(user), sid.slice(0, 8).toUpperCase())
    await user.click(await screen.findByRole('option', { name: /^acme/ }))
    await waitFor(() => expect(currentPath()).toBe(`/internal/accounts/${sid}`))
  })

  it('leads to what belongs to the best match', async () => {
    const { user, currentPath } = await render('/internal/users', { as: 'north' })
    await screen.findByRole('heading', { level: 1, name: /^Users/ })
    const input = await openPalette(user)
    await user.type(input, 'acme')
    await waitFor(() =>
      expect(readOptions('Go to')).toEqual([
        'Recent calls of acme',
        'Unanswered calls of acme',
        'Alerts of acme',
        'Numbers of acme',
        'Settings of acme',
      ]),
    )
    // the record itself comes first
    expect(screen.getByRole('option', { selected: true }).textContent).toMatch(/^acmeAccount/)
    await user.clear(input)
    await user.type(input, '(555) 000-0011')
    await waitFor(() =>
      expect(readOptions('Go to')).toEqual([
        'Recent calls of (555) 000-0011',
        'Unanswered calls of (555) 000-0011',
        'Settings of (555) 000-0011',
      ]),
    )
    await user.click(screen.getByRole('option', { name: /^Recent calls of/ }))
    await waitFor(() => expect(currentPath()).toBe('/internal/recent-calls?date=7&text=15550000011'))
  })

  it('clears the text with Escape, then closes', async () => {
    const { user } = await render('/internal/applications', { as: 'north' })
    await screen.findByRole('heading', { level: 1, name: /^Applications/ })
    const input = await openPalette(user)
    await user.type(input, 'carr')
    await waitFor(() => expect(screen.getAllByRole('option')[0]?.textContent).toMatch(/^Carriers/))
    await user.keyboard('{Escape}')
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Search or jump to' }).value).toBe('')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Search or jump to' })).toBeNull())
  })
})
