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
import { getFeatureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { setFlash, sessionValues } from '../lib/storage'
import { getLandingPath } from '../session/landing-path'
import { getCurrentSession } from '../session/session'
import { toast } from '../ui/feedback/toast'
import { CrashPage } from './crash-page'
import { getLastListSearch } from './list-return'
import { Root } from './root'
import { getScreenAccessError, screens, getSidFromPath, type Screen } from './screens'

const lazyPage = (load: () => Promise<ComponentType>) =>
  lazyRouteComponent(async () => ({ default: await loadWithRetry(load) }))

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: lazyPage(() => import('../features/not-found/public').then((module) => module.PublicNotFound)),
})

/** Redirects signed-in users away from the sign-in page. */
const redirectSignedIn = () => {
  const session = getCurrentSession()
  if (session) redirect({ to: getLandingPath(session.actor), replace: true, throw: true })
}

/** Requires a session. Users with a temporary password must set a new one first. */
const requireSession = () => {
  const session = getCurrentSession()
  if (session && sessionValues.oldPassword.get()) redirect({ to: paths.createPassword, replace: true, throw: true })
  if (session) return session.actor
  setFlash(messages.mustLogIn)
  return redirect({ to: paths.signIn, replace: true, throw: true }) as never
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.signIn,
  beforeLoad: redirectSignedIn,
  component: lazyPage(() => import('../features/sign-in/page').then((module) => module.SignIn)),
  staticData: { title: 'Log in' },
})

const createPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.createPassword,
  component: lazyPage(() => import('../features/create-password/page').then((module) => module.CreatePassword)),
  staticData: { title: 'Create password' },
})

const addEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.addEmail,
  beforeLoad: () => {
    if (!requireSession() || !sessionValues.pathAfterEmail.get())
      redirect({ to: paths.internal, replace: true, throw: true })
  },
  component: lazyPage(() => import('../features/add-email/page').then((module) => module.AddEmail)),
  staticData: { title: 'Add email' },
})

/** Returns 404 if the feature flag is off. */
const requireForgotPassword = () => {
  if (!getFeatureFlags().forgotPassword) notFound({ throw: true })
}

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.forgotPassword,
  beforeLoad: requireForgotPassword,
  component: lazyPage(() => import('../features/forgot-password/page').then((module) => module.ForgotPassword)),
  staticData: { title: 'Forgot password' },
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.resetPassword,
  beforeLoad: requireForgotPassword,
  component: lazyPage(() => import('../features/reset-password/page').then((module) => module.ResetPassword)),
  staticData: { title: 'Reset password' },
})

const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.confirmEmail,
  beforeLoad: requireForgotPassword,
  component: lazyPage(() => import('../features/confirm-email/page').then((module) => module.ConfirmEmail)),
  staticData: { title: 'Confirm email' },
})

const internalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.internal,
  beforeLoad: () => void requireSession(),
  component: lazyPage(() => import('./signed-in-layout').then((module) => module.SignedInLayout)),
  notFoundComponent: lazyPage(() => import('../features/not-found/internal').then((module) => module.InternalNotFound)),
})

const internalIndexRoute = createRoute({
  getParentRoute: () => internalRoute,
  path: '/',
  beforeLoad: () => {
    redirect({ to: getLandingPath(requireSession()), replace: true, throw: true })
  },
})

/** Renders a screen with the SID from the URL. Another record gets a new instance. */
const createScreenComponent = (screen: Screen) =>
  lazyPage(async () => {
    const Page = await screen.load()
    // a screen with a feature flag shows 'not found' while the flag is off
    const NotFound = screen.isDisabled && (await import('../features/not-found/internal')).InternalNotFound
    return function ScreenWithSid() {
      const { sid }: { sid?: string } = useParams({ strict: false })
      // checked here, because in `beforeLoad` the router would render 'not found' without the shell
      if (NotFound && screen.isDisabled?.()) return <NotFound />
      return <Page key={sid ?? ''} {...(sid === undefined ? {} : { sid })} />
    }
  })

/** When a list opens from a form of its area, restores the list's previous page, filters and sort order. */
const redirectToLastSearch = (pathname: string) => {
  const lastSearch = getLastListSearch(pathname)
  if (lastSearch) redirect({ to: pathname, search: parseSearch(lastSearch), replace: true, throw: true })
}

const createScreenRoute = (screen: Screen) =>
  createRoute({
    getParentRoute: () => internalRoute,
    path: screen.path.slice(paths.internal.length),
    beforeLoad: ({ location, cause, preload }) => {
      const actor = requireSession()
      const accessError = getScreenAccessError(screen, actor, getSidFromPath(screen, location.pathname))
      if (!accessError || screen.isDisabled?.()) {
        if (cause === 'enter' && !location.searchStr) redirectToLastSearch(location.pathname)
        return
      }
      if (!preload) toast.bad(accessError)
      // the sign-in page redirects signed-in users to their landing page
      redirect({ to: paths.signIn, replace: true, throw: true })
    },
    component: createScreenComponent(screen),
  })

const routeTree = rootRoute.addChildren([
  signInRoute,
  createPasswordRoute,
  addEmailRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  confirmEmailRoute,
  internalRoute.addChildren([internalIndexRoute, ...screens.map(createScreenRoute)]),
])

/** Queries in URLs are plain text: `?text=acme&page=2`. */
const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

const stringifySearch = (search: Record<string, unknown>) => {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') params.set(name, value)
  return params.size > 0 ? `?${params.toString()}` : ''
}

export const createAppRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
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
