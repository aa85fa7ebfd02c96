/** The settings that the console reads from `/config.json` when it loads. One build serves every edition. */
export interface FeatureFlags {
  /** Base URL of the API: a path on the same origin, or an absolute URL. No trailing slash. */
  apiBaseUrl: string
  /** The hosted edition, with sign-up and payment. Does not exist yet. */
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
  /** Interval in seconds at which the console counts new alerts. 0: only once, after sign-in. */
  alertPollSeconds: number
  /** The service provider of accounts that are created by hosted sign-up. */
  defaultServiceProviderSid: string | null
  githubClientId: string | null
  googleClientId: string | null
  stripePublishableKey: string | null
  termsUrl: string | null
  privacyUrl: string | null
}

/** Defaults for settings that `/config.json` omits. Settings that do not depend on the edition are on. */
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
  alertPollSeconds: 60,
  defaultServiceProviderSid: null,
  githubClientId: null,
  googleClientId: null,
  stripePublishableKey: null,
  termsUrl: null,
  privacyUrl: null,
}
