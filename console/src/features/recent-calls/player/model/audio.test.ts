import { describe, expect, it } from 'vitest'
import { parseMp3Frame, findMp3Frames, findMp3TagEnd } from './mp3'
import { addSamples, addWav, areKnown, isSpeaking, createEmptyPeaks, findSilenceStart } from './peaks'
import { parseWav, type WavFormat } from './wav'

const sampleRate = 8000

const wavSeconds = ({ dataStart, dataEnd, frameBytes, sampleRate }: WavFormat) =>
  (dataEnd - dataStart) / frameBytes / sampleRate

interface WavOptions {
  code?: number
  bits?: number
  channels?: number
  /** The data length in the header; the true length by default. */
  dataLength?: number
  extraChunk?: Buffer
}

/** A WAV file with this audio data. */
const createWav = (
  sound: Buffer,
  { code = 1, bits = 16, channels = 2, dataLength = sound.length, extraChunk }: WavOptions = {},
) => {
  const format = Buffer.alloc(24)
  format.write('fmt ', 0, 'latin1')
  format.writeUInt32LE(16, 4)
  format.writeUInt16LE(code, 8)
  format.writeUInt16LE(channels, 10)
  format.writeUInt32LE(sampleRate, 12)
  format.writeUInt32LE((sampleRate * channels * bits) / 8, 16)
  format.writeUInt16LE((channels * bits) / 8, 20)
  format.writeUInt16LE(bits, 22)
  const data = Buffer.alloc(8)
  data.write('data', 0, 'latin1')
  data.writeUInt32LE(dataLength, 4)
  const riff = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1')
  return Buffer.concat([riff, ...(extraChunk ? [extraChunk] : []), format, data, sound])
}

/** Two-channel audio that is loud in the given ranges of each channel, in seconds. */
const createSpeech = (seconds: number, speechByChannel: [number, number][][], level = 0.5) => {
  const bytes = Buffer.alloc(seconds * sampleRate * 4)
  for (let index = 0; index < seconds * sampleRate; index += 1)
    speechByChannel.forEach((ranges, channel) => {
      const isLoud = ranges.some(([from, to]) => index >= from * sampleRate && index < to * sampleRate)
      bytes.writeInt16LE(Math.round(32_767 * (isLoud ? level : 0.01) * (index % 2 ? 1 : -1)), index * 4 + channel * 2)
    })
  return bytes
}

const readPeaks = (wavFile: Buffer) => {
  const format = parseWav(wavFile, wavFile.length)!
  const peaks = createEmptyPeaks(wavSeconds(format), format.channels)
  addWav(peaks, format, wavFile.subarray(format.dataStart, format.dataEnd), format.dataStart)
  return peaks
}

describe('parseWav', () => {
  it('returns the position and duration of the audio', () => {
    const wavFile = createWav(Buffer.alloc(sampleRate * 4 * 3))
    const format = parseWav(wavFile, wavFile.length)
    expect(format).toMatchObject({ channels: 2, sampleRate, frameBytes: 4, dataStart: 44, dataEnd: wavFile.length })
    expect(wavSeconds(format!)).toBe(3)
  })

  it('skips other chunks, even of odd length', () => {
    const note = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1')
    const wavFile = createWav(Buffer.alloc(400), { extraChunk: note })
    expect(parseWav(wavFile, wavFile.length)).toMatchObject({ dataStart: 44 + note.length })
  })

  it.each([0, 0xffffffff, 10_000])(
    'reads to the end of the file if the header has a wrong length (%i bytes)',
    (dataLength) => {
      const wavFile = createWav(Buffer.alloc(402), { dataLength })
      expect(parseWav(wavFile, wavFile.length)).toMatchObject({ dataStart: 44, dataEnd: 444 })
    },
  )

  it.each<[string, WavOptions, number[], number]>([
    ['8 bits', { bits: 8 }, [255], 127 / 128],
    ['16 bits', { bits: 16 }, [0, 0x80], -1],
    ['24 bits', { bits: 24 }, [0, 0, 0x40], 0.5],
    ['32 bits', { bits: 32 }, [0, 0, 0, 0x40], 0.5],
    ['floating point', { bits: 32, code: 3 }, [0, 0, 0, 0x3f], 0.5],
    ['A-law, nearly silent', { bits: 8, code: 6 }, [0xd5], 8 / 32_768],
    ['A-law, loud', { bits: 8, code: 6 }, [0xaa], 32_256 / 32_768],
    ['µ-law, silent', { bits: 8, code: 7 }, [0xff], 0],
    ['µ-law, loud', { bits: 8, code: 7 }, [0x80], 32_124 / 32_768],
  ])('reads %s', (_, options, sample, value) => {
    const wavFile = createWav(Buffer.from(sample), { ...options, channels: 1 })
    const format = parseWav(wavFile, wavFile.length)!
    expect(format.readSample(new DataView(Uint8Array.from(sample).buffer), 0)).toBeCloseTo(value, 6)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another file type', Buffer.from('<!doctype html><title>404</title>')],
    ['audio in another encoding', createWav(Buffer.alloc(40), { code: 0x11 })],
    ['a file without channels', createWav(Buffer.alloc(40), { channels: 0 })],
    ['a truncated file', createWav(Buffer.alloc(40)).subarray(0, 30)],
    ['a file with a format chunk that is too long', Buffer.from('RIFF\0\0\0\0WAVEfmt \xff\xff\xff\xff', 'latin1')],
  ])('returns undefined for %s', (_, bytes) => {
    expect(parseWav(bytes, bytes.length)).toBeUndefined()
  })
})

describe('the peaks of a recording', () => {
  const wavFile = createWav(createSpeech(2, [[[0.5, 1]], [[1.2, 1.9]]]))

  it('hold one value per channel and hundredth of a second', () => {
    const { channels } = readPeaks(wavFile)
    expect(channels.map(({ length }) => length)).toEqual([200, 200])
    expect(channels[0]![49]).toBeCloseTo(0.01, 2)
    expect(channels[0]![50]).toBeCloseTo(0.5, 2)
    expect(channels[1]![50]).toBeCloseTo(0.01, 2)
    expect(channels[1]![150]).toBeCloseTo(0.5, 2)
  })

  it('do not depend on the size and order of the parts', () => {
    const format = parseWav(wavFile, wavFile.length)!
    const peaks = createEmptyPeaks(wavSeconds(format), 2)
    const partOffsets = [format.dataStart, format.dataStart + 4 * 1003, format.dataStart + 4 * 9001, format.dataEnd]
    for (const index of [2, 0])
      addWav(peaks, format, wavFile.subarray(partOffsets[index], partOffsets[index + 1]), partOffsets[index]!)
    expect(areKnown(peaks, 0, 2)).toBe(false)
    expect(areKnown(peaks, 1.3, 2)).toBe(true)
    addWav(peaks, format, wavFile.subarray(partOffsets[1], partOffsets[2]), partOffsets[1]!)
    expect(areKnown(peaks, 0, 2)).toBe(true)
    expect(peaks).toEqual(readPeaks(wavFile))
  })

  it('are at most 1, even for invalid samples', () => {
    const peaks = createEmptyPeaks(1, 1)
    addSamples(peaks, [Float32Array.of(3, -7, NaN)], sampleRate, 0)
    expect(peaks.channels[0]![0]).toBe(1)
  })

  it('isSpeaking is true for the speaking channel, even between two syllables', () => {
    const peaks = readPeaks(wavFile)
    expect([0.1, 0.75, 1.1, 1.6].map((second) => [0, 1].map((channel) => isSpeaking(peaks, channel, second)))).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [false, true],
    ])
    expect(isSpeaking(peaks, 2, 0.75)).toBe(false)
  })
})

describe('findSilenceStart', () => {
  const findSilence = (speech: [number, number][], level?: number) =>
    findSilenceStart(readPeaks(createWav(createSpeech(3, [speech, []], level))), 0, 0, 3)

  it('returns the end of the last word', () => {
    expect(
      findSilence([
        [0.5, 1],
        [1.5, 2.4],
      ]),
    ).toBeCloseTo(2.4, 5)
  })
  it('returns the start of the range if all of it is silent', () => {
    expect(findSilence([])).toBe(0)
  })
  it('returns undefined if somebody speaks until the end', () => {
    expect(findSilence([[0.5, 3]])).toBeUndefined()
  })
  it('needs five quiet values in a row', () => {
    expect(findSilence([[0.5, 2.95]])).toBeCloseTo(2.95, 5)
    expect(findSilence([[0.5, 2.96]])).toBeUndefined()
  })
  it('ignores a short noise at the end', () => {
    expect(
      findSilence([
        [0.5, 2.5],
        [2.96, 3],
      ]),
    ).toBeCloseTo(2.5, 5)
  })
  it('counts levels below 0.03 as quiet', () => {
    expect(findSilence([[1, 2]], 0.029)).toBe(0)
    expect(findSilence([[1, 2]], 0.031)).toBeCloseTo(2, 5)
  })
  it('returns undefined before the audio has loaded', () => {
    expect(findSilenceStart(createEmptyPeaks(3, 2), 0, 0, 3)).toBeUndefined()
  })
  it('uses the only channel of a mono recording', () => {
    const sound = Buffer.alloc(sampleRate * 2)
    expect(findSilenceStart(readPeaks(createWav(sound, { channels: 1 })), 1, 0, 1)).toBe(0)
  })
})

describe('MP3 files', () => {
  /** MPEG version 1, layer III, 128 kbit/s, 44100 Hz. */
  const createFrame = (thirdByte = 0x90, fourthByte = 0x00, secondByte = 0xfb) => {
    const head = Buffer.from([0xff, secondByte, thirdByte, fourthByte])
    return Buffer.concat([head, Buffer.alloc(parseMp3Frame(head, 0)!.byteLength - 4)])
  }

  it.each<[string, number[], ReturnType<typeof parseMp3Frame>]>([
    ['128 kbit/s', [0xff, 0xfb, 0x90, 0x00], { byteLength: 417, sampleCount: 1152, sampleRate: 44_100, channels: 2 }],
    [
      'with padding, one channel',
      [0xff, 0xfb, 0x92, 0xc0],
      { byteLength: 418, sampleCount: 1152, sampleRate: 44_100, channels: 1 },
    ],
    [
      '8000 samples per second, 16 kbit/s',
      [0xff, 0xe3, 0x28, 0x00],
      { byteLength: 144, sampleCount: 576, sampleRate: 8000, channels: 2 },
    ],
    ['another layer', [0xff, 0xfd, 0x90, 0x00], undefined],
    ['no bitrate', [0xff, 0xfb, 0x00, 0x00], undefined],
    ['no sample rate', [0xff, 0xfb, 0x9c, 0x00], undefined],
    ['no version', [0xff, 0xeb, 0x90, 0x00], undefined],
  ])('parseMp3Frame parses a header: %s', (_, bytes, expected) => {
    expect(parseMp3Frame(Uint8Array.from(bytes), 0)).toEqual(expected)
  })

  it('findMp3Frames cuts at frame boundaries', () => {
    const bytes = Buffer.concat([
      Buffer.from([1, 2, 0xff, 0xfb]),
      createFrame(),
      createFrame(),
      createFrame(),
      createFrame().subarray(0, 100),
    ])
    expect(findMp3Frames(bytes)).toEqual({
      start: 4,
      end: 4 + 3 * 417,
      seconds: expect.closeTo((3 * 1152) / 44_100, 9),
    })
  })

  it('findMp3Frames ignores a single frame without a successor', () => {
    expect(findMp3Frames(Buffer.concat([createFrame(), Buffer.alloc(500)]))).toBeUndefined()
    expect(findMp3Frames(Buffer.alloc(0))).toBeUndefined()
  })

  it('findMp3TagEnd skips the ID3 tag', () => {
    expect(findMp3TagEnd(Buffer.from('ID3\x04\0\0\0\0\x02\x01', 'latin1'))).toBe(10 + 257)
    expect(findMp3TagEnd(createFrame())).toBe(0)
  })
})

describe('corrupt audio files', () => {
  it('are read as far as possible without an error', () => {
    const wavFile = createWav(createSpeech(1, [[[0.2, 0.6]], []]))
    let seed = 20_261
    const randomBelow = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    for (let round = 0; round < 2000; round += 1) {
      const bytes = Uint8Array.from(wavFile.subarray(0, randomBelow(600)))
      for (let changes = randomBelow(8); changes > 0 && bytes.length > 0; changes -= 1)
        bytes[randomBelow(Math.min(60, bytes.length))] = randomBelow(256)
      const format = parseWav(bytes, bytes.length)
      const peaks = createEmptyPeaks(1, 2)
      if (format) addWav(peaks, format, bytes.subarray(format.dataStart, format.dataEnd), format.dataStart)
      findMp3Frames(bytes.subarray(findMp3TagEnd(bytes)))
      expect(peaks.channels.every((channel) => channel.every((level) => level >= 0 && level <= 1))).toBe(true)
    }
  })
})
