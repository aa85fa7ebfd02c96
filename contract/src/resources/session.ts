import { route } from '../kit/route'
import type {
  ServerCapabilities,
  ChangePassword,
  ConfirmEmail,
  ForgotPassword,
  LoginResponse,
  Login,
  Me,
  PasswordSettings,
  PasswordSettingsChanges,
  SignInResponse,
  SignIn,
} from '../shapes/session'

export const login = route<{ body: Login; response: LoginResponse }>()(
  'POST',
  '/login',
  'Sign in with user name and password',
  {
    status: 200,
    isPublic: true,
  },
)

export const logout = route<{ body?: undefined }>()('POST', '/logout', 'Sign out', { status: 204 })

export const changePassword = route<{ body: ChangePassword }>()(
  'POST',
  '/change-password',
  "Change the caller's own password, with the old one or a link out of a mail; the session ends",
  { status: 204 },
)

/** Asks for a mail with a link for a new password. The answer is the same whether somebody has that address or not. */
export const forgotPassword = route<{ body: ForgotPassword }>()(
  'POST',
  '/forgot-password',
  'Send a link for a new password to an address',
  { status: 204, isPublic: true },
)

/** By a link out of a mail, which opens one session and can then change the password in it, or by address and password. */
export const signIn = route<{ body: SignIn; response: SignInResponse }>()(
  'POST',
  '/signin',
  'Sign in with a link for a new password, or with address and password',
  { status: 200, isPublic: true },
)

/** Ours. With the link out of a mail and the password of the user. */
export const confirmEmail = route<{ body: ConfirmEmail }>()(
  'POST',
  '/confirm-email',
  'Confirm a changed e-mail address',
  { status: 204, isPublic: true },
)

export const me = route<{ response: Me }>()('GET', '/Users/me', 'Read the signed-in user')

export const passwordSettings = route<{ response: PasswordSettings }>()(
  'GET',
  '/PasswordSettings',
  'Read the password rule',
)

export const savePasswordSettings = route<{ body: PasswordSettingsChanges; response: Record<string, never> }>()(
  'POST',
  '/PasswordSettings',
  'Change the password rule',
)

/** Ours: the header of every answer of a server that has the next call, so that no other server is asked for it. */
export const capabilitiesHeader = 'trunkline-abilities'

/** Ours. */
export const serverCapabilities = route<{ response: ServerCapabilities }>()(
  'GET',
  '/Abilities',
  'Read what this server does beyond version 1',
)
