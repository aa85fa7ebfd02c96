import type { Server, Socket } from 'node:net'
import type { Log } from './capture-queue'

/** Connections of all senders together, each of which may keep one unfinished packet. */
export const maxConnections = 256
const logIntervalMs = 60_000

export interface ConnectionLimits {
  /** Connections from one address, so that one sender cannot take all of them. */
  maxPerAddress: number
  /** A connection without any data for this long is closed; 0 leaves it open. */
  idleSeconds: number
}

type Reason = 'refused, all connections in use' | 'refused, too many from one address' | 'closed, idle'

/** Logs the first of several events at once and counts the others, so that a flood of them does not fill the disk. */
const countedLog = (log: Log, words: string) => {
  let counts: Partial<Record<Reason, number>> = {}
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    if (Object.keys(counts).length === 0) return
    log.warn(counts, words)
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
      if (Object.keys(counts).length > 0) log.warn(counts, words)
    },
  }
}

/** Admits connections within the limits. Returns how to close all of them. */
export const limitConnections = (
  server: Server,
  { maxPerAddress, idleSeconds }: ConnectionLimits,
  log: Log,
  onConnection: (socket: Socket) => void,
) => {
  const open = new Set<Socket>()
  const perAddress = new Map<string, number>()
  const events = countedLog(log, 'HEP connections were closed')

  const release = (socket: Socket, address: string) => {
    open.delete(socket)
    const left = (perAddress.get(address) ?? 1) - 1
    if (left > 0) perAddress.set(address, left)
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
    open.add(socket)
    socket.setKeepAlive(true, 60_000)
    socket.setTimeout(idleSeconds * 1000, () => {
      // A sender that is held back while the disk is slow is not idle.
      if (socket.isPaused()) return
      events.add('closed, idle')
      socket.destroy()
    })
    socket.once('close', () => release(socket, address))
    onConnection(socket)
  })

  return () => {
    for (const socket of open) socket.destroy()
    events.close()
  }
}
