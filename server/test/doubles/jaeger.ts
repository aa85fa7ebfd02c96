import type { ResourceSpans } from '@trunkline/contract/calls/otlp-trace'
import { listening, sendJson } from './listening'

/** A double of Jaeger's query API, version 3, with the traces that a test adds. */
export const startJaeger = async () => {
  const held = new Map<string, ResourceSpans[]>()
  let failing: number | undefined
  let inPieces = false
  const { address, stop } = await listening((request, response) => {
    const [, traceId = ''] = /^\/api\/v3\/traces\/([0-9a-f]+)$/.exec(request.url ?? '') ?? []
    const spans = held.get(traceId)
    if (failing !== undefined) return sendJson(response, failing, { error: { httpCode: failing, message: 'broken' } })
    if (!spans) return sendJson(response, 404, { error: { httpCode: 404, message: 'trace not found' } })
    if (!inPieces) return sendJson(response, 200, { result: { resourceSpans: spans } })
    const pieces = spans.map((item) => JSON.stringify({ result: { resourceSpans: [item] } }))
    return response.writeHead(200, { 'content-type': 'application/json' }).end(pieces.join('\n'))
  })
  return {
    url: address,
    hold: (traceId: string, spans: ResourceSpans[]) => held.set(traceId, spans),
    /** Responds to all requests with this status; `undefined` ends this. */
    breakWith: (status: number | undefined) => {
      failing = status
    },
    /** Streams responses like Jaeger's gateway: one JSON object per line. */
    answerInPieces: () => {
      inPieces = true
    },
    stop,
  }
}
