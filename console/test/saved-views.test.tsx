import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { localValues } from '../src/lib/storage'
import { useBackend } from './render'

const { render, backend } = useBackend()

afterEach(async () => {
  localValues.columns.clear()
  await backend().database.db.deleteFrom('trunkline_saved_views').execute()
})

const getHeads = () =>
  screen
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
    .filter((text) => text && text !== 'Actions')

const openMenu = async (user: UserEvent, name: string | RegExp = 'Views') => {
  await user.click(await screen.findByRole('button', { name }))
  // jsdom has no popovers: it hides them and cannot open them
  const menu = (await screen.findByText('Copy link')).closest('[popover]')
  menu?.removeAttribute('popover')
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeTruthy()
}

const saveAs = async (user: UserEvent, name: string) => {
  await user.click(await screen.findByRole('button', { name: 'Save view' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }))
  await user.type(dialog.getByLabelText(/^Name/), name)
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  return dialog
}

const waitForDialogToClose = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

it('saves filters, sort order and columns under a name, and opens them again', async () => {
  const { user, currentPath, navigate } = await render('/internal/applications?sort=-name&page_size=50', {
    as: 'provider',
  })
  await screen.findByRole('row', { name: /acme app/ })
  await openMenu(user)
  expect(await screen.findByText('No saved views of this list.')).toBeTruthy()
  await saveAs(user, 'Newest')
  await waitForDialogToClose()
  const address =
    '/internal/applications?columns=account_name%2Ccall_hook%2Ccall_status_hook&density=normal&page_size=50&sort=-name'
  await waitFor(() => expect(currentPath()).toBe(address))
  await screen.findByRole('button', { name: 'View: Newest' })
  await navigate('/internal/accounts')
  await navigate('/internal/applications')
  await openMenu(user)
  expect((await screen.findByRole('link', { name: 'Newest' })).getAttribute('href')).toBe(address)
  // it belongs to this list only
  await navigate('/internal/accounts')
  await openMenu(user)
  expect(await screen.findByText('No saved views of this list.')).toBeTruthy()
})

it('replaces a view by what the list shows after a change', async () => {
  const { user, currentPath } = await render('/internal/applications?columns=account_name', { as: 'provider' })
  await screen.findByRole('row', { name: /acme app/ })
  expect(getHeads()).toEqual(['Name', 'Account'])
  await openMenu(user)
  await saveAs(user, 'Short')
  await screen.findByRole('button', { name: 'View: Short' })
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Columns' }))
  await user.click(dialog.getByRole('checkbox', { name: 'SID' }))
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  // the columns of the address change, and the selection of this browser stays
  await waitFor(() =>
    expect(currentPath()).toBe('/internal/applications?columns=account_name%2Capplication_sid&density=normal'),
  )
  expect(localValues.columns.get()).toBeNull()
  await screen.findByRole('button', { name: 'View: Short (changed)' })
  await user.click(screen.getByRole('button', { name: 'Save changes to Short' }))
  await screen.findByRole('button', { name: 'View: Short' })
  expect(await backend().database.db.selectFrom('trunkline_saved_views').select(['name', 'query']).execute()).toEqual([
    { name: 'Short', query: 'columns=account_name%2Capplication_sid&density=normal' },
  ])
})

it('renames and deletes views, and shows the refusal of a name', async () => {
  const { user } = await render('/internal/applications?sort=-name', { as: 'provider' })
  await screen.findByRole('row', { name: /acme app/ })
  await openMenu(user)
  await saveAs(user, 'One')
  await waitForDialogToClose()
  await user.click(await screen.findByRole('button', { name: 'Rename One' }))
  const rename = within(await screen.findByRole('dialog', { name: 'Rename view' }))
  await user.clear(rename.getByLabelText(/^Name/))
  await user.click(rename.getByRole('button', { name: 'Save' }))
  expect(await rename.findByText('Name is required.')).toBeTruthy()
  await user.type(rename.getByLabelText(/^Name/), 'Two')
  await user.click(rename.getByRole('button', { name: 'Save' }))
  await waitForDialogToClose()
  await screen.findByRole('button', { name: 'View: Two' })
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  const columns = within(await screen.findByRole('dialog', { name: 'Columns' }))
  await user.click(columns.getByRole('checkbox', { name: 'SID' }))
  await user.click(columns.getByRole('button', { name: 'Done' }))
  const add = await saveAs(user, 'TWO')
  expect(await add.findByText('Another view of this list has this name.')).toBeTruthy()
  await user.click(add.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Delete Two' }))
  const remove = within(await screen.findByRole('alertdialog', { name: 'Delete view' }))
  await user.click(remove.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('No saved views of this list.')).toBeTruthy()
})

it('keeps the filters of calls, without the open call', async () => {
  const { user } = await render('/internal/recent-calls?date=7&status=answered&columns=none', { as: 'provider' })
  await openMenu(user)
  await saveAs(user, 'Answered')
  await screen.findByRole('button', { name: 'View: Answered' })
  const views = await backend().database.db.selectFrom('trunkline_saved_views').select(['list', 'query']).execute()
  expect(views).toEqual([{ list: 'recent-calls', query: 'columns=none&date=7&density=normal&status=answered' }])
})

it('lets view-only users open views and copy links, but not save', async () => {
  const { user } = await render('/internal/applications', { as: 'viewer' })
  await openMenu(user)
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull()
})
