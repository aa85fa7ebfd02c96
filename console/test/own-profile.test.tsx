import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { messages } from '@trunkline/contract/messages/user'
import type { User, UserRecord } from '@trunkline/contract/shapes/user'
import { describe, expect, it } from 'vitest'
import { password } from '../../server/test/test-data'
import { useBackend, type TestUser } from './render'

const { render, requestAs, backend, testData } = useBackend()

const newPassword = 'Another-horse-2'
const findField = (label: string) => screen.findByRole('textbox', { name: new RegExp(`^${label}`) })
const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const readUser = (user_sid: string) => requestAs<UserRecord>('admin', 'GET', `/Users/${user_sid}`)
const findUser = async (name: string) =>
  (await requestAs<User[]>('admin', 'GET', '/Users')).find((row) => row.name === name)
const openForm = (user_sid: string, as: TestUser) => render(`/internal/users/${user_sid}/edit`, { as })

const replaceText = async (user: UserEvent, input: HTMLElement, text: string) => {
  await user.clear(input)
  await user.click(input)
  await user.paste(text)
}

const clickSave = (user: UserEvent) => user.click(screen.getByText('Save'))

describe("the user's own profile", () => {
  it('has read-only permissions, and saving keeps the session', async () => {
    const { user } = await openForm(testData().users.acme, 'acme')
    expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: /^User is active/ })).disabled).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^View only/ }).disabled).toBe(true)
    expect(screen.getByText(messages.ownUser.scope)).toBeTruthy()
    expect(screen.getByText(messages.ownUser.active)).toBeTruthy()
    await replaceText(user, await findField('Email'), 'acme@example.org')
    await clickSave(user)
    await expectText('User updated successfully')
    expect(await readUser(testData().users.acme)).toMatchObject({ email: 'acme@example.org', is_active: 1 })
    await requestAs('admin', 'PUT', `/Users/${testData().users.acme}`, { email: 'acme@example.com' })
  })

  it('shows a new name in the menu', async () => {
    const { user } = await openForm(testData().users.acme, 'acme')
    await replaceText(user, await findField('Username'), 'renamed')
    await clickSave(user)
    await expectText('User updated successfully')
    expect(await screen.findByRole('button', { name: /^renamed.*User menu$/ })).toBeTruthy()
    await requestAs('admin', 'PUT', `/Users/${testData().users.acme}`, { name: 'acme' })
  })

  it.each<TestUser>(['acme', 'viewer'])('changes the password of %s, who must enter the current one', async (as) => {
    const { user_sid, name } = (await findUser(as))!
    const { user } = await openForm(user_sid, as)
    await user.click(await screen.findByText('Change password'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }))
    const submit = () => user.click(dialog.getByRole('button', { name: 'Change password' }))
    const currentPasswordField = dialog.getByLabelText(/^Current password/)
    const newPasswordField = dialog.getByLabelText(/^New password/)
    await submit()
    await expectText('Current password is required.')
    await expectText('Invalid password.')
    await waitFor(() => expect(document.activeElement).toBe(currentPasswordField))
    await replaceText(user, currentPasswordField, 'not-this-one-1')
    await replaceText(user, newPasswordField, newPassword)
    await submit()
    await expectText(messages.ownUser.wrongPassword)
    await waitFor(() => expect(document.activeElement).toBe(currentPasswordField))
    await replaceText(user, currentPasswordField, password)
    await submit()
    await expectText(messages.ownUser.passwordChanged)
    const signIn = (triedPassword: string) =>
      backend().app.inject({ method: 'POST', url: '/v1/login', payload: { username: name, password: triedPassword } })
    expect((await signIn(password)).statusCode).toBe(403)
    expect((await signIn(newPassword)).statusCode).toBe(200)
    // the session stays valid and the permissions are unchanged
    expect(await readUser(user_sid)).toMatchObject({ is_view_only: as === 'viewer' })
    expect(localStorage.getItem('token')).toBeTruthy()
    await requestAs('admin', 'PUT', `/Users/${user_sid}`, { initial_password: password })
  })

  it('is linked in the menu on every screen', async () => {
    const { user, currentPath } = await render('/internal/applications', { as: 'acme' })
    await user.click(await screen.findByRole('button', { name: /^acme .*User menu$/ }))
    await user.click(await screen.findByRole('link', { name: 'Profile and password', hidden: true }))
    expect(await screen.findByRole('heading', { name: 'Edit user' })).toBeTruthy()
    expect(currentPath()).toBe(`/internal/users/${testData().users.acme}/edit`)
  })

  it('deletes the user, signs out and confirms it', async () => {
    const { user, currentPath } = await openForm(testData().users.bolt, 'bolt')
    await user.click(await screen.findByText('Delete'))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText(messages.ownUser.remove)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted user bolt')).toBeTruthy()
    expect(await screen.findByText("You've successfully logged out.")).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(localStorage.getItem('token')).toBeNull()
    expect(await findUser('bolt')).toBeUndefined()
  })
})
