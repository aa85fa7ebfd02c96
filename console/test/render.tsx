import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'
import { act, cleanup, configure, render as draw } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startBackend, type Backend, type BackendOptions } from '../../server/test/backend'
import { password, type ActorName } from '../../server/test/world'
import { makeRouter } from '../src/app/routes'
import { setFeatureFlags } from '../src/lib/feature-flags'
import { clearToasts } from '../src/ui/toast'

/** What a page says and what stands in its fields: its markup is too long to be printed whole, and begins with the sidebar. */
const pageInWords = () => {
  const parts = document.body.querySelectorAll<HTMLInputElement>(
    'h1, h2, [role=status], [role=alert], main *, dialog *',
  )
  const words = [...parts].map((part) => (part.childElementCount > 0 ? '' : (part.value || part.textContent).trim()))
  return words.filter(Boolean).join(' · ').slice(0, 4000)
}

// the first visit of a page compiles its code
configure({
  asyncUtilTimeout: 30_000,
  getElementError: (message) => new Error(`${message}\nThe page says: ${pageInWords()}`),
})

/** The people of the tests by what they are; the rest of the world goes by its own names. */
const people = { admin: 'admin', provider: 'north', account: 'acme', viewer: 'viewer' } as const satisfies Record<
  string,
  ActorName | 'viewer'
>

export type Person = keyof typeof people | ActorName

const nameOf = (person: Person): ActorName | 'viewer' =>
  person in people ? people[person as keyof typeof people] : (person as ActorName)

export interface Screen {
  /** The present address, with its query. */
  address: () => string
  /** Goes to an address, and comes back when the page there, or where it leads to, is the present one. */
  go: (address: string) => Promise<void>
  user: ReturnType<typeof userEvent.setup>
}

/** The real server with its small world, for all tests of a file; and screens on it. `config`: settings of the server; `outside`: what it has besides. */
export const useBackend = (config: BackendOptions['config'] = {}, outside?: BackendOptions['outside']) => {
  let backend: Backend
  let base = ''

  beforeAll(async () => {
    // what every page stands in is compiled before any test waits for one: on a busy machine that takes longer than a page may
    await Promise.all([import('../src/app/inside'), import('../src/features/sign-in/page')])
    backend = await startBackend({ config, ...(outside ? { outside } : {}) })
    base = `${await backend.app.listen({ port: 0, host: '127.0.0.1' })}/v1`
  })
  afterEach(() => {
    // before the session goes: a form that loses it keeps what was typed
    cleanup()
    clearToasts()
    localStorage.clear()
    sessionStorage.clear()
  })
  afterAll(async () => {
    backend.app.server.closeAllConnections()
    await backend.close()
  })

  /** A session of its own each time, because screens sign out. */
  const tokenOf = async (person: Person): Promise<string> => {
    const payload = { username: nameOf(person), password }
    const answer = await backend.app.inject({ method: 'POST', url: '/v1/login', payload })
    if (answer.statusCode !== 200) throw new Error(`${person} cannot sign in: ${answer.statusCode} ${answer.body}`)
    return answer.json<{ token: string }>().token
  }

  /** Draws the whole console at an address, signed in as somebody or as nobody. */
  const render = async (
    path: string,
    { as, features = {} }: { as?: Person; features?: Partial<FeatureFlags> } = {},
  ): Promise<Screen> => {
    setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: base, ...features })
    if (as) localStorage.setItem('token', await tokenOf(as))
    const history = createMemoryHistory({ initialEntries: [path] })
    const router = makeRouter(history)
    draw(<RouterProvider router={router} />)
    return {
      address: () => history.location.pathname + history.location.search,
      go: (address) => act(() => router.navigate({ href: address })),
      user: userEvent.setup({ pointerEventsCheck: 0 }),
    }
  }

  /** A call beside the screen, as somebody: to prepare, or to see what the screen did. */
  const ask = async <Answer,>(as: Person, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${await tokenOf(as)}` }
    const answer = await backend.app.inject({ method, url: `/v1${url}`, headers, ...(payload ? { payload } : {}) })
    return (answer.body === '' ? undefined : answer.json()) as Answer
  }

  return { render, ask, backend: () => backend, world: () => backend.world }
}
