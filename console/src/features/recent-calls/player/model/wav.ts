/** Location and format of the audio data in a WAV file. */
export interface WavFormat {
  channels: number
  /** Samples per second of each channel. */
  sampleRate: number
  /** Bytes of one sample of all channels. */
  frame: number
  /** Offsets of the first byte of the audio data, and after its last. */
  from: number
  to: number
  /** Reads the sample at an offset, from -1 to 1. */
  sample: (bytes: DataView, offset: number) => number
}

/** G.711 decoders. */
const muLaw = (encoded: number) => {
  const bits = ~encoded & 0xff
  const size = (((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)
  return (bits & 0x80 ? 0x84 - size : size - 0x84) / 32_768
}
const aLaw = (encoded: number) => {
  const bits = encoded ^ 0x55
  const exponent = (bits & 0x70) >> 4
  const mantissa = ((bits & 0x0f) << 4) + 8
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (bits & 0x80 ? size : -size) / 32_768
}

/** By format tag and bits per sample. */
const samples: Record<string, WavFormat['sample']> = {
  '1/8': (bytes, offset) => (bytes.getUint8(offset) - 128) / 128,
  '1/16': (bytes, offset) => bytes.getInt16(offset, true) / 32_768,
  '1/24': (bytes, offset) => (bytes.getInt16(offset + 1, true) * 256 + bytes.getUint8(offset)) / 8_388_608,
  '1/32': (bytes, offset) => bytes.getInt32(offset, true) / 2_147_483_648,
  '3/32': (bytes, offset) => bytes.getFloat32(offset, true),
  '6/8': (bytes, offset) => aLaw(bytes.getUint8(offset)),
  '7/8': (bytes, offset) => muLaw(bytes.getUint8(offset)),
}

/** Format tag of WAVE_FORMAT_EXTENSIBLE. The format code is then in the extension of the chunk. */
const extensible = 0xfffe

const chunkName = (bytes: DataView, offset: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => bytes.getUint8(offset + index)))

/** Parses the 'fmt ' chunk. */
const parseFormatChunk = (bytes: DataView, offset: number, length: number) => {
  if (length < 16 || offset + length > bytes.byteLength) return undefined
  const tag = bytes.getUint16(offset, true)
  const bits = bytes.getUint16(offset + 14, true)
  const code = tag === extensible && length >= 26 ? bytes.getUint16(offset + 24, true) : tag
  const sample = samples[`${code}/${bits}`]
  const [channels, sampleRate] = [bytes.getUint16(offset + 2, true), bytes.getUint32(offset + 4, true)]
  if (!sample || channels === 0 || sampleRate === 0) return undefined
  return { channels, sampleRate, frame: (channels * bits) / 8, sample }
}

/**
 * Parses the start of a WAV file of `size` bytes; undefined for other files and encodings. If the header has no valid
 * data length, because the recorder did not finish it, the audio data extends to the end of the file.
 */
export const parseWav = (head: Uint8Array, size: number): WavFormat | undefined => {
  const bytes = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (head.length < 12 || !/^(?:RIFF|RF64)$/.test(chunkName(bytes, 0)) || chunkName(bytes, 8) !== 'WAVE')
    return undefined
  let format: ReturnType<typeof parseFormatChunk>
  for (let offset = 12; offset + 8 <= head.length;) {
    const [name, length, from] = [chunkName(bytes, offset), bytes.getUint32(offset + 4, true), offset + 8]
    if (name === 'fmt ') format = parseFormatChunk(bytes, from, length)
    if (name === 'data') {
      if (!format) return undefined
      const dataLength = length === 0 || from + length > size ? size - from : length
      return { ...format, from, to: from + dataLength - (dataLength % format.frame) }
    }
    // chunks start at even offsets
    offset = from + length + (length % 2)
  }
  return undefined
}
