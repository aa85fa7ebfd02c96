import { screen, waitFor } from '@testing-library/react'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import type { UserRecord } from '@trunkline/contract/shapes/user'
import { describe, expect, it } from 'vitest'
import type { EmailMessage } from '../../server/src/ports/mail'
import { password } from '../../server/test/test-data'
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
const { render, requestAs, backend, testData } = useBackend(
  { features: { ...defaultFeatureFlags, ...features } },
  { mail },
)

const confirmationPathsOf = (email: string) =>
  emails.filter(({ to }) => to === email).map(({ text }) => /\/confirm-email\/\S+/.exec(text)?.[0] ?? '')

describe('a changed email address', () => {
  it('is shown as unconfirmed until the link and the password confirm it', async () => {
    const editPath = `/internal/users/${testData().users.acme}/edit`
    const { user, navigate } = await render(editPath, { as: 'acme', features })
    const emailField = await screen.findByRole('textbox', { name: /^Email/ })
    await user.clear(emailField)
    await user.type(emailField, 'new@example.com')
    await user.click(screen.getByText('Save'))
    expect(await screen.findByText(/Open the link that was sent to new@example.com/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Send the link again' }))
    expect(await screen.findByText('The link was sent again. Please check your inbox.')).toBeTruthy()
    await waitFor(() => expect(confirmationPathsOf('new@example.com')).toHaveLength(2))

    await navigate(confirmationPathsOf('new@example.com')[1]!)
    const passwordField = await screen.findByLabelText('Password')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Password is required.')).toBeTruthy()
    await user.type(passwordField, 'wrong')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('The password is incorrect.')).toBeTruthy()
    await user.clear(passwordField)
    await user.type(passwordField, password)
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Your email address is confirmed.')).toBeTruthy()
    expect(await requestAs<UserRecord>('admin', 'GET', `/Users/${testData().users.acme}`)).toMatchObject({
      email: 'new@example.com',
      pending_email: null,
    })
  })

  it('shows that a used link is no longer valid', async () => {
    await backend().services.outbox.drain()
    const { user } = await render(confirmationPathsOf('new@example.com')[1]!, { features })
    await user.type(await screen.findByLabelText('Password'), password)
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('This link has expired or was already used.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to log in' })).toBeTruthy()
  })
})

describe('a user without an email address', () => {
  const signIn = async (name: string) => {
    const rendered = await render('/', { features })
    await rendered.user.type(await screen.findByLabelText('Username'), name)
    await rendered.user.type(screen.getByLabelText('Password'), password)
    await rendered.user.click(screen.getByRole('button', { name: 'Log in' }))
    return rendered
  }
  const updateUser = (name: string, values: object) =>
    backend().database.db.updateTable('users').set(values).where('name', '=', name).execute()

  it('is asked for one after the sign-in, and can skip the question', async () => {
    await updateUser('admin', { email: 'joe@foo.bar' })
    const { user, currentPath } = await signIn('admin')
    await screen.findByRole('heading', { name: 'Add your email' })
    await user.click(screen.getByRole('button', { name: 'Skip for now' }))
    await screen.findByRole('heading', { name: /^Accounts/ })
    expect(currentPath()).toBe('/internal/accounts')
  })

  it('is asked after the forced password change, and receives a confirmation link', async () => {
    await updateUser('admin', { email: '', force_change: 1 })
    const { user, currentPath } = await signIn('admin')
    await user.type(await screen.findByLabelText('New password'), 'Another-horse-2')
    await user.type(screen.getByLabelText('Confirm password'), 'Another-horse-2')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const emailField = await screen.findByLabelText('Email')
    await user.type(emailField, 'nonsense')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Enter an email address, such as name@example.com.')).toBeTruthy()
    await user.clear(emailField)
    await user.type(emailField, 'admin@example.org')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(
      await screen.findByText('To confirm this address, open the link that was sent to admin@example.org.'),
    ).toBeTruthy()
    expect(currentPath()).toBe('/internal/accounts')
    await waitFor(() => expect(confirmationPathsOf('admin@example.org')).toHaveLength(1))
  })

  it('is confirmed in the hosted edition even without password reset, and not elsewhere', async () => {
    await render('/confirm-email/unknown', { features: { hosted: true, forgotPassword: false } })
    expect(await screen.findByText('Enter your password to confirm this email address.')).toBeTruthy()
    await render('/confirm-email/unknown', { features: { forgotPassword: false } })
    expect(await screen.findByText("That page doesn't exist.")).toBeTruthy()
  })
})
