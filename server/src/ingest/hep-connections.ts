import type { Server, Socket } from 'node:net'
import type { Log } from './capture-queue'

/** Maximum connections in total. Each may buffer one incomplete packet. */
export const maxConnections = 256
const logIntervalMs = 60_000

export interface ConnectionLimits {
  /** Maximum connections from one address, so that one sender cannot use all of them. */
  maxPerAddress: number
  /** Idle connections are closed after this time; 0: never. */
  idleSeconds: number
}

type ClosingReason = 'refused, all connections in use' | 'refused, too many from one address' | 'closed, idle'

/** Logs the first event at once and counts further ones, so that a flood of them does not fill the disk. */
const createCountingLog = (log: Log, message: string) => {
  let counts: Partial<Record<ClosingReason, number>> = {}
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    if (Object.keys(counts).length === 0) return
    log.warn(counts, message)
    counts = {}
    timer = setTimeout(flush, logIntervalMs).unref()
  }
  return {
    add(reason: ClosingReason) {
      counts[reason] = (counts[reason] ?? 0) + 1
      if (!timer) flush()
    },
    close() {
      clearTimeout(timer)
      if (Object.keys(counts).length > 0) log.warn(counts, message)
    },
  }
}

/** Accepts connections within the limits. Returns a function that closes all connections. */
export const limitConnections = (
  server: Server,
  { maxPerAddress, idleSeconds }: ConnectionLimits,
  log: Log,
  onConnection: (socket: Socket) => void,
) => {
  const sockets = new Set<Socket>()
  const countByAddress = new Map<string, number>()
  const closedConnections = createCountingLog(log, 'HEP connections were refused or closed')

  const release = (socket: Socket, address: string) => {
    sockets.delete(socket)
    const remaining = (countByAddress.get(address) ?? 1) - 1
    if (remaining > 0) countByAddress.set(address, remaining)
    else countByAddress.delete(address)
  }

  server.maxConnections = maxConnections
  server.on('drop', () => closedConnections.add('refused, all connections in use'))
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (countByAddress.get(address) ?? 0) + 1
    if (count > maxPerAddress) {
      closedConnections.add('refused, too many from one address')
      socket.destroy()
      return
    }
    countByAddress.set(address, count)
    sockets.add(socket)
    socket.setKeepAlive(true, 60_000)
    socket.setTimeout(idleSeconds * 1000, () => {
      // A paused sender, which waits for a slow disk, is not idle.
      if (socket.isPaused()) return
      closedConnections.add('closed, idle')
      socket.destroy()
    })
    socket.once('close', () => release(socket, address))
    onConnection(socket)
  })

  return () => {
    for (const socket of sockets) socket.destroy()
    closedConnections.close()
  }
}
