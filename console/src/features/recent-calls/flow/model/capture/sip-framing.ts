import { startsWithSip, bodyLength, isLetter } from '@trunkline/contract/calls/sip-message'

/** Called with each message of a stream; `cut` is true if its end is missing. */
export type Take = (bytes: Uint8Array, over: 'TCP' | 'WS', cut: boolean) => void

/** Maximum message size in bytes. */
const longest = 256 * 1024

/** A byte queue that does not move its content on every operation. */
const buffering = () => {
  let bytes = new Uint8Array(4096)
  let [start, end] = [0, 0]
  return {
    get held() {
      return bytes.subarray(start, end)
    },
    push(more: Uint8Array) {
      if (end + more.length > bytes.length) {
        const needed = end - start + more.length
        const target = needed * 2 > bytes.length ? new Uint8Array(needed * 2) : bytes
        target.set(bytes.subarray(start, end))
        ;[bytes, start, end] = [target, 0, end - start]
      }
      bytes.set(more, end)
      end += more.length
    },
    drop(count: number) {
      start = Math.min(end, start + count)
      if (start === end) [start, end] = [0, 0]
    },
  }
}

/** Returns the offset after the headers, searching from `from`; -1 if their end is not there yet. */
const headEnd = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(10, from); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return at + 2
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return at + 3
  }
  return -1
}

const isBreak = (code: number | undefined) => code === 13 || code === 10

/** Start of the HTTP request or response that switches a connection to WebSocket. */
const upgrade = /^(?:GET |HTTP\/1\.1 101)/

/** Parses the header of a WebSocket frame; undefined if it is incomplete. */
const frameOf = (bytes: Uint8Array) => {
  if (bytes.length < 2) return undefined
  const masked = (bytes[1]! & 0x80) !== 0
  const short = bytes[1]! & 0x7f
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0
  const head = 2 + extra + (masked ? 4 : 0)
  if (bytes.length < head) return undefined
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length =
    extra === 0 ? short : extra === 2 ? data.getUint16(2) : data.getUint32(2) * 4_294_967_296 + data.getUint32(6)
  return {
    head,
    length,
    last: (bytes[0]! & 0x80) !== 0,
    packed: (bytes[0]! & 0x40) !== 0,
    kind: bytes[0]! & 15,
    mask: masked ? bytes.slice(head - 4, head) : undefined,
  }
}

const unmasked = (bytes: Uint8Array, mask: Uint8Array | undefined): Uint8Array => {
  const copy = bytes.slice()
  if (mask) for (let at = 0; at < copy.length; at += 1) copy[at]! ^= mask[at & 3]!
  return copy
}

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * Splits one direction of a connection into messages: SIP by its Content-Length, or WebSocket frames after the upgrade.
 * Skips any other data until a segment starts with a SIP message.
 */
export const framing = (take: Take) => {
  const buffer = buffering()
  let way: 'unknown' | 'sip' | 'frames' | 'other' = 'unknown'
  /** Number of bytes already searched for the end of the headers. */
  let looked = 0
  /** Size of the current message, known after its headers are complete. */
  let wanted = 0
  let frames: Uint8Array[] = []
  let framed = 0

  const reset = (to: typeof way) => {
    buffer.drop(buffer.held.length)
    way = to
    looked = 0
    wanted = 0
    frames = []
    framed = 0
  }

  /** Reads one message with its headers; returns false if more data is needed. */
  const message = (): boolean => {
    const held = buffer.held
    if (looked === 0 && isBreak(held[0])) {
      buffer.drop(1)
      return true
    }
    if (held.length < Math.max(1, wanted)) return false
    if (wanted > 0) {
      take(held.slice(0, wanted), 'TCP', false)
      buffer.drop(wanted)
      looked = 0
      wanted = 0
      return true
    }
    const head = headEnd(held, Math.max(0, looked - 3))
    looked = held.length
    if (head < 0) {
      if (held.length > longest) reset('other')
      return false
    }
    if (upgrade.test(String.fromCharCode(...held.subarray(0, 16)))) {
      buffer.drop(head)
      looked = 0
      way = 'frames'
      return true
    }
    const whole = head + bodyLength(held.subarray(0, head))
    if (!startsWithSip(held) || whole > longest) {
      reset('other')
      return false
    }
    wanted = whole
    return true
  }

  const frame = (): boolean => {
    const held = buffer.held
    const found = frameOf(held)
    if (!found) return false
    const { head, length, last, packed, kind, mask } = found
    if (length > longest || framed + length > longest) {
      reset('other')
      return false
    }
    if (held.length < head + length) return false
    // 8 and above are control frames: close, ping and pong
    if (kind < 8 && !packed) {
      frames.push(unmasked(held.subarray(head, head + length), mask))
      framed += length
      if (last) {
        take(joined(frames), 'WS', false)
        frames = []
        framed = 0
      }
    }
    buffer.drop(head + length)
    return true
  }

  return {
    push(bytes: Uint8Array) {
      if (way === 'unknown' || way === 'other') {
        const known =
          startsWithSip(bytes) ||
          upgrade.test(String.fromCharCode(...bytes.subarray(0, 16))) ||
          // the first segment may contain an incomplete line
          (way === 'unknown' && (isLetter(bytes[0]) || isBreak(bytes[0])))
        way = known ? 'sip' : 'other'
        if (!known) return
      }
      buffer.push(bytes)
      while (way === 'sip' ? message() : way === 'frames' && frame());
    },
    /** Handles lost data: passes on the incomplete message as cut off. */
    gap() {
      const rest = buffer.held
      if (way === 'sip' && startsWithSip(rest)) take(rest.slice(), 'TCP', true)
      reset(way === 'frames' ? 'frames' : 'other')
    },
  }
}
