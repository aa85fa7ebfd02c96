import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { beforeEach, describe, expect, it } from 'vitest'
import { findInput } from './form-inputs'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

beforeEach(() => localStorage.setItem('activeServiceProvider', testData().providers.north))

interface RecordKind {
  /** The collection path of the API, and the body of a new record. */
  api: string
  createDraft: () => object
  /** The path segment of the console, and a field to type into. */
  area: string
  label: string
  backLabel: string
}

const northOwner = () => ({ service_provider_sid: testData().providers.north })
const webhook = { url: 'https://example.com', method: 'POST' }

const recordKinds: RecordKind[] = [
  {
    api: 'Users',
    createDraft: () => ({ name: 'gone', email: 'gone@example.com', initial_password: 'Brief-stay-1', ...northOwner() }),
    area: 'users',
    label: 'Email',
    backLabel: 'Back to users',
  },
  {
    api: 'Accounts',
    createDraft: () => ({ name: 'gone', ...northOwner() }),
    area: 'accounts',
    label: 'Account name',
    backLabel: 'Back to accounts',
  },
  {
    api: 'Applications',
    createDraft: () => ({
      name: 'gone',
      account_sid: testData().accounts.acme,
      call_hook: webhook,
      call_status_hook: webhook,
    }),
    area: 'applications',
    label: 'Application name',
    backLabel: 'Back to applications',
  },
]

describe.each(recordKinds)(
  'a record of $api that another user deleted',
  ({ api, createDraft, area, label, backLabel }) => {
    const addRecord = async () => {
      const created = await requestAs<{ sid?: string; user_sid?: string }>('admin', 'POST', `/${api}`, createDraft())
      return created.sid ?? created.user_sid ?? ''
    }
    const removeRecord = (sid: string) => requestAs('admin', 'DELETE', `/${api}/${sid}`)

    it('shows an error when opened, with a link to the list', async () => {
      const sid = await addRecord()
      await removeRecord(sid)
      const { user, currentPath } = await render(`/internal/${area}/${sid}/edit`, { as: 'admin' })
      expect(await screen.findByRole('heading', { name: messages.recordGone })).toBeTruthy()
      await user.click(screen.getByRole('link', { name: backLabel }))
      await waitFor(() => expect(currentPath()).toBe(`/internal/${area}`))
    })

    it('shows an error when opened again while it is still cached', async () => {
      const sid = await addRecord()
      const { navigate } = await render(`/internal/${area}/${sid}/edit`, { as: 'admin' })
      await findInput(label)
      await navigate('/internal/alerts')
      await removeRecord(sid)
      await navigate(`/internal/${area}/${sid}/edit`)
      expect(await screen.findByRole('heading', { name: messages.recordGone })).toBeTruthy()
      expect(screen.queryByLabelText(label)).toBeNull()
    })

    it('shows an error when saved, keeps unsaved text, and returns to the list without a leave guard', async () => {
      const sid = await addRecord()
      const { user, currentPath } = await render(`/internal/${area}/${sid}/edit`, { as: 'admin' })
      const field = await findInput(label)
      await removeRecord(sid)
      await user.type(field, 'x')
      await user.click(screen.getByText('Save'))
      const dialog = within(await screen.findByRole('alertdialog'))
      expect(dialog.getByText(messages.recordGone)).toBeTruthy()
      expect(field.value).toMatch(/x$/)
      await user.click(dialog.getByRole('button', { name: backLabel }))
      await waitFor(() => expect(currentPath()).toBe(`/internal/${area}`))
    })

    it('shows an error when deleted from the list, and refreshes the list', async () => {
      const sid = await addRecord()
      const { user } = await render(`/internal/${area}?text=gone`, { as: 'admin' })
      const button = await screen.findByRole('button', { name: 'Delete gone' })
      await removeRecord(sid)
      await user.click(button)
      await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
      expect(await screen.findByText(messages.recordGone)).toBeTruthy()
      expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy()
      expect(screen.queryByRole('alertdialog')).toBeNull()
    })
  },
)

it('returns to the list after deleting a record that is already gone', async () => {
  const webhook = { url: 'https://example.com' }
  const createDraft = {
    name: 'gone',
    account_sid: testData().accounts.acme,
    call_hook: webhook,
    call_status_hook: webhook,
  }
  const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/Applications', createDraft)
  // the server's message to an account user differs
  const { user, currentPath } = await render(`/internal/applications/${sid}/edit`, { as: 'acme' })
  await findInput('Application name')
  await requestAs('admin', 'DELETE', `/Applications/${sid}`)
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(messages.recordGone)).toBeTruthy()
  await waitFor(() => expect(currentPath()).toBe('/internal/applications'))
})

it('names phone numbers in its questions as lists show them', async () => {
  const { user } = await render('/internal/phone-numbers', { as: 'provider' })
  await user.click(await screen.findByRole('button', { name: 'Delete 15550000011' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(await dialog.findByText('(555) 000-0011')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByLabelText('Select 15550000011'))
  const bar = within(await screen.findByRole('group', { name: 'Selection' }))
  await user.click(await bar.findByRole('button', { name: 'Delete' }))
  const bulkDialog = within(await screen.findByRole('alertdialog'))
  expect(await bulkDialog.findByText('(555) 000-0011')).toBeTruthy()
})
