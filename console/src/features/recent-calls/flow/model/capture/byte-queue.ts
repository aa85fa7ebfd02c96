/** A queue of bytes that does not move its content on every operation. */
export interface ByteQueue {
  readonly content: Uint8Array
  push: (chunk: Uint8Array) => void
  /** Removes bytes from the start. */
  drop: (count: number) => void
}

export const createByteQueue = (): ByteQueue => {
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

export const joinBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
