import { sql } from 'kysely'
import { memoryCache } from './adapters/cache/memory'
import { appEnvByOptions } from './adapters/app-env/options-request'
import type { Config } from './config/config'
import type { Database } from './db/database'
import { readiness } from './db/readiness'
import type { Store } from './db/repository'
import { listCounts } from './db/list-counts'
import { sqlCallHistory } from './adapters/call-history/sql/store'
import { withRecordingUrls } from './adapters/call-history/recording-urls'
import { sqlCaptures } from './adapters/captures/sql'
import { exclusiveUploads } from './adapters/recordings/exclusive-uploads'
import { recordingStore } from './adapters/recordings/recording-store'
import { openBucketByVendor } from './adapters/recordings/open-bucket'
import { sqlUploadClaims } from './adapters/recordings/sql-upload-claims'
import { sqlRecordingList } from './adapters/recordings/sql-recording-list'
import { speechByVendor } from './adapters/speech/speech-by-vendor'
import { sqlTraces } from './adapters/traces/sql'
import { webhookClient } from './adapters/webhooks/client'
import type { Cache } from './ports/cache'
import type { CallHistory } from './ports/call-history'
import type { Captures } from './ports/captures'
import { noPlatform, type LivePlatform } from './ports/live-platform'
import type { Mail } from './ports/mail'
import type { OpenObjectStorage } from './ports/object-storage'
import type { Speech } from './ports/speech'
import type { SystemLogs } from './ports/system-logs'
import type { Traces } from './ports/traces'
import { accounts } from './resources/accounts/repository'
import { bucketCredentials } from './resources/accounts/bucket-credentials'
import { apiKeys } from './resources/api-keys/repository'
import { applications } from './resources/applications/repository'
import { limits } from './resources/limits/repository'
import { clients } from './resources/clients/repository'
import { msTeamsTenants } from './resources/ms-teams-tenants/repository'
import { passwordRule } from './resources/password-settings/rules'
import { phoneNumbers } from './resources/phone-numbers/repository'
import { lcrs } from './resources/lcrs/repository'
import { quotas } from './shared/quotas'
import { providers } from './resources/service-providers/repository'
import { actors } from './auth/actors'
import { emailChanges } from './resources/email-changes/repository'
import { lockout } from './auth/lockout'
import { outbox } from './shared/outbox'
import { resetLinks } from './resources/password-reset/repository'
import { sessions } from './auth/sessions'
import { tickets } from './auth/tickets'
import { sipGateways } from './resources/sip-gateways/repository'
import { smppGateways } from './resources/smpp-gateways/repository'
import { speechCredentials } from './resources/speech-credentials/repository'
import { googleCustomVoices } from './resources/google-custom-voices/repository'
import { users } from './resources/users/repository'
import { voipCarriers } from './resources/voip-carriers/repository'
import { webhooks } from './resources/webhooks/repository'
import { secretEncryption } from './secrets/encryption'
import { PLATFORM_HASH_COST, type PasswordCost } from './secrets/password'

/** External services. The defaults need no installation. */
export interface ExternalServices {
  cache: Cache
  /** If absent, no mail is sent, and routes that need mail are not mounted. */
  mail?: Mail
  /** Defaults to our own tables. */
  callHistory?: CallHistory
  /** Captured SIP messages; defaults to our own tables. */
  captures?: Captures
  /** The live state of the voice platform; absent if none is connected. */
  livePlatform?: LivePlatform
  /** Defaults to requests to the vendors. */
  speech?: Speech
  /** Traces of calls; defaults to our own tables. */
  traces?: Traces
  /** Logs of the platform's servers; absent if unavailable. */
  systemLogs?: SystemLogs
  /** Opens the recording store of an account; defaults to the account's bucket. */
  openStorage?: OpenObjectStorage
}

/** Creates all services that the routes use. Called once per database. */
export const servicesOf = (
  database: Database,
  config: Pick<
    Config,
    | 'secrets'
    | 'tokenMinutes'
    | 'lockout'
    | 'enforcePasswordChange'
    | 'quotas'
    | 'appEnvPrivateTargets'
    | 'speechPrivateTargets'
    | 'bucketPrivateTargets'
    | 'retention'
    | 'recordingLimits'
    | 'maxUnusedWebhooks'
    | 'dataDir'
  >,
  passwordCost: PasswordCost = PLATFORM_HASH_COST,
  {
    cache = memoryCache(),
    mail,
    callHistory,
    captures,
    speech,
    traces,
    systemLogs,
    livePlatform = noPlatform,
    openStorage = openBucketByVendor({ privateTargets: config.bucketPrivateTargets }),
  }: Partial<ExternalServices> = {},
) => {
  const store: Store = { database, listCounts: listCounts(database.engine) }
  const logError = (message: string) => void process.stderr.write(`${message}\n`)
  const encryption = secretEncryption(config.secrets.encryption, {
    legacy: config.secrets.legacyCrypto,
    onError: logError,
  })
  const webhookRepository = webhooks(store, { maxUnused: config.maxUnusedWebhooks })
  const localCaptures = sqlCaptures(database, config.retention.captures)
  const traceStore = traces ? undefined : sqlTraces(database, config.retention.traces)
  const bucketCredentialRepository = bucketCredentials(store, encryption)
  const recordingList = sqlRecordingList(database)
  const recordingFiles = recordingStore({
    folder: config.dataDir,
    findBucket: (account_sid) => bucketCredentialRepository.find(account_sid),
    openBucket: openStorage,
    list: recordingList,
    retentionDays: config.retention.recordings,
    maxBytes: config.recordingLimits.bytesPerAccount,
    logError,
  })
  const userRepository = users(store)
  const emailChangeRepository = emailChanges(store, userRepository)
  const sessionStore = sessions(store, config.secrets.jwt, config.tokenMinutes)
  return {
    store,
    encryption,
    passwordCost,
    cache,
    sessions: sessionStore,
    tickets: tickets(config.secrets.jwt),
    actors: actors(store, sessionStore, { enforcePasswordChange: config.enforcePasswordChange }),
    lockout: lockout(store, config.lockout),
    emailChanges: emailChangeRepository,
    resetLinks: resetLinks(store, emailChangeRepository),
    mail,
    outbox: outbox(mail),
    callHistory: withRecordingUrls(callHistory ?? sqlCallHistory(store, config.retention), recordingList),
    captures: captures ?? localCaptures,
    /** Absent if captures are stored externally. */
    captureStore: captures ? undefined : localCaptures,
    traces: traces ?? traceStore,
    /** Absent if traces are stored externally. */
    traceStore,
    systemLogs,
    livePlatform,
    passwordRule: passwordRule(store),
    webhooks: webhookRepository,
    users: userRepository,
    providers: providers(store, webhookRepository),
    accounts: accounts(store, encryption, webhookRepository),
    bucketCredentials: bucketCredentialRepository,
    openStorage,
    recordingStore: exclusiveUploads(recordingFiles, sqlUploadClaims(database), logError),
    speech: speech ?? speechByVendor({ privateTargets: config.speechPrivateTargets }),
    applications: applications(store, encryption, webhookRepository),
    appEnv: appEnvByOptions({ privateTargets: config.appEnvPrivateTargets }),
    webhookClient: webhookClient({ privateTargets: config.appEnvPrivateTargets }),
    apiKeys: apiKeys(store),
    voipCarriers: voipCarriers(store),
    sipGateways: sipGateways(store),
    smppGateways: smppGateways(store),
    lcrs: lcrs(store),
    phoneNumbers: phoneNumbers(store),
    limits: limits(store),
    msTeamsTenants: msTeamsTenants(store),
    clients: clients(store, encryption),
    speechCredentials: speechCredentials(store, encryption),
    googleCustomVoices: googleCustomVoices(store),
    quotas: quotas(store, config.quotas),

    readiness: readiness(store, config.dataDir),

    /** Whether the database responds. */
    isHealthy: (): Promise<boolean> =>
      sql`select 1`.execute(database.db).then(
        () => true,
        () => false,
      ),
  }
}

export type Services = ReturnType<typeof servicesOf>
