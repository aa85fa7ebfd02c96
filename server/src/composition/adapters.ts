import { createAppEnvFetcher } from '../adapters/app-env/options-request'
import { createMemoryCache } from '../adapters/cache/memory'
import { withRecordingUrls } from '../adapters/call-history/recording-urls'
import { createSqlCallHistory } from '../adapters/call-history/sql/store'
import { createSqlCaptureStore } from '../adapters/captures/sql'
import { createIdentityProviders } from '../adapters/identity-providers/configured-providers'
import { withUploadClaims } from '../adapters/recordings/exclusive-uploads'
import { createBucketOpener } from '../adapters/recordings/open-bucket'
import { createRecordingStore, type RecordingStoreOptions } from '../adapters/recordings/recording-store'
import { createSqlRecordingList } from '../adapters/recordings/sql-recording-list'
import { createSqlUploadClaims } from '../adapters/recordings/sql-upload-claims'
import { createSpeech } from '../adapters/speech/speech-by-vendor'
import { createSqlTraceStore } from '../adapters/traces/sql'
import { createWebhookClient } from '../adapters/webhooks/client'
import type { Config } from '../config/config'
import type { Store } from '../db/repository'
import { noPlatform } from '../ports/live-platform'
import type { ExternalServices } from './external-services'

export type AdapterConfig = Pick<
  Config,
  | 'appEnvPrivateTargets'
  | 'speechPrivateTargets'
  | 'bucketPrivateTargets'
  | 'retention'
  | 'recordingLimits'
  | 'dataDir'
  | 'hostedEdition'
>

/** Implements every port: with the external service if it is connected, otherwise with our own tables and files. */
export const createAdapters = (
  store: Store,
  config: AdapterConfig,
  { findBucket, logError }: Pick<RecordingStoreOptions, 'findBucket' | 'logError'>,
  {
    cache = createMemoryCache(),
    mail,
    callHistory,
    captures,
    speech,
    traces,
    systemLogs,
    livePlatform = noPlatform,
    openStorage = createBucketOpener({ allowPrivateTargets: config.bucketPrivateTargets }),
  }: Partial<ExternalServices>,
) => {
  const { database } = store
  const sqlCaptureStore = createSqlCaptureStore(database, config.retention.captures)
  const traceStore = traces ? undefined : createSqlTraceStore(database, config.retention.traces)
  const recordingList = createSqlRecordingList(database)
  const baseRecordingStore = createRecordingStore({
    folder: config.dataDir,
    findBucket,
    openBucket: openStorage,
    recordingList,
    retentionDays: config.retention.recordings,
    maxBytes: config.recordingLimits.bytesPerAccount,
    logError,
  })
  return {
    cache,
    mail,
    callHistory: withRecordingUrls(callHistory ?? createSqlCallHistory(store, config.retention), recordingList),
    captures: captures ?? sqlCaptureStore,
    /** Absent if captures are stored externally. */
    captureStore: captures ? undefined : sqlCaptureStore,
    traces: traces ?? traceStore,
    /** Absent if traces are stored externally. */
    traceStore,
    systemLogs,
    livePlatform,
    openStorage,
    recordingStore: withUploadClaims(baseRecordingStore, createSqlUploadClaims(database), logError),
    speech: speech ?? createSpeech({ allowPrivateTargets: config.speechPrivateTargets }),
    fetchAppEnvSchema: createAppEnvFetcher({ allowPrivateTargets: config.appEnvPrivateTargets }),
    identityProviders: createIdentityProviders(config.hostedEdition),
    webhookClient: createWebhookClient({ allowPrivateTargets: config.appEnvPrivateTargets }),
  }
}
