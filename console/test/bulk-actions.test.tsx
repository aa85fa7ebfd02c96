import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { messages } from '@trunkline/contract/messages/general'
import type { Account } from '@trunkline/contract/shapes/account'
import type { Client } from '@trunkline/contract/shapes/client'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import type { User } from '@trunkline/contract/shapes/user'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { selectOption } from './form-inputs'
import { useBackend } from './render'
import { startV1Server } from './v1-server'

const { render, requestAs, testData, backend } = useBackend()

const accountNames = ['Bulk one', 'Bulk two', 'Bulk three']

beforeAll(async () => {
  for (const name of accountNames)
    await requestAs('north', 'POST', '/Accounts', { name, service_provider_sid: testData().providers.north })
})

const select = async (user: UserEvent, ...names: string[]) => {
  for (const name of names) await user.click(await screen.findByLabelText(`Select ${name}`))
}
const findBar = () => screen.findByRole('group', { name: 'Selection' })
const clickInBar = async (user: UserEvent, name: string) =>
  user.click(await within(await findBar()).findByRole('button', { name }))
const confirm = async (user: UserEvent) =>
  user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))

const listAccounts = async () =>
  (await requestAs<Account[]>('north', 'GET', '/Accounts')).filter(({ name }) => name.startsWith('Bulk'))
const activeNames = async () => (await listAccounts()).filter(({ is_active }) => is_active).map(({ name }) => name)
const readFailures = async () =>
  within(await screen.findByRole('list', { name: 'Failures' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('selected records', () => {
  it('are deactivated, and activated again by Undo, but only those that were active', async () => {
    const [one] = await listAccounts()
    await requestAs('north', 'PUT', `/Accounts/${one!.account_sid}`, { is_active: 0 })
    const { user } = await render('/internal/accounts?text=Bulk', { as: 'provider' })
    await select(user, ...accountNames)
    await clickInBar(user, 'Deactivate')
    await screen.findByText('2 accounts deactivated')
    expect(await activeNames()).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText('2 accounts restored')
    expect(await activeNames()).toHaveLength(2)
    expect(await activeNames()).not.toContain(one!.name)
    // the account that was inactive before is still selected, and can only be activated
    await screen.findByText('1 selected')
    expect((await screen.findByText<HTMLButtonElement>('Deactivate')).disabled).toBe(true)
    await clickInBar(user, 'Activate')
    await screen.findByText('1 account activated')
    expect(await activeNames()).toHaveLength(3)
  })

  it('are deleted after a confirmation that names them, except those in use, which say why', async () => {
    const { providers } = testData()
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', '/Accounts', {
      name: 'Bulk in use',
      service_provider_sid: providers.north,
    })
    await requestAs('north', 'POST', '/PhoneNumbers', {
      number: '15550007001',
      account_sid: sid,
      voip_carrier_sid: testData().shared.north.voip_carrier,
    })
    const { user } = await render('/internal/accounts?text=Bulk', { as: 'provider' })
    await select(user, 'Bulk in use', ...accountNames)
    await clickInBar(user, 'Delete')
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain(messages.confirmBulkRemoval(4, 'accounts'))
    expect(dialog.textContent).toContain('Bulk two')
    await confirm(user)
    await screen.findByText('3 accounts deleted')
    expect(await readFailures()).toEqual([`Bulk in use ${messages.inUseBy('Phone numbers: 15550007001')}`])
    expect((await listAccounts()).map(({ name }) => name)).toEqual(['Bulk in use'])
    // it stays selected for another attempt
    await screen.findByText('1 selected')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Dismiss failures' }))
    expect(screen.queryByRole('list', { name: 'Failures' })).toBeNull()
  })

  it('name the request that failed on the server', async () => {
    const { user } = await render('/internal/clients', { as: 'account' })
    await select(user, 'acme-desk')
    await clickInBar(user, 'Delete')
    const send = window.fetch.bind(window)
    const fetch = vi
      .spyOn(window, 'fetch')
      .mockImplementation((input, init) =>
        init?.method === 'DELETE'
          ? Promise.resolve(Response.json({ msg: 'Out of order' }, { status: 500, headers: { 'x-request-id': 'r-1' } }))
          : send(input, init),
      )
    await confirm(user)
    const failures = within(await screen.findByRole('list', { name: 'Failures' }))
    expect(failures.getByText('Out of order')).toBeTruthy()
    expect(failures.getByText('Request ID r-1')).toBeTruthy()
    fetch.mockRestore()
  })

  it("never delete the user's own account together with others", async () => {
    const { user } = await render('/internal/users', { as: 'provider' })
    await select(user, 'north')
    await clickInBar(user, 'Delete')
    await confirm(user)
    expect(await readFailures()).toEqual([`north ${messages.removesSession}`])
    const users = await requestAs<User[]>('admin', 'GET', '/Users')
    expect(users.map(({ name }) => name)).toContain('north')
  })

  it('are not selectable for view-only users', async () => {
    await render('/internal/applications', { as: 'viewer' })
    await screen.findByRole('row', { name: /acme app/ })
    expect(screen.queryByLabelText(/^Select/)).toBeNull()
  })
})

describe('selected phone numbers', () => {
  it('move to another account with an application, and back by Undo', async () => {
    const { accounts, acme, bolt, shared } = testData()
    for (const number of ['15550008001', '15550008002'])
      await requestAs('north', 'POST', '/PhoneNumbers', {
        number,
        account_sid: accounts.acme,
        application_sid: acme.application,
        voip_carrier_sid: shared.north.voip_carrier,
      })
    const listAssignments = async () =>
      (await requestAs<PhoneNumber[]>('north', 'GET', '/PhoneNumbers'))
        .filter(({ number }) => number.startsWith('1555000800'))
        .map(({ account_sid, application_sid }) => [account_sid, application_sid])
    const { user } = await render('/internal/phone-numbers?text=1555000800', { as: 'provider' })
    await select(user, '15550008001', '15550008002')
    const bar = within(await findBar())
    await user.click(await bar.findByRole('combobox', { name: 'Account' }))
    await user.click(await screen.findByRole('option', { name: 'bolt' }))
    await selectOption(user, 'Application', 'bolt app')
    await clickInBar(user, 'Apply')
    await screen.findByText('2 phone numbers changed')
    expect(await listAssignments()).toEqual(Array(2).fill([accounts.bolt, bolt.application]))
    const undoButton = screen.getByRole('button', { name: 'Undo' })
    await waitFor(() => expect(document.activeElement).toBe(undoButton))
    await user.keyboard('{Enter}')
    await screen.findByText('2 phone numbers restored')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Dismiss result' })))
    expect(await listAssignments()).toEqual(Array(2).fill([accounts.acme, acme.application]))
  })
})

describe('with a server without bulk routes', () => {
  it('deactivates and deletes records one by one, and names those that it refuses', async () => {
    const { accounts } = testData()
    for (const username of ['bulk-1', 'bulk-2'])
      await requestAs('north', 'POST', '/Clients', { username, password: 'Secret-123', account_sid: accounts.acme })
    const v1Server = await startV1Server(backend().app)
    const { user } = await render('/internal/clients', {
      as: 'provider',
      features: { apiBaseUrl: v1Server.apiBaseUrl },
    })
    await select(user, 'bulk-1', 'bulk-2')
    const listClients = async () =>
      (await requestAs<Client[]>('north', 'GET', '/Clients')).filter(({ username }) => username?.startsWith('bulk-'))
    await clickInBar(user, 'Deactivate')
    await screen.findByText('2 SIP clients deactivated')
    expect((await listClients()).map(({ is_active }) => is_active)).toEqual([0, 0])
    const [firstClient] = await listClients()
    await select(user, 'bulk-1', 'bulk-2')
    await requestAs('north', 'DELETE', `/Clients/${firstClient!.client_sid}`)
    await clickInBar(user, 'Delete')
    await confirm(user)
    // a record that somebody else deleted first is deleted
    await screen.findByText('2 SIP clients deleted')
    expect(await listClients()).toEqual([])
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Selection' })).toBeNull())
    v1Server.close()
  })
})
