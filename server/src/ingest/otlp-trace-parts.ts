import { ingest } from '@trunkline/contract/messages/trace'
import { accountIn } from '../ports/span-owner'
import { scopeSpansOf, type ResourceSpans, type ScopeSpans, type WireSpan } from '@trunkline/contract/calls/spans-wire'
import type { NewTracePart, TracePart } from '../ports/traces'
import type { Writer } from './writer'
import type { ProviderOf } from './ownership'

/** What comes of a request: what is to be kept, and how many spans are not, with the reason of the last of them. */
export interface Sorted {
  parts: NewTracePart[]
  rejected: number
  why: string
}

const everybody = { service_provider_sid: null, account_sid: null }

/** May this writer write for the account? */
const mayWrite = async (writer: Writer, account: string, providerOf: ProviderOf): Promise<boolean> => {
  if ('all' in writer) return (await providerOf(account)) !== undefined
  if (writer.account_sid !== null) return account === writer.account_sid.toLowerCase()
  return (await providerOf(account)) === writer.service_provider_sid
}

const traceIds = /^(?!0+$)[0-9a-f]{32}$/
const spanIds = /^(?!0+$)[0-9a-f]{16}$/

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

/** A span in the form in which it is answered, its IDs in base64 as a Jaeger has them. */
const answered = ({ traceId, spanId, parentSpanId, links, ...rest }: WireSpan): WireSpan => ({
  traceId: base64(traceId),
  spanId: base64(spanId),
  ...(parentSpanId && spanIds.test(parentSpanId) ? { parentSpanId: base64(parentSpanId) } : {}),
  ...rest,
  ...(links
    ? { links: links.map((link) => ({ ...link, traceId: base64(link.traceId), spanId: base64(link.spanId) })) }
    : {}),
})

/** Puts spans down by their trace, under the resource and the library that they came with. */
class Pile {
  private readonly traces = new Map<string, { resource: ResourceSpans; group: ScopeSpans; spans: WireSpan[] }[]>()

  add(resource: ResourceSpans, group: ScopeSpans, span: WireSpan): void {
    const places = this.traces.get(span.traceId) ?? []
    if (places.length === 0) this.traces.set(span.traceId, places)
    const last = places.at(-1)
    if (last?.group === group) last.spans.push(answered(span))
    else places.push({ resource, group, spans: [answered(span)] })
  }

  parts(writer: TracePart['writer']): NewTracePart[] {
    return [...this.traces].map(([trace_id, places]) => ({
      trace_id,
      writer,
      spans: places.map(({ resource: { resource }, group: { scope }, spans }) => ({
        ...(resource ? { resource } : {}),
        instrumentationLibrarySpans: [{ ...(scope ? { instrumentationLibrary: scope } : {}), spans }],
      })),
    }))
  }
}

/** Sorts what came in by trace, and leaves out what has no usable ID or is for an account that the writer may not write for. */
export const sortSpans = async (
  writer: Writer,
  resources: readonly ResourceSpans[],
  providerOf: ProviderOf,
): Promise<Sorted> => {
  const pile = new Pile()
  let rejected = 0
  let why = ''
  const reject = (reason: string) => {
    rejected += 1
    why = reason
  }
  const allowed = new Map<string, boolean>()
  const may = async (account: string) => {
    const found = allowed.get(account) ?? (await mayWrite(writer, account, providerOf))
    allowed.set(account, found)
    return found
  }
  for (const resource of resources) {
    const whole = accountIn(resource.resource?.attributes)
    for (const group of scopeSpansOf(resource)) {
      for (const span of group.spans ?? []) {
        const account = accountIn(span.attributes) ?? whole
        if (!traceIds.test(span.traceId) || !spanIds.test(span.spanId)) reject(ingest.badIds)
        else if (account && !(await may(account))) reject(ingest.foreign)
        else pile.add(resource, group, span)
      }
    }
  }
  return { parts: pile.parts('all' in writer ? everybody : writer), rejected, why }
}
