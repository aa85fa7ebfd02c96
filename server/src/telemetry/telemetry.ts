import type { FastifyInstance } from 'fastify'
import type { TelemetryTarget } from '../config/telemetry'
import type { EndedStatement } from '../db/database'

export interface TelemetryOptions extends TelemetryTarget {
  version: string
  /** Receives at most one message per minute. */
  warn: (message: string) => void
}

/** Records spans of what this server itself does, and sends them to a collector. */
export interface Telemetry {
  /** Records a span for each request of an app, under the span of the client if the request names one. */
  observeRequests(app: FastifyInstance, listener: 'main' | 'ingest'): void
  /** Records a span for a statement, if it belongs to a request or a job. */
  observeStatement(statement: EndedStatement): void
  /** Runs a task of a background job in a span. */
  runTask(job: string, task: () => Promise<void>): Promise<void>
  /** The IDs of the active span, for lines of the log. */
  getLogFields: () => { trace_id?: string; span_id?: string }
  /** How many spans the collector has received, and how many were dropped because it did not. */
  readonly counts: { sent: number; dropped: number }
  /** Sends the remaining spans. Ends soon, even if the collector does not respond. */
  close(): Promise<void>
}

/** Starts to record spans. The libraries of OpenTelemetry are loaded here, so that a server without a collector never loads them. */
export const openTelemetry = async (options: TelemetryOptions): Promise<Telemetry> =>
  (await import('./spans')).startTelemetry(options)
