import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config'
import { influxRoutes } from '../ingest/influx-routes'
import { otlpRoutes } from '../ingest/otlp-routes'
import { createCachedProviderLookup } from '../ingest/point-owner'
import { createIngestQuota, type IngestQuota } from '../ingest/quota'
import { recordingStreamRoute, type RecordingStreamOptions } from '../ingest/recording-stream'
import { recordingUploadRoutes } from '../ingest/recording-upload'
import {
  createHeaderWriterLookup,
  createWriterLookup,
  type HeaderWriterLookup,
  type WriterLookup,
} from '../ingest/writer'
import type { Services } from './services'

/** Finds the provider of an account. The result is cached, because every written record needs it. */
const createProviderLookup = ({ accounts }: Pick<Services, 'accounts'>) =>
  createCachedProviderLookup(async (sid) => (await accounts.providerOf(sid)) ?? undefined)

/** Mounts the ingest routes for call records, alerts, traces and uploaded recordings. */
export const mountIngestRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'accounts' | 'callHistory' | 'traceStore' | 'recordingStore'>,
  findWriter: WriterLookup,
  quota: IngestQuota,
): void => {
  const { callHistory, traceStore, recordingStore } = services
  const findProvider = createProviderLookup(services)
  influxRoutes(app, { history: callHistory, findWriter, findProvider, quota })
  otlpRoutes(app, { store: traceStore, findWriter, findProvider, quota })
  recordingUploadRoutes(app, { recordingStore, findWriter, findProvider })
}

interface StreamOptions {
  config: Pick<Config, 'recordingStreamCredentials' | 'recordingLimits'>
  findWriter: HeaderWriterLookup
  /** Rejects no request by default. */
  isRejected?: RecordingStreamOptions['isRejected']
}

/**
 * Mounts the WebSocket route for streamed recordings. The configured credential may write for every account; API keys only
 * for their own.
 */
export const mountRecordingStream = (
  app: FastifyInstance,
  services: Pick<Services, 'accounts' | 'recordingStore'>,
  { config, findWriter, isRejected = () => false }: StreamOptions,
): void =>
  recordingStreamRoute(app, {
    isRejected,
    recordingStore: services.recordingStore,
    findProvider: createProviderLookup(services),
    platformCredentials: config.recordingStreamCredentials,
    maxStreams: config.recordingLimits.streamsPerKey,
    findWriter,
  })

/** For a port that accepts no API keys: no request has a writer. */
export const findNoWriter: HeaderWriterLookup = () => Promise.resolve(undefined)

type IngestServices = Parameters<typeof mountIngestRoutes>[1] & Parameters<typeof mountRecordingStream>[1]

/** Mounts the ingest routes of the main port: for writers with an API key, and for the configured credential of recordings. */
export const mountIngest = (
  app: FastifyInstance,
  services: IngestServices,
  config: StreamOptions['config'] & Pick<Config, 'ingest' | 'ingestQuotas'>,
  findActor: Parameters<typeof createWriterLookup>[0],
): void => {
  const { acceptsApiKeys } = config.ingest
  if (acceptsApiKeys)
    mountIngestRoutes(app, services, createWriterLookup(findActor), createIngestQuota(config.ingestQuotas))
  mountRecordingStream(app, services, {
    config,
    findWriter: acceptsApiKeys ? createHeaderWriterLookup(findActor) : findNoWriter,
  })
}
