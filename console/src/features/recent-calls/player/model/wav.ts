/** Location and format of the audio data in a WAV file. */
export interface WavForm {
  channels: number
  /** Samples per second of each channel. */
  sampleRate: number
  /** Bytes of one sample of all channels. */
  frame: number
  /** Offsets of the first byte of the audio data, and after its last. */
  from: number
  to: number
  /** Reads the sample at an offset, from -1 to 1. */
  sample: (bytes: DataView, at: number) => number
}

/** G.711 decoders. */
const muLaw = (coded: number) => {
  const bits = ~coded & 0xff
  const size = (((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)
  return (bits & 0x80 ? 0x84 - size : size - 0x84) / 32_768
}
const aLaw = (coded: number) => {
  const bits = coded ^ 0x55
  const exponent = (bits & 0x70) >> 4
  const mantissa = ((bits & 0x0f) << 4) + 8
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (bits & 0x80 ? size : -size) / 32_768
}

/** By format tag and bits per sample. */
const samples: Record<string, WavForm['sample']> = {
  '1/8': (bytes, at) => (bytes.getUint8(at) - 128) / 128,
  '1/16': (bytes, at) => bytes.getInt16(at, true) / 32_768,
  '1/24': (bytes, at) => (bytes.getInt16(at + 1, true) * 256 + bytes.getUint8(at)) / 8_388_608,
  '1/32': (bytes, at) => bytes.getInt32(at, true) / 2_147_483_648,
  '3/32': (bytes, at) => bytes.getFloat32(at, true),
  '6/8': (bytes, at) => aLaw(bytes.getUint8(at)),
  '7/8': (bytes, at) => muLaw(bytes.getUint8(at)),
}

/** Format tag of WAVE_FORMAT_EXTENSIBLE. The format code is then in the extension of the chunk. */
const extensible = 0xfffe

const word = (bytes: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((place) => bytes.getUint8(at + place)))

/** Parses the 'fmt ' chunk. */
const formatIn = (bytes: DataView, at: number, length: number) => {
  if (length < 16 || at + length > bytes.byteLength) return undefined
  const tag = bytes.getUint16(at, true)
  const bits = bytes.getUint16(at + 14, true)
  const code = tag === extensible && length >= 26 ? bytes.getUint16(at + 24, true) : tag
  const sample = samples[`${code}/${bits}`]
  const [channels, sampleRate] = [bytes.getUint16(at + 2, true), bytes.getUint32(at + 4, true)]
  if (!sample || channels === 0 || sampleRate === 0) return undefined
  return { channels, sampleRate, frame: (channels * bits) / 8, sample }
}

/**
 * Parses the start of a WAV file of `size` bytes; undefined for other files and encodings. If the header has no valid
 * data length, because the recorder did not finish it, the audio data extends to the end of the file.
 */
export const wavForm = (head: Uint8Array, size: number): WavForm | undefined => {
  const bytes = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (head.length < 12 || !/^(?:RIFF|RF64)$/.test(word(bytes, 0)) || word(bytes, 8) !== 'WAVE') return undefined
  let format: ReturnType<typeof formatIn>
  for (let at = 12; at + 8 <= head.length;) {
    const [name, length, from] = [word(bytes, at), bytes.getUint32(at + 4, true), at + 8]
    if (name === 'fmt ') format = formatIn(bytes, from, length)
    if (name === 'data') {
      if (!format) return undefined
      const told = length === 0 || from + length > size ? size - from : length
      return { ...format, from, to: from + told - (told % format.frame) }
    }
    // chunks start at even offsets
    at = from + length + (length % 2)
  }
  return undefined
}
