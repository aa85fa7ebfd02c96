/** Self-registration, sign-in with another company's account, and the SIP realm of a new account. */
export const messages = {
  invalidState: 'Invalid state',
  unknownProvider: (provider: string) => `invalid provider: ${provider}`,
  invalidEmail: 'invalid email',
  invalidActivationType: (type: string) => `invalid activation type: ${type}`,
  invalidProvider: (provider: string) => `${provider} is not a valid OAuth provider`,
  emailExists: 'account already exists for this email',
  emailOfOtherUser: (email: string) => `user already exists with email ${email}`,
  /** Another user signs in with this account of the identity provider. */
  identityOfOtherUser: 'account already exists for this oauth user/provider',
  usedOauthCode: 'This sign-in was already used. Start it again.',
  unverifiedIdentity:
    'The company that you sign in with has not verified your primary email address. Verify it there, then try again.',
  inactiveUser: 'This user or account is not active.',
  unknownUser: 'registering a new account not allowed from the sign-in page',
  /** The invite code is missing, unknown or used. */
  invalidInviteCode: 'This invite code is not valid or was already used.',
  /** The response to a sign-in with the right password, before the address is confirmed. */
  unconfirmedEmail: 'Confirm your email address to sign in.',
  /** The response to other requests with the token of a registration. */
  mustConfirmEmail: 'Confirm your email address to continue.',
  tooManyRequests: 'Too many attempts. Please wait and try again.',
  resendTooSoon: (seconds: number) =>
    `Wait ${seconds} second${seconds === 1 ? '' : 's'} before you request another code.`,
  invalidCode: 'invalid user or activation code',
  /** Refusals of a change of the sign-in method without the proof that it was requested by the user. */
  missingOldPassword: 'Enter your current password in old_password to change how you sign in.',
  wrongOldPassword: 'old_password is incorrect',
  missingConfirmationCode:
    'Enter the code from the email to your current address in confirmation_code to change how you sign in. Request it with POST /ActivationCode.',
  wrongConfirmationCode: 'The confirmation code is wrong, used or expired. Request another one.',
  noSbcAddresses: 'no SBC addresses provisioned in the database!',
  noRootDomain: (service_provider_sid: string) => `root_domain missing for service provider ${service_provider_sid}`,
  invalidRealm: (realm: string) => `invalid sip_realm: ${realm}`,
} as const
