import { context, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'
import type { EndedStatement } from '../db/database'
import { readClock, toSpanTime } from './clock'
import { errorTypeOf } from './error-type'

/** Statements that write many rows have long texts, which are mostly placeholders. */
const maxTextLength = 2000

const operationPattern = /^\s*(\w+)/
const tablePattern = /\b(?:from|into|update|table)\s+[`"]?(\w+)/i

/** The operation and the first table of a statement, as in `select accounts`. */
const summarize = (text: string) => {
  const operation = operationPattern.exec(text)?.[1]?.toLowerCase()
  const table = tablePattern.exec(text)?.[1]
  return { operation, table, summary: [operation, table].filter(Boolean).join(' ') }
}

/** Records a span for a statement that has ended. Its text has placeholders; its values are never recorded. */
export const observeStatement = (tracer: Tracer, { text, engine, durationMs, error }: EndedStatement): void => {
  if (!trace.getSpan(context.active())?.isRecording()) return
  const endMs = readClock()
  const { operation, table, summary } = summarize(text)
  const span = tracer.startSpan(summary || engine, {
    kind: SpanKind.CLIENT,
    startTime: toSpanTime(endMs - durationMs),
    attributes: {
      'db.system.name': engine,
      'db.query.text': text.slice(0, maxTextLength),
      'db.query.summary': summary,
      'db.operation.name': operation,
      'db.collection.name': table,
    },
  })
  if (error !== undefined) {
    span.setAttribute('error.type', errorTypeOf(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end(toSpanTime(endMs))
}
