import type { Settings } from './settings'

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

const isWeakPassword = (password: string): boolean =>
  password.length < 8 ||
  /^(.)\1*$/.test(password) ||
  /^\d+$/.test(password) ||
  weakPasswordStems.includes(password.toLowerCase().replace(/[\d!]*$/, ''))

const secretNames = ['JWT_SECRET', 'ENCRYPTION_SECRET', 'HEP_KEY', 'RECORDING_STREAM_PASSWORD'] as const

/** Warnings about weak secrets and about settings without effect. The server starts anyway. */
export const listConfigWarnings = (settings: Settings): string[] => {
  const shortSecrets = secretNames.filter((name) => (settings[name]?.length ?? minSecretLength) < minSecretLength)
  const password = settings.INITIAL_ADMIN_PASSWORD
  return [
    ...shortSecrets.map(
      (name) => `${name} has fewer than ${minSecretLength} characters and can be guessed. Choose a longer one.`,
    ),
    ...(password && isWeakPassword(password)
      ? ['INITIAL_ADMIN_PASSWORD is easy to guess. Sign in and change it before somebody else does.']
      : []),
    ...(settings.ENABLE_HOSTED_SYSTEM
      ? ['ENABLE_HOSTED_SYSTEM has no effect: this version does not have the hosted edition.']
      : []),
  ]
}
