import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EmailMessage } from '../../server/src/ports/mail'
import { password } from '../../server/test/test-data'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'

const emails: EmailMessage[] = []
const mail = {
  send: (email: EmailMessage) => {
    emails.push(email)
    return Promise.resolve()
  },
  close: () => undefined,
}
const features = { forgotPassword: true }
const { render, requestAs, backend } = useBackend({ features: { ...defaultFeatureFlags, ...features } }, { mail })

const emailSentMessage =
  'A password reset email has been sent to your email. Please check your inbox (and, possibly, spam folder) and follow the instructions to reset your password.'

const requestResetPath = async (name: string) => {
  const countBefore = emails.length
  await backend().app.inject({
    method: 'POST',
    url: '/v1/forgot-password',
    payload: { email: `${name}@example.com` },
  })
  await waitFor(() => expect(emails.length).toBeGreaterThan(countBefore))
  return /\/reset-password\/\S+/.exec(emails.at(-1)!.text)![0]
}
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name })
const clickSave = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Set new password' }))

afterEach(() => vi.restoreAllMocks())

describe('the forgotten-password screens', () => {
  it('are offered only if the server can send email', async () => {
    await render('/')
    await findTitle('Log in')
    expect(screen.queryByRole('link', { name: 'Forgot Password' })).toBeNull()
    await render('/forgot-password')
    await findTitle("That page doesn't exist.")
    await render('/reset-password/1111111111111111111111')
    await findTitle("That page doesn't exist.")
  })

  it('send a reset email', async () => {
    const { user, currentPath } = await render('/', { features })
    await user.click(await screen.findByRole('link', { name: 'Forgot Password' }))
    expect(currentPath()).toBe('/forgot-password')
    await findTitle('Forgot password')
    const emailField = screen.getByLabelText('Email')
    await user.type(emailField, 'nobody')
    await user.click(screen.getByRole('button', { name: 'Send email' }))
    expect(await screen.findByText('invalid or missing email')).toBeTruthy()
    expect(document.activeElement).toBe(emailField)
    await user.clear(emailField)
    await user.type(emailField, ' bolt@example.com ')
    await user.click(screen.getByRole('button', { name: 'Send email' }))
    expect(await screen.findByText(emailSentMessage)).toBeTruthy()
    expect(screen.queryByText('invalid or missing email')).toBeNull()
    await waitFor(() => expect(emails.map(({ to }) => to)).toEqual(['bolt@example.com']))
  })

  it('show that the server cannot be reached, and stay', async () => {
    const { user, currentPath } = await render('/forgot-password', {
      features: { ...features, apiBaseUrl: 'http://127.0.0.1:9' },
    })
    await findTitle('Forgot password')
    await user.type(screen.getByLabelText('Email'), 'bolt@example.com')
    await user.click(screen.getByRole('button', { name: 'Send email' }))
    expect(await screen.findByText('The server cannot be reached')).toBeTruthy()
    expect(currentPath()).toBe('/forgot-password')
  })
})

describe('a password reset link', () => {
  it('sets a new password and returns to the sign-in page, even if another user is signed in', async () => {
    await requestAs('admin', 'POST', '/PasswordSettings', { min_password_length: 9, require_digit: 1 })
    const path = await requestResetPath('acme')
    const { user, currentPath } = await render(path, { features, as: 'north' })
    const storedToken = localStorage.getItem('token')
    const newPasswordField = await screen.findByLabelText('New password')
    expect(await screen.findByText('Be at least 9 characters long')).toBeTruthy()
    expect(screen.getByText('Contain at least one number')).toBeTruthy()
    await user.type(newPasswordField, 'sevens')
    await clickSave(user)
    expect(screen.getByText('The password must be at least 7 characters long.')).toBeTruthy()
    // the server requires a longer password
    await user.type(newPasswordField, '!')
    await clickSave(user)
    expect(screen.getByText('Be at least 9 characters long').closest('[id$="-error"]')).toBeTruthy()
    await user.clear(newPasswordField)
    await user.type(newPasswordField, 'short-Enough-1')
    await user.type(screen.getByLabelText('Confirm password'), 'other')
    await clickSave(user)
    expect(
      screen.getByText(
        'The confirmation password does not match the new password. Please ensure both passwords are identical.',
      ),
    ).toBeTruthy()
    expect(localStorage.getItem('token')).toBe(storedToken)
    await user.clear(screen.getByLabelText('Confirm password'))
    await user.type(screen.getByLabelText('Confirm password'), 'short-Enough-1')
    await clickSave(user)
    expect(await screen.findByText('New password was successfully set.')).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(localStorage.getItem('token')).toBeNull()
    await user.type(screen.getByLabelText('Username'), 'acme')
    await user.type(screen.getByLabelText('Password'), 'short-Enough-1')
    await user.click(screen.getByRole('button', { name: 'Log in' }))
    await waitFor(() => expect(currentPath()).toMatch(/^\/internal\/accounts\//))

    await render(path, { features })
    expect(await screen.findByText('This link has expired or was already used.')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'This link no longer works' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Request a new link' }).getAttribute('href')).toBe('/forgot-password')
  })

  it('warns of a password without a letter, and accepts it', async () => {
    await requestAs('admin', 'POST', '/PasswordSettings', { min_password_length: 8, require_digit: 0 })
    const { user, currentPath } = await render(await requestResetPath('bolt'), { features })
    await user.type(await screen.findByLabelText('New password'), '7391-5820-4416')
    expect(screen.queryByText('Password must contain a letter.')).toBeNull()
    await user.type(screen.getByLabelText('Confirm password'), '7391-5820-4416')
    expect(screen.getByText('Password must contain a letter.').closest('[role=status]')).toBeTruthy()
    await clickSave(user)
    expect(await screen.findByText('New password was successfully set.')).toBeTruthy()
    expect(currentPath()).toBe('/')
  })

  it('shows the error if the server refuses a common password', async () => {
    const { user } = await render(await requestResetPath('south'), { features })
    const newPasswordField = await screen.findByLabelText('New password')
    await user.type(newPasswordField, 'password123')
    await user.type(screen.getByLabelText('Confirm password'), 'password123')
    await clickSave(user)
    expect(await screen.findByText('This password is too common. Choose one that is harder to guess.')).toBeTruthy()
    expect(document.activeElement).toBe(newPasswordField)
  })

  it('shows an error if it expires while the page is open', async () => {
    const { user } = await render(await requestResetPath('corp'), { features })
    const newPasswordField = await screen.findByLabelText('New password')
    await requestAs('corp', 'PUT', `/Users/${backend().testData.users.corp}`, {
      old_password: password,
      new_password: 'Faster-than-2',
    })
    await user.type(newPasswordField, 'Slower-than-1')
    await user.type(screen.getByLabelText('Confirm password'), 'Slower-than-1')
    await clickSave(user)
    expect(await screen.findByText('This link has expired or was already used.')).toBeTruthy()
  })

  it('can be retried if the server did not respond', async () => {
    const path = await requestResetPath('south')
    const send = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
      requestUrl(input).endsWith('/signin') ? Promise.reject(new TypeError('no connection')) : send(input, init),
    )
    const { user } = await render(path, { features })
    expect(await screen.findByText('The server cannot be reached')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('The server cannot be reached')).toBeTruthy()
    vi.restoreAllMocks()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText('New password')).toBeTruthy()
    expect(screen.queryByText('The server cannot be reached')).toBeNull()
  })
})
