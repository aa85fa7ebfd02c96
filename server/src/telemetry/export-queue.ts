import { TraceFlags } from '@opentelemetry/api'
import { ExportResultCode, type ExportResult } from '@opentelemetry/core'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace'

/** Spans that wait for the collector. About a kilobyte each. */
const maxWaiting = 2048
const maxBatchSize = 512
const sendIntervalMs = 5000
const warnIntervalMs = 60_000

const explainFailure = ({ error }: ExportResult): string => {
  const { message, code } = (error ?? {}) as { message?: string; code?: string | number }
  return [message, code].filter((part) => part !== undefined && part !== '').join(', ') || 'no response'
}

/**
 * Creates the queue between the requests and the collector. It never delays the code that ends a span: if the collector
 * does not respond, the queue drops spans and counts them. `warn` gets at most one message per minute.
 */
export const createExportQueue = (exporter: SpanExporter, warn: (message: string) => void) => {
  const counts = { sent: 0, dropped: 0 }
  let waitingCount = 0
  let unreportedCount = 0
  let warnedAtMs = -Infinity

  const drop = (count: number, reason: string) => {
    counts.dropped += count
    unreportedCount += count
    const nowMs = performance.now()
    if (nowMs - warnedAtMs < warnIntervalMs) return
    warn(`${unreportedCount} spans could not be sent to the OpenTelemetry collector: ${reason}`)
    warnedAtMs = nowMs
    unreportedCount = 0
  }

  const countingExporter: SpanExporter = {
    export(spans, callback) {
      waitingCount -= spans.length
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.SUCCESS) counts.sent += spans.length
        else drop(spans.length, explainFailure(result))
        callback(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }

  const batches = new BatchSpanProcessor({
    exporter: countingExporter,
    maxQueueSize: maxWaiting,
    maxExportBatchSize: maxBatchSize,
    scheduledDelayMillis: sendIntervalMs,
  })

  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd(span: ReadableSpan) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return
      if (waitingCount >= maxWaiting) return drop(1, 'too many are waiting')
      waitingCount += 1
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }

  return { processor, counts }
}
