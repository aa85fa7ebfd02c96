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

type Reason = 'refused, all connections in use' | 'refused, too many from one address' | 'closed, idle'

/** Logs the first event at once and counts further ones, so that a flood of them does not fill the disk. */
const countedLog = (log: Log, message: string) => {
  let counts: Partial<Record<Reason, number>> = {}
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    if (Object.keys(counts).length === 0) return
    log.warn(counts, message)
    counts = {}
    timer = setTimeout(flush, logIntervalMs).unref()
  }
  return {
    add(reason: Reason) {
      counts[reason] = (counts[reason] ?? 0) + 1
      if (!timer) flush()
    },
    close() {
      clearTimeout(timer)
      if (Object.keys(counts).length > 0) log.warn(counts, message)
    },
  }
}

/** Accepts connections within the limits. Returns a function that closes all of them. */
export const limitConnections = (
  server: Server,
  { maxPerAddress, idleSeconds }: ConnectionLimits,
  log: Log,
  onConnection: (socket: Socket) => void,
) => {
  const sockets = new Set<Socket>()
  const perAddress = new Map<string, number>()
  const events = countedLog(log, 'HEP connections were closed')

  const release = (socket: Socket, address: string) => {
    sockets.delete(socket)
    const remaining = (perAddress.get(address) ?? 1) - 1
    if (remaining > 0) perAddress.set(address, remaining)
    else perAddress.delete(address)
  }

  server.maxConnections = maxConnections
  server.on('drop', () => events.add('refused, all connections in use'))
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (perAddress.get(address) ?? 0) + 1
    if (count > maxPerAddress) {
      events.add('refused, too many from one address')
      socket.destroy()
      return
    }
    perAddress.set(address, count)
    sockets.add(socket)
    socket.setKeepAlive(true, 60_000)
    socket.setTimeout(idleSeconds * 1000, () => {
      // A paused sender, which waits for a slow disk, is not idle.
      if (socket.isPaused()) return
      events.add('closed, idle')
      socket.destroy()
    })
    socket.once('close', () => release(socket, address))
    onConnection(socket)
  })

  return () => {
    for (const socket of sockets) socket.destroy()
    events.close()
  }
}
