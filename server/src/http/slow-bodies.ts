import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** A request whose body is still coming, with the bytes that its connection had brought at the last check. */
interface Upload {
  response: ServerResponse
  bytes: number
}

/** Whether this server is the slow side: it takes nothing from the connection until it has room again. */
const isPaused = (request: IncomingMessage): boolean => request.readableFlowing !== true

/**
 * Watches the bodies that come in. Each call of the returned function ends the requests whose bodies have brought fewer
 * than `minBytes` since the call before. A body of any length may take as long as it needs while it keeps coming, which
 * a limit for the whole request would not allow.
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

  const end = ({ socket }: IncomingMessage, { headersSent }: ServerResponse) => {
    if (headersSent) return socket.destroy()
    // As Node itself reports a request that takes too long: Fastify answers 408 and closes.
    server.emit(
      'clientError',
      Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      socket,
    )
  }

  return () => {
    for (const [request, upload] of uploads) {
      const bytes = request.socket.bytesRead
      // The first check only takes the measure, so that everybody has a whole interval.
      const isSlow = bytes - upload.bytes < minBytes
      if (upload.bytes !== Infinity && isSlow && !isPaused(request)) {
        uploads.delete(request)
        end(request, upload.response)
      } else upload.bytes = bytes
    }
  }
}
