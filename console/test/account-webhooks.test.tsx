import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Account } from '@trunkline/contract/shapes/account'
import { describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

const findButton = async (name: string) => (await screen.findByText(name)).closest('button')!
const typeText = (input: HTMLElement, value: string) => {
  fireEvent.change(input, { target: { value } })
  fireEvent.blur(input)
}

describe('the webhooks of an account', () => {
  it('refuse a URL with an unsupported protocol', async () => {
    const { user } = await render(`/internal/accounts/${testData().accounts.acme}/edit`, { as: 'north' })
    const webhook = await screen.findByRole('textbox', { name: 'Registration webhook' })
    fireEvent.change(webhook, { target: { value: 'acme.example.com' } })
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Enter a URL that starts with http://, https://, ws:// or wss://.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(webhook))
  })

  it.each([
    ['Registration webhook', 'registration_hook', ['POST', 'GET']],
    // the request always has a body, so POST is the only method
    ['Queue event webhook', 'queue_event_hook', ['POST']],
  ])('require both username and password for basic authentication: %s', async (name, column, methods) => {
    const { user, currentPath } = await render('/internal/accounts/add', { as: 'north' })
    typeText(await screen.findByLabelText(/^Account name/), column)
    const group = within(screen.getByRole('group', { name }))
    const method = group.getByRole('combobox', { name: 'Method' })
    await user.click(method)
    const listbox = document.getElementById(method.getAttribute('aria-controls') ?? '')!
    const options = within(listbox).getAllByRole('option', { hidden: true })
    expect(options.map(({ textContent }) => textContent)).toEqual(methods)
    await user.keyboard('{Escape}')

    typeText(group.getByLabelText(name), 'https://guarded.example.com')
    const basicAuthCheckbox = group.getByLabelText('Use HTTP basic authentication')
    await user.click(basicAuthCheckbox)
    await user.click(await findButton('Save'))
    expect(await group.findByText('Username is required.')).toBeTruthy()
    expect(group.getByText('Password is required.')).toBeTruthy()
    typeText(group.getByLabelText(/^Username/), 'guard')
    await user.click(await findButton('Save'))
    expect(await group.findByText('Password is required.')).toBeTruthy()
    expect(group.queryByText('Username is required.')).toBeNull()
    expect(currentPath()).toBe('/internal/accounts/add')
    // without authentication it saves
    await user.click(basicAuthCheckbox)
    await user.click(await findButton('Save'))
    expect(await screen.findByText('Account created successfully')).toBeTruthy()
    const createdAccount = (await requestAs<Account[]>('north', 'GET', '/Accounts')).find(
      (account) => account.name === column,
    )
    const webhook = { url: 'https://guarded.example.com', method: 'POST', username: null, password: null }
    expect(createdAccount).toMatchObject({ [column]: webhook })
  })
})
