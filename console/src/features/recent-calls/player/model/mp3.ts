/** An MP3 frame, as described by its 4-byte header. */
export interface Mp3Frame {
  /** Includes the header. */
  byteLength: number
  /** Per channel. */
  sampleCount: number
  sampleRate: number
  channels: number
}

const baseSampleRates = [44_100, 48_000, 32_000]
/** Bit rates of layer III in kbit/s: those of MPEG version 1, then those of the other versions. */
const bitrates = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
/** Divisors of the sample rates, by the version bits of the header. */
const sampleRateDivisors: Record<number, number> = { 0: 4, 2: 2, 3: 1 }

/** Parses the frame header at an offset; undefined if there is none. */
export const parseMp3Frame = (bytes: Uint8Array, offset: number): Mp3Frame | undefined => {
  if (offset + 4 > bytes.length) return undefined
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(offset)
  const readBits = (from: number, bits: number) => (header >>> from) & ((1 << bits) - 1)
  // frame sync, and layer III
  if (readBits(21, 11) !== 0x7ff || readBits(17, 2) !== 1) return undefined
  const divisor = sampleRateDivisors[readBits(19, 2)]
  const baseSampleRate = baseSampleRates[readBits(10, 2)]
  const bitrate = bitrates[divisor === 1 ? 0 : 1][readBits(12, 4) - 1]
  if (!divisor || !baseSampleRate || !bitrate) return undefined
  const sampleRate = baseSampleRate / divisor
  const sampleCount = divisor === 1 ? 1152 : 576
  const byteLength = Math.floor(((sampleCount / 8) * (bitrate * 1000)) / sampleRate) + readBits(9, 1)
  return { byteLength, sampleCount, sampleRate, channels: readBits(6, 2) === 3 ? 1 : 2 }
}

/** Returns the offset after the ID3 tag at the start of a file. */
export const findMp3TagEnd = (head: Uint8Array): number => {
  if (String.fromCharCode(...head.subarray(0, 3)) !== 'ID3') return 0
  // the size has 7 bits per byte
  return 10 + head.subarray(6, 10).reduce((size, byte) => (size << 7) | byte, 0)
}

/** Complete consecutive frames. */
export interface Mp3Frames {
  start: number
  /** Offset after the last frame. */
  end: number
  seconds: number
}

/**
 * Finds the complete frames in a part of a file; undefined if there are none. At least two must follow each other,
 * because a single match may be a coincidence.
 */
export const findMp3Frames = (bytes: Uint8Array): Mp3Frames | undefined => {
  for (let start = 0; start + 4 < bytes.length; start += 1) {
    let seconds = 0
    let frameCount = 0
    let end = start
    for (
      let frame = parseMp3Frame(bytes, end);
      frame && end + frame.byteLength <= bytes.length;
      frame = parseMp3Frame(bytes, end)
    ) {
      seconds += frame.sampleCount / frame.sampleRate
      end += frame.byteLength
      frameCount += 1
    }
    if (frameCount > 1) return { start, end, seconds }
  }
  return undefined
}
