import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** A request with an incomplete body, and the bytes that its connection had received at the last check. */
interface Upload {
  response: ServerResponse
  receivedBytes: number
}

/** Whether this server has paused reading, so that the client cannot send faster. */
const isPaused = (request: IncomingMessage): boolean => request.readableFlowing !== true

/**
 * Watches request bodies. Each call of the returned function aborts the requests that have received fewer than `minBytes`
 * since the previous call. Unlike a time limit, this permits large bodies on slow connections.
 */
export const watchSlowBodies = (server: Server, minBytes: number): (() => void) => {
  const uploads = new Map<IncomingMessage, Upload>()

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return
    const stopWatching = () => uploads.delete(request)
    uploads.set(request, { response, receivedBytes: Infinity })
    request.once('end', stopWatching)
    request.once('close', stopWatching)
  })

  const abortRequest = ({ socket }: IncomingMessage, { headersSent }: ServerResponse) => {
    if (headersSent) return socket.destroy()
    // Node reports a request timeout in this way. Fastify then responds with 408 and closes the connection.
    server.emit(
      'clientError',
      Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      socket,
    )
  }

  return () => {
    for (const [request, upload] of uploads) {
      const receivedBytes = request.socket.bytesRead
      // The first check only measures, so that every request has a full interval.
      const isSlow = receivedBytes - upload.receivedBytes < minBytes
      if (upload.receivedBytes !== Infinity && isSlow && !isPaused(request)) {
        uploads.delete(request)
        abortRequest(request, upload.response)
      } else upload.receivedBytes = receivedBytes
    }
  }
}
