import type { ResourceSpans, WireSpan, WireTrace } from '@trunkline/contract/calls/spans-wire'
import { groupsOf } from '@trunkline/contract/calls/spans-wire'
import { ownersOf } from './span-owner'
import type { Owner } from '@trunkline/contract/policy/actor'

/** What somebody has written of a trace. */
export interface TracePart {
  /** For whom they may write: an account, the accounts of a provider, or with neither, everybody. */
  writer: Owner
  spans: ResourceSpans[]
}

/** Parts of one trace on their way in. */
export interface NewTracePart extends TracePart {
  /** 32 hexadecimal digits, in lower case. */
  trace_id: string
}

/** Where traces are. What does not answer is Unavailable. */
export interface Traces {
  /** All parts of a trace, whoever has written them; none where it is unknown. */
  find(traceId: string): Promise<TracePart[]>
}

/** A store of traces of our own. */
export interface TraceStore extends Traces {
  /** Resolves once they are kept for good: after that no failure of this machine loses them. */
  keep(parts: readonly NewTracePart[]): Promise<void>
  /** Lets go of what is older than it is to be kept. */
  prune(stopped?: AbortSignal): Promise<void>
}

/** Which accounts belong to the tenant who asks. */
export interface Tenant {
  /** Null: a provider, with what is of its accounts. */
  account_sid: string | null
  service_provider_sid: string | null
  /** Is this account the tenant, or one of its own? */
  has: (account_sid: string) => Promise<boolean>
}

/** Somebody else's words about a tenant count for nothing: an account hears itself, its provider and the platform. */
const isTrusted = ({ writer }: TracePart, { account_sid, service_provider_sid }: Tenant) => {
  if (writer.account_sid !== null && account_sid !== null) return writer.account_sid === account_sid
  return writer.service_provider_sid === null || writer.service_provider_sid === service_provider_sid
}

/** Clients read `attributes` of every span without a check, so a span that was written without them gets an empty list. */
const withAttributes = (span: WireSpan): WireSpan => (span.attributes ? span : { ...span, attributes: [] })

const filterGroups = (resource: ResourceSpans, own: (span: WireSpan) => boolean): ResourceSpans[] => {
  const groups = groupsOf(resource).flatMap((group) => {
    const spans = (group.spans ?? []).filter(own).map(withAttributes)
    return spans.length > 0 ? [{ ...group, spans }] : []
  })
  if (groups.length === 0) return []
  const { instrumentationLibrarySpans: _, scopeSpans: __, ...rest } = resource
  return [resource.scopeSpans ? { ...rest, scopeSpans: groups } : { ...rest, instrumentationLibrarySpans: groups }]
}

/** The accounts of the spans of one writer. What others have written says nothing about them: it could be forged. */
const spanOwners = (parts: readonly TracePart[]) =>
  ownersOf(
    parts.flatMap(({ spans }) =>
      spans.flatMap((each) =>
        groupsOf(each).flatMap(({ spans: inner }) => (inner ?? []).map((span) => ({ span, resource: each.resource }))),
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

const cacheByAccount = (ownsAccount: Tenant['has']): Tenant['has'] => {
  const cache = new Map<string, Promise<boolean>>()
  return (account) => {
    const groups = cache.get(account) ?? ownsAccount(account)
    cache.set(account, groups)
    return groups
  }
}

/** What of a trace a tenant gets to see; undefined when that is nothing. */
export const visibleTrace = async (parts: readonly TracePart[], tenant: Tenant): Promise<WireTrace | undefined> => {
  const has = cacheByAccount(tenant.has)
  const resourceSpans: ResourceSpans[] = []
  for (const own of groupByWriter(parts.filter((part) => isTrusted(part, tenant)))) {
    const writer = own[0]!.writer
    const ownerOf = writer.account_sid === null ? spanOwners(own) : () => writer.account_sid ?? undefined
    for (const resource of own.flatMap(({ spans }) => spans)) {
      const visibleSpans = new Set<WireSpan>()
      for (const span of groupsOf(resource).flatMap(({ spans }) => spans ?? [])) {
        const account = ownerOf(span)
        // What names no account is of the provider whose voice servers have written it.
        const isVisible = account
          ? await has(account)
          : tenant.account_sid === null && writer.service_provider_sid !== null
        if (isVisible) visibleSpans.add(span)
      }
      resourceSpans.push(...filterGroups(resource, (span) => visibleSpans.has(span)))
    }
  }
  return resourceSpans.length > 0 ? { resourceSpans } : undefined
}
