import { screen, waitFor } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { describe, expect, it } from 'vitest'
import { useBackend } from './render'

const { ask, render, world } = useBackend()

const form = async (what: string) => {
  expect(await screen.findByText(messages.mayNotChange(what))).toBeTruthy()
  return screen.findByRole('form')
}

/** Inputs that would take a change. */
const open = (element: HTMLElement) =>
  [...element.querySelectorAll<HTMLInputElement>('input:not([type="hidden"]), textarea')].filter(
    (input) => !input.readOnly && !input.disabled,
  )

const edits: [string, () => string][] = [
  ['Account', () => `/internal/accounts/${world().accounts.acme}/edit`],
  ['User', () => `/internal/users/${world().users.acme}/edit`],
  ['Application', () => `/internal/applications/${world().acme.application}/edit`],
  ['Carrier', () => `/internal/carriers/${world().acme.voip_carrier}/edit`],
  ['Phone number', () => `/internal/phone-numbers/${world().acme.phone_number}/edit`],
]

describe('who may look only', () => {
  it.each(edits)('sees the form of what is there without being able to change it: %s', async (what, path) => {
    await render(path(), { as: 'viewer' })
    const shown = await form(what)
    expect(shown.querySelectorAll('input').length).toBeGreaterThan(0)
    expect(open(shown)).toEqual([])
    expect(screen.getByText<HTMLButtonElement>('Save').disabled).toBe(true)
    expect(screen.queryByText('Delete')).toBeNull()
  })

  it('sees that there are API keys, and cannot take one along', async () => {
    const account_sid = world().accounts.acme
    const { token } = await ask<{ token: string }>('account', 'POST', '/ApiKeys', { account_sid })
    await render(`/internal/accounts/${account_sid}/edit`, { as: 'viewer' })
    expect(await screen.findByText(`••••••••••••${token.slice(-4)}`)).toBeTruthy()
    expect(screen.queryByLabelText(/^(Show|Copy|Delete) key ending in/)).toBeNull()
  })

  it.each(['users', 'applications', 'carriers', 'phone-numbers', 'accounts'])(
    'is led away from adding: %s',
    async (area) => {
      const { address } = await render(`/internal/${area}/add`, { as: 'viewer' })
      expect(await screen.findByText(messages.noAccess)).toBeTruthy()
      await waitFor(() => expect(address()).toBe(`/internal/accounts/${world().accounts.acme}/edit`))
    },
  )

  it('is offered nothing to add in a list', async () => {
    await render('/internal/applications', { as: 'viewer' })
    expect(await screen.findByText('acme app')).toBeTruthy()
    expect(screen.queryByText(/^Add /)).toBeNull()
  })
})
