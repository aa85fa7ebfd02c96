import { sql } from 'kysely'
import { memoryCache } from './adapters/cache/memory'
import { appEnvByOptions } from './adapters/app-env/by-options'
import type { Config } from './config'
import type { Database } from './db/database'
import type { Store } from './db/table'
import { totals } from './db/totals'
import { recordingsByVendor } from './adapters/recordings/by-vendor'
import type { Cache } from './ports/cache'
import type { Mail } from './ports/mail'
import { accounts } from './resources/accounts/repository'
import { bucketCredentials } from './resources/accounts/bucket-credentials'
import { apiKeys } from './resources/api-keys/repository'
import { applications } from './resources/applications/repository'
import { limits } from './resources/limits/repository'
import { clients } from './resources/clients/repository'
import { msTeamsTenants } from './resources/ms-teams-tenants/repository'
import { passwordRule } from './resources/password-settings/service'
import { phoneNumbers } from './resources/phone-numbers/repository'
import { lcrs } from './resources/lcrs/repository'
import { quotas } from './resources/quotas/service'
import { providers } from './resources/service-providers/repository'
import { actors } from './resources/session/actors'
import { lockout } from './resources/session/lockout'
import { resetLinks } from './resources/session/reset-links'
import { sessions } from './resources/session/sessions'
import { sipGateways } from './resources/sip-gateways/repository'
import { smppGateways } from './resources/smpp-gateways/repository'
import { users } from './resources/users/repository'
import { voipCarriers } from './resources/voip-carriers/repository'
import { webhooks } from './resources/webhooks/service'
import { vault } from './secrets/encryption'
import { PLATFORM_COST, type PasswordCost } from './secrets/password'

/** What lies outside of the server and its database; by default what needs nothing installed. */
export interface Outside {
  cache: Cache
  /** Absent: nothing is sent, and what would send does not exist. */
  mail?: Mail
}

/** Everything that routes work with, made once over one database. */
export const servicesOf = (
  database: Database,
  config: Pick<Config, 'secrets' | 'tokenMinutes' | 'lockout' | 'quotas' | 'appEnvPrivateTargets'>,
  passwordCost: PasswordCost = PLATFORM_COST,
  { cache = memoryCache(), mail }: Partial<Outside> = {},
) => {
  const store: Store = { database, totals: totals(database.engine) }
  const secrets = vault(config.secrets.encryption, { legacy: config.secrets.legacyCrypto })
  const hooks = webhooks(store)
  const open = sessions(store, config.secrets.jwt, config.tokenMinutes)
  return {
    store,
    vault: secrets,
    passwordCost,
    cache,
    sessions: open,
    actors: actors(store, open),
    lockout: lockout(store, config.lockout),
    resetLinks: resetLinks(store),
    mail,
    passwordRule: passwordRule(store),
    webhooks: hooks,
    users: users(store),
    providers: providers(store, hooks),
    accounts: accounts(store, secrets, hooks),
    bucketCredentials: bucketCredentials(store, secrets),
    recordings: recordingsByVendor,
    applications: applications(store, secrets, hooks),
    appEnv: appEnvByOptions({ privateTargets: config.appEnvPrivateTargets }),
    apiKeys: apiKeys(store),
    voipCarriers: voipCarriers(store),
    sipGateways: sipGateways(store),
    smppGateways: smppGateways(store),
    lcrs: lcrs(store),
    phoneNumbers: phoneNumbers(store),
    limits: limits(store),
    msTeamsTenants: msTeamsTenants(store),
    clients: clients(store, secrets),
    quotas: quotas(store, config.quotas),

    /** Does the database answer? */
    healthy: (): Promise<boolean> =>
      sql`select 1`.execute(database.db).then(
        () => true,
        () => false,
      ),
  }
}

export type Services = ReturnType<typeof servicesOf>
