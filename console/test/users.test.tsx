import { screen, waitFor, within } from '@testing-library/react'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/user'
import type { User, UserRecord } from '@trunkline/contract/shapes/user'
import { beforeEach, describe, expect, it } from 'vitest'
import { useBackend, type Person, type Screen } from './render'

const { render, ask, backend, world } = useBackend()

// an administrator sees one provider at a time
beforeEach(() => localStorage.setItem('activeServiceProvider', world().providers.north))

const secret = 'Another-horse-2'
const field = (label: string) => screen.findByRole('textbox', { name: new RegExp(`^${label}`) })
const secretField = () => screen.findByLabelText(/^Temporary password/)
const said = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const names = () => [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('a')?.textContent)
const read = (user_sid: string) => ask<UserRecord>('admin', 'GET', `/Users/${user_sid}`)
const find = async (name: string) => (await ask<User[]>('admin', 'GET', '/Users')).find((row) => row.name === name)
const make = async (name: string, more: object = {}) => {
  const draft = { name, email: `${name}@example.com`, initial_password: secret, ...more }
  return (await ask<{ user_sid: string }>('admin', 'POST', '/Users', draft)).user_sid
}
const edit = (user_sid: string, as: Person) => render(`/internal/users/${user_sid}/edit`, { as })

const pick = async (user: Screen['user'], label: string, name: string) => {
  await user.click(await screen.findByRole('combobox', { name: label }))
  await user.click(await screen.findByRole('option', { name, hidden: true }))
}

const type = async (user: Screen['user'], input: HTMLElement, text: string) => {
  await user.clear(input)
  await user.click(input)
  await user.paste(text)
}

const options = async (user: Screen['user'], label: string) => {
  await user.click(await screen.findByRole('combobox', { name: label }))
  return (await screen.findAllByRole('option', { hidden: true })).map(({ textContent }) => textContent)
}

const save = (user: Screen['user']) => user.click(screen.getByText('Save'))

describe('the users', () => {
  it('of the current provider and the administrators are listed with their owners', async () => {
    await render('/internal/users', { as: 'admin' })
    await screen.findByText('acme@example.com')
    expect(names()).toEqual(['acme', 'admin', 'bolt', 'north', 'viewer'])
    const row = (name: string) => screen.getByText(`${name}@example.com`).closest('tr')?.textContent
    expect(row('acme')).toMatch(/Active.*Account.*acme.*Not due/)
    expect(row('north')).toMatch(/Service provider.*Northwind/)
    expect(row('admin')).toMatch(/Admin.*All service providers/)
  })

  it('are searched by name, email address and scope', async () => {
    const { user, address } = await render('/internal/users', { as: 'admin' })
    await screen.findByText('acme@example.com')
    await pick(user, 'Scope', 'Service provider')
    await waitFor(() => expect(names()).toEqual(['north']))
    expect(address()).toBe('/internal/users?scope=service_provider')
    await pick(user, 'Scope', 'All scopes')
    await type(user, screen.getByRole('searchbox', { name: 'Filter users' }), 'bolt@')
    await waitFor(() => expect(names()).toEqual(['bolt']))
  })

  it.each<[Person, string[]]>([
    ['admin', ['All scopes', 'Admin', 'Service provider', 'Account']],
    ['north', ['All scopes', 'Service provider', 'Account']],
    ['acme', ['Account']],
  ])('are filtered by the scopes that %s can see', async (as, scopes) => {
    const { user } = await render('/internal/users', { as })
    await screen.findByText('acme@example.com')
    expect(await options(user, 'Scope')).toEqual(scopes)
    expect(screen.queryByRole('combobox', { name: 'Account' }) !== null).toBe(as !== 'acme')
  })

  it('are deleted after confirmation', async () => {
    await make('gone')
    const { user } = await render('/internal/users?text=gone', { as: 'admin' })
    await user.click(await screen.findByRole('button', { name: 'Delete gone' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    await said('Deleted user gone')
    expect(await find('gone')).toBeUndefined()
  })

  it('keep their last administrator, and the dialog shows why', async () => {
    const { user } = await render('/internal/users?text=admin@', { as: 'admin' })
    await user.click(await screen.findByRole('button', { name: 'Delete admin' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText(messages.ownUser.remove)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await said(messages.lastAdmin)
    expect(await find('admin')).toBeTruthy()
  })
})

describe('adding a user', () => {
  it('requires all fields, with a message at each', async () => {
    const { user, address } = await render('/internal/users/add', { as: 'admin' })
    expect(await screen.findByText(general.asterisk)).toBeTruthy()
    await save(user)
    for (const text of [
      'Username is required.',
      'Email is required.',
      'Temporary password is required.',
      'Account is required.',
    ])
      await said(text)
    await type(user, await field('Email'), 'nora')
    await said(messages.invalidEmail)
    expect(address()).toBe('/internal/users/add')
  })

  it('shows the password policy as a checklist, and refuses a weak password', async () => {
    await ask('admin', 'POST', '/PasswordSettings', { min_password_length: 10, require_digit: 1 })
    const { user } = await render('/internal/users/add', { as: 'admin' })
    const rule = await screen.findByRole('list', { name: 'Password must:' })
    const bullets = () =>
      within(rule)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    await waitFor(() => expect(bullets()).toEqual(['Be at least 10 characters long', 'Contain at least one number']))
    await type(user, await secretField(), 'short1')
    expect(bullets()).toEqual(['Be at least 10 characters long', 'Contain at least one number (done)'])
    await save(user)
    await said('Invalid password.')
    expect((await secretField()).getAttribute('aria-invalid')).toBe('true')
    await type(user, await secretField(), 'long-enough-1')
    expect(bullets().every((text) => text?.endsWith('(done)'))).toBe(true)
    await waitFor(() => expect(screen.queryByText('Invalid password.')).toBeNull())
    await ask('admin', 'POST', '/PasswordSettings', { min_password_length: 8, require_digit: 0 })
  })

  it('shows that a password is too long if no policy is stored, as the server does', async () => {
    await backend().database.db.deleteFrom('password_settings').execute()
    const { user } = await render('/internal/users/add', { as: 'admin' })
    await waitFor(() => expect(screen.getByText('Be at least 8 characters long')).toBeTruthy())
    await type(user, await secretField(), 'x'.repeat(21))
    await said('Be at most 20 characters long')
    await save(user)
    await said('Invalid password.')
    await type(user, await secretField(), 'x'.repeat(20))
    expect(screen.queryByText('Be at most 20 characters long')).toBeNull()
  })

  it('creates an account user who must change the password, and opens the list', async () => {
    const { user, address } = await render('/internal/users/add', { as: 'north' })
    await type(user, await field('Username'), 'nora')
    await type(user, await field('Email'), 'nora@example.com')
    await type(user, await secretField(), secret)
    await pick(user, 'Account', 'bolt')
    await save(user)
    await said('User created successfully')
    expect(address()).toBe('/internal/users')
    const { user_sid } = (await find('nora'))!
    expect(await read(user_sid)).toMatchObject({
      email: 'nora@example.com',
      account_sid: world().accounts.bolt,
      service_provider_sid: world().providers.north,
      force_change: 1,
      is_active: 1,
      is_view_only: false,
    })
  })

  it('creates a view-only provider user', async () => {
    const { user } = await render('/internal/users/add', { as: 'admin' })
    await type(user, await field('Username'), 'peter')
    await type(user, await field('Email'), 'peter@example.com')
    await type(user, await secretField(), secret)
    await pick(user, 'Scope', 'Service provider')
    expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: /^View only/ }))
    await save(user)
    await said('User created successfully')
    expect(await read((await find('peter'))!.user_sid)).toMatchObject({
      account_sid: null,
      service_provider_sid: world().providers.north,
      is_view_only: true,
    })
  })

  it('creates a user of the same account for an account user', async () => {
    const { user } = await render('/internal/users/add', { as: 'acme' })
    await type(user, await field('Username'), 'petra')
    await type(user, await field('Email'), 'petra@example.com')
    await type(user, await secretField(), secret)
    expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull()
    await save(user)
    await said('User created successfully')
    expect(await find('petra')).toMatchObject({ scope: 'account', account_name: 'acme' })
  })

  it.each<[Person, string[]]>([
    ['admin', ['Admin', 'Service provider', 'Account']],
    ['north', ['Service provider', 'Account']],
  ])('offers %s no scope above their own', async (as, scopes) => {
    const { user } = await render('/internal/users/add', { as })
    expect(await options(user, 'Scope')).toEqual(scopes)
  })

  it('marks a duplicate name or email address at its field', async () => {
    const { user } = await render('/internal/users/add', { as: 'north' })
    await type(user, await field('Username'), 'Corp')
    await type(user, await field('Email'), 'free@example.com')
    await type(user, await secretField(), secret)
    await pick(user, 'Account', 'bolt')
    await save(user)
    await said(messages.duplicate.name)
    expect((await field('Username')).getAttribute('aria-invalid')).toBe('true')
    await type(user, await field('Username'), 'free')
    await type(user, await field('Email'), 'corp@example.com')
    await save(user)
    await said(messages.duplicate.email)
  })

  it('shows an error if the provider has no accounts', async () => {
    const { sid } = await ask<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: 'Empty' })
    localStorage.setItem('activeServiceProvider', sid)
    const { user } = await render('/internal/users/add', { as: 'admin' })
    await type(user, await field('Username'), 'lone')
    await save(user)
    await said('Cannot create an account. Service Provider has no accounts.')
  })
})

describe('editing a user', () => {
  it('sends the changed fields and the name', async () => {
    const user_sid = await make('quinn', { account_sid: world().accounts.acme, is_view_only: 1 })
    const before = await read(user_sid)
    const { user } = await edit(user_sid, 'north')
    await type(user, await field('Email'), 'quinn@example.org')
    await user.click(screen.getByRole('checkbox', { name: /^User is active/ }))
    await save(user)
    await said('User updated successfully')
    expect(await read(user_sid)).toEqual({ ...before, email: 'quinn@example.org', is_active: 0 })
  })

  it('moves an account user to another account, but never to a higher scope', async () => {
    const user_sid = await make('rita', { account_sid: world().accounts.acme })
    const { user } = await edit(user_sid, 'admin')
    expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Scope' })).disabled).toBe(true)
    await pick(user, 'Account', 'bolt')
    await save(user)
    await said('User updated successfully')
    expect(await read(user_sid)).toMatchObject({ account_sid: world().accounts.bolt })
  })

  it('moves an administrator to an account', async () => {
    const user_sid = await make('sam')
    const { user } = await edit(user_sid, 'admin')
    await pick(user, 'Scope', 'Account')
    await pick(user, 'Account', 'acme')
    await save(user)
    await said('User updated successfully')
    expect(await read(user_sid)).toMatchObject({
      account_sid: world().accounts.acme,
      service_provider_sid: world().providers.north,
    })
  })

  it('sets a new temporary password, and refuses a weak one', async () => {
    const user_sid = await make('tara', { account_sid: world().accounts.acme })
    const { user } = await edit(user_sid, 'north')
    expect(await field('Username')).toBeTruthy()
    expect(screen.queryByText('Password must:')).toBeNull()
    await type(user, await secretField(), 'weak')
    await save(user)
    await said('Invalid password.')
    await type(user, await secretField(), 'Third-horse-3')
    await user.click(screen.getByRole('checkbox', { name: /^Must create a new password/ }))
    await save(user)
    await said('User updated successfully')
    const login = { username: 'tara', password: 'Third-horse-3' }
    const answer = await backend().app.inject({ method: 'POST', url: '/v1/login', payload: login })
    expect(answer.json()).toMatchObject({ force_change: true })
  })

  it('shows no password for a user of an external sign-in', async () => {
    const user_sid = await make('uma', { account_sid: world().accounts.acme })
    await backend().services.users.update(user_sid, { provider: 'github' })
    const { user } = await edit(user_sid, 'north')
    expect(await screen.findByText('Signs in with Github and has no password here.')).toBeTruthy()
    expect(document.querySelector('[name="initial_password"]')).toBeNull()
    await type(user, await field('Username'), 'uma two')
    await save(user)
    await said('User updated successfully')
    expect(await read(user_sid)).toMatchObject({ name: 'uma two' })
  })

  it('is refused for a user of another tenant', async () => {
    const { address } = await edit(world().users.corp, 'north')
    expect(await screen.findByText(general.noAccess)).toBeTruthy()
    await waitFor(() => expect(address()).toBe('/internal/accounts'))
  })
})
