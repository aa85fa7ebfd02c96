import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/user'
import type { User, UserRecord } from '@trunkline/contract/shapes/user'
import { describe, expect, it } from 'vitest'
import { password } from '../../server/test/world'
import { useBackend, type Person, type Screen } from './render'

const { render, ask, backend, world } = useBackend()

const secret = 'Another-horse-2'
const field = (label: string) => screen.findByRole('textbox', { name: new RegExp(`^${label}`) })
const said = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const read = (user_sid: string) => ask<UserRecord>('admin', 'GET', `/Users/${user_sid}`)
const find = async (name: string) => (await ask<User[]>('admin', 'GET', '/Users')).find((row) => row.name === name)
const edit = (user_sid: string, as: Person) => render(`/internal/users/${user_sid}/edit`, { as })

const type = async (user: Screen['user'], input: HTMLElement, text: string) => {
  await user.clear(input)
  await user.click(input)
  await user.paste(text)
}

const save = (user: Screen['user']) => user.click(screen.getByText('Save'))

describe("the user's own profile", () => {
  it('has read-only permissions, and saving keeps the session', async () => {
    const { user } = await edit(world().users.acme, 'acme')
    expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: /^User is active/ })).disabled).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^View only/ }).disabled).toBe(true)
    expect(screen.getByText(messages.ownUser.scope)).toBeTruthy()
    expect(screen.getByText(messages.ownUser.active)).toBeTruthy()
    await type(user, await field('Email'), 'acme@example.org')
    await save(user)
    await said('User updated successfully')
    expect(await read(world().users.acme)).toMatchObject({ email: 'acme@example.org', is_active: 1 })
    await ask('admin', 'PUT', `/Users/${world().users.acme}`, { email: 'acme@example.com' })
  })

  it('shows a new name in the menu', async () => {
    const { user } = await edit(world().users.acme, 'acme')
    await type(user, await field('Username'), 'renamed')
    await save(user)
    await said('User updated successfully')
    expect(await screen.findByRole('button', { name: /^renamed.*User menu$/ })).toBeTruthy()
    await ask('admin', 'PUT', `/Users/${world().users.acme}`, { name: 'acme' })
  })

  it.each<Person>(['acme', 'viewer'])('changes the password of %s, who must enter the current one', async (as) => {
    const { user_sid, name } = (await find(as))!
    const { user } = await edit(user_sid, as)
    await user.click(await screen.findByText('Change password'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }))
    const press = () => user.click(dialog.getByRole('button', { name: 'Change password' }))
    const old = dialog.getByLabelText(/^Current password/)
    const next = dialog.getByLabelText(/^New password/)
    await press()
    await said('Current password is required.')
    await said('Invalid password.')
    await waitFor(() => expect(document.activeElement).toBe(old))
    await type(user, old, 'not-this-one-1')
    await type(user, next, secret)
    await press()
    await said(messages.ownUser.wrongPassword)
    await waitFor(() => expect(document.activeElement).toBe(old))
    await type(user, old, password)
    await press()
    await said(messages.ownUser.passwordChanged)
    const login = (tried: string) =>
      backend().app.inject({ method: 'POST', url: '/v1/login', payload: { username: name, password: tried } })
    expect((await login(password)).statusCode).toBe(403)
    expect((await login(secret)).statusCode).toBe(200)
    // the session stays valid and the permissions are unchanged
    expect(await read(user_sid)).toMatchObject({ is_view_only: as === 'viewer' })
    expect(localStorage.getItem('token')).toBeTruthy()
    await ask('admin', 'PUT', `/Users/${user_sid}`, { initial_password: password })
  })

  it('is linked in the menu on every screen', async () => {
    const { user, address } = await render('/internal/applications', { as: 'acme' })
    await user.click(await screen.findByRole('button', { name: /^acme.*User menu$/ }))
    await user.click(await screen.findByRole('link', { name: 'Your profile and password', hidden: true }))
    expect(await screen.findByRole('heading', { name: 'Edit user' })).toBeTruthy()
    expect(address()).toBe(`/internal/users/${world().users.acme}/edit`)
  })

  it('deletes the user, signs out and confirms it', async () => {
    const { user, address } = await edit(world().users.bolt, 'bolt')
    await user.click(await screen.findByText('Delete'))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText(messages.ownUser.remove)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Deleted user bolt')).toBeTruthy()
    expect(await screen.findByText("You've successfully logged out.")).toBeTruthy()
    expect(address()).toBe('/')
    expect(localStorage.getItem('token')).toBeNull()
    expect(await find('bolt')).toBeUndefined()
  })
})
