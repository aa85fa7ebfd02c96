/** An MP3 frame, as described by its 4-byte header. */
export interface Mp3Frame {
  /** Bytes, including the header. */
  length: number
  /** Per channel. */
  samples: number
  sampleRate: number
  channels: number
}

const rates = [44_100, 48_000, 32_000]
/** Bit rates of layer III in kbit/s: those of MPEG version 1, then those of the other versions. */
const bitrates = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
/** Divisors of the sample rates, by the version bits of the header. */
const divisors: Record<number, number> = { 0: 4, 2: 2, 3: 1 }

/** Parses the frame header at an offset; undefined if there is none. */
export const parseMp3Frame = (bytes: Uint8Array, offset: number): Mp3Frame | undefined => {
  if (offset + 4 > bytes.length) return undefined
  const word = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(offset)
  const readBits = (from: number, bits: number) => (word >>> from) & ((1 << bits) - 1)
  // frame sync, and layer III
  if (readBits(21, 11) !== 0x7ff || readBits(17, 2) !== 1) return undefined
  const divisor = divisors[readBits(19, 2)]
  const rate = rates[readBits(10, 2)]
  const bitrate = bitrates[divisor === 1 ? 0 : 1][readBits(12, 4) - 1]
  if (!divisor || !rate || !bitrate) return undefined
  const sampleRate = rate / divisor
  const samples = divisor === 1 ? 1152 : 576
  const length = Math.floor(((samples / 8) * (bitrate * 1000)) / sampleRate) + readBits(9, 1)
  return { length, samples, sampleRate, channels: readBits(6, 2) === 3 ? 1 : 2 }
}

/** Returns the offset after the ID3 tag at the start of a file. */
export const mp3TagEnd = (head: Uint8Array): number => {
  const [i, d, thirdByte, , , , a = 0, b = 0, c = 0, e = 0] = head
  return i === 0x49 && d === 0x44 && thirdByte === 0x33 ? 10 + ((a << 21) | (b << 14) | (c << 7) | e) : 0
}

/** Complete consecutive frames. */
export interface Mp3Frames {
  from: number
  /** Offset after the last frame. */
  to: number
  seconds: number
}

/**
 * Finds the complete frames in a part of a file; undefined if there are none. At least two must follow each other,
 * because a single match may be a coincidence.
 */
export const findMp3Frames = (bytes: Uint8Array): Mp3Frames | undefined => {
  for (let from = 0; from + 4 < bytes.length; from += 1) {
    let seconds = 0
    let frames = 0
    let to = from
    for (
      let frame = parseMp3Frame(bytes, to);
      frame && to + frame.length <= bytes.length;
      frame = parseMp3Frame(bytes, to)
    ) {
      seconds += frame.samples / frame.sampleRate
      to += frame.length
      frames += 1
    }
    if (frames > 1) return { from, to, seconds }
  }
  return undefined
}
