import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** A request whose body is incomplete, with the bytes that its connection had received at the last check. */
interface Upload {
  response: ServerResponse
  bytes: number
}

/** Whether this server is the slow side: it has paused reading. */
const isPaused = (request: IncomingMessage): boolean => request.readableFlowing !== true

/**
 * Watches request bodies. Each call of the returned function aborts the requests that have received fewer than `minBytes`
 * since the previous call. Unlike a time limit, this permits large bodies on slow connections.
 */
export const watchBodies = (server: Server, minBytes: number): (() => void) => {
  const uploads = new Map<IncomingMessage, Upload>()

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return
    const forget = () => uploads.delete(request)
    uploads.set(request, { response, bytes: Infinity })
    request.once('end', forget)
    request.once('close', forget)
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
      const bytes = request.socket.bytesRead
      // The first check only measures, so that every request has a full interval.
      const isSlow = bytes - upload.bytes < minBytes
      if (upload.bytes !== Infinity && isSlow && !isPaused(request)) {
        uploads.delete(request)
        abortRequest(request, upload.response)
      } else upload.bytes = bytes
    }
  }
}
