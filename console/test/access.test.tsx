import { screen, waitFor } from '@testing-library/react'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages as session } from '@trunkline/contract/messages/session'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { screens } from '../src/app/screens'
import { paths } from '../src/lib/paths'
import { clearToasts } from '../src/ui/feedback/toast'
import { pages, people, type Page, type Who } from './access-pages'
import { useBackend, type Screen } from './render'

const { render, world } = useBackend()

const landingPath = (who: Who) =>
  who === 'admin' || who === 'north' ? paths.accounts.list : paths.accounts.edit(world().accounts.acme)

const heading = (name: string) => screen.findByRole('heading', { level: 1, name: new RegExp(`^${name}`, 'i') })

/** A form that cannot be changed is titled with the kind of its record. */
const viewOnlyHeading = (name: string) => name.replace(/^Edit /, '').replace(/s$/, '')
const alerts = () =>
  screen
    .queryAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join()

/** Opens the console once; `openPage` then navigates inside it, which also tests that each screen replaces the last one. */
const renderAs = async (as: Who, features: Partial<FeatureFlags> = {}): Promise<Screen> => {
  const drawn = await render(paths.recentCalls, { as, features })
  await heading('Recent calls')
  return drawn
}

const openPage = async ({ go, address }: Screen, who: Who, page: Page) => {
  const path = page.path(world())
  clearToasts()
  await go(path)
  const refusal = page.refused[who]
  if (refusal) {
    const [sentence, to] = refusal
    await waitFor(() => expect(alerts(), `${who} at ${path}`).toContain(sentence))
    await waitFor(() => expect(address()).toBe({ here: path, list: page.list, landing: landingPath(who) }[to]))
    if (to === 'here') expect(screen.queryByRole('form')).toBeNull()
    return
  }
  const isViewOnly = page.visibleTo?.includes(who) ?? false
  await heading(isViewOnly ? viewOnlyHeading(page.h1) : page.h1)
  if (page.form) await screen.findByRole('form')
  expect({ who, path: address(), alerts: alerts() }).toEqual({ who, path, alerts: '' })
  const note = screen.queryByRole('note')?.textContent ?? ''
  const isPermissionNote = note.startsWith('You do not have permissions')
  expect({ who, path, only: isPermissionNote }).toEqual({ who, path, only: isViewOnly })
}

beforeAll(async () => {
  await Promise.all(screens.map(({ load }) => load()))
})

describe('the screens inside the frame', () => {
  beforeEach(() => localStorage.setItem('activeServiceProvider', world().providers.north))

  it('are all listed in this table', () => {
    const listedPaths = new Set(pages.map(({ path }) => path(world()).replace(/[0-9a-f-]{36}/, '$sid')))
    expect(screens.map(({ path }) => path).filter((path) => !listedPaths.has(path))).toEqual([])
  })

  it.each(people)('show or refuse access to %s as listed', { timeout: 240_000 }, async (who) => {
    const drawn = await renderAs(who)
    for (const page of pages) if (!page.aside?.includes(who)) await openPage(drawn, who, page)
  })

  it('redirect to the sign-in page without a session', async () => {
    const { go, address } = await render('/')
    await heading('Log in')
    for (const { path } of pages) {
      clearToasts()
      await go(path(world()))
      expect({ path: path(world()), address: address() }).toMatchObject({ address: '/' })
      await screen.findByText(session.mustLogIn)
    }
  })
})

describe('disabled features', () => {
  const { routing, carriers, phoneNumbers } = paths

  it.each(people)('have no routing screens for %s', async (who) => {
    const drawn = await renderAs(who, { leastCostRouting: false })
    for (const path of [routing.list, routing.add, routing.edit(world().acme.lcr), '/internal/nowhere']) {
      await drawn.go(path)
      await screen.findByText(general.pageNotFound)
      expect({ path: drawn.address(), alerts: alerts() }).toEqual({ path, alerts: '' })
      await drawn.go(paths.recentCalls)
      await heading('Recent calls')
    }
  })

  it.each(['north', 'acme'] as const)(
    'forbid adding carriers and phone numbers for accounts only (%s)',
    async (who) => {
      const drawn = await renderAs(who, { adminCarrier: true })
      for (const path of [carriers.add, phoneNumbers.add, phoneNumbers.import]) {
        clearToasts()
        await drawn.go(path)
        if (who === 'acme') await screen.findByText(general.noAccess)
        await waitFor(() => expect(drawn.address()).toBe(who === 'acme' ? landingPath(who) : path))
      }
    },
  )

  it('have no public screens either', async () => {
    const { go, address } = await render('/', { features: { forgotPassword: false, hosted: false } })
    const hosted = ['/register', '/register/email', '/register/email/verify-your-email', '/oauth-callback/github']
    for (const path of [
      '/forgot-password',
      '/reset-password/x',
      '/register/choose-a-subdomain',
      ...hosted,
      '/nowhere',
    ]) {
      await go(path)
      await heading(general.pageNotFound)
      expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy()
      expect(address()).toBe(path)
      await go('/')
      await heading('Log in')
    }
  })

  it('have their screens once enabled', async () => {
    const { go, address } = await render('/', { features: { forgotPassword: true } })
    for (const path of ['/forgot-password', '/reset-password/x']) {
      await go(path)
      await waitFor(() => expect(screen.queryByText(general.pageNotFound)).toBeNull())
      expect(address()).toBe(path)
      expect(screen.getByRole('heading', { level: 1 }).textContent).not.toBe('Log in')
    }
  })
})
