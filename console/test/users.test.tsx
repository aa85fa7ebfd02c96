import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/user'
import type { User, UserRecord } from '@trunkline/contract/shapes/user'
import { beforeEach, describe, expect, it } from 'vitest'
import { useBackend, type TestUser } from './render'

const { render, requestAs, backend, testData } = useBackend()

// an administrator sees one provider at a time
beforeEach(() => localStorage.setItem('activeServiceProvider', testData().providers.north))

const initialPassword = 'Another-horse-2'
const findField = (label: string) => screen.findByRole('textbox', { name: new RegExp(`^${label}`) })
const findPasswordField = () => screen.findByLabelText(/^Temporary password/)
const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const rowNames = () => [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('a')?.textContent)
const readUser = (user_sid: string) => requestAs<UserRecord>('admin', 'GET', `/Users/${user_sid}`)
const findUser = async (name: string) =>
  (await requestAs<User[]>('admin', 'GET', '/Users')).find((row) => row.name === name)
const addUser = async (name: string, overrides: object = {}) => {
  const draft = { name, email: `${name}@example.com`, initial_password: initialPassword, ...overrides }
  return (await requestAs<{ user_sid: string }>('admin', 'POST', '/Users', draft)).user_sid
}
const openForm = (user_sid: string, as: TestUser) => render(`/internal/users/${user_sid}/edit`, { as })

const selectOption = async (user: UserEvent, label: string, name: string) => {
  await user.click(await screen.findByRole('combobox', { name: label }))
  await user.click(await screen.findByRole('option', { name, hidden: true }))
}

const replaceText = async (user: UserEvent, input: HTMLElement, text: string) => {
  await user.clear(input)
  await user.click(input)
  await user.paste(text)
}

const readOptionTexts = async (user: UserEvent, label: string) => {
  await user.click(await screen.findByRole('combobox', { name: label }))
  return (await screen.findAllByRole('option', { hidden: true })).map(({ textContent }) => textContent)
}

const clickSave = (user: UserEvent) => user.click(screen.getByText('Save'))

describe('the users', () => {
  it('of the current provider and the administrators are listed with their owners', async () => {
    await render('/internal/users', { as: 'admin' })
    await screen.findByText('acme@example.com')
    expect(rowNames()).toEqual(['acme', 'admin', 'bolt', 'north', 'viewer'])
    const readRowText = (name: string) => screen.getByText(`${name}@example.com`).closest('tr')?.textContent
    expect(readRowText('acme')).toMatch(/Active.*Account.*acme.*Not due/)
    expect(readRowText('north')).toMatch(/Service provider.*Northwind/)
    expect(readRowText('admin')).toMatch(/Admin.*All service providers/)
  })

  it('are searched by name, email address and scope', async () => {
    const { user, currentPath } = await render('/internal/users', { as: 'admin' })
    await screen.findByText('acme@example.com')
    await selectOption(user, 'Scope', 'Service provider')
    await waitFor(() => expect(rowNames()).toEqual(['north']))
    expect(currentPath()).toBe('/internal/users?scope=service_provider')
    await selectOption(user, 'Scope', 'All scopes')
    await replaceText(user, screen.getByRole('searchbox', { name: 'Filter users' }), 'bolt@')
    await waitFor(() => expect(rowNames()).toEqual(['bolt']))
  })

  it.each<[TestUser, string[]]>([
    ['admin', ['All scopes', 'Admin', 'Service provider', 'Account']],
    ['north', ['All scopes', 'Service provider', 'Account']],
    ['acme', ['Account']],
  ])('are filtered by the scopes that %s can see', async (as, scopes) => {
    const { user } = await render('/internal/users', { as })
    await screen.findByText('acme@example.com')
    expect(await readOptionTexts(user, 'Scope')).toEqual(scopes)
    expect(screen.queryByRole('combobox', { name: 'Account' }) !== null).toBe(as !== 'acme')
  })

  it('are deleted after confirmation', async () => {
    await addUser('gone')
    const { user } = await render('/internal/users?text=gone', { as: 'admin' })
    await user.click(await screen.findByRole('button', { name: 'Delete gone' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    await expectText('Deleted user gone')
    expect(await findUser('gone')).toBeUndefined()
  })

  it('keep their last administrator, and the dialog shows why', async () => {
    const { user } = await render('/internal/users?text=admin@', { as: 'admin' })
    await user.click(await screen.findByRole('button', { name: 'Delete admin' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText(messages.ownUser.remove)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await expectText(messages.lastAdmin)
    expect(await findUser('admin')).toBeTruthy()
  })
})

describe('adding a user', () => {
  it('requires all fields, with a message at each', async () => {
    const { user, currentPath } = await render('/internal/users/add', { as: 'admin' })
    expect(await screen.findByText(general.asterisk)).toBeTruthy()
    await clickSave(user)
    for (const text of [
      'Username is required.',
      'Email is required.',
      'Temporary password is required.',
      'Account is required.',
    ])
      await expectText(text)
    await replaceText(user, await findField('Email'), 'nora')
    await expectText(messages.invalidEmail)
    expect(currentPath()).toBe('/internal/users/add')
  })

  it('shows the password policy as a checklist, and refuses a weak password', async () => {
    await requestAs('admin', 'POST', '/PasswordSettings', { min_password_length: 10, require_digit: 1 })
    const { user } = await render('/internal/users/add', { as: 'admin' })
    const checklist = await screen.findByRole('list', { name: 'Password must:' })
    const checklistItems = () =>
      within(checklist)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    await waitFor(() =>
      expect(checklistItems()).toEqual(['Be at least 10 characters long', 'Contain at least one number']),
    )
    await replaceText(user, await findPasswordField(), 'short1')
    expect(checklistItems()).toEqual(['Be at least 10 characters long', 'Contain at least one number (done)'])
    await clickSave(user)
    await expectText('Invalid password.')
    expect((await findPasswordField()).getAttribute('aria-invalid')).toBe('true')
    await replaceText(user, await findPasswordField(), 'long-enough-1')
    expect(checklistItems().every((text) => text?.endsWith('(done)'))).toBe(true)
    await waitFor(() => expect(screen.queryByText('Invalid password.')).toBeNull())
    await requestAs('admin', 'POST', '/PasswordSettings', { min_password_length: 8, require_digit: 0 })
  })

  it('shows that a password is too long if no policy is stored, as the server does', async () => {
    await backend().database.db.deleteFrom('password_settings').execute()
    const { user } = await render('/internal/users/add', { as: 'admin' })
    await waitFor(() => expect(screen.getByText('Be at least 8 characters long')).toBeTruthy())
    await replaceText(user, await findPasswordField(), 'x'.repeat(21))
    await expectText('Be at most 20 characters long')
    await clickSave(user)
    await expectText('Invalid password.')
    await replaceText(user, await findPasswordField(), 'x'.repeat(20))
    expect(screen.queryByText('Be at most 20 characters long')).toBeNull()
  })

  it('creates an account user who must change the password, and opens the list', async () => {
    const { user, currentPath } = await render('/internal/users/add', { as: 'north' })
    await replaceText(user, await findField('Username'), 'nora')
    await replaceText(user, await findField('Email'), 'nora@example.com')
    await replaceText(user, await findPasswordField(), initialPassword)
    await selectOption(user, 'Account', 'bolt')
    await clickSave(user)
    await expectText('User created successfully')
    expect(currentPath()).toBe('/internal/users')
    const { user_sid } = (await findUser('nora'))!
    expect(await readUser(user_sid)).toMatchObject({
      email: 'nora@example.com',
      account_sid: testData().accounts.bolt,
      service_provider_sid: testData().providers.north,
      force_change: 1,
      is_active: 1,
      is_view_only: false,
    })
  })

  it('creates a view-only provider user', async () => {
    const { user } = await render('/internal/users/add', { as: 'admin' })
    await replaceText(user, await findField('Username'), 'peter')
    await replaceText(user, await findField('Email'), 'peter@example.com')
    await replaceText(user, await findPasswordField(), initialPassword)
    await selectOption(user, 'Scope', 'Service provider')
    expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: /^View only/ }))
    await clickSave(user)
    await expectText('User created successfully')
    expect(await readUser((await findUser('peter'))!.user_sid)).toMatchObject({
      account_sid: null,
      service_provider_sid: testData().providers.north,
      is_view_only: true,
    })
  })

  it('creates a user of the same account for an account user', async () => {
    const { user } = await render('/internal/users/add', { as: 'acme' })
    await replaceText(user, await findField('Username'), 'petra')
    await replaceText(user, await findField('Email'), 'petra@example.com')
    await replaceText(user, await findPasswordField(), initialPassword)
    expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull()
    await clickSave(user)
    await expectText('User created successfully')
    expect(await findUser('petra')).toMatchObject({ scope: 'account', account_name: 'acme' })
  })

  it.each<[TestUser, string[]]>([
    ['admin', ['Admin', 'Service provider', 'Account']],
    ['north', ['Service provider', 'Account']],
  ])('offers %s no scope above their own', async (as, scopes) => {
    const { user } = await render('/internal/users/add', { as })
    expect(await readOptionTexts(user, 'Scope')).toEqual(scopes)
  })

  it('marks a duplicate name or email address at its field', async () => {
    const { user } = await render('/internal/users/add', { as: 'north' })
    await replaceText(user, await findField('Username'), 'Corp')
    await replaceText(user, await findField('Email'), 'free@example.com')
    await replaceText(user, await findPasswordField(), initialPassword)
    await selectOption(user, 'Account', 'bolt')
    await clickSave(user)
    await expectText(messages.duplicate.name)
    expect((await findField('Username')).getAttribute('aria-invalid')).toBe('true')
    await replaceText(user, await findField('Username'), 'free')
    await replaceText(user, await findField('Email'), 'corp@example.com')
    await clickSave(user)
    await expectText(messages.duplicate.email)
  })

  it('shows an error if the provider has no accounts', async () => {
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/ServiceProviders', { name: 'Empty' })
    localStorage.setItem('activeServiceProvider', sid)
    const { user } = await render('/internal/users/add', { as: 'admin' })
    await replaceText(user, await findField('Username'), 'lone')
    await clickSave(user)
    await expectText('Cannot create an account. Service Provider has no accounts.')
  })
})

describe('editing a user', () => {
  it('sends the changed fields and the name', async () => {
    const user_sid = await addUser('quinn', { account_sid: testData().accounts.acme, is_view_only: 1 })
    const userBefore = await readUser(user_sid)
    const { user } = await openForm(user_sid, 'north')
    await replaceText(user, await findField('Email'), 'quinn@example.org')
    await user.click(screen.getByRole('checkbox', { name: /^User is active/ }))
    await clickSave(user)
    await expectText('User updated successfully')
    expect(await readUser(user_sid)).toEqual({ ...userBefore, email: 'quinn@example.org', is_active: 0 })
  })

  it('moves an account user to another account, but never to a higher scope', async () => {
    const user_sid = await addUser('rita', { account_sid: testData().accounts.acme })
    const { user } = await openForm(user_sid, 'admin')
    expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Scope' })).disabled).toBe(true)
    await selectOption(user, 'Account', 'bolt')
    await clickSave(user)
    await expectText('User updated successfully')
    expect(await readUser(user_sid)).toMatchObject({ account_sid: testData().accounts.bolt })
  })

  it('moves an administrator to an account', async () => {
    const user_sid = await addUser('sam')
    const { user } = await openForm(user_sid, 'admin')
    await selectOption(user, 'Scope', 'Account')
    await selectOption(user, 'Account', 'acme')
    await clickSave(user)
    await expectText('User updated successfully')
    expect(await readUser(user_sid)).toMatchObject({
      account_sid: testData().accounts.acme,
      service_provider_sid: testData().providers.north,
    })
  })

  it('sets a new temporary password, and refuses a weak one', async () => {
    const user_sid = await addUser('tara', { account_sid: testData().accounts.acme })
    const { user } = await openForm(user_sid, 'north')
    expect(await findField('Username')).toBeTruthy()
    expect(screen.queryByText('Password must:')).toBeNull()
    await replaceText(user, await findPasswordField(), 'weak')
    await clickSave(user)
    await expectText('Invalid password.')
    await replaceText(user, await findPasswordField(), 'Third-horse-3')
    await user.click(screen.getByRole('checkbox', { name: /^Must create a new password/ }))
    await clickSave(user)
    await expectText('User updated successfully')
    const payload = { username: 'tara', password: 'Third-horse-3' }
    const response = await backend().app.inject({ method: 'POST', url: '/v1/login', payload })
    expect(response.json()).toMatchObject({ force_change: true })
  })

  it('shows no password for a user of an external sign-in', async () => {
    const user_sid = await addUser('uma', { account_sid: testData().accounts.acme })
    await backend().services.users.update(user_sid, { provider: 'github' })
    const { user } = await openForm(user_sid, 'north')
    expect(await screen.findByText('Signs in with Github and has no password here.')).toBeTruthy()
    expect(document.querySelector('[name="initial_password"]')).toBeNull()
    await replaceText(user, await findField('Username'), 'uma two')
    await clickSave(user)
    await expectText('User updated successfully')
    expect(await readUser(user_sid)).toMatchObject({ name: 'uma two' })
  })

  it('is refused for a user of another tenant', async () => {
    const { currentPath } = await openForm(testData().users.corp, 'north')
    expect(await screen.findByText(general.noAccess)).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
  })
})
