import { timingSafeEqual } from 'node:crypto'
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import type { CaptureStore, Endpoint } from '../ports/captures'
import { createCaptureQueue, type CaptureQueue, type DropObserver, type Log } from './capture-queue'
import { parseSipDialog, readPacketLength, parseHepPacket, sipPayloadType } from './hep-packet'
import { limitConnections, type ConnectionLimits } from './hep-connections'

export interface HepListenerOptions {
  port: number
  host: string
  /** The authentication key that senders must send. */
  key?: string
  limits: ConnectionLimits
}

/** Size of the system's UDP receive buffer. */
const receiveBufferBytes = 8 * 1024 * 1024

const isSameKey = (receivedKey: Buffer | undefined, key: Buffer) =>
  receivedKey !== undefined && receivedKey.length === key.length && timingSafeEqual(receivedKey, key)

/** Copies the address: a view would hold the complete packet or stream buffer in memory while the message is queued. */
const copyEndpoint = ({ address, port }: Endpoint): Endpoint => ({ address: Buffer.from(address), port })

/** Parses packets and queues the SIP messages in them. */
const createPacketHandler = (queue: CaptureQueue, key: string | undefined) => {
  const expectedKey = key === undefined ? undefined : Buffer.from(key)
  return (bytes: Buffer): void => {
    const packet = parseHepPacket(bytes)
    if (!packet) return queue.countDropped('notHep')
    if (expectedKey && !isSameKey(packet.key, expectedKey)) return queue.countDropped('wrongKey')
    const dialog = packet.payloadType === sipPayloadType ? parseSipDialog(packet.payload) : undefined
    if (!dialog) return queue.countDropped('notSip')
    const { source, target, timeUs, payload } = packet
    queue.enqueue({
      callId: dialog.callId,
      dialogType: dialog.isRegistration ? 'register' : 'invite',
      source: copyEndpoint(source),
      target: copyEndpoint(target),
      timeUs,
      payload: Buffer.from(payload),
    })
  }
}

/** Splits a stream into packets. If the stream is out of sync, the connection is closed. */
const readPacketStream = (socket: Socket, queue: CaptureQueue, receive: (bytes: Buffer) => void) => {
  let unparsedBytes = Buffer.alloc(0)
  const readPackets = () => {
    let offset = 0
    for (;;) {
      const length = readPacketLength(unparsedBytes.subarray(offset))
      // The bytes are not the start of a packet.
      if (length === 0) return false
      if (length === undefined || offset + length > unparsedBytes.length) break
      receive(unparsedBytes.subarray(offset, offset + length))
      offset += length
    }
    // A copy, so that the memory of parsed packets is released.
    unparsedBytes = Buffer.from(unparsedBytes.subarray(offset))
    return true
  }
  socket.on('data', (bytes) => {
    unparsedBytes = unparsedBytes.length > 0 ? Buffer.concat([unparsedBytes, bytes]) : bytes
    if (!readPackets()) {
      queue.countDropped('notHep')
      return socket.destroy()
    }
    const queueSpace = queue.waitForSpace()
    if (!queueSpace) return
    socket.pause()
    void queueSpace.then(() => socket.resume())
  })
  socket.on('error', () => socket.destroy())
}

const openUdp = async ({ port, host }: HepListenerOptions): Promise<UdpSocket> => {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: receiveBufferBytes })
  socket.bind(port, host)
  await once(socket, 'listening')
  return socket
}

const openTcp = async ({ host }: HepListenerOptions, port: number): Promise<Server> => {
  const server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

/** Opens UDP and TCP on the same port. With port 0, UDP may get a port that is in use over TCP; then it tries another one. */
const openSockets = async (options: HepListenerOptions, attempts = 10): Promise<{ udp: UdpSocket; tcp: Server }> => {
  const udp = await openUdp(options)
  try {
    return { udp, tcp: await openTcp(options, udp.address().port) }
  } catch (error) {
    udp.close()
    if (options.port === 0 && attempts > 1) return openSockets(options, attempts - 1)
    throw error
  }
}

/**
 * Listens for captured SIP messages: HEP, version 3, over UDP and TCP on one port. HEP has no responses; dropped packets are
 * counted and logged.
 */
export const openHepListener = async (
  store: CaptureStore,
  options: HepListenerOptions,
  log: Log,
  onDropped?: DropObserver,
) => {
  const { udp, tcp } = await openSockets(options)
  const queue = createCaptureQueue(store, log, onDropped)
  const receive = createPacketHandler(queue, options.key)
  udp.on('message', receive)
  udp.on('error', (error) => log.error({ err: error }, 'HEP over UDP failed'))
  const closeConnections = limitConnections(tcp, options.limits, log, (socket) =>
    readPacketStream(socket, queue, receive),
  )
  tcp.on('error', (error) => log.error({ err: error }, 'HEP over TCP failed'))
  return {
    port: udp.address().port,
    /** The bytes of captures that wait to be stored. */
    getQueueSize: queue.getQueueSize,
    async close() {
      udp.close()
      tcp.close()
      closeConnections()
      await queue.close()
    },
  }
}
