import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { localValues } from '../src/lib/storage'
import { useBackend } from './render'

const { render, testData } = useBackend()

afterEach(() => localValues.columns.clear())

/** The headings, without those of the checkboxes and actions. */
const getHeads = () =>
  screen
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
    .filter((text) => text && text !== 'Actions')
const defaultHeads = ['Name', 'Account', 'Calling webhook', 'Call status webhook']

const openDialog = async (user: UserEvent) => {
  await user.click(await screen.findByRole('button', { name: 'Columns' }))
  return within(await screen.findByRole('dialog', { name: 'Columns' }))
}

it('shows the selected columns of a list, in this browser, until they are reset', async () => {
  const { user } = await render('/internal/applications', { as: 'provider' })
  await screen.findByRole('row', { name: /acme app/ })
  expect(getHeads()).toEqual(defaultHeads)
  const dialog = await openDialog(user)
  // the name cannot be hidden
  expect(dialog.queryByRole('checkbox', { name: 'Name' })).toBeNull()
  await user.click(dialog.getByRole('checkbox', { name: 'Calling webhook' }))
  await user.click(dialog.getByRole('checkbox', { name: 'SID' }))
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(getHeads()).toEqual(['Name', 'Account', 'Call status webhook', 'SID']))
  expect(screen.getByText(testData().acme.application)).toBeTruthy()
  expect(JSON.parse(localValues.columns.get() ?? '')).toEqual({
    application: ['account_name', 'call_status_hook', 'application_sid'],
  })
  const dialogAgain = await openDialog(user)
  await user.click(dialogAgain.getByRole('button', { name: 'Reset to default' }))
  await waitFor(() => expect(getHeads()).toEqual(defaultHeads))
})

it('shows the selection of an earlier visit, and ignores columns that the list does not have', async () => {
  localValues.columns.set(JSON.stringify({ application: ['call_hook', 'no_such_column', 7], account: [] }))
  await render('/internal/applications', { as: 'provider' })
  await screen.findByRole('row', { name: /acme app/ })
  expect(getHeads()).toEqual(['Name', 'Calling webhook'])
})
