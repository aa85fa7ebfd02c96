import { ingest } from '@trunkline/contract/messages/trace'
import { accountOfAttributes } from '../ports/span-owner'
import {
  listScopeSpans,
  type ResourceSpans,
  type ScopeSpans,
  type WireSpan,
} from '@trunkline/contract/calls/otlp-trace'
import type { NewTracePart, TracePart } from '../ports/traces'
import type { Writer } from './writer'
import type { ProviderLookup } from './point-owner'

/** Spans by trace, and the number of rejected spans with the reason of the last one. */
export interface SpansByTrace {
  parts: NewTracePart[]
  rejected: number
  reason: string
}

const platformOwner = { service_provider_sid: null, account_sid: null }

/** May this writer write for the account? */
const mayWrite = async (writer: Writer, account: string, findProvider: ProviderLookup): Promise<boolean> => {
  if ('all' in writer) return (await findProvider(account)) !== undefined
  if (writer.account_sid !== null) return account === writer.account_sid.toLowerCase()
  return (await findProvider(account)) === writer.service_provider_sid
}

const traceIdPattern = /^(?!0+$)[0-9a-f]{32}$/
const spanIdPattern = /^(?!0+$)[0-9a-f]{16}$/

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

/** Converts a span to the API's format, with IDs in base64 as in Jaeger. */
const toApiSpan = ({ traceId, spanId, parentSpanId, links, ...otherFields }: WireSpan): WireSpan => ({
  traceId: base64(traceId),
  spanId: base64(spanId),
  ...(parentSpanId && spanIdPattern.test(parentSpanId) ? { parentSpanId: base64(parentSpanId) } : {}),
  ...otherFields,
  ...(links
    ? { links: links.map((link) => ({ ...link, traceId: base64(link.traceId), spanId: base64(link.spanId) })) }
    : {}),
})

/** Groups spans by trace, each with its resource and scope. */
class TraceGroups {
  private readonly traces = new Map<string, { resource: ResourceSpans; group: ScopeSpans; spans: WireSpan[] }[]>()

  add(resource: ResourceSpans, group: ScopeSpans, span: WireSpan): void {
    const groups = this.traces.get(span.traceId) ?? []
    if (groups.length === 0) this.traces.set(span.traceId, groups)
    const last = groups.at(-1)
    if (last?.group === group) last.spans.push(toApiSpan(span))
    else groups.push({ resource, group, spans: [toApiSpan(span)] })
  }

  parts(writer: TracePart['writer']): NewTracePart[] {
    return [...this.traces].map(([trace_id, groups]) => ({
      trace_id,
      writer,
      spans: groups.map(({ resource: { resource }, group: { scope }, spans }) => ({
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
    const result = permissionByAccount.get(account) ?? (await mayWrite(writer, account, findProvider))
    permissionByAccount.set(account, result)
    return result
  }
  for (const resource of resources) {
    const resourceAccount = accountOfAttributes(resource.resource?.attributes)
    for (const group of listScopeSpans(resource)) {
      for (const span of group.spans ?? []) {
        const account = accountOfAttributes(span.attributes) ?? resourceAccount
        if (!traceIdPattern.test(span.traceId) || !spanIdPattern.test(span.spanId)) reject(ingest.invalidIds)
        else if (account && !(await isAllowed(account))) reject(ingest.foreignAccount)
        else traceGroups.add(resource, group, span)
      }
    }
  }
  return {
    parts: traceGroups.parts('all' in writer ? platformOwner : writer),
    rejected: rejectedCount,
    reason: lastReason,
  }
}
