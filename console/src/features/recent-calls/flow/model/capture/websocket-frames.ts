import { joinBytes, type ByteQueue } from './byte-queue'

/** Opcodes from this one on are control frames: close, ping and pong. */
const firstControlOpcode = 8

/** Parses the header of a WebSocket frame (RFC 6455, section 5.2); undefined if it is incomplete. */
const parseFrameHeader = (bytes: Uint8Array) => {
  if (bytes.length < 2) return undefined
  const isMasked = (bytes[1]! & 0x80) !== 0
  const shortLength = bytes[1]! & 0x7f
  const lengthBytes = shortLength === 126 ? 2 : shortLength === 127 ? 8 : 0
  const headerLength = 2 + lengthBytes + (isMasked ? 4 : 0)
  if (bytes.length < headerLength) return undefined
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const payloadLength =
    lengthBytes === 0
      ? shortLength
      : lengthBytes === 2
        ? data.getUint16(2)
        : data.getUint32(2) * 4_294_967_296 + data.getUint32(6)
  return {
    headerLength,
    payloadLength,
    isLast: (bytes[0]! & 0x80) !== 0,
    isCompressed: (bytes[0]! & 0x40) !== 0,
    opcode: bytes[0]! & 15,
    mask: isMasked ? bytes.slice(headerLength - 4, headerLength) : undefined,
  }
}

const unmask = (bytes: Uint8Array, mask: Uint8Array | undefined): Uint8Array => {
  const copy = bytes.slice()
  if (mask) for (let offset = 0; offset < copy.length; offset += 1) copy[offset]! ^= mask[offset & 3]!
  return copy
}

/** Reads WebSocket messages of at most `maxMessageBytes` from a queue. Skips control frames and compressed messages. */
export const createFrameReader = (
  queue: ByteQueue,
  maxMessageBytes: number,
  onMessage: (bytes: Uint8Array) => void,
) => {
  /** The payloads of the frames of an incomplete message. */
  let payloads: Uint8Array[] = []
  let payloadBytes = 0
  const reset = () => {
    payloads = []
    payloadBytes = 0
  }
  return {
    reset,
    /** Reads one frame. */
    readFrame(): 'read' | 'incomplete' | 'too large' {
      const { content } = queue
      const header = parseFrameHeader(content)
      if (!header) return 'incomplete'
      const { headerLength, payloadLength, isLast, isCompressed, opcode, mask } = header
      if (payloadBytes + payloadLength > maxMessageBytes) return 'too large'
      const frameLength = headerLength + payloadLength
      if (content.length < frameLength) return 'incomplete'
      if (opcode < firstControlOpcode && !isCompressed) {
        payloads.push(unmask(content.subarray(headerLength, frameLength), mask))
        payloadBytes += payloadLength
        if (isLast) {
          onMessage(joinBytes(payloads))
          reset()
        }
      }
      queue.drop(frameLength)
      return 'read'
    },
  }
}
