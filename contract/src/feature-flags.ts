/** The settings that a console reads from `/config.json` when it loads. One build serves every edition. */
export interface FeatureFlags {
  /** Where the API is: a path on the same origin, or a whole address. No slash at the end. */
  apiBaseUrl: string
  hosted: boolean
  forgotPassword: boolean
  customSpeech: boolean
  /** Vendors of speech that an edition may be without: those whose description says `additional`. */
  additionalSpeech: boolean
  leastCostRouting: boolean
  tracing: boolean
  callRecording: boolean
  /** Origins of other servers from which the console may read recordings, to draw their waveforms. */
  recordingOrigins: readonly string[]
  /** Where the platform's servers write down what they do, by name; none: nowhere that calls are looked up in. */
  systemLogGroups: readonly string[]
  /** All four limit categories, edited by administrators only. */
  allLimits: boolean
  /** Carriers, and which numbers come over them, are not in the hands of accounts. */
  adminCarrier: boolean
  /** Who is no administrator may choose a carrier's default application. */
  defaultTrunkRouting: boolean
  /** How often the console counts new alerts, in seconds; 0: once, after signing in. */
  alertPollSeconds: number
  /** The provider under which hosted registrations land. */
  defaultServiceProviderSid: string | null
  githubClientId: string | null
  googleClientId: string | null
  stripePublishableKey: string | null
  termsUrl: string | null
  privacyUrl: string | null
}

/** What a console assumes for what the document leaves out: not a matter of edition is on. */
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
