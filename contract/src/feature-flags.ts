/** The settings that the console reads from its page, or from `/config.json`, when it loads. One build serves every edition. */
export interface FeatureFlags {
  /** Base URL of the API: a path on the same origin, or an absolute URL. No trailing slash. */
  apiBaseUrl: string
  /** The hosted edition, with self-registration and paid subscriptions. */
  hosted: boolean
  /** The sign-in page offers a password reset by e-mail. */
  forgotPassword: boolean
  customSpeech: boolean
  /** Enables the speech vendors that are marked `additional`. */
  additionalSpeech: boolean
  leastCostRouting: boolean
  tracing: boolean
  callRecording: boolean
  /** Origins of other servers from which the console may read recordings, to draw their waveforms. */
  recordingOrigins: readonly string[]
  /** Names of the log groups that the voice servers write to. If empty, calls have no system logs to read. */
  systemLogGroups: readonly string[]
  /** All four limit categories, edited by administrators only. */
  allLimits: boolean
  /** Accounts may neither add, change nor delete carriers and SIP gateways, nor add phone numbers. */
  adminCarrier: boolean
  /** Users other than administrators may choose a carrier's default application. */
  defaultTrunkRouting: boolean
  /** A sentence above every screen. */
  notice: string | null
  /** Interval in seconds at which the console counts new alerts. 0: only once, after sign-in. */
  alertPollSeconds: number
  /** The service provider of accounts that are created by hosted sign-up. */
  defaultServiceProviderSid: string | null
  /** Whether self-registration requires an invite code. */
  requiresInviteCode: boolean
  /** The trial of a new account. `devices` includes those that come with the call sessions. */
  trial: { days: number; callSessions: number; devices: number }
  /** The rules for the password of a new account. Absent: the server's default rules. */
  passwordSettings: PublicPasswordSettings | null
  /** Without a client ID, the button of this identity provider is hidden. */
  githubClientId: string | null
  googleClientId: string | null
  githubAuthorizationUrl: string
  googleAuthorizationUrl: string
  /** Whether the server completes an authorization with PKCE. */
  oauthPkce: boolean
  /** Without a key, cards cannot be entered. */
  stripePublishableKey: string | null
  /** Where Stripe.js is loaded from; null: from Stripe. */
  stripeJsUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
}

/** The password rules that people need before they have an account. */
export interface PublicPasswordSettings {
  min_password_length: number
  require_digit?: number
  require_special_character?: number
}

/** Defaults for settings that the page or `/config.json` omits. Settings that do not depend on the edition are on. */
export const defaultFeatureFlags: FeatureFlags = {
  apiBaseUrl: '/v1',
  hosted: false,
  forgotPassword: false,
  customSpeech: true,
  additionalSpeech: true,
  leastCostRouting: true,
  tracing: true,
  callRecording: true,
  recordingOrigins: [],
  systemLogGroups: [],
  allLimits: false,
  adminCarrier: false,
  defaultTrunkRouting: true,
  notice: null,
  alertPollSeconds: 60,
  defaultServiceProviderSid: null,
  requiresInviteCode: false,
  trial: { days: 21, callSessions: 5, devices: 25 },
  passwordSettings: null,
  githubClientId: null,
  googleClientId: null,
  githubAuthorizationUrl: 'https://github.com/login/oauth/authorize',
  googleAuthorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  oauthPkce: false,
  stripePublishableKey: null,
  stripeJsUrl: null,
  termsUrl: null,
  privacyUrl: null,
}
