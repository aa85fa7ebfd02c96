import type { FastifyInstance } from 'fastify'
import { Problem } from '../http/problem'

const message = 'Ingest is disabled on this server. Set ENABLE_INGEST to accept calls, alerts and traces.'

/** Responds to ingest requests while ingest is disabled. The sender logs the response, which names the setting to change. */
export const rejectIngestRoutes = (app: FastifyInstance): void => {
  const refuse = () => {
    // InfluxDB clients log `error`, OpenTelemetry exporters log `message`.
    throw new Problem(404, { msg: message, error: message, message })
  }
  for (const url of ['/write', '/v1/traces'])
    app.post(url, { config: { isIngestRoute: true }, schema: { hide: true }, onRequest: refuse }, refuse)
}
