import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Serves an upgrade request as a normal request. Some clients offer an upgrade with every request, as Java's HTTP client does for
 * HTTP/2, and Node passes all such requests to the upgrade listener.
 */
export const serveWithoutUpgrade = (
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  bodyStart: Buffer,
): void => {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (!/^(upgrade|connection|http2-settings)$/i.test(rawHeaders[index]!))
      lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  const requestHead = Buffer.from(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`, 'latin1')
  // The bytes that were read are put back, without the upgrade headers, and the connection is parsed again.
  socket.unshift(Buffer.concat([requestHead, bodyStart]))
  server.emit('connection', socket)
}
