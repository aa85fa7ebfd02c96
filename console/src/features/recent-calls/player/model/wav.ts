/** The format of the audio data in a WAV file, and its position in the file. */
export interface WavFormat {
  channels: number
  /** Samples per second of each channel. */
  sampleRate: number
  /** The size of a frame: one sample of each channel. */
  frameBytes: number
  /** The offset of the first byte of the audio data. */
  dataStart: number
  /** The offset after the last byte of the audio data. */
  dataEnd: number
  /** Reads the sample at an offset, from -1 to 1. */
  readSample: (bytes: DataView, offset: number) => number
}

/** Decodes a G.711 µ-law sample. */
const decodeMuLaw = (encoded: number) => {
  const bits = ~encoded & 0xff
  const magnitude = (((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)
  return (bits & 0x80 ? 0x84 - magnitude : magnitude - 0x84) / 32_768
}
/** Decodes a G.711 A-law sample. */
const decodeALaw = (encoded: number) => {
  const bits = encoded ^ 0x55
  const exponent = (bits & 0x70) >> 4
  const mantissa = ((bits & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (bits & 0x80 ? magnitude : -magnitude) / 32_768
}

/** Functions that read a sample, by format code and bits per sample: '1/16' is 16-bit PCM. */
const sampleReaders: Record<string, WavFormat['readSample']> = {
  '1/8': (bytes, offset) => (bytes.getUint8(offset) - 128) / 128,
  '1/16': (bytes, offset) => bytes.getInt16(offset, true) / 32_768,
  '1/24': (bytes, offset) => (bytes.getInt16(offset + 1, true) * 256 + bytes.getUint8(offset)) / 8_388_608,
  '1/32': (bytes, offset) => bytes.getInt32(offset, true) / 2_147_483_648,
  '3/32': (bytes, offset) => bytes.getFloat32(offset, true),
  '6/8': (bytes, offset) => decodeALaw(bytes.getUint8(offset)),
  '7/8': (bytes, offset) => decodeMuLaw(bytes.getUint8(offset)),
}

/** The format tag WAVE_FORMAT_EXTENSIBLE: the extension of the format chunk contains the format code. */
const extensibleFormatTag = 0xfffe

const readChunkName = (bytes: DataView, offset: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => bytes.getUint8(offset + index)))

/** Parses the 'fmt ' chunk. Returns undefined if it is incomplete or its encoding is not supported. */
const parseFormatChunk = (bytes: DataView, offset: number, length: number) => {
  if (length < 16 || offset + length > bytes.byteLength) return undefined
  const tag = bytes.getUint16(offset, true)
  const bits = bytes.getUint16(offset + 14, true)
  const code = tag === extensibleFormatTag && length >= 26 ? bytes.getUint16(offset + 24, true) : tag
  const readSample = sampleReaders[`${code}/${bits}`]
  const [channels, sampleRate] = [bytes.getUint16(offset + 2, true), bytes.getUint32(offset + 4, true)]
  if (!readSample || channels === 0 || sampleRate === 0) return undefined
  return { channels, sampleRate, frameBytes: (channels * bits) / 8, readSample }
}

/**
 * Parses the header of a WAV file from its first bytes. Returns undefined for other files and unsupported encodings. If
 * the data length is invalid, because the recorder did not finish the header, the audio data extends to the end of the
 * file.
 */
export const parseWav = (firstBytes: Uint8Array, fileBytes: number): WavFormat | undefined => {
  const bytes = new DataView(firstBytes.buffer, firstBytes.byteOffset, firstBytes.byteLength)
  if (firstBytes.length < 12 || !/^(?:RIFF|RF64)$/.test(readChunkName(bytes, 0)) || readChunkName(bytes, 8) !== 'WAVE')
    return undefined
  let format: ReturnType<typeof parseFormatChunk>
  for (let offset = 12; offset + 8 <= firstBytes.length;) {
    const [name, length, start] = [readChunkName(bytes, offset), bytes.getUint32(offset + 4, true), offset + 8]
    if (name === 'fmt ') format = parseFormatChunk(bytes, start, length)
    if (name === 'data') {
      if (!format) return undefined
      const dataLength = length === 0 || start + length > fileBytes ? fileBytes - start : length
      return { ...format, dataStart: start, dataEnd: start + dataLength - (dataLength % format.frameBytes) }
    }
    // chunks start at even offsets
    offset = start + length + (length % 2)
  }
  return undefined
}
