import { defineRoute } from '../kit/route'
import type {
  ServerCapabilities,
  ChangePassword,
  ConfirmEmail,
  ForgotPassword,
  LoginResponse,
  Login,
  CurrentUser,
  PasswordSettings,
  PasswordSettingsChanges,
  SignInResponse,
  SignIn,
} from '../shapes/session'

export const login = defineRoute<{ body: Login; response: LoginResponse }>()(
  'POST',
  '/login',
  'Sign in with username and password',
  {
    status: 200,
    isPublic: true,
  },
)

export const logout = defineRoute<{ body?: undefined }>()('POST', '/logout', 'Sign out', { status: 204 })

export const changePassword = defineRoute<{ body: ChangePassword }>()(
  'POST',
  '/change-password',
  "Change the user's own password, with the old password or a link from an e-mail; the session ends",
  { status: 204 },
)

/** Requests an e-mail with a password-reset link. The response does not reveal whether a user has this address. */
export const forgotPassword = defineRoute<{ body: ForgotPassword }>()(
  'POST',
  '/forgot-password',
  'Send a password reset link by email',
  { status: 204, isPublic: true },
)

/**
 * Signs in with a password-reset link or with e-mail address and password. A link opens one session, in which the user
 * can set a new password.
 */
export const signIn = defineRoute<{ body: SignIn; response: SignInResponse }>()(
  'POST',
  '/signin',
  'Sign in with a password reset link, or with email and password',
  { status: 200, isPublic: true },
)

/** A Trunkline addition. Requires the link from the e-mail and the user's password. */
export const confirmEmail = defineRoute<{ body: ConfirmEmail }>()(
  'POST',
  '/confirm-email',
  'Confirm a new email address',
  { status: 204, isPublic: true },
)

export const currentUser = defineRoute<{ response: CurrentUser }>()('GET', '/Users/me', 'Read the signed-in user')

export const passwordSettings = defineRoute<{ response: PasswordSettings }>()(
  'GET',
  '/PasswordSettings',
  'Read the password rules',
)

export const savePasswordSettings = defineRoute<{ body: PasswordSettingsChanges; response: Record<string, never> }>()(
  'POST',
  '/PasswordSettings',
  'Update the password rules',
)

/**
 * A Trunkline addition: a response header of servers that have the route below, so that the console does not send that
 * request to v1 servers.
 */
export const capabilitiesHeader = 'trunkline-abilities'

/** A Trunkline addition. */
export const serverCapabilities = defineRoute<{ response: ServerCapabilities }>()(
  'GET',
  '/Abilities',
  'Read the capabilities of this server beyond version 1',
)
