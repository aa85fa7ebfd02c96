import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy on loopback that can silently drop the traffic of connections. */
export interface TcpProxy {
  port: number
  /** The number of connections so far. */
  countConnections(): number
  /** Drops the traffic of all open connections; with `newConnections`, also that of later connections. */
  dropTraffic(options?: { newConnections?: boolean }): void
  close(): Promise<void>
}

export const startTcpProxy = async (target: { host: string; port: number }): Promise<TcpProxy> => {
  const sockets = new Set<Socket>()
  let openConnections = new Set<{ forwards: boolean }>()
  let connectionCount = 0
  let forwardsNewConnections = true
  const forward = (from: Socket, to: Socket, connection: { forwards: boolean }) => {
    sockets.add(from)
    from.on('data', (bytes) => void (connection.forwards && to.write(bytes)))
    from.on('end', () => void (connection.forwards && to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => sockets.delete(from))
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    connectionCount += 1
    const connection = { forwards: forwardsNewConnections }
    openConnections.add(connection)
    const upstream = connect({ ...target, allowHalfOpen: true })
    forward(client, upstream, connection)
    forward(upstream, client, connection)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    countConnections: () => connectionCount,
    dropTraffic({ newConnections = false } = {}) {
      for (const connection of openConnections) connection.forwards = false
      openConnections = new Set()
      forwardsNewConnections = !newConnections
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
