import type { ResourceSpans, WireSpan, WireTrace } from '@trunkline/contract/calls/otlp-trace'
import { listScopeSpans } from '@trunkline/contract/calls/otlp-trace'
import { createSpanOwnerLookup } from './span-owner'
import type { Owner } from '@trunkline/contract/policy/actor'

/** The spans of a trace from one request of one writer. */
export interface TracePart {
  /** The tenant of the writer: an account, a provider or, without either, the platform. */
  writer: Owner
  spans: ResourceSpans[]
}

export interface NewTracePart extends TracePart {
  /** 32 hexadecimal digits in lower case. */
  trace_id: string
}

/** Reads traces. Throws UnavailableError if the trace server does not respond. */
export interface Traces {
  /** All parts of a trace, from all writers; empty if the trace is unknown. */
  findParts(traceId: string): Promise<TracePart[]>
}

/** Traces in our own tables. */
export interface TraceStore extends Traces {
  /** Resolves once the parts are stored durably. */
  addParts(parts: readonly NewTracePart[]): Promise<void>
  /** How many compressed bytes wait to be stored. */
  getQueueSize: () => number
  /** Deletes traces that are older than their retention period. */
  prune(signal?: AbortSignal): Promise<void>
}

/** The tenant that reads a trace. */
export interface TraceReader {
  /** Null for a provider, which includes its accounts. */
  account_sid: string | null
  service_provider_sid: string | null
  /** Whether the account is the tenant or belongs to it. */
  hasAccount: (account_sid: string) => Promise<boolean>
}

/** A tenant could forge spans of another one. So an account sees only spans from itself, its provider and the platform. */
const isTrusted = ({ writer }: TracePart, { account_sid, service_provider_sid }: TraceReader) => {
  if (writer.account_sid !== null && account_sid !== null) return writer.account_sid === account_sid
  return writer.service_provider_sid === null || writer.service_provider_sid === service_provider_sid
}

/** Clients expect `attributes` on every span, so spans without them get an empty list. */
const withAttributes = (span: WireSpan): WireSpan => (span.attributes ? span : { ...span, attributes: [] })

const filterResourceSpans = (resource: ResourceSpans, isVisible: (span: WireSpan) => boolean): ResourceSpans[] => {
  const groups = listScopeSpans(resource).flatMap((group) => {
    const spans = (group.spans ?? []).filter(isVisible).map(withAttributes)
    return spans.length > 0 ? [{ ...group, spans }] : []
  })
  if (groups.length === 0) return []
  const { instrumentationLibrarySpans: _, scopeSpans: __, ...otherFields } = resource
  return [
    resource.scopeSpans
      ? { ...otherFields, scopeSpans: groups }
      : { ...otherFields, instrumentationLibrarySpans: groups },
  ]
}

/** The accounts of one writer's spans. Spans of other writers are no evidence, because they could be forged. */
const createAccountLookup = (parts: readonly TracePart[]) =>
  createSpanOwnerLookup(
    parts.flatMap(({ spans }) =>
      spans.flatMap((resource) =>
        listScopeSpans(resource).flatMap(({ spans: scopeSpans }) =>
          (scopeSpans ?? []).map((span) => ({ span, resource: resource.resource })),
        ),
      ),
    ),
  )

const groupByWriter = (parts: readonly TracePart[]): TracePart[][] => {
  const groups = new Map<string, TracePart[]>()
  for (const part of parts) {
    const { service_provider_sid, account_sid } = part.writer
    const key = `${service_provider_sid} ${account_sid}`
    groups.set(key, [...(groups.get(key) ?? []), part])
  }
  return [...groups.values()]
}

const cacheByAccount = (hasAccount: TraceReader['hasAccount']): TraceReader['hasAccount'] => {
  const cache = new Map<string, Promise<boolean>>()
  return (account) => {
    const hasAccountPromise = cache.get(account) ?? hasAccount(account)
    cache.set(account, hasAccountPromise)
    return hasAccountPromise
  }
}

/** The part of a trace that a tenant may see; undefined if there is none. */
export const filterVisibleTrace = async (
  parts: readonly TracePart[],
  tenant: TraceReader,
): Promise<WireTrace | undefined> => {
  const hasAccount = cacheByAccount(tenant.hasAccount)
  const resourceSpans: ResourceSpans[] = []
  for (const writerParts of groupByWriter(parts.filter((part) => isTrusted(part, tenant)))) {
    const writer = writerParts[0]!.writer
    const ownerOf =
      writer.account_sid === null ? createAccountLookup(writerParts) : () => writer.account_sid ?? undefined
    // Spans that a writer has sent again, together with other spans.
    const spanIds = new Set<string>()
    for (const resource of writerParts.flatMap(({ spans }) => spans)) {
      const visibleSpans = new Set<WireSpan>()
      for (const span of listScopeSpans(resource).flatMap(({ spans }) => spans ?? [])) {
        const account = ownerOf(span)
        // A span without an account belongs to the provider whose voice servers wrote it.
        const isVisible = account
          ? await hasAccount(account)
          : tenant.account_sid === null && writer.service_provider_sid !== null
        if (isVisible && !spanIds.has(span.spanId)) visibleSpans.add(span)
        spanIds.add(span.spanId)
      }
      resourceSpans.push(...filterResourceSpans(resource, (span) => visibleSpans.has(span)))
    }
  }
  return resourceSpans.length > 0 ? { resourceSpans } : undefined
}
