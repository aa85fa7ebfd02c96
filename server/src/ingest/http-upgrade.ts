import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Serves a request that offers to go on in another protocol as if it had not: some clients do so with every request, as
 * Java's offer HTTP/2, and whoever listens for upgrades gets all of them.
 */
export const serveAnyway = (server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void => {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!/^(upgrade|connection|http2-settings)$/i.test(rawHeaders[at]!))
      lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`, 'latin1')
  // what was read of the line already is put back, and the line begins anew
  socket.unshift(Buffer.concat([head, rest]))
  server.emit('connection', socket)
}
