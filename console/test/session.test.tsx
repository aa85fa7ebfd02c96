import { cleanup, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { password } from '../../server/test/test-data'
import { getFeatureFlags, setFeatureFlags } from '../src/lib/feature-flags'
import { useBackend } from './render'

const { render, backend, testData } = useBackend()

const logIn = async (user: UserEvent, name: string, userPassword = password) => {
  await user.type(await screen.findByLabelText('Username'), name)
  await user.type(screen.getByLabelText('Password'), userPassword)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
}

describe('signing in', () => {
  it('opens the accounts for administrators and provider users', async () => {
    const { user, currentPath } = await render('/')
    await logIn(user, 'north')
    expect(await screen.findByRole('heading', { level: 1, name: /Accounts/ })).toBeTruthy()
    expect(currentPath()).toBe('/internal/accounts')
  })

  it('shows the scope beside the name, unless both are the same text', async () => {
    await render('/internal/accounts', { as: 'provider' })
    expect(await screen.findByRole('button', { name: 'north Service provider User menu' })).toBeTruthy()
    cleanup()
    await render('/internal/accounts', { as: 'admin' })
    expect(await screen.findByRole('button', { name: 'admin User menu' })).toBeTruthy()
  })

  it('opens their own account for account users', async () => {
    const { user, currentPath } = await render('/')
    await logIn(user, 'acme')
    await waitFor(() => expect(currentPath()).toBe(`/internal/accounts/${testData().accounts.acme}/edit`))
  })

  it('shows that the credentials are wrong, and stays', async () => {
    const { user, currentPath } = await render('/')
    await logIn(user, 'north', 'wrong')
    expect(await screen.findByText('Login credentials are incorrect')).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(localStorage.getItem('token')).toBeNull()
  })

  it('shows that the server cannot be reached', async () => {
    const { user } = await render('/', { features: { apiBaseUrl: 'http://127.0.0.1:9' } })
    await logIn(user, 'north')
    expect(await screen.findByText('The server cannot be reached')).toBeTruthy()
  })

  it('requires a new password if the server demands it', async () => {
    await backend().database.db.updateTable('users').set({ force_change: 1 }).where('name', '=', 'bolt').execute()
    const { user, currentPath } = await render('/')
    await logIn(user, 'bolt')
    await user.type(await screen.findByLabelText('New password'), 'short')
    await user.type(screen.getByLabelText('Confirm password'), 'other')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(screen.getByText('Password must: Be at least 8 characters long')).toBeTruthy()
    await user.type(screen.getByLabelText('New password'), '-Enough-1')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(screen.getByText('Passwords do not match')).toBeTruthy()
    await user.clear(screen.getByLabelText('Confirm password'))
    await user.type(screen.getByLabelText('Confirm password'), 'short-Enough-1')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(currentPath()).toBe('/internal/applications'))
    expect(sessionStorage.getItem('old-password')).toBeNull()
  })

  it('does not ask for a new password because another user of this tab had to set one', async () => {
    sessionStorage.setItem('old-password', 'temporary')
    sessionStorage.setItem('user-sid', testData().users.bolt)
    sessionStorage.setItem('after-email', '/create-password')
    const { user, currentPath } = await render('/')
    await logIn(user, 'north')
    await waitFor(() => expect(currentPath()).toBe('/internal/accounts'))
    expect(sessionStorage.getItem('old-password')).toBeNull()
    expect(sessionStorage.getItem('user-sid')).toBeNull()
    expect(sessionStorage.getItem('after-email')).toBeNull()
  })
})

describe('the forced password change', () => {
  const storeForcedChange = () => {
    sessionStorage.setItem('old-password', 'temporary')
    sessionStorage.setItem('user-sid', testData().users.acme)
  }

  it.each(['/internal/applications', '/internal/phone-numbers/add', '/internal/recent-calls', '/'])(
    'redirects %s to it',
    async (path) => {
      storeForcedChange()
      const { currentPath } = await render(path, { as: 'account' })
      expect(await screen.findByLabelText('New password')).toBeTruthy()
      expect(currentPath()).toBe('/create-password')
    },
  )

  it('lets the user sign out instead', async () => {
    storeForcedChange()
    const { currentPath, user } = await render('/internal/applications', { as: 'account' })
    expect(await screen.findByLabelText('New password')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Sign out', hidden: true }))
    expect(await screen.findByText("You've successfully logged out.")).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(sessionStorage.getItem('old-password')).toBeNull()
  })

  it('requires a session', async () => {
    const { currentPath } = await render('/create-password')
    expect(await screen.findByText('You must log in to view that page')).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(screen.queryByText('Your session has expired. Please log in and try again.')).toBeNull()
  })

  it('shows that the session has expired before anything is typed', async () => {
    sessionStorage.setItem('old-password', 'temporary')
    sessionStorage.setItem('user-sid', testData().users.south)
    const payload = { username: 'south', password }
    const { token } = (await backend().app.inject({ method: 'POST', url: '/v1/login', payload })).json<{
      token: string
    }>()
    localStorage.setItem('token', token)
    await backend()
      .database.db.deleteFrom('trunkline_sessions')
      .where('user_sid', '=', testData().users.south)
      .execute()
    const { currentPath } = await render('/create-password')
    expect(await screen.findByText('Your session has expired. Please log in and try again.')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe('/'))
    expect(localStorage.getItem('token')).toBeNull()
    expect(sessionStorage.getItem('old-password')).toBeNull()
  })

  it("shows the server's refusal at its field", async () => {
    await backend().database.db.updateTable('users').set({ force_change: 1 }).where('name', '=', 'corp').execute()
    const { user } = await render('/')
    await logIn(user, 'corp')
    const passwordField = await screen.findByLabelText('New password')
    await user.type(passwordField, password)
    await user.type(screen.getByLabelText('Confirm password'), password)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('new password cannot be your old password')).toBeTruthy()
    expect(passwordField.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(passwordField)
  })
})

describe('the end of a session', () => {
  it('signs out, clears the storage and confirms it', async () => {
    const { user, currentPath } = await render('/internal/accounts', { as: 'admin' })
    localStorage.setItem('accountFilter', 'x')
    await user.click(await screen.findByRole('button', { name: 'Sign out', hidden: true }))
    expect(await screen.findByText("You've successfully logged out.")).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('accountFilter')).toBeNull()
  })

  it('returns to the sign-in page when the token is no longer valid', async () => {
    const { currentPath } = await render('/internal/accounts', { as: 'south' })
    await screen.findByRole('row', { name: /corp/ })
    localStorage.setItem('token', `${localStorage.getItem('token')}x`)
    screen.getByRole('button', { name: 'Refresh' }).click()
    expect(await screen.findByText('Your session has expired. Please log in and try again.')).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(localStorage.getItem('token')).toBeNull()
  })

  it('signs out even if the server does not respond', async () => {
    const { user, currentPath } = await render('/internal/accounts', { as: 'provider' })
    await screen.findByRole('link', { name: 'Edit acme' })
    setFeatureFlags({ ...getFeatureFlags(), apiBaseUrl: 'http://127.0.0.1:9' })
    localStorage.setItem('queryFilter', 'x')
    sessionStorage.setItem('old-password', 'x')
    await user.click(screen.getByRole('button', { name: 'Sign out', hidden: true }))
    expect(await screen.findByText("You've successfully logged out.")).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(localStorage).toHaveLength(0)
    expect(sessionStorage).toHaveLength(0)
  })

  it('clears the storage if the server no longer responds', async () => {
    const { currentPath } = await render('/internal/accounts', { as: 'south' })
    await screen.findByRole('row', { name: /corp/ })
    localStorage.setItem('queryFilter', 'x')
    setFeatureFlags({ ...getFeatureFlags(), apiBaseUrl: 'http://127.0.0.1:9' })
    screen.getByRole('button', { name: 'Refresh' }).click()
    expect(await screen.findByText('The server cannot be reached')).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(localStorage).toHaveLength(0)
    expect(sessionStorage).toHaveLength(0)
  })

  it.each([
    ['succeeds', password],
    ['fails', 'wrong'],
  ])('a sign-in that %s clears a pending OAuth sign-in', async (_, enteredPassword) => {
    localStorage.setItem('oauth-state', 'x')
    localStorage.setItem('location-before-oauth', '/x')
    const { user } = await render('/')
    await logIn(user, 'north', enteredPassword)
    await waitFor(() => expect(localStorage.getItem('oauth-state')).toBeNull())
    expect(localStorage.getItem('location-before-oauth')).toBeNull()
  })

  it('redirects users without a session to the sign-in page', async () => {
    const { currentPath } = await render('/internal/accounts')
    expect(await screen.findByText('You must log in to view that page')).toBeTruthy()
    expect(currentPath()).toBe('/')
  })
})

describe("values in the browser's storage", () => {
  const storedProvider = () => localStorage.getItem('activeServiceProvider')

  it('keep the filters until another area is opened, even after a reload', async () => {
    const { user } = await render('/internal/accounts?text=ac', { as: 'provider' })
    await waitFor(() => expect(localStorage.getItem('queryFilter')).toBe('ac'))
    await user.click(await screen.findByRole('link', { name: 'Edit acme' }))
    await screen.findByLabelText(/^Account name/)
    expect(localStorage.getItem('queryFilter')).toBe('ac')
    cleanup()
    const reopened = await render(`/internal/accounts/${testData().accounts.acme}/edit`)
    await user.click(await screen.findByRole('link', { name: 'Cancel' }))
    await waitFor(() => expect(reopened.currentPath()).toBe('/internal/accounts?text=ac'))
    await user.click(screen.getByRole('link', { name: 'Applications' }))
    await screen.findByRole('heading', { level: 1, name: /Applications/ })
    expect(localStorage.getItem('queryFilter')).toBeNull()
  })

  it('keep the provider if it still exists; otherwise the first by name is used', async () => {
    localStorage.setItem('activeServiceProvider', testData().providers.south)
    await render('/internal/accounts', { as: 'admin' })
    await screen.findByRole('row', { name: /corp/ })
    expect(storedProvider()).toBe(testData().providers.south)
    cleanup()
    localStorage.setItem('activeServiceProvider', 'gone')
    const { currentPath } = await render('/internal/accounts', { as: 'admin' })
    expect(await screen.findByText(/default service provider/)).toBeTruthy()
    expect(currentPath()).toBe('/internal/accounts')
  })
})

describe('unknown URLs', () => {
  it('offer to log in when signed out', async () => {
    await render('/nowhere')
    expect(await screen.findByRole('heading', { name: "That page doesn't exist." })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/')
  })

  it('keep the frame when signed in', async () => {
    await render('/internal/nowhere', { as: 'admin' })
    expect(await screen.findByText("That page doesn't exist.")).toBeTruthy()
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to the start screen' }).getAttribute('href')).toBe('/internal/accounts')
  })

  it('link back to the console when signed in', async () => {
    await render('/nowhere', { as: 'account' })
    const link = await screen.findByRole('link', { name: 'Back to the console' })
    expect(link.getAttribute('href')).toBe(`/internal/accounts/${testData().accounts.acme}/edit`)
    expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull()
  })
})

describe('forbidden screens', () => {
  it('refuse an account user access to the list of accounts', async () => {
    const { currentPath } = await render('/internal/accounts', { as: 'account' })
    expect(await screen.findByText('You do not have permissions to manage all accounts')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe(`/internal/accounts/${testData().accounts.acme}/edit`))
  })

  it('refuse an account user access to a foreign account', async () => {
    const { currentPath } = await render(`/internal/accounts/${testData().accounts.bolt}/edit`, { as: 'account' })
    expect(await screen.findByText('You do not have access.')).toBeTruthy()
    await waitFor(() => expect(currentPath()).toBe(`/internal/accounts/${testData().accounts.acme}/edit`))
  })
})
