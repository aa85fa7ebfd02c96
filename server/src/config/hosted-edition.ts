import { ConfigError } from './files'
import type { Settings } from './settings'

/** Devices that come with each call session of a new account, as in the platform's table. */
export const defaultDeviceToCallRatio = 5

/** The configuration of the hosted edition: self-registration and paid subscriptions. */
export interface HostedEdition {
  /** The provider of new accounts; absent: the only one. */
  serviceProviderSid?: string
  requiresInviteCode: boolean
  trial: { days: number; callSessions: number }
  /** The server of the sample applications that new accounts get. */
  sampleApplicationsUrl?: string
  github?: OAuthClient & { tokenUrl: string; apiUrl: string }
  google?: OAuthClient & { tokenUrl: string; userinfoUrl: string }
  stripe?: StripeConfig
  dnsMadeEasy?: DnsMadeEasyConfig
}

export interface OAuthClient {
  clientId: string
  clientSecret: string
}

export interface StripeConfig {
  apiKey: string
  webhookSecret: string
  apiUrl: string
}

export interface DnsMadeEasyConfig {
  url: string
  apiKey: string
  apiSecret: string
}

const trimSlashes = (url: string) => url.replace(/\/+$/, '')

/** Throws if only some of the settings are present. Returns whether all are. */
const requireTogether = (settings: Settings, names: readonly (keyof Settings)[]): boolean => {
  const missing = names.filter((name) => !settings[name])
  if (missing.length === names.length) return false
  if (missing.length > 0)
    throw new ConfigError(`${names.join(' and ')} are required together: set ${missing.join(' and ')}.`)
  return true
}

const optionalGithub = (settings: Settings) =>
  requireTogether(settings, ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'])
    ? {
        github: {
          clientId: settings.GITHUB_CLIENT_ID!,
          clientSecret: settings.GITHUB_CLIENT_SECRET!,
          tokenUrl: settings.GITHUB_TOKEN_URL,
          apiUrl: trimSlashes(settings.GITHUB_API_URL),
        },
      }
    : {}

const optionalGoogle = (settings: Settings) =>
  requireTogether(settings, ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'])
    ? {
        google: {
          clientId: settings.GOOGLE_CLIENT_ID!,
          clientSecret: settings.GOOGLE_CLIENT_SECRET!,
          tokenUrl: settings.GOOGLE_TOKEN_URL,
          userinfoUrl: settings.GOOGLE_USERINFO_URL,
        },
      }
    : {}

const optionalStripe = (settings: Settings) =>
  requireTogether(settings, ['STRIPE_API_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PUBLISHABLE_KEY'])
    ? {
        stripe: {
          apiKey: settings.STRIPE_API_KEY!,
          webhookSecret: settings.STRIPE_WEBHOOK_SECRET!,
          // Existing installations configure the URL with the version of the API, which the SDK adds itself.
          apiUrl: trimSlashes(settings.STRIPE_API_URL).replace(/\/v1$/, ''),
        },
      }
    : {}

const optionalDnsMadeEasy = (settings: Settings) =>
  requireTogether(settings, ['DNS_MADE_EASY_API_KEY', 'DNS_MADE_EASY_API_SECRET'])
    ? {
        dnsMadeEasy: {
          url: trimSlashes(settings.DNS_MADE_EASY_URL),
          apiKey: settings.DNS_MADE_EASY_API_KEY!,
          apiSecret: settings.DNS_MADE_EASY_API_SECRET!,
        },
      }
    : {}

/** Reads the settings of the hosted edition. Throws ConfigError if a required one is missing. */
export const optionalHostedEdition = (settings: Settings): { hostedEdition?: HostedEdition } => {
  if (!settings.ENABLE_HOSTED_SYSTEM) return {}
  for (const name of ['TERMS_URL', 'PRIVACY_URL'] as const)
    if (!settings[name]) throw new ConfigError(`${name} is required together with ENABLE_HOSTED_SYSTEM.`)
  // Another API server registers accounts and receives payments.
  if (settings.API_BASE_URL) return {}
  if (!settings.SMTP_URL)
    throw new ConfigError(
      'SMTP_URL is required together with ENABLE_HOSTED_SYSTEM: registration sends activation codes by email.',
    )
  return {
    hostedEdition: {
      ...(settings.DEFAULT_SERVICE_PROVIDER_SID ? { serviceProviderSid: settings.DEFAULT_SERVICE_PROVIDER_SID } : {}),
      requiresInviteCode: settings.REQUIRE_INVITE_CODE,
      trial: { days: settings.TRIAL_DAYS, callSessions: settings.TRIAL_CALL_SESSIONS },
      ...(settings.SAMPLE_APPLICATIONS_URL
        ? { sampleApplicationsUrl: trimSlashes(settings.SAMPLE_APPLICATIONS_URL) }
        : {}),
      ...optionalGithub(settings),
      ...optionalGoogle(settings),
      ...optionalStripe(settings),
      ...optionalDnsMadeEasy(settings),
    },
  }
}
