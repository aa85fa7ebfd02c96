import { screen, waitFor } from '@testing-library/react'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
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
const { render, ask, backend } = useBackend({ features: { ...defaultFeatureFlags, ...features } }, { mail })

const emailSentMessage =
  'A password reset email has been sent to your email. Please check your inbox (and, possibly, spam folder) and follow the instructions to reset your password.'

const pageOf = async (name: string) => {
  const countBefore = letters.length
  await backend().app.inject({
    method: 'POST',
    url: '/v1/forgot-password',
    payload: { email: `${name}@example.com` },
  })
  await waitFor(() => expect(letters.length).toBeGreaterThan(countBefore))
  return /\/reset-password\/\S+/.exec(letters.at(-1)!.text)![0]
}
const title = (name: string) => screen.findByRole('heading', { level: 1, name })
const save = (user: Awaited<ReturnType<typeof render>>['user']) =>
  user.click(screen.getByRole('button', { name: 'Save' }))

describe('the forgotten-password screens', () => {
  it('are offered only if the server can send email', async () => {
    await render('/')
    await title('Log in')
    expect(screen.queryByRole('link', { name: 'Forgot password' })).toBeNull()
    await render('/forgot-password')
    await title("That page doesn't exist.")
    await render('/reset-password/1111111111111111111111')
    await waitFor(() => expect(screen.getAllByRole('heading', { name: "That page doesn't exist." })).toHaveLength(2))
  })

  it('send a reset email', async () => {
    const { user, address } = await render('/', { features })
    await user.click(await screen.findByRole('link', { name: 'Forgot password' }))
    expect(address()).toBe('/forgot-password')
    await title('Forgot password')
    const field = screen.getByLabelText('Email')
    await user.type(field, 'nobody')
    await user.click(screen.getByRole('button', { name: 'Send email' }))
    expect(await screen.findByText('invalid or missing email')).toBeTruthy()
    expect(document.activeElement).toBe(field)
    await user.clear(field)
    await user.type(field, ' bolt@example.com ')
    await user.click(screen.getByRole('button', { name: 'Send email' }))
    expect(await screen.findByText(emailSentMessage)).toBeTruthy()
    expect(screen.queryByText('invalid or missing email')).toBeNull()
    await waitFor(() => expect(letters.map(({ to }) => to)).toEqual(['bolt@example.com']))
  })

  it('show that the server cannot be reached, and stay', async () => {
    const { user, address } = await render('/forgot-password', {
      features: { ...features, apiBaseUrl: 'http://127.0.0.1:9' },
    })
    await title('Forgot password')
    await user.type(screen.getByLabelText('Email'), 'bolt@example.com')
    await user.click(screen.getByRole('button', { name: 'Send email' }))
    expect(await screen.findByText('The server cannot be reached')).toBeTruthy()
    expect(address()).toBe('/forgot-password')
  })
})

describe('a password reset link', () => {
  it('sets a new password and returns to the sign-in page, even if another user is signed in', async () => {
    await ask('admin', 'POST', '/PasswordSettings', { min_password_length: 9, require_digit: 1 })
    const path = await pageOf('acme')
    const { user, address } = await render(path, { features, as: 'north' })
    const storedToken = localStorage.getItem('token')
    const newPasswordField = await screen.findByLabelText('New password')
    expect(await screen.findByText('Be at least 9 characters long')).toBeTruthy()
    expect(screen.getByText('Contain at least one number')).toBeTruthy()
    await user.type(newPasswordField, 'sevens')
    await save(user)
    expect(screen.getByText('The password must be at least 7 characters long.')).toBeTruthy()
    // the server requires a longer password
    await user.type(newPasswordField, '!')
    await save(user)
    expect(screen.getByText(/^Password must: Be at least 9 characters long, Contain/)).toBeTruthy()
    await user.clear(newPasswordField)
    await user.type(newPasswordField, 'short-Enough-1')
    await user.type(screen.getByLabelText('Confirm password'), 'other')
    await save(user)
    expect(
      screen.getByText(
        'The confirmation password does not match the new password. Please ensure both passwords are identical.',
      ),
    ).toBeTruthy()
    expect(localStorage.getItem('token')).toBe(storedToken)
    await user.clear(screen.getByLabelText('Confirm password'))
    await user.type(screen.getByLabelText('Confirm password'), 'short-Enough-1')
    await save(user)
    expect(await screen.findByText('New password was successfully set.')).toBeTruthy()
    expect(address()).toBe('/')
    expect(localStorage.getItem('token')).toBeNull()
    await user.type(screen.getByLabelText('Username'), 'acme')
    await user.type(screen.getByLabelText('Password'), 'short-Enough-1')
    await user.click(screen.getByRole('button', { name: 'Log in' }))
    await waitFor(() => expect(address()).toMatch(/^\/internal\/accounts\//))

    await render(path, { features })
    expect(await screen.findByText('This link has expired or was already used.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Request a new link' }).getAttribute('href')).toBe('/forgot-password')
  })

  it('warns of a password without a letter, and accepts it', async () => {
    await ask('admin', 'POST', '/PasswordSettings', { min_password_length: 8, require_digit: 0 })
    const { user, address } = await render(await pageOf('bolt'), { features })
    await user.type(await screen.findByLabelText('New password'), '7391-5820-4416')
    expect(screen.queryByText('Password must contain a letter.')).toBeNull()
    await user.type(screen.getByLabelText('Confirm password'), '7391-5820-4416')
    expect(screen.getByText('Password must contain a letter.').closest('[role=status]')).toBeTruthy()
    await save(user)
    expect(await screen.findByText('New password was successfully set.')).toBeTruthy()
    expect(address()).toBe('/')
  })

  it('shows the error if the server refuses a common password', async () => {
    const { user } = await render(await pageOf('south'), { features })
    const newPasswordField = await screen.findByLabelText('New password')
    await user.type(newPasswordField, 'password123')
    await user.type(screen.getByLabelText('Confirm password'), 'password123')
    await save(user)
    expect(await screen.findByText('This password is too common. Choose one that is harder to guess.')).toBeTruthy()
    expect(document.activeElement).toBe(newPasswordField)
  })

  it('shows an error if it expires while the page is open', async () => {
    const { user } = await render(await pageOf('corp'), { features })
    const newPasswordField = await screen.findByLabelText('New password')
    await ask('corp', 'PUT', `/Users/${backend().world.users.corp}`, {
      old_password: password,
      new_password: 'Faster-than-2',
    })
    await user.type(newPasswordField, 'Slower-than-1')
    await user.type(screen.getByLabelText('Confirm password'), 'Slower-than-1')
    await save(user)
    expect(await screen.findByText('This link has expired or was already used.')).toBeTruthy()
  })

  it('can be retried if the server did not respond', async () => {
    const path = await pageOf('south')
    const { user } = await render(path, { features: { ...features, apiBaseUrl: 'http://127.0.0.1:9' } })
    expect(await screen.findByText('The server cannot be reached')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('The server cannot be reached')).toBeTruthy()
  })
})
