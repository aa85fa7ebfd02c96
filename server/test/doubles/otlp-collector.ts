import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Attribute, ResourceSpans, WireSpan } from '@trunkline/contract/calls/otlp-trace'
import { readBody, sendJson, startHttpServer } from './http-server'

/** The kinds of spans that the server records, as numbers of the OTLP protocol. */
export const spanKinds = { internal: 1, server: 2, client: 3 }

export interface CollectedSpan extends Omit<WireSpan, 'attributes' | 'kind'> {
  kind: number
  attributes: Record<string, string | number | undefined>
  resource: Record<string, string | number | undefined>
}

const toRecord = (attributes: Attribute[] = []) =>
  Object.fromEntries(
    attributes.map(({ key, value = {} }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? value.doubleValue : Number(value.intValue)),
    ]),
  )

const isHex = (text: string | undefined, length: number) => new RegExp(`^[0-9a-f]{${length}}$`).test(text ?? '')

/** Whether the IDs and times of a span are in the format of OTLP over JSON. */
const isWellFormed = ({ traceId, spanId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano }: WireSpan) =>
  isHex(traceId, 32) &&
  isHex(spanId, 16) &&
  (!parentSpanId || isHex(parentSpanId, 16)) &&
  name !== '' &&
  BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano)

/** How the collector responds: it accepts spans, fails with a status, or never responds. */
type Behaviour = 'accept' | 'hang' | number

/**
 * A double of an OpenTelemetry collector. It accepts spans at `/v1/traces` as the OTLP specification (1.x) describes it for
 * JSON over HTTP, and refuses malformed ones.
 */
export const startOtlpCollector = async () => {
  const spans: CollectedSpan[] = []
  const requestHeaders: IncomingHttpHeaders[] = []
  let behaviour: Behaviour = 'accept'

  const accept = (response: ServerResponse, text: string) => {
    const { resourceSpans } = JSON.parse(text) as { resourceSpans: ResourceSpans[] }
    const received = resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
      scopeSpans.flatMap((scope) =>
        (scope.spans ?? []).map((span) => ({
          ...span,
          kind: Number(span.kind),
          attributes: toRecord(span.attributes),
          resource: toRecord(resource?.attributes),
        })),
      ),
    )
    if (!resourceSpans.every(({ scopeSpans = [] }) => scopeSpans.every((scope) => scope.spans?.every(isWellFormed))))
      return sendJson(response, 400, { code: 3, message: 'malformed span' })
    spans.push(...received)
    return sendJson(response, 200, { partialSuccess: {} })
  }

  const { address, stop } = await startHttpServer((request, response) => {
    requestHeaders.push(request.headers)
    if (behaviour === 'hang') return
    if (behaviour !== 'accept') return sendJson(response, behaviour, { code: 13, message: 'broken' })
    if (request.method !== 'POST' || request.url !== '/v1/traces') return sendJson(response, 404, {})
    if (request.headers['content-type'] !== 'application/json') return sendJson(response, 415, {})
    void readBody(request).then((body) => accept(response, body.toString()))
  })
  return {
    url: address,
    spans,
    requestHeaders,
    behave: (next: Behaviour) => {
      behaviour = next
    },
    stop,
  }
}
