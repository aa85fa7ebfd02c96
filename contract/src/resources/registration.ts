import { defineRoute } from '../kit/route'
import type {
  Activation,
  ActivationCodeRequest,
  InviteCode,
  InviteCodeBatch,
  InviteCodeBatchResponse,
  Registration,
  RegistrationResponse,
} from '../shapes/registration'

// The routes of self-registration. A server without the hosted edition responds with 404.

/** Registers an account, or signs in with an OAuth code. */
export const register = defineRoute<{ body: Registration; response: RegistrationResponse }>()(
  'POST',
  '/register',
  'Register an account, or sign in with Google or GitHub',
  { status: 200, isPublic: true },
)

export const sendActivationCode = defineRoute<{ body: ActivationCodeRequest }>()(
  'POST',
  '/ActivationCode',
  'Send a new activation code by email',
  { status: 204 },
)

export const activate = defineRoute<{ body: Activation }>()(
  'PUT',
  '/ActivationCode/:code',
  'Confirm an email address with its activation code',
)

export const checkInviteCode = defineRoute<{ body: InviteCode }>()(
  'POST',
  '/InviteCodes',
  'Use an invite code, or only check it',
  { status: 204, isPublic: true },
)

export const createInviteCodes = defineRoute<{ body: InviteCodeBatch; response: InviteCodeBatchResponse }>()(
  'POST',
  '/BetaInviteCodes',
  'Create invite codes',
  { status: 200 },
)

/** Sets the SIP realm of the account, with its DNS records. The realm is complete: `name.root-domain`. */
export const setSipRealm = defineRoute<{ body?: undefined }>()(
  'POST',
  '/Accounts/:account_sid/SipRealms/:sip_realm',
  'Set or change the SIP realm of an account',
  { status: 204 },
)
