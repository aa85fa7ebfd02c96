import { ingest } from '@trunkline/contract/messages/trace'
import { findAccountSid } from '../ports/span-owner'
import {
  listScopeSpans,
  type ResourceSpans,
  type ScopeSpans,
  type WireSpan,
} from '@trunkline/contract/calls/otlp-trace'
import type { NewTracePart, TracePart } from '../ports/traces'
import type { Writer } from './writer'
import { mayWriteFor, type ProviderLookup } from './point-owner'

/** Spans by trace, and the number of rejected spans with the reason of the last one. */
export interface SpansByTrace {
  parts: NewTracePart[]
  rejectedCount: number
  lastReason: string
}

/** The writer of spans that may belong to any account. */
const platformWriter = { service_provider_sid: null, account_sid: null }

const traceIdPattern = /^(?!0+$)[0-9a-f]{32}$/
const spanIdPattern = /^(?!0+$)[0-9a-f]{16}$/

const hexToBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

/** Converts a span to the API's format, with IDs in base64 as in Jaeger. */
const toApiSpan = ({ traceId, spanId, parentSpanId, links, ...otherFields }: WireSpan): WireSpan => ({
  traceId: hexToBase64(traceId),
  spanId: hexToBase64(spanId),
  ...(parentSpanId && spanIdPattern.test(parentSpanId) ? { parentSpanId: hexToBase64(parentSpanId) } : {}),
  ...otherFields,
  ...(links
    ? {
        links: links.map((link) => ({ ...link, traceId: hexToBase64(link.traceId), spanId: hexToBase64(link.spanId) })),
      }
    : {}),
})

/** Collects spans by trace, each with its resource and scope. */
class TraceGroups {
  private readonly traces = new Map<string, { resource: ResourceSpans; scopeSpans: ScopeSpans; spans: WireSpan[] }[]>()

  add(resource: ResourceSpans, scopeSpans: ScopeSpans, span: WireSpan): void {
    const groups = this.traces.get(span.traceId) ?? []
    if (groups.length === 0) this.traces.set(span.traceId, groups)
    const lastGroup = groups.at(-1)
    if (lastGroup?.scopeSpans === scopeSpans) lastGroup.spans.push(toApiSpan(span))
    else groups.push({ resource, scopeSpans, spans: [toApiSpan(span)] })
  }

  toTraceParts(writer: TracePart['writer']): NewTracePart[] {
    return [...this.traces].map(([trace_id, groups]) => ({
      trace_id,
      writer,
      spans: groups.map(({ resource: { resource }, scopeSpans: { scope }, spans }) => ({
        ...(resource ? { resource } : {}),
        instrumentationLibrarySpans: [{ ...(scope ? { instrumentationLibrary: scope } : {}), spans }],
      })),
    }))
  }
}

/** Groups spans by trace. Rejects spans with invalid IDs, and spans of accounts for which the writer may not write. */
export const groupSpansByTrace = async (
  writer: Writer,
  resources: readonly ResourceSpans[],
  findProvider: ProviderLookup,
): Promise<SpansByTrace> => {
  const traceGroups = new TraceGroups()
  let rejectedCount = 0
  let lastReason = ''
  const reject = (reason: string) => {
    rejectedCount += 1
    lastReason = reason
  }
  const permissionByAccount = new Map<string, boolean>()
  const isAllowed = async (account: string) => {
    const mayWrite = permissionByAccount.get(account) ?? (await mayWriteFor(writer, account, findProvider))
    permissionByAccount.set(account, mayWrite)
    return mayWrite
  }
  for (const resource of resources) {
    const resourceAccount = findAccountSid(resource.resource?.attributes)
    for (const scopeSpans of listScopeSpans(resource)) {
      for (const span of scopeSpans.spans ?? []) {
        const account = findAccountSid(span.attributes) ?? resourceAccount
        if (!traceIdPattern.test(span.traceId) || !spanIdPattern.test(span.spanId)) reject(ingest.invalidIds)
        else if (account && !(await isAllowed(account))) reject(ingest.foreignAccount)
        else traceGroups.add(resource, scopeSpans, span)
      }
    }
  }
  return {
    parts: traceGroups.toTraceParts('all' in writer ? platformWriter : writer),
    rejectedCount,
    lastReason,
  }
}
