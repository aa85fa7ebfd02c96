import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  useParams,
  type RouterHistory,
} from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import type { ComponentType } from 'react'
import { loadWithRetry } from '../ui/feedback/lazy-component'
import { featureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { setFlash, sessionValues } from '../lib/storage'
import { landingPathOf } from '../session/landing-path'
import { currentSession } from '../session/session'
import { toast } from '../ui/feedback/toast'
import { CrashPage } from './crash-page'
import { getLastListSearch } from './list-return'
import { Root } from './root'
import { refusalOf, screens, getSidFromPath, type Screen } from './screens'

const lazy = (load: () => Promise<ComponentType>) =>
  lazyRouteComponent(async () => ({ default: await loadWithRetry(load) }))

const root = createRootRoute({
  component: Root,
  notFoundComponent: lazy(() => import('../features/not-found/public').then((it) => it.PublicNotFound)),
})

/** Redirects signed-in users away from the sign-in page. */
const redirectSignedIn = () => {
  const session = currentSession()
  if (session) redirect({ to: landingPathOf(session.actor), replace: true, throw: true })
}

/** Requires a session. Users with a temporary password must set a new one first. */
const requireSession = () => {
  const session = currentSession()
  if (session && sessionValues.oldPassword.get()) redirect({ to: paths.createPassword, replace: true, throw: true })
  if (session) return session.actor
  setFlash(messages.mustLogIn)
  return redirect({ to: paths.signIn, replace: true, throw: true }) as never
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  beforeLoad: redirectSignedIn,
  component: lazy(() => import('../features/sign-in/page').then((it) => it.SignIn)),
  staticData: { title: 'Log in' },
})

const createPassword = createRoute({
  getParentRoute: () => root,
  path: paths.createPassword,
  component: lazy(() => import('../features/create-password/page').then((it) => it.CreatePassword)),
  staticData: { title: 'Create password' },
})

const addEmail = createRoute({
  getParentRoute: () => root,
  path: paths.addEmail,
  beforeLoad: () => {
    if (!requireSession() || !sessionValues.afterEmail.get())
      redirect({ to: paths.internal, replace: true, throw: true })
  },
  component: lazy(() => import('../features/add-email/page').then((it) => it.AddEmail)),
  staticData: { title: 'Add email' },
})

/** Returns 404 if the feature flag is off. */
const requireForgotPassword = () => {
  if (!featureFlags().forgotPassword) notFound({ throw: true })
}

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: paths.forgotPassword,
  beforeLoad: requireForgotPassword,
  component: lazy(() => import('../features/forgot-password/page').then((it) => it.ForgotPassword)),
  staticData: { title: 'Forgot password' },
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: paths.resetPassword,
  beforeLoad: requireForgotPassword,
  component: lazy(() => import('../features/reset-password/page').then((it) => it.ResetPassword)),
  staticData: { title: 'Reset password' },
})

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: paths.confirmEmail,
  beforeLoad: requireForgotPassword,
  component: lazy(() => import('../features/confirm-email/page').then((it) => it.ConfirmEmail)),
  staticData: { title: 'Confirm email' },
})

const internal = createRoute({
  getParentRoute: () => root,
  path: paths.internal,
  beforeLoad: () => void requireSession(),
  component: lazy(() => import('./signed-in-layout').then((it) => it.SignedInLayout)),
  notFoundComponent: lazy(() => import('../features/not-found/internal').then((it) => it.InternalNotFound)),
})

const start = createRoute({
  getParentRoute: () => internal,
  path: '/',
  beforeLoad: () => {
    redirect({ to: landingPathOf(requireSession()), replace: true, throw: true })
  },
})

/** Renders a screen with the SID from the URL. Another record gets a new instance. */
const componentOf = (screen: Screen) =>
  lazy(async () => {
    const Page = await screen.load()
    // a screen with a feature flag shows 'not found' while the flag is off
    const Missing = screen.off && (await import('../features/not-found/internal')).InternalNotFound
    return function Placed() {
      const { sid }: { sid?: string } = useParams({ strict: false })
      // checked here, because in `beforeLoad` the router would render 'not found' without the shell
      if (Missing && screen.off?.()) return <Missing />
      return <Page key={sid ?? ''} {...(sid === undefined ? {} : { sid })} />
    }
  })

/** When a list opens from a form of its area, restores the list's previous page, filters and sort order. */
const returnToLast = (pathname: string) => {
  const last = getLastListSearch(pathname)
  if (last) redirect({ to: pathname, search: readSearch(last), replace: true, throw: true })
}

const routeOf = (screen: Screen) =>
  createRoute({
    getParentRoute: () => internal,
    path: screen.path.slice(paths.internal.length),
    beforeLoad: ({ location, cause, preload }) => {
      const actor = requireSession()
      const refusal = refusalOf(screen, actor, getSidFromPath(screen, location.pathname))
      if (!refusal || screen.off?.()) {
        if (cause === 'enter' && !location.searchStr) returnToLast(location.pathname)
        return
      }
      if (!preload) toast.bad(refusal)
      // the sign-in page redirects signed-in users to their landing page
      redirect({ to: paths.signIn, replace: true, throw: true })
    },
    component: componentOf(screen),
  })

const tree = root.addChildren([
  signIn,
  createPassword,
  addEmail,
  forgotPassword,
  resetPassword,
  confirmEmail,
  internal.addChildren([start, ...screens.map(routeOf)]),
])

/** Queries in URLs are plain text: `?text=acme&page=2`. */
const readSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

const writeSearch = (search: Record<string, unknown>) => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') params.set(name, value)
  return params.size > 0 ? `?${params.toString()}` : ''
}

export const createAppRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree: tree,
    ...(history ? { history } : {}),
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultErrorComponent: CrashPage,
    defaultPreload: false,
    defaultPendingMs: 200,
    trailingSlash: 'never',
  })

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string
  }
}
