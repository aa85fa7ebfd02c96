/** One frame of an MP3 file, as its first four bytes tell. */
export interface Mp3Frame {
  /** Bytes, with the first four. */
  length: number
  /** Of each channel. */
  samples: number
  sampleRate: number
  channels: number
}

const rates = [44_100, 48_000, 32_000]
/** Kilobits in a second, of layer III: first of version 1, then of the others. */
const bitrates = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
/** How the rates of a version stand to those of the first; the number is how the version is written. */
const divisors: Record<number, number> = { 0: 4, 2: 2, 3: 1 }

/** The frame that begins at a byte; undefined where none does. */
export const mp3Frame = (bytes: Uint8Array, at: number): Mp3Frame | undefined => {
  if (at + 4 > bytes.length) return undefined
  const word = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at)
  const part = (from: number, bits: number) => (word >>> from) & ((1 << bits) - 1)
  // the sign of a frame, and that of layer III
  if (part(21, 11) !== 0x7ff || part(17, 2) !== 1) return undefined
  const divisor = divisors[part(19, 2)]
  const rate = rates[part(10, 2)]
  const bitrate = bitrates[divisor === 1 ? 0 : 1][part(12, 4) - 1]
  if (!divisor || !rate || !bitrate) return undefined
  const sampleRate = rate / divisor
  const samples = divisor === 1 ? 1152 : 576
  const length = Math.floor(((samples / 8) * (bitrate * 1000)) / sampleRate) + part(9, 1)
  return { length, samples, sampleRate, channels: part(6, 2) === 3 ? 1 : 2 }
}

/** Where a file's tag ends that comes before the sound. */
export const mp3TagEnd = (head: Uint8Array): number => {
  const [i, d, three, , , , a = 0, b = 0, c = 0, e = 0] = head
  return i === 0x49 && d === 0x44 && three === 0x33 ? 10 + ((a << 21) | (b << 14) | (c << 7) | e) : 0
}

/** Whole frames that follow each other without a gap. */
export interface Mp3Piece {
  from: number
  /** The byte behind the last frame. */
  to: number
  seconds: number
}

/** The whole frames in some bytes of a file; undefined when there is none. One alone may be chance, so two must follow each other. */
export const mp3Piece = (bytes: Uint8Array): Mp3Piece | undefined => {
  for (let from = 0; from + 4 < bytes.length; from += 1) {
    let seconds = 0
    let frames = 0
    let to = from
    for (let frame = mp3Frame(bytes, to); frame && to + frame.length <= bytes.length; frame = mp3Frame(bytes, to)) {
      seconds += frame.samples / frame.sampleRate
      to += frame.length
      frames += 1
    }
    if (frames > 1) return { from, to, seconds }
  }
  return undefined
}
