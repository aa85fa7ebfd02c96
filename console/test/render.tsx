import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'
import { act, cleanup, configure, render as draw } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startBackend, type Backend, type BackendOptions } from '../../server/test/backend'
import { password, type ActorName } from '../../server/test/world'
import { createAppRouter } from '../src/app/routes'
import { setFeatureFlags } from '../src/lib/feature-flags'
import { clearToasts } from '../src/ui/feedback/toast'

/** The texts and field values of the page for error messages: its markup is too long, and starts with the sidebar. */
const pageInWords = () => {
  const parts = document.body.querySelectorAll<HTMLInputElement>(
    'h1, h2, [role=status], [role=alert], main *, dialog *',
  )
  const words = [...parts].map((part) => (part.childElementCount > 0 ? '' : (part.value || part.textContent).trim()))
  return words.filter(Boolean).join(' · ').slice(0, 4000)
}

// the first visit of a screen compiles its code
configure({
  asyncUtilTimeout: 30_000,
  getElementError: (message) => new Error(`${message}\nThe page says: ${pageInWords()}`),
})

/** Short names of the test users by their role; others go by their own names. */
const people = { admin: 'admin', provider: 'north', account: 'acme', viewer: 'viewer' } as const satisfies Record<
  string,
  ActorName | 'viewer'
>

export type Person = keyof typeof people | ActorName

const nameOf = (person: Person): ActorName | 'viewer' =>
  person in people ? people[person as keyof typeof people] : (person as ActorName)

export interface Screen {
  /** The current URL, with its query. */
  address: () => string
  /** Navigates to a URL and waits until that screen, or the one it redirects to, is current. */
  go: (address: string) => Promise<void>
  user: ReturnType<typeof userEvent.setup>
}

/** Starts the real server with test data for all tests of a file. `config`: server settings; `outside`: replaced adapters. */
export const useBackend = (config: BackendOptions['config'] = {}, outside?: BackendOptions['outside']) => {
  let backend: Backend
  let base = ''

  beforeAll(async () => {
    // compile the frame before the tests, so that they do not time out on a busy machine
    await Promise.all([import('../src/app/signed-in-layout'), import('../src/features/sign-in/page')])
    backend = await startBackend({ config, ...(outside ? { outside } : {}) })
    base = `${await backend.app.listen({ port: 0, host: '127.0.0.1' })}/v1`
  })
  afterEach(() => {
    // before the session is cleared: a form that loses its session keeps a draft
    cleanup()
    clearToasts()
    localStorage.clear()
    sessionStorage.clear()
  })
  afterAll(async () => {
    backend.app.server.closeAllConnections()
    await backend.close()
  })

  /** A new session each time, because screens sign out. */
  const tokenOf = async (person: Person): Promise<string> => {
    const payload = { username: nameOf(person), password }
    const answer = await backend.app.inject({ method: 'POST', url: '/v1/login', payload })
    if (answer.statusCode !== 200) throw new Error(`${person} cannot sign in: ${answer.statusCode} ${answer.body}`)
    return answer.json<{ token: string }>().token
  }

  /** Renders the whole console at a path, signed in as `as` or signed out. */
  const render = async (
    path: string,
    { as, features = {} }: { as?: Person; features?: Partial<FeatureFlags> } = {},
  ): Promise<Screen> => {
    setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: base, ...features })
    if (as) localStorage.setItem('token', await tokenOf(as))
    const history = createMemoryHistory({ initialEntries: [path] })
    const router = createAppRouter(history)
    draw(<RouterProvider router={router} />)
    return {
      address: () => history.location.pathname + history.location.search,
      go: (address) => act(() => router.navigate({ href: address })),
      user: userEvent.setup({ pointerEventsCheck: 0 }),
    }
  }

  /** Sends a request as a user, without the console: to prepare a test or to check its result. */
  const ask = async <Answer,>(as: Person, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${await tokenOf(as)}` }
    const answer = await backend.app.inject({ method, url: `/v1${url}`, headers, ...(payload ? { payload } : {}) })
    return (answer.body === '' ? undefined : answer.json()) as Answer
  }

  return { render, ask, backend: () => backend, world: () => backend.world }
}
