import { setTimeout as delay } from 'node:timers/promises'
import type { FeatureFlags, PublicPasswordSettings } from '@trunkline/contract/feature-flags'
import { minPasswordLengthLimit } from '@trunkline/contract/session/password'
import { findRegistrationProvider } from '../resources/registration/public'
import type { Services } from './services'

type StoredSettings = Pick<FeatureFlags, 'passwordSettings' | 'defaultServiceProviderSid'>

/** Anyone can request the settings, so not every request may read the database. */
const cacheLifetimeMs = 5000
/** The console must load even if the database hangs. */
const readTimeoutMs = 2000

const readPasswordSettings = async ({
  passwordRule,
}: Pick<Services, 'passwordRule'>): Promise<PublicPasswordSettings> => {
  const rule = await passwordRule.read()
  if (!rule) return { min_password_length: minPasswordLengthLimit }
  const { min_password_length, require_digit, require_special_character } = rule
  return { min_password_length, require_digit, require_special_character }
}

/**
 * Returns a function that reads the settings of the console. In the hosted edition they contain what people need before
 * they have an account: the password rules, and the provider of new accounts. If the database does not respond, the last
 * known values are used.
 */
export const createConsoleSettings = (
  features: FeatureFlags,
  services: Pick<Services, 'passwordRule' | 'store' | 'hostedEdition'> | undefined,
): (() => Promise<FeatureFlags>) => {
  if (!services?.hostedEdition) return () => Promise.resolve(features)
  let storedSettings: StoredSettings = {
    passwordSettings: features.passwordSettings,
    defaultServiceProviderSid: features.defaultServiceProviderSid,
  }
  let lastRead: { atMs: number; done: Promise<void> } | undefined

  const readStoredSettings = async () => {
    const [passwordSettings, serviceProviderSid] = await Promise.all([
      readPasswordSettings(services),
      findRegistrationProvider(services),
    ])
    storedSettings = { passwordSettings, defaultServiceProviderSid: serviceProviderSid ?? null }
  }

  return async () => {
    if (!lastRead || Date.now() - lastRead.atMs > cacheLifetimeMs)
      lastRead = { atMs: Date.now(), done: readStoredSettings().catch(() => undefined) }
    await Promise.race([lastRead.done, delay(readTimeoutMs, undefined, { ref: false })])
    return { ...features, ...storedSettings }
  }
}
