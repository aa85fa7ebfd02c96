/** The format of 16-bit PCM audio. */
export interface WavFormat {
  sampleRate: number
  channels: number
}

/** Bytes of the header. */
export const wavHeaderBytes = 44

const sampleBytes = 2
/** The greatest size that the header can represent. Longer audio is reported with this size. */
const maxAudioBytes = 0xffffffff - wavHeaderBytes

/** Builds the header of a WAV file with this many bytes of audio. */
export const buildWavHeader = ({ sampleRate, channels }: WavFormat, audioBytes: number): Buffer => {
  const sizeField = Math.min(audioBytes, maxAudioBytes)
  const frameBytes = channels * sampleBytes
  const header = Buffer.alloc(wavHeaderBytes)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(sizeField + wavHeaderBytes - 8, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  // the size of the format chunk, and the code for PCM
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * frameBytes, 28)
  header.writeUInt16LE(frameBytes, 32)
  header.writeUInt16LE(sampleBytes * 8, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(sizeField, 40)
  return header
}

/** Parses a header that `buildWavHeader` built; undefined for any other. */
export const parseWavHeader = (header: Buffer): WavFormat | undefined => {
  if (header.length < wavHeaderBytes) return undefined
  const format = { channels: header.readUInt16LE(22), sampleRate: header.readUInt32LE(24) }
  const expected = buildWavHeader(format, header.readUInt32LE(40))
  return format.channels > 0 && format.sampleRate > 0 && expected.equals(header.subarray(0, wavHeaderBytes))
    ? format
    : undefined
}
