import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'
import { act, cleanup, configure, getConfig, render as renderElement } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startBackend, type Backend, type BackendOptions } from '../../server/test/backend'
import { password, type ActorName } from '../../server/test/test-data'
import { createAppRouter } from '../src/app/routes'
import { forgetDetectedServers } from '../src/lib/detect-server'
import { setFeatureFlags } from '../src/lib/feature-flags'
import { clearToasts } from '../src/ui/feedback/toast'

/** The texts and field values of the page, for error messages: the markup would be too long. */
const readPageText = () => {
  const elements = document.body.querySelectorAll<HTMLInputElement>(
    'h1, h2, [role=status], [role=alert], main *, dialog *',
  )
  const texts = [...elements].map((element) =>
    element.childElementCount > 0 ? '' : (element.value || element.textContent).trim(),
  )
  return texts.filter(Boolean).join(' · ').slice(0, 4000)
}

/** Whether the caller is a query that retries until a timeout, and reports only its last error. */
const isWaitingQuery = () =>
  (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics === true

configure({
  // the first visit of a screen compiles its code
  asyncUtilTimeout: 30_000,
  // Reading the page at each attempt took a fifth of the time of screen tests.
  getElementError: (message) =>
    new Error(isWaitingQuery() ? String(message) : `${message}\nThe page says: ${readPageText()}`),
})

/** The users that tests name by their role. Other users have only their own names. */
const usernamesByRole = {
  admin: 'admin',
  provider: 'north',
  account: 'acme',
  viewer: 'viewer',
} as const satisfies Record<string, ActorName | 'viewer'>

export type TestUser = keyof typeof usernamesByRole | ActorName

const getUsername = (testUser: TestUser): ActorName | 'viewer' =>
  testUser in usernamesByRole ? usernamesByRole[testUser as keyof typeof usernamesByRole] : (testUser as ActorName)

export interface RenderedConsole {
  /** The current path, with its query. */
  currentPath: () => string
  /** Opens a screen and waits until it, or the screen that it redirects to, is current. */
  navigate: (path: string) => Promise<void>
  /** Clicks the browser's Back button. */
  goBack: () => void
  user: UserEvent
}

/** Starts the real server with test data, for all tests of a file. */
export const useBackend = (
  config: BackendOptions['config'] = {},
  externalServices?: BackendOptions['externalServices'],
) => {
  let backend: Backend
  let apiBaseUrl = ''

  beforeAll(async () => {
    forgetDetectedServers()
    // compile the frame before the tests, so that they do not time out on a busy machine
    await Promise.all([import('../src/app/signed-in-layout'), import('../src/features/sign-in/screen')])
    backend = await startBackend({ config, ...(externalServices ? { externalServices } : {}) })
    apiBaseUrl = `${await backend.app.listen({ port: 0, host: '127.0.0.1' })}/v1`
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

  /** Signs in and returns the token. Not cached, because a screen that signs out ends its session. */
  const signInAs = async (testUser: TestUser): Promise<string> => {
    const payload = { username: getUsername(testUser), password }
    const response = await backend.app.inject({ method: 'POST', url: '/v1/login', payload })
    if (response.statusCode !== 200)
      throw new Error(`${testUser} cannot sign in: ${response.statusCode} ${response.body}`)
    return response.json<{ token: string }>().token
  }

  /** Renders the whole console at a path, signed in as `as` or signed out. */
  const render = async (
    path: string,
    { as, features = {} }: { as?: TestUser; features?: Partial<FeatureFlags> } = {},
  ): Promise<RenderedConsole> => {
    // a visit replaces the page of the one before
    cleanup()
    setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl, ...features })
    if (as) localStorage.setItem('token', await signInAs(as))
    const history = createMemoryHistory({ initialEntries: [path] })
    const router = createAppRouter(history)
    renderElement(<RouterProvider router={router} />)
    return {
      currentPath: () => history.location.pathname + history.location.search,
      navigate: (path) => act(() => router.navigate({ href: path })),
      goBack: () => act(() => history.back()),
      user: userEvent.setup({ pointerEventsCheck: 0 }),
    }
  }

  /** Sends a request as a user without the console, to prepare a test or to check its result. */
  const requestAs = async <ResponseBody,>(
    as: TestUser,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
  ) => {
    const headers = { authorization: `Bearer ${await signInAs(as)}` }
    const response = await backend.app.inject({ method, url: `/v1${url}`, headers, ...(payload ? { payload } : {}) })
    return (response.body === '' ? undefined : response.json()) as ResponseBody
  }

  return { render, requestAs, backend: () => backend, testData: () => backend.testData }
}
