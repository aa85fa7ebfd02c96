import type { FastifyInstance } from 'fastify'
import { Problem } from '../http/problem'
import { createServer } from '../http/server'
import { isFromWebPage, isSocketFromWebPage } from '../ingest/browser-requests'
import { unlimitedQuota } from '../ingest/quota'
import { findPlatformWriter, writerForAllTenants } from '../ingest/writer'
import type { AppOptions } from './app'
import { mountIngestRoutes, mountRecordingStream, findNoWriter } from './ingest-routes'
import type { Services } from './services'

/** Builds an app with only the ingest routes, for a private port. The platform's servers send no API key. */
export const buildIngestApp = async ({
  config,
  services,
  logStream,
  metrics,
  telemetry,
}: AppOptions & { services: Services }): Promise<FastifyInstance> => {
  const app = createServer({ config, logStream, getLogFields: telemetry?.getLogFields })
  telemetry?.observeRequests(app, 'ingest')
  metrics?.observeRequests(app, 'ingest')
  app.addHook('onRequest', async ({ headers }) => {
    if (isFromWebPage(headers)) throw new Problem(403, { msg: 'This port does not accept requests from web pages' })
  })
  mountIngestRoutes(app, services, findPlatformWriter, unlimitedQuota)
  mountRecordingStream(app, services, {
    config,
    // Without configured credentials, every client that reaches the private port may write.
    findWriter: config.recordingStreamCredentials ? findNoWriter : () => Promise.resolve(writerForAllTenants),
    isRejected: isSocketFromWebPage,
  })
  await app.ready()
  return app
}
