import { hasSipStartLine, parseContentLength, isLetter } from '@trunkline/contract/calls/sip-message'

/** Called with each message of a stream; `cut` is true if its end is missing. */
export type OnMessage = (bytes: Uint8Array, transport: 'TCP' | 'WS', cut: boolean) => void

/** Maximum message size in bytes. */
const maxMessageBytes = 256 * 1024

/** A byte queue that does not move its content on every operation. */
const createBuffer = () => {
  let bytes = new Uint8Array(4096)
  let [start, end] = [0, 0]
  return {
    get content() {
      return bytes.subarray(start, end)
    },
    push(chunk: Uint8Array) {
      if (end + chunk.length > bytes.length) {
        const neededBytes = end - start + chunk.length
        const target = neededBytes * 2 > bytes.length ? new Uint8Array(neededBytes * 2) : bytes
        target.set(bytes.subarray(start, end))
        ;[bytes, start, end] = [target, 0, end - start]
      }
      bytes.set(chunk, end)
      end += chunk.length
    },
    drop(count: number) {
      start = Math.min(end, start + count)
      if (start === end) [start, end] = [0, 0]
    },
  }
}

/** Returns the offset after the headers, searching from `from`; -1 if their end is not there yet. */
const findHeadersEnd = (bytes: Uint8Array, from: number): number => {
  for (let offset = bytes.indexOf(10, from); offset >= 0; offset = bytes.indexOf(10, offset + 1)) {
    if (bytes[offset + 1] === 10) return offset + 2
    if (bytes[offset + 1] === 13 && bytes[offset + 2] === 10) return offset + 3
  }
  return -1
}

const isLineBreak = (code: number | undefined) => code === 13 || code === 10

/** Start of the HTTP request or response that switches a connection to WebSocket. */
const upgradeStart = /^(?:GET |HTTP\/1\.1 101)/

/** Parses the header of a WebSocket frame; undefined if it is incomplete. */
const parseFrameHeader = (bytes: Uint8Array) => {
  if (bytes.length < 2) return undefined
  const isMasked = (bytes[1]! & 0x80) !== 0
  const shortLength = bytes[1]! & 0x7f
  const lengthBytes = shortLength === 126 ? 2 : shortLength === 127 ? 8 : 0
  const headerLength = 2 + lengthBytes + (isMasked ? 4 : 0)
  if (bytes.length < headerLength) return undefined
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length =
    lengthBytes === 0
      ? shortLength
      : lengthBytes === 2
        ? data.getUint16(2)
        : data.getUint32(2) * 4_294_967_296 + data.getUint32(6)
  return {
    headerLength,
    length,
    last: (bytes[0]! & 0x80) !== 0,
    packed: (bytes[0]! & 0x40) !== 0,
    kind: bytes[0]! & 15,
    mask: isMasked ? bytes.slice(headerLength - 4, headerLength) : undefined,
  }
}

const unmask = (bytes: Uint8Array, mask: Uint8Array | undefined): Uint8Array => {
  const copy = bytes.slice()
  if (mask) for (let offset = 0; offset < copy.length; offset += 1) copy[offset]! ^= mask[offset & 3]!
  return copy
}

const joinBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/**
 * Splits one direction of a connection into messages: SIP by its Content-Length, or WebSocket frames after the upgrade.
 * Skips any other data until a segment starts with a SIP message.
 */
export const createFramer = (onMessage: OnMessage) => {
  const buffer = createBuffer()
  let mode: 'unknown' | 'sip' | 'frames' | 'other' = 'unknown'
  /** Number of bytes already searched for the end of the headers. */
  let searchedBytes = 0
  /** Size of the current message, known after its headers are complete. */
  let messageBytes = 0
  let frames: Uint8Array[] = []
  let framedBytes = 0

  const reset = (nextMode: typeof mode) => {
    buffer.drop(buffer.content.length)
    mode = nextMode
    searchedBytes = 0
    messageBytes = 0
    frames = []
    framedBytes = 0
  }

  /** Reads one message with its headers; returns false if more data is needed. */
  const readMessage = (): boolean => {
    const content = buffer.content
    if (searchedBytes === 0 && isLineBreak(content[0])) {
      buffer.drop(1)
      return true
    }
    if (content.length < Math.max(1, messageBytes)) return false
    if (messageBytes > 0) {
      onMessage(content.slice(0, messageBytes), 'TCP', false)
      buffer.drop(messageBytes)
      searchedBytes = 0
      messageBytes = 0
      return true
    }
    const headerLength = findHeadersEnd(content, Math.max(0, searchedBytes - 3))
    searchedBytes = content.length
    if (headerLength < 0) {
      if (content.length > maxMessageBytes) reset('other')
      return false
    }
    if (upgradeStart.test(String.fromCharCode(...content.subarray(0, 16)))) {
      buffer.drop(headerLength)
      searchedBytes = 0
      mode = 'frames'
      return true
    }
    const totalBytes = headerLength + parseContentLength(content.subarray(0, headerLength))
    if (!hasSipStartLine(content) || totalBytes > maxMessageBytes) {
      reset('other')
      return false
    }
    messageBytes = totalBytes
    return true
  }

  const readFrame = (): boolean => {
    const content = buffer.content
    const frameHeader = parseFrameHeader(content)
    if (!frameHeader) return false
    const { headerLength, length, last: isLast, packed: isCompressed, kind: opcode, mask } = frameHeader
    if (length > maxMessageBytes || framedBytes + length > maxMessageBytes) {
      reset('other')
      return false
    }
    if (content.length < headerLength + length) return false
    // 8 and above are control frames: close, ping and pong
    if (opcode < 8 && !isCompressed) {
      frames.push(unmask(content.subarray(headerLength, headerLength + length), mask))
      framedBytes += length
      if (isLast) {
        onMessage(joinBytes(frames), 'WS', false)
        frames = []
        framedBytes = 0
      }
    }
    buffer.drop(headerLength + length)
    return true
  }

  return {
    push(bytes: Uint8Array) {
      if (mode === 'unknown' || mode === 'other') {
        const isKnown =
          hasSipStartLine(bytes) ||
          upgradeStart.test(String.fromCharCode(...bytes.subarray(0, 16))) ||
          // the first segment may contain an incomplete line
          (mode === 'unknown' && (isLetter(bytes[0]) || isLineBreak(bytes[0])))
        mode = isKnown ? 'sip' : 'other'
        if (!isKnown) return
      }
      buffer.push(bytes)
      while (mode === 'sip' ? readMessage() : mode === 'frames' && readFrame());
    },
    /** Handles lost data: passes on the incomplete message as cut off. */
    gap() {
      const remaining = buffer.content
      if (mode === 'sip' && hasSipStartLine(remaining)) onMessage(remaining.slice(), 'TCP', true)
      reset(mode === 'frames' ? 'frames' : 'other')
    },
  }
}
