import { screen, waitFor } from '@testing-library/react'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import type { UserRecord } from '@trunkline/contract/shapes/user'
import { describe, expect, it } from 'vitest'
import type { EmailMessage } from '../../server/src/ports/mail'
import { password } from '../../server/test/world'
import { useBackend } from './render'

const letters: EmailMessage[] = []
const mail = {
  send: (letter: EmailMessage) => {
    letters.push(letter)
    return Promise.resolve()
  },
  close: () => undefined,
}
const features = { forgotPassword: true }
const { render, ask, backend, world } = useBackend({ features: { ...defaultFeatureFlags, ...features } }, { mail })

const linksTo = (email: string) =>
  letters.filter(({ to }) => to === email).map(({ text }) => /\/confirm-email\/\S+/.exec(text)?.[0] ?? '')

describe('a changed email address', () => {
  it('is shown as unconfirmed until the link and the password confirm it', async () => {
    const address = `/internal/users/${world().users.acme}/edit`
    const { user, go } = await render(address, { as: 'acme', features })
    const field = await screen.findByRole('textbox', { name: /^Email/ })
    await user.clear(field)
    await user.type(field, 'new@example.com')
    await user.click(screen.getByText('Save'))
    expect(await screen.findByText(/Open the link that was sent to new@example.com/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Send the link again' }))
    expect(await screen.findByText('The link was sent again. Please check your inbox.')).toBeTruthy()
    await waitFor(() => expect(linksTo('new@example.com')).toHaveLength(2))

    await go(linksTo('new@example.com')[1]!)
    const secret = await screen.findByLabelText('Password')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Password is required.')).toBeTruthy()
    await user.type(secret, 'wrong')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('The password is incorrect.')).toBeTruthy()
    await user.clear(secret)
    await user.type(secret, password)
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Your email address is confirmed.')).toBeTruthy()
    expect(await ask<UserRecord>('admin', 'GET', `/Users/${world().users.acme}`)).toMatchObject({
      email: 'new@example.com',
      pending_email: null,
    })
  })

  it('shows that a used link is no longer valid', async () => {
    await backend().services.outbox.drain()
    const { user } = await render(linksTo('new@example.com')[1]!, { features })
    await user.type(await screen.findByLabelText('Password'), password)
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('This link has expired or was already used.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to log in' })).toBeTruthy()
  })
})

describe('a user without an email address', () => {
  const signIn = async (name: string) => {
    const drawn = await render('/', { features })
    await drawn.user.type(await screen.findByLabelText('Username'), name)
    await drawn.user.type(screen.getByLabelText('Password'), password)
    await drawn.user.click(screen.getByRole('button', { name: 'Log in' }))
    return drawn
  }
  const set = (name: string, values: object) =>
    backend().database.db.updateTable('users').set(values).where('name', '=', name).execute()

  it('is asked for one after the sign-in, and can skip the question', async () => {
    await set('admin', { email: 'joe@foo.bar' })
    const { user, address } = await signIn('admin')
    await screen.findByRole('heading', { name: 'Add your email' })
    await user.click(screen.getByRole('button', { name: 'Skip for now' }))
    await screen.findByRole('heading', { name: 'Accounts' })
    expect(address()).toBe('/internal/accounts')
  })

  it('is asked after the forced password change, and receives a confirmation link', async () => {
    await set('admin', { email: '', force_change: 1 })
    const { user, address } = await signIn('admin')
    await user.type(await screen.findByLabelText('New password'), 'Another-horse-2')
    await user.type(screen.getByLabelText('Confirm password'), 'Another-horse-2')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const field = await screen.findByLabelText('Email')
    await user.type(field, 'nonsense')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter an email address, such as name@example.com.')).toBeTruthy()
    await user.clear(field)
    await user.type(field, 'admin@example.org')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Open the link that was sent to admin@example.org to confirm it.')).toBeTruthy()
    expect(address()).toBe('/internal/accounts')
    await waitFor(() => expect(linksTo('admin@example.org')).toHaveLength(1))
  })
})
