import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { readClock, toSpanTime } from './clock'
import { errorTypeOf } from './error-type'
import { createExportQueue } from './export-queue'
import { observeOutgoing } from './outgoing-spans'
import { observeRequests } from './request-spans'
import { createSampler } from './sampler'
import { observeStatement } from './statement-spans'
import type { Telemetry, TelemetryOptions } from './telemetry'

/** How long the last spans may take at the end of the process. */
const closeTimeoutMs = 3000

/** Starts to record spans. The process can have only one telemetry at a time. */
export const startTelemetry = (options: TelemetryOptions): Telemetry => {
  const { url, headers, timeoutMs, version } = options
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs })
  const { processor, counts } = createExportQueue(exporter, options.warn)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.version': version,
      'service.instance.id': randomUUID(),
      ...options.resourceAttributes,
    }),
    sampler: createSampler(options.sampler),
    spanProcessors: [processor],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('trunkline', version)
  const stopObserving = observeOutgoing(tracer, options.tracedUrls)

  return {
    counts,
    observeRequests: (app, listener) => observeRequests(app, tracer, listener),
    observeStatement: (statement) => observeStatement(tracer, statement),
    async runTask(job, task) {
      const span = tracer.startSpan(
        `job ${job}`,
        { kind: SpanKind.INTERNAL, startTime: toSpanTime(readClock()), attributes: { 'trunkline.job': job } },
        ROOT_CONTEXT,
      )
      try {
        await context.with(trace.setSpan(ROOT_CONTEXT, span), task)
      } catch (error) {
        span.setAttribute('error.type', errorTypeOf(error))
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end(toSpanTime(readClock()))
      }
    },
    getLogFields() {
      const ids = trace.getSpanContext(context.active())
      return ids ? { trace_id: ids.traceId, span_id: ids.spanId } : {}
    },
    async close() {
      stopObserving()
      const flushed = provider.shutdown().catch(() => undefined)
      await Promise.race([flushed, wait(closeTimeoutMs, undefined, { ref: false })])
      context.disable()
    },
  }
}
