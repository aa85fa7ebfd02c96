import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { messages } from '@trunkline/contract/messages/client'
import type { Client } from '@trunkline/contract/shapes/client'
import { describe, expect, it } from 'vitest'
import { readLabels } from './form-inputs'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const pasteText = async (user: UserEvent, label: string, text: string) => {
  await user.click(await screen.findByLabelText(label, { exact: false, selector: 'input' }))
  await user.paste(text)
}
const listClients = () => requestAs<Client[]>('north', 'GET', '/Clients')

describe('SIP clients', () => {
  it('are added by an account user to their own account', async () => {
    const { user } = await render('/internal/clients/add', { as: 'account' })
    expect(screen.queryByLabelText('Belongs to')).toBeNull()
    await pasteText(user, 'Username', 'lobby')
    await pasteText(user, 'Password', 'secret-7')
    await user.click(screen.getByText('Save'))
    await expectText(messages.added)
    const createdClient = (await listClients()).find(({ username }) => username === 'lobby')
    expect(createdClient).toMatchObject({ account_sid: testData().accounts.acme, is_active: 1, password: 'sXXXXXXX' })
  })

  it('have their form fields in a fixed order', async () => {
    await render('/internal/clients/add', { as: 'provider' })
    await screen.findByLabelText('Username', { exact: false })
    expect(readLabels(screen.getByRole('main'))).toEqual([
      'Username *',
      'Password *',
      'Active',
      'Allow direct calling to applications',
      'Allow direct calling to queues',
      'Allow direct calling to other SIP clients',
      'Belongs to *',
    ])
  })

  it('require a username and a password', async () => {
    const { user } = await render('/internal/clients/add', { as: 'account' })
    await user.click(await screen.findByText('Save'))
    await expectText('Username is required.')
    await expectText('Password is required.')
  })

  it('refuse a duplicate username', async () => {
    const { user } = await render('/internal/clients/add', { as: 'account' })
    await pasteText(user, 'Username', 'acme-desk')
    await pasteText(user, 'Password', 'secret-7')
    await user.click(screen.getByText('Save'))
    await expectText(messages.duplicateUsername)
  })

  it('keep name and password when their permissions change', async () => {
    const { user } = await render(`/internal/clients/${testData().acme.client}/edit`, { as: 'account' })
    expect((await screen.findByLabelText<HTMLInputElement>('Username')).readOnly).toBe(true)
    await user.click(screen.getByLabelText('Allow direct calling to queues'))
    await user.click(screen.getByText('Save'))
    await expectText(messages.saved)
    const changedClient = (await listClients()).find(({ client_sid }) => client_sid === testData().acme.client)
    expect(changedClient).toMatchObject({
      username: 'acme-desk',
      allow_direct_queue_calling: 0,
      allow_direct_app_calling: 1,
    })
  })

  it('cannot be saved if the account has no SIP realm', async () => {
    const { accounts } = testData()
    await requestAs('north', 'PUT', `/Accounts/${accounts.bolt}`, { sip_realm: null })
    await render(`/internal/clients/${testData().bolt.client}/edit`, { as: 'provider' })
    await expectText(messages.noRealm)
    expect(screen.getByText<HTMLElement>('Save').closest('button')!.disabled).toBe(true)
  })

  it('cannot be added to an account without a SIP realm, which the list links to', async () => {
    const { accounts } = testData()
    await requestAs('north', 'PUT', `/Accounts/${accounts.bolt}`, { sip_realm: null })
    await requestAs('north', 'DELETE', `/Clients/${testData().bolt.client}`)
    await render(`/internal/clients?account=${accounts.bolt}`, { as: 'provider' })
    await expectText(messages.realmRequired)
    expect(screen.getByRole('link', { name: messages.realmRequired }).getAttribute('href')).toBe(
      `/internal/accounts/${accounts.bolt}/edit`,
    )
    expect(screen.queryByRole('link', { name: 'Add SIP client' })).toBeNull()
  })

  it('redirect to the list if the SIP client does not exist', async () => {
    await render('/internal/clients/abcdef01-0000-4000-8000-000000000000/edit', { as: 'account' })
    await screen.findByRole('heading', { name: /^SIP clients/ })
  })

  it('are deleted from their form', async () => {
    const { user } = await render(`/internal/clients/${testData().acme.client}/edit`, { as: 'provider' })
    await user.click(await screen.findByText('Delete user'))
    await user.click(await screen.findByText('Delete'))
    await expectText(messages.removedOnScreen)
    expect((await listClients()).map(({ username }) => username)).not.toContain('acme-desk')
  })
})
