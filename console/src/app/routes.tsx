import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  useParams,
  type ParsedLocation,
  type RouterHistory,
} from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/session'
import type { ComponentType } from 'react'
import { SignIn } from '../features/sign-in/screen'
import { loadWithRetry } from '../ui/feedback/lazy-component'
import { getFeatureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { setFlash, sessionValues } from '../lib/storage'
import { getLandingPath, prepareLandingPath } from '../session/landing-path'
import { getCurrentSession } from '../session/session'
import { toast } from '../ui/feedback/toast'
import { CrashScreen } from './crash-screen'
import { getLastListSearch } from './list-return'
import { Root } from './root'
import { getScreenAccessError, isListWithRows, screens, getSidFromPath, type Screen } from './screens'

const lazyScreen = (load: () => Promise<ComponentType>) =>
  lazyRouteComponent(async () => ({ default: await loadWithRetry(load) }))

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: lazyScreen(() => import('../features/not-found/public').then((module) => module.PublicNotFound)),
})

/** Redirects signed-in users away from the screens for sign-in and registration. */
const redirectSignedIn = async () => {
  const session = getCurrentSession()
  const path = session && (await prepareLandingPath(session.actor))
  // the session may have expired
  if (path && (path === paths.verifyEmail || getCurrentSession())) redirect({ to: path, replace: true, throw: true })
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
  component: SignIn,
  staticData: { title: 'Log in' },
})

const createPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.createPassword,
  component: lazyScreen(() => import('../features/create-password/screen').then((module) => module.CreatePassword)),
  staticData: { title: 'Create password' },
})

const addEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.addEmail,
  beforeLoad: () => {
    if (!requireSession() || !sessionValues.pathAfterEmail.get())
      redirect({ to: paths.internal, replace: true, throw: true })
  },
  component: lazyScreen(() => import('../features/add-email/screen').then((module) => module.AddEmail)),
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
  component: lazyScreen(() => import('../features/forgot-password/screen').then((module) => module.ForgotPassword)),
  staticData: { title: 'Forgot password' },
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.resetPassword,
  beforeLoad: requireForgotPassword,
  component: lazyScreen(() => import('../features/reset-password/screen').then((module) => module.ResetPassword)),
  staticData: { title: 'Reset password' },
})

/** Returns 404 unless the server can send mail. The hosted edition always can. */
const requireConfirmation = () => {
  if (!getFeatureFlags().hosted) requireForgotPassword()
}

const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.confirmEmail,
  beforeLoad: requireConfirmation,
  component: lazyScreen(() => import('../features/confirm-email/screen').then((module) => module.ConfirmEmail)),
  staticData: { title: 'Confirm email' },
})

/** Returns 404 unless this is the hosted edition. */
const requireHosted = () => {
  if (!getFeatureFlags().hosted) notFound({ throw: true })
}

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.register,
  beforeLoad: async () => {
    requireHosted()
    await redirectSignedIn()
  },
  component: lazyScreen(() => import('../features/register/screen').then((module) => module.Register)),
  staticData: { title: 'Register' },
})

const registerByEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.registerByEmail,
  beforeLoad: async () => {
    requireHosted()
    await redirectSignedIn()
    if (!sessionValues.acceptedTerms.get()) redirect({ to: paths.register, replace: true, throw: true })
  },
  component: lazyScreen(() => import('../features/register/email').then((module) => module.RegisterByEmail)),
  staticData: { title: 'Register with email' },
})

const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.verifyEmail,
  beforeLoad: async () => {
    requireHosted()
    if ((await import('../session/registration')).readRegistration()) return
    await redirectSignedIn()
    redirect({ to: paths.register, replace: true, throw: true })
  },
  component: lazyScreen(() => import('../features/register/verify-email').then((module) => module.VerifyEmail)),
  staticData: { title: 'Verify your email' },
})

const chooseSubdomainRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.chooseSubdomain,
  beforeLoad: () => {
    requireHosted()
    const actor = requireSession()
    if (actor.scope !== 'account') redirect({ to: getLandingPath(actor), replace: true, throw: true })
  },
  component: lazyScreen(() => import('../features/register/choose-subdomain').then((module) => module.ChooseSubdomain)),
  staticData: { title: 'Choose a subdomain' },
})

const oauthCallbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.oauthCallback,
  beforeLoad: requireHosted,
  component: lazyScreen(() => import('../features/oauth-callback/screen').then((module) => module.OauthCallback)),
  staticData: { title: 'Sign in' },
})

const internalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.internal,
  beforeLoad: () => void requireSession(),
  component: lazyScreen(() => import('./signed-in-layout').then((module) => module.SignedInLayout)),
  notFoundComponent: lazyScreen(() =>
    import('../features/not-found/internal').then((module) => module.InternalNotFound),
  ),
})

const internalIndexRoute = createRoute({
  getParentRoute: () => internalRoute,
  path: '/',
  beforeLoad: async () => {
    redirect({ to: await prepareLandingPath(requireSession()), replace: true, throw: true })
  },
})

/** Renders a screen with the SID from the URL. Another record gets a new instance; another row of a list does not. */
const createScreenComponent = (screen: Screen) =>
  lazyScreen(async () => {
    const LoadedScreen = await screen.load()
    // a screen with a feature flag shows 'not found' while the flag is off
    const NotFound = screen.isDisabled && (await import('../features/not-found/internal')).InternalNotFound
    return function ScreenWithSid() {
      const { sid }: { sid?: string } = useParams({ strict: false })
      // checked here, because in `beforeLoad` the router would render 'not found' without the shell
      if (NotFound && screen.isDisabled?.()) return <NotFound />
      const key = isListWithRows(screen) ? '' : sid
      return <LoadedScreen key={key ?? ''} {...(sid === undefined ? {} : { sid })} />
    }
  })

/** When a list opens from a form of its area, restores the list's previous page, filters and sort order. */
const redirectToLastSearch = (pathname: string) => {
  const lastSearch = getLastListSearch(pathname)
  if (lastSearch) redirect({ to: pathname, search: parseSearch(lastSearch), replace: true, throw: true })
}

/** Set once its code has loaded, so that a click sends its requests before anything is rendered. */
let requestModule: typeof import('./request-screen-data') | undefined

/** Requests the data of a screen while its code loads. Resolves when a list has rows to show. */
const loadScreenData = async (location: ParsedLocation) => {
  const session = getCurrentSession()
  if (!session) return
  try {
    requestModule ??= await import('./request-screen-data')
    await requestModule.requestScreenData(session, location)
  } catch {
    // the code of the screen fails to load too, and reports it
  }
}

/** How long the previous screen stays until the rows of the next one are there. Users do not notice it. */
const maxWaitMs = 80

const waitBriefly = (rows: Promise<void>) =>
  Promise.race([rows, new Promise<void>((resolve) => setTimeout(resolve, maxWaitMs))])

const createScreenRoute = (screen: Screen) =>
  createRoute({
    getParentRoute: () => internalRoute,
    path: screen.path.slice(paths.internal.length),
    beforeLoad: async ({ location, cause, preload }) => {
      const actor = requireSession()
      const accessError = getScreenAccessError(screen, actor, getSidFromPath(screen, location.pathname))
      if (!accessError || screen.isDisabled?.()) {
        if (cause === 'enter' && !location.searchStr) redirectToLastSearch(location.pathname)
        // hover and focus load only the code
        if (preload) return
        const rows = loadScreenData(location)
        if (cause !== 'enter') return
        // the router loads the code only after this function
        screen.load().catch(() => undefined)
        // rendering the list with its rows takes less time than rendering it without them first
        await waitBriefly(rows)
        return
      }
      if (!preload) toast.bad(accessError)
      // the sign-in screen redirects signed-in users to their landing screen
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
  registerRoute,
  registerByEmailRoute,
  verifyEmailRoute,
  chooseSubdomainRoute,
  oauthCallbackRoute,
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
    defaultErrorComponent: CrashScreen,
    defaultPreload: false,
    defaultPendingMs: 200,
    trailingSlash: 'never',
  })

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string
  }
}
