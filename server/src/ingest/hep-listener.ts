import { timingSafeEqual } from 'node:crypto'
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { isIPv6 } from 'node:net'
import type { CaptureStore, Endpoint } from '../ports/captures'
import { capturing, type Capturing, type Log } from './capture-queue'
import { dialogueOf, lengthOf, readHep, sip } from './hep-packet'
import { limitConnections, type ConnectionLimits } from './hep-connections'

export interface HepDoorOptions {
  port: number
  host: string
  /** What senders have to show. */
  key?: string
  limits: ConnectionLimits
}

/** Bytes that the system may keep for us while we write. */
const receiveBuffer = 8 * 1024 * 1024

const same = (shown: Buffer | undefined, key: Buffer) =>
  shown !== undefined && shown.length === key.length && timingSafeEqual(shown, key)

/** A copy: as long as a message waits, the whole packet or stretch of a stream would, with whatever else was in it. */
const copied = ({ address, port }: Endpoint): Endpoint => ({ address: Buffer.from(address), port })

/** Judges one packet and takes in the SIP message in it. */
const receiving = (intake: Capturing, key: string | undefined) => {
  const secret = key === undefined ? undefined : Buffer.from(key)
  return (bytes: Buffer): void => {
    const packet = readHep(bytes)
    if (!packet) return intake.leave('unreadable')
    if (secret && !same(packet.key, secret)) return intake.leave('refused')
    const dialogue = packet.kind === sip ? dialogueOf(packet.payload) : undefined
    if (!dialogue) return intake.leave('other')
    const { source, target, time, payload } = packet
    intake.take({
      callId: dialogue.callId,
      dialogue: dialogue.registration ? 'register' : 'invite',
      source: copied(source),
      target: copied(target),
      time,
      payload: Buffer.from(payload),
    })
  }
}

/** Cuts a stream into packets. Where none begins nothing can be made of the rest, and the connection ends. */
const readStream = (socket: Socket, intake: Capturing, receive: (bytes: Buffer) => void) => {
  let rest = Buffer.alloc(0)
  const cut = () => {
    let at = 0
    for (;;) {
      const length = lengthOf(rest.subarray(at))
      if (length === 0) return false
      if (length === undefined || at + length > rest.length) break
      receive(rest.subarray(at, at + length))
      at += length
    }
    // a copy, so that what was read is let go of
    rest = Buffer.from(rest.subarray(at))
    return true
  }
  socket.on('data', (bytes) => {
    rest = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes
    if (!cut()) {
      intake.leave('unreadable')
      return socket.destroy()
    }
    const room = intake.room()
    if (!room) return
    socket.pause()
    void room.then(() => socket.resume())
  })
  socket.on('error', () => socket.destroy())
}

const openUdp = async ({ port, host }: HepDoorOptions): Promise<UdpSocket> => {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: receiveBuffer })
  socket.bind(port, host)
  await once(socket, 'listening')
  return socket
}

const openTcp = async ({ host }: HepDoorOptions, port: number): Promise<Server> => {
  const server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

/** Both on one port. Where any will do (0), the one that UDP gets may be another's over TCP: then the next is tried. */
const openBoth = async (options: HepDoorOptions, tries = 10): Promise<{ udp: UdpSocket; tcp: Server }> => {
  const udp = await openUdp(options)
  try {
    return { udp, tcp: await openTcp(options, udp.address().port) }
  } catch (error) {
    udp.close()
    if (options.port === 0 && tries > 1) return openBoth(options, tries - 1)
    throw error
  }
}

/**
 * The door for SIP messages that voice servers have captured: HEP, version 3, over UDP and TCP on one port. Nobody is
 * answered; what cannot be kept is counted and told in the log.
 */
export const openHep = async (store: CaptureStore, options: HepDoorOptions, log: Log) => {
  const { udp, tcp } = await openBoth(options)
  const intake = capturing(store, log)
  const receive = receiving(intake, options.key)
  udp.on('message', receive)
  udp.on('error', (error) => log.error({ err: error }, 'HEP over UDP failed'))
  const closeConnections = limitConnections(tcp, options.limits, log, (socket) => readStream(socket, intake, receive))
  tcp.on('error', (error) => log.error({ err: error }, 'HEP over TCP failed'))
  return {
    port: udp.address().port,
    async close() {
      udp.close()
      tcp.close()
      closeConnections()
      await intake.close()
    },
  }
}
