import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Account } from '@trunkline/contract/shapes/account'
import { describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, ask, world } = useBackend()

const press = async (name: string) => (await screen.findByText(name)).closest('button')!
const type = (input: HTMLElement, value: string) => {
  fireEvent.change(input, { target: { value } })
  fireEvent.blur(input)
}

describe('the webhooks of an account', () => {
  it('refuse a URL with an unsupported protocol', async () => {
    const { user } = await render(`/internal/accounts/${world().accounts.acme}/edit`, { as: 'north' })
    const hook = await screen.findByRole('textbox', { name: 'Registration webhook' })
    fireEvent.change(hook, { target: { value: 'acme.example.com' } })
    await user.click(await press('Save'))
    expect(await screen.findByText('Enter a URL that starts with http://, https://, ws:// or wss://.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(hook))
  })

  it.each([
    ['Registration webhook', 'registration_hook', ['POST', 'GET']],
    // the request always has a body, so POST is the only method
    ['Queue event webhook', 'queue_event_hook', ['POST']],
  ])('require both username and password for basic authentication: %s', async (name, wire, methods) => {
    const { user, address } = await render('/internal/accounts/add', { as: 'north' })
    type(await screen.findByLabelText(/^Account name/), wire)
    const group = within(screen.getByRole('group', { name }))
    const method = group.getByRole('combobox', { name: 'Method' })
    await user.click(method)
    const list = document.getElementById(method.getAttribute('aria-controls') ?? '')!
    const offered = within(list).getAllByRole('option', { hidden: true })
    expect(offered.map(({ textContent }) => textContent)).toEqual(methods)
    await user.keyboard('{Escape}')

    type(group.getByLabelText(name), 'https://guarded.example.com')
    const login = group.getByLabelText('Use HTTP basic authentication')
    await user.click(login)
    await user.click(await press('Save'))
    expect(await group.findByText('Username is required.')).toBeTruthy()
    expect(group.getByText('Password is required.')).toBeTruthy()
    type(group.getByLabelText(/^Username/), 'guard')
    await user.click(await press('Save'))
    expect(await group.findByText('Password is required.')).toBeTruthy()
    expect(group.queryByText('Username is required.')).toBeNull()
    expect(address()).toBe('/internal/accounts/add')
    // without authentication it saves
    await user.click(login)
    await user.click(await press('Save'))
    expect(await screen.findByText('Account created successfully')).toBeTruthy()
    const made = (await ask<Account[]>('north', 'GET', '/Accounts')).find((each) => each.name === wire)
    const hook = { url: 'https://guarded.example.com', method: 'POST', username: null, password: null }
    expect(made).toMatchObject({ [wire]: hook })
  })
})
