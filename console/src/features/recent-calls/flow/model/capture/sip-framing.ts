import { hasSipStartLine, parseContentLength, isLetter } from '@trunkline/contract/calls/sip-message'
import { createByteQueue, type ByteQueue } from './byte-queue'
import { createFrameReader } from './websocket-frames'

/** Called with each message of a stream; `isTruncated` is true if its end is missing. */
export type OnMessage = (bytes: Uint8Array, transport: 'TCP' | 'WS', isTruncated: boolean) => void

const maxMessageBytes = 256 * 1024

/** Returns the offset after the headers, searching from `from`; -1 if their end is not there yet. */
const findHeadersEnd = (bytes: Uint8Array, from: number): number => {
  for (let offset = bytes.indexOf(10, from); offset >= 0; offset = bytes.indexOf(10, offset + 1)) {
    if (bytes[offset + 1] === 10) return offset + 2
    if (bytes[offset + 1] === 13 && bytes[offset + 2] === 10) return offset + 3
  }
  return -1
}

const isLineBreak = (code: number | undefined) => code === 13 || code === 10

/** Does the data start with the HTTP request or response that switches a connection to WebSocket? */
const isUpgrade = (bytes: Uint8Array) => /^(?:GET |HTTP\/1\.1 101)/.test(String.fromCharCode(...bytes.subarray(0, 16)))

/** Reads SIP messages from a queue, by their Content-Length. */
const createSipReader = (queue: ByteQueue, onMessage: (bytes: Uint8Array) => void) => {
  /** Number of bytes already searched for the end of the headers. */
  let searchedBytes = 0
  /** Size of the current message, known after its headers are complete. */
  let messageBytes = 0
  const reset = () => {
    searchedBytes = 0
    messageBytes = 0
  }

  /** Reads the headers of the next message, or of the upgrade to WebSocket. */
  const readHeaders = (content: Uint8Array): 'read' | 'incomplete' | 'upgraded' | 'not SIP' => {
    const headerLength = findHeadersEnd(content, Math.max(0, searchedBytes - 3))
    searchedBytes = content.length
    if (headerLength < 0) return content.length > maxMessageBytes ? 'not SIP' : 'incomplete'
    if (isUpgrade(content)) {
      queue.drop(headerLength)
      searchedBytes = 0
      return 'upgraded'
    }
    const totalBytes = headerLength + parseContentLength(content.subarray(0, headerLength))
    if (!hasSipStartLine(content) || totalBytes > maxMessageBytes) return 'not SIP'
    messageBytes = totalBytes
    return 'read'
  }

  return {
    reset,
    /** Reads the headers of a message, or the complete message after its headers. */
    readNext() {
      const { content } = queue
      if (searchedBytes === 0 && isLineBreak(content[0])) {
        queue.drop(1)
        return 'read'
      }
      if (content.length < Math.max(1, messageBytes)) return 'incomplete'
      if (messageBytes === 0) return readHeaders(content)
      onMessage(content.slice(0, messageBytes))
      queue.drop(messageBytes)
      reset()
      return 'read'
    },
  }
}

/**
 * Splits one direction of a connection into messages: SIP by its Content-Length, or WebSocket frames after the upgrade.
 * Skips any other data until a segment starts with a SIP message.
 */
export const createFramer = (onMessage: OnMessage) => {
  const queue = createByteQueue()
  const sipReader = createSipReader(queue, (bytes) => onMessage(bytes, 'TCP', false))
  const frameReader = createFrameReader(queue, maxMessageBytes, (bytes) => onMessage(bytes, 'WS', false))
  let mode: 'unknown' | 'sip' | 'frames' | 'other' = 'unknown'

  const restart = (nextMode: typeof mode) => {
    queue.drop(queue.content.length)
    sipReader.reset()
    frameReader.reset()
    mode = nextMode
  }

  /** Reads a part of the queue. Returns false if it needs more data. */
  const readPart = (): boolean => {
    if (mode !== 'sip' && mode !== 'frames') return false
    const result = mode === 'sip' ? sipReader.readNext() : frameReader.readFrame()
    if (result === 'upgraded') mode = 'frames'
    if (result === 'not SIP' || result === 'too large') restart('other')
    return result === 'read' || result === 'upgraded'
  }

  return {
    push(bytes: Uint8Array) {
      if (mode === 'unknown' || mode === 'other') {
        const isKnown =
          hasSipStartLine(bytes) ||
          isUpgrade(bytes) ||
          // the first segment may contain an incomplete line
          (mode === 'unknown' && (isLetter(bytes[0]) || isLineBreak(bytes[0])))
        mode = isKnown ? 'sip' : 'other'
        if (!isKnown) return
      }
      queue.push(bytes)
      while (readPart());
    },
    /** Handles lost data: passes on the incomplete message as truncated. */
    handleGap() {
      const remaining = queue.content
      if (mode === 'sip' && hasSipStartLine(remaining)) onMessage(remaining.slice(), 'TCP', true)
      restart(mode === 'frames' ? 'frames' : 'other')
    },
  }
}
