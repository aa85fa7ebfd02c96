import type { ResourceSpans } from '@trunkline/contract/calls/otlp-trace'
import { startHttpServer, sendJson } from './http-server'

/** A double of Jaeger's query API, version 3, with the traces that a test adds. */
export const startJaeger = async () => {
  const spansByTrace = new Map<string, ResourceSpans[]>()
  let failureStatus: number | undefined
  let isStreaming = false
  const { address, stop } = await startHttpServer((request, response) => {
    const [, traceId = ''] = /^\/api\/v3\/traces\/([0-9a-f]+)$/.exec(request.url ?? '') ?? []
    const spans = spansByTrace.get(traceId)
    if (failureStatus !== undefined)
      return sendJson(response, failureStatus, { error: { httpCode: failureStatus, message: 'broken' } })
    if (!spans) return sendJson(response, 404, { error: { httpCode: 404, message: 'trace not found' } })
    if (!isStreaming) return sendJson(response, 200, { result: { resourceSpans: spans } })
    const lines = spans.map((item) => JSON.stringify({ result: { resourceSpans: [item] } }))
    return response.writeHead(200, { 'content-type': 'application/json' }).end(lines.join('\n'))
  })
  return {
    url: address,
    storeSpans: (traceId: string, spans: ResourceSpans[]) => spansByTrace.set(traceId, spans),
    /** Responds to all requests with this status; `undefined` ends this. */
    failWith: (status: number | undefined) => {
      failureStatus = status
    },
    /** Streams responses like Jaeger's gateway: one JSON object per line. */
    streamResponses: () => {
      isStreaming = true
    },
    stop,
  }
}
