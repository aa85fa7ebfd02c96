import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { beforeEach, describe, expect, it } from 'vitest'
import { input } from './form-inputs'
import { useBackend } from './render'

const { render, ask, world } = useBackend()

beforeEach(() => localStorage.setItem('activeServiceProvider', world().providers.north))

interface Kind {
  /** The collection path of the API, and the body of a new record. */
  api: string
  draft: () => object
  /** The path segment of the console, and a field to type into. */
  area: string
  label: string
  back: string
}

const north = () => ({ service_provider_sid: world().providers.north })
const hook = { url: 'https://example.com', method: 'POST' }

const kinds: Kind[] = [
  {
    api: 'Users',
    draft: () => ({ name: 'gone', email: 'gone@example.com', initial_password: 'Brief-stay-1', ...north() }),
    area: 'users',
    label: 'Email',
    back: 'Back to users',
  },
  {
    api: 'Accounts',
    draft: () => ({ name: 'gone', ...north() }),
    area: 'accounts',
    label: 'Account name',
    back: 'Back to accounts',
  },
  {
    api: 'Applications',
    draft: () => ({ name: 'gone', account_sid: world().accounts.acme, call_hook: hook, call_status_hook: hook }),
    area: 'applications',
    label: 'Application name',
    back: 'Back to applications',
  },
]

describe.each(kinds)('a record of $api that another user deleted', ({ api, draft, area, label, back }) => {
  const make = async () => {
    const made = await ask<{ sid?: string; user_sid?: string }>('admin', 'POST', `/${api}`, draft())
    return made.sid ?? made.user_sid ?? ''
  }
  const remove = (sid: string) => ask('admin', 'DELETE', `/${api}/${sid}`)

  it('shows an error when opened, with a link to the list', async () => {
    const sid = await make()
    await remove(sid)
    const { user, address } = await render(`/internal/${area}/${sid}/edit`, { as: 'admin' })
    expect(await screen.findByRole('heading', { name: messages.recordGone })).toBeTruthy()
    await user.click(screen.getByRole('link', { name: back }))
    await waitFor(() => expect(address()).toBe(`/internal/${area}`))
  })

  it('shows an error when saved, keeps unsaved text, and returns to the list without a leave guard', async () => {
    const sid = await make()
    const { user, address } = await render(`/internal/${area}/${sid}/edit`, { as: 'admin' })
    const field = await input(label)
    await remove(sid)
    await user.type(field, 'x')
    await user.click(screen.getByText('Save'))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText(messages.recordGone)).toBeTruthy()
    expect(field.value).toMatch(/x$/)
    await user.click(dialog.getByRole('button', { name: back }))
    await waitFor(() => expect(address()).toBe(`/internal/${area}`))
  })

  it('shows an error when deleted from the list, and refreshes the list', async () => {
    const sid = await make()
    const { user } = await render(`/internal/${area}?text=gone`, { as: 'admin' })
    const button = await screen.findByRole('button', { name: 'Delete gone' })
    await remove(sid)
    await user.click(button)
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(messages.recordGone)).toBeTruthy()
    expect(await screen.findByText('Nothing matches these filters.')).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})

it('returns to the list after deleting a record that is already gone', async () => {
  const hook = { url: 'https://example.com' }
  const draft = { name: 'gone', account_sid: world().accounts.acme, call_hook: hook, call_status_hook: hook }
  const { sid } = await ask<{ sid: string }>('admin', 'POST', '/Applications', draft)
  // the server's message to an account user differs
  const { user, address } = await render(`/internal/applications/${sid}/edit`, { as: 'acme' })
  await input('Application name')
  await ask('admin', 'DELETE', `/Applications/${sid}`)
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(messages.recordGone)).toBeTruthy()
  await waitFor(() => expect(address()).toBe('/internal/applications'))
})
