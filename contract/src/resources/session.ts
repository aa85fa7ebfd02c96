import { route } from '../kit/route'
import type {
  Abilities,
  ChangePassword,
  LoggedIn,
  Login,
  Me,
  PasswordSettings,
  PasswordSettingsChanges,
} from '../shapes/session'

export const login = route<{ body: Login; answer: LoggedIn }>()(
  'POST',
  '/login',
  'Sign in with user name and password',
  {
    status: 200,
    open: true,
  },
)

export const logout = route<{ body?: undefined }>()('POST', '/logout', 'Sign out', { status: 204 })

export const changePassword = route<{ body: ChangePassword }>()(
  'POST',
  '/change-password',
  "Change the caller's own password; the session ends",
  { status: 204 },
)

export const me = route<{ answer: Me }>()('GET', '/Users/me', 'Read the signed-in user')

export const passwordSettings = route<{ answer: PasswordSettings }>()(
  'GET',
  '/PasswordSettings',
  'Read the password rule',
)

export const savePasswordSettings = route<{ body: PasswordSettingsChanges; answer: Record<string, never> }>()(
  'POST',
  '/PasswordSettings',
  'Change the password rule',
)

/** Ours. A server that answers 404 has none of these abilities. */
export const abilities = route<{ answer: Abilities }>()(
  'GET',
  '/Abilities',
  'Read what this server does beyond version 1',
)
