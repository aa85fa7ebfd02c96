import { sql } from 'kysely'
import { createActorFinder } from '../auth/actors'
import { createLockout } from '../auth/lockout'
import { createSessionStore } from '../auth/sessions'
import { createTicketSigner } from '../auth/tickets'
import type { Config } from '../config/config'
import type { Database } from '../db/database'
import { createListCounts } from '../db/list-counts'
import { createReadinessCheck } from '../db/readiness'
import type { Store } from '../db/repository'
import { createPasswordRule } from '../resources/password-settings/rules'
import { createSecretEncryption } from '../secrets/encryption'
import { PLATFORM_HASH_COST, type PasswordCost } from '../secrets/password'
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
      'secrets' | 'tokenMinutes' | 'lockout' | 'enforcePasswordChange' | 'enforceQuotas' | 'maxUnusedWebhooks'
    >
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
  passwordCost = PLATFORM_HASH_COST,
  externalServices = {},
}: ServiceOptions) => {
  const store: Store = { database, listCounts: createListCounts(database.engine) }
  const encryption = createSecretEncryption(config.secrets.encryption, {
    legacy: config.secrets.legacyCrypto,
    onError: logError,
  })
  const repositories = createRepositories(store, encryption, config)
  const findBucket = (account_sid: string) => repositories.bucketCredentials.find(account_sid)
  const adapters = createAdapters(store, config, { findBucket, logError }, externalServices)
  const sessionStore = createSessionStore(store, config.secrets.jwt, config.tokenMinutes)
  return {
    ...repositories,
    ...adapters,
    store,
    encryption,
    passwordCost,
    sessions: sessionStore,
    tickets: createTicketSigner(config.secrets.jwt),
    actors: createActorFinder(store, sessionStore, { enforcePasswordChange: config.enforcePasswordChange }),
    lockout: createLockout(store, config.lockout),
    outbox: createOutbox(adapters.mail),
    passwordRule: createPasswordRule(store),
    quotas: createQuotas(store, config.enforceQuotas),
    readiness: createReadinessCheck(store, config.dataDir),

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
