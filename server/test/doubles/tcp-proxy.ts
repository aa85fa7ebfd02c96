import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy on loopback that can silently drop the traffic of connections. */
export interface TcpProxy {
  port: number
  /** The number of connections so far. */
  accepted(): number
  /** Drops the traffic of all open connections; with `newOnes`, also that of later connections. */
  blackHole(options?: { newOnes?: boolean }): void
  close(): Promise<void>
}

export const startTcpProxy = async (target: { host: string; port: number }): Promise<TcpProxy> => {
  const sockets = new Set<Socket>()
  let open = new Set<{ passes: boolean }>()
  let accepted = 0
  let passesNew = true
  const forward = (from: Socket, to: Socket, line: { passes: boolean }) => {
    sockets.add(from)
    from.on('data', (bytes) => void (line.passes && to.write(bytes)))
    from.on('end', () => void (line.passes && to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => sockets.delete(from))
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    accepted += 1
    const line = { passes: passesNew }
    open.add(line)
    const upstream = connect({ ...target, allowHalfOpen: true })
    forward(client, upstream, line)
    forward(upstream, client, line)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    blackHole({ newOnes = false } = {}) {
      for (const line of open) line.passes = false
      open = new Set()
      passesNew = !newOnes
    },
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => closed())
      }),
  }
}
