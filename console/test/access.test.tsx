import { screen, waitFor } from '@testing-library/react'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages as session } from '@trunkline/contract/messages/session'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { screens } from '../src/app/screens'
import { paths } from '../src/lib/paths'
import { clearToasts } from '../src/ui/feedback/toast'
import { screenAccessTable, usernames, type ScreenAccess, type Username } from './screen-access'
import { useBackend, type RenderedConsole } from './render'

const { render, testData } = useBackend()

const landingPath = (username: Username) =>
  username === 'admin' || username === 'north' ? paths.accounts.list : paths.accounts.edit(testData().accounts.acme)

const findHeading = (name: string) => screen.findByRole('heading', { level: 1, name: new RegExp(`^${name}`, 'i') })

/** A form that cannot be changed is titled with the kind of its record. */
const viewOnlyHeading = (name: string) => name.replace(/^Edit /, '').replace(/s$/, '')
const readAlerts = () =>
  screen
    .queryAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join()

/** Opens the console once. `expectAccess` then navigates inside it, which also tests that each screen replaces the last. */
const renderAs = async (as: Username, features: Partial<FeatureFlags> = {}): Promise<RenderedConsole> => {
  const rendered = await render(paths.recentCalls, { as, features })
  await findHeading('Recent calls')
  return rendered
}

const expectAccess = async (
  { navigate, currentPath }: RenderedConsole,
  username: Username,
  screenAccess: ScreenAccess,
) => {
  const path = screenAccess.path(testData())
  clearToasts()
  await navigate(path)
  const refusal = screenAccess.refusals[username]
  if (refusal) {
    const [message, redirect] = refusal
    await waitFor(() => expect(readAlerts(), `${username} at ${path}`).toContain(message))
    const finalPath = { none: path, list: screenAccess.listPath, landing: landingPath(username) }[redirect]
    await waitFor(() => expect(currentPath()).toBe(finalPath))
    if (redirect === 'none') expect(screen.queryByRole('form')).toBeNull()
    return
  }
  const isViewOnly = screenAccess.viewOnlyUsers?.includes(username) ?? false
  await findHeading(isViewOnly ? viewOnlyHeading(screenAccess.heading) : screenAccess.heading)
  if (screenAccess.isForm) await screen.findByRole('form')
  expect({ username, path: currentPath(), alerts: readAlerts() }).toEqual({ username, path, alerts: '' })
  const note = screen.queryByRole('note')?.textContent ?? ''
  const isPermissionNote = note.startsWith('You do not have permissions')
  expect({ username, path, isViewOnly: isPermissionNote }).toEqual({ username, path, isViewOnly })
}

beforeAll(async () => {
  await Promise.all(screens.map(({ load }) => load()))
})

describe('the screens inside the frame', () => {
  beforeEach(() => localStorage.setItem('activeServiceProvider', testData().providers.north))

  it('are all listed in the access table', () => {
    const listedPaths = new Set(screenAccessTable.map(({ path }) => path(testData()).replace(/[0-9a-f-]{36}/, '$sid')))
    // The screens of the hosted edition are disabled here, and have tests of their own.
    const enabledPaths = screens.filter(({ isDisabled }) => !isDisabled?.()).map(({ path }) => path)
    // an optional SID belongs to the list
    const listPaths = enabledPaths.map((path) => path.replace(/\/\{-\$sid\}$/, ''))
    expect(listPaths.filter((path) => !listedPaths.has(path))).toEqual([])
  })

  it.each(usernames)('show or refuse access to %s as listed', { timeout: 240_000 }, async (username) => {
    const rendered = await renderAs(username)
    for (const row of screenAccessTable)
      if (!row.skippedUsers?.includes(username)) await expectAccess(rendered, username, row)
  })

  it('redirect to the sign-in page without a session', async () => {
    const { navigate, currentPath } = await render('/')
    await findHeading('Log in')
    for (const { path } of screenAccessTable) {
      clearToasts()
      await navigate(path(testData()))
      expect({ path: path(testData()), redirectedTo: currentPath() }).toMatchObject({ redirectedTo: '/' })
      await screen.findByText(session.mustLogIn)
    }
  })
})

describe('feature flags', () => {
  const { lcrs, carriers, phoneNumbers } = paths

  it.each(usernames)('remove the routing screens for %s if `leastCostRouting` is off', async (username) => {
    const rendered = await renderAs(username, { leastCostRouting: false })
    for (const path of [lcrs.list, lcrs.add, lcrs.edit(testData().acme.lcr), '/internal/nowhere']) {
      await rendered.navigate(path)
      await screen.findByText(general.screenNotFound)
      expect({ path: rendered.currentPath(), alerts: readAlerts() }).toEqual({ path, alerts: '' })
      await rendered.navigate(paths.recentCalls)
      await findHeading('Recent calls')
    }
  })

  it.each(['north', 'acme'] as const)(
    'let only providers add carriers and phone numbers if `adminCarrier` is on: %s',
    async (username) => {
      const rendered = await renderAs(username, { adminCarrier: true })
      for (const path of [carriers.add, phoneNumbers.add, phoneNumbers.import]) {
        clearToasts()
        await rendered.navigate(path)
        if (username === 'acme') await screen.findByText(general.noAccess)
        await waitFor(() => expect(rendered.currentPath()).toBe(username === 'acme' ? landingPath(username) : path))
      }
    },
  )

  it('remove the public screens of features that are off', async () => {
    const { navigate, currentPath } = await render('/', { features: { forgotPassword: false, hosted: false } })
    const hostedPaths = ['/register', '/register/email', '/register/email/verify-your-email', '/oauth-callback/github']
    for (const path of [
      '/forgot-password',
      '/reset-password/x',
      '/register/choose-a-subdomain',
      ...hostedPaths,
      '/nowhere',
    ]) {
      await navigate(path)
      await findHeading(general.screenNotFound)
      expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy()
      expect(currentPath()).toBe(path)
      await navigate('/')
      await findHeading('Log in')
    }
  })

  it('add the public screens of password reset if `forgotPassword` is on', async () => {
    const { navigate, currentPath } = await render('/', { features: { forgotPassword: true } })
    for (const path of ['/forgot-password', '/reset-password/x']) {
      await navigate(path)
      await waitFor(() => expect(screen.queryByText(general.screenNotFound)).toBeNull())
      expect(currentPath()).toBe(path)
      expect(screen.getByRole('heading', { level: 1 }).textContent).not.toBe('Log in')
    }
  })
})
