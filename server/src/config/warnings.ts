import type { Settings } from './settings'
import { warnAboutTelemetryProtocol } from './telemetry'

/** Shorter secrets can be guessed by brute force. */
const minSecretLength = 16

/** Weak passwords, also if digits or exclamation marks follow. */
const weakPasswordStems = [
  'admin',
  'administrator',
  'password',
  'changeme',
  'secret',
  'letmein',
  'welcome',
  'trunkline',
  'jambonz',
]

export const isWeakPassword = (password: string): boolean =>
  password.length < 8 ||
  /^(.)\1*$/.test(password) ||
  /^\d+$/.test(password) ||
  weakPasswordStems.includes(password.toLowerCase().replace(/[\d!]*$/, ''))

const secretNames = ['JWT_SECRET', 'ENCRYPTION_SECRET', 'HEP_KEY', 'RECORDING_STREAM_PASSWORD'] as const

/** Settings that only the hosted edition reads. */
const hostedNames = [
  'DEFAULT_SERVICE_PROVIDER_SID',
  'TERMS_URL',
  'PRIVACY_URL',
  'SAMPLE_APPLICATIONS_URL',
  'GITHUB_CLIENT_ID',
  'GITHUB_CLIENT_SECRET',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'STRIPE_API_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PUBLISHABLE_KEY',
  'DNS_MADE_EASY_API_KEY',
  'DNS_MADE_EASY_API_SECRET',
] as const

const warnAboutHostedSettings = (settings: Settings): string[] => {
  const names = settings.ENABLE_HOSTED_SYSTEM ? [] : hostedNames.filter((name) => settings[name] !== undefined)
  return names.length > 0 ? [`Without ENABLE_HOSTED_SYSTEM, these settings have no effect: ${names.join(', ')}.`] : []
}

/** Other machines cannot open the default URL. */
const warnAboutPublicUrl = (settings: Settings, publicUrl: string): string[] =>
  settings.SMTP_URL && !settings.PUBLIC_URL && !settings.API_BASE_URL
    ? [`PUBLIC_URL is not set, so links in emails lead to ${publicUrl}.`]
    : []

/** Warnings about weak secrets, missing URLs and settings without effect. The server starts anyway. */
export const listConfigWarnings = (settings: Settings, publicUrl: string): string[] => {
  const shortSecrets = secretNames.filter((name) => (settings[name]?.length ?? minSecretLength) < minSecretLength)
  const password = settings.INITIAL_ADMIN_PASSWORD
  return [
    ...shortSecrets.map(
      (name) => `${name} has fewer than ${minSecretLength} characters and can be guessed. Choose a longer one.`,
    ),
    ...(password && isWeakPassword(password)
      ? ['INITIAL_ADMIN_PASSWORD is easy to guess. Sign in and change it before somebody else does.']
      : []),
    ...warnAboutPublicUrl(settings, publicUrl),
    ...warnAboutHostedSettings(settings),
    ...warnAboutTelemetryProtocol(settings),
  ]
}
