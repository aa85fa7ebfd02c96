import { sql } from 'kysely'
import { createActorFinder } from '../auth/actors'
import { createAttemptCounts } from '../auth/attempt-counts'
import { createLockout } from '../auth/lockout'
import { createSessionStore } from '../auth/sessions'
import { createTicketSigner } from '../auth/tickets'
import type { Config } from '../config/config'
import type { Database } from '../db/database'
import { createLeases } from '../db/leases'
import { createListCache } from '../db/list-cache'
import { createReadinessCheck } from '../db/readiness'
import type { Store } from '../db/repository'
import type { CheckConfig } from '../doctor/check-config'
import { createSystemHealth, listServerChecks } from '../doctor/system-health'
import { createPasswordRule } from '../resources/password-settings/rules'
import { createIdentityRepository } from '../resources/registration/identities'
import { createRegistrationRepository } from '../resources/registration/repository'
import { createSignInCodes } from '../resources/registration/sign-in-codes'
import { createDnsRemovals } from '../resources/sip-realms/public'
import { createBilling } from '../resources/subscriptions/billing'
import { createPaymentNotices } from '../resources/subscriptions/payment-notices'
import { createSecretEncryption } from '../secrets/encryption'
import { platformHashCost, type PasswordCost } from '../secrets/password'
import { createOutbox } from '../shared/outbox'
import { createQuotas } from '../shared/quotas'
import { createAdapters, type AdapterConfig } from './adapters'
import type { ExternalServices } from './external-services'
import { createRepositories } from './repositories'

export interface ServiceOptions {
  database: Database
  config: AdapterConfig &
    Pick<
      Config,
      | 'secrets'
      | 'tokenMinutes'
      | 'lockout'
      | 'enforcePasswordChange'
      | 'enforceQuotas'
      | 'maxUnusedWebhooks'
      | 'hostedEdition'
      | 'rateLimit'
      | 'publicUrl'
    > &
    CheckConfig
  /** Logs an error that belongs to no request. */
  logError: (message: string) => void
  /** Lower in tests. */
  passwordCost?: PasswordCost
  externalServices?: Partial<ExternalServices>
}

/** Creates all services that the routes use. Called once per database. */
export const createServices = ({
  database,
  config,
  logError,
  passwordCost = platformHashCost,
  externalServices = {},
}: ServiceOptions) => {
  const store: Store = { database, listCache: createListCache(database.tableVersions) }
  const encryption = createSecretEncryption(config.secrets.encryption, {
    legacy: config.secrets.legacyCrypto,
    onError: logError,
  })
  const repositories = createRepositories(store, encryption, config)
  const findBucket = (account_sid: string) => repositories.bucketCredentials.find(account_sid)
  const adapters = createAdapters(store, config, { findBucket, logError }, externalServices)
  const { payment, dns } = externalServices
  const outbox = createOutbox(adapters.mail)
  const sessionStore = createSessionStore(store, config.secrets.jwt, config.tokenMinutes)
  return {
    ...repositories,
    ...adapters,
    store,
    encryption,
    passwordCost,
    /** The settings of the hosted edition. If absent, its routes are not mounted. */
    hostedEdition: config.hostedEdition,
    sessions: sessionStore,
    tickets: createTicketSigner(config.secrets.jwt),
    actors: createActorFinder(store, sessionStore, {
      // the console of the hosted edition has no way to change a password that must be changed
      enforcePasswordChange: config.enforcePasswordChange && !config.hostedEdition,
      acceptsRegistrants: config.hostedEdition !== undefined,
    }),
    lockout: createLockout(store, config.lockout),
    attemptCounts: createAttemptCounts(store, { limitsNetworks: config.rateLimit !== null }),
    registrations: createRegistrationRepository(store, config.secrets.jwt),
    signInCodes: createSignInCodes(store, config.secrets.jwt),
    identities: createIdentityRepository(store),
    outbox,
    dns,
    dnsRemovals: createDnsRemovals(store, dns),
    /** Absent if accounts cannot pay. */
    billing: payment
      ? createBilling({
          store,
          encryption,
          payment,
          withLease: createLeases(database),
          notifyOfFailedPayment: createPaymentNotices({ store, outbox, publicUrl: config.publicUrl, logError }),
          logError,
        })
      : undefined,
    passwordRule: createPasswordRule(store),
    quotas: createQuotas(store, config.enforceQuotas),
    readiness: createReadinessCheck(store, config.dataDir),
    /** Checks the installation, for administrators. */
    readSystemHealth: createSystemHealth(
      listServerChecks(config, { database, services: { ...externalServices, cache: adapters.cache } }),
    ),

    /** Whether the database responds. */
    isHealthy: (): Promise<boolean> =>
      sql`select 1`.execute(database.db).then(
        () => true,
        () => false,
      ),
  }
}

/** Everything that routes may use. Each route function picks from this type what it needs. */
export type Services = ReturnType<typeof createServices>
