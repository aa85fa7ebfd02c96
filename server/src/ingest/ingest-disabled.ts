import type { FastifyInstance } from 'fastify'
import { Problem } from '../http/problem'

const closed = 'This server takes in no calls, alerts or traces here: ENABLE_INGEST opens its doors'

/** Where voice servers look for doors that are closed: who set up the other end reads in its log what is missing on this one. */
export const closedDoors = (app: FastifyInstance): void => {
  const refuse = () => {
    // InfluxDB's clients tell `error`, OpenTelemetry's exporters `message`
    throw new Problem(404, { msg: closed, error: closed, message: closed })
  }
  for (const url of ['/write', '/v1/traces'])
    app.post(url, { config: { isIngestRoute: true }, schema: { hide: true }, onRequest: refuse }, refuse)
}
