import { describe, expect, it } from 'vitest'
import { parseMp3Frame, findMp3Frames, mp3TagEnd } from './mp3'
import { addSamples, addWav, areKnown, isSpeaking, noPeaks, silenceStart } from './peaks'
import { parseWav, type WavFormat } from './wav'

const rate = 8000

const wavSeconds = ({ from, to, frame, sampleRate }: WavFormat) => (to - from) / frame / sampleRate

interface Told {
  code?: number
  bits?: number
  channels?: number
  /** The data length in the header; the true length by default. */
  bytes?: number
  before?: Buffer
}

/** A WAV file with this audio data. */
const file = (sound: Buffer, { code = 1, bits = 16, channels = 2, bytes = sound.length, before }: Told = {}) => {
  const form = Buffer.alloc(24)
  form.write('fmt ', 0, 'latin1')
  form.writeUInt32LE(16, 4)
  form.writeUInt16LE(code, 8)
  form.writeUInt16LE(channels, 10)
  form.writeUInt32LE(rate, 12)
  form.writeUInt32LE((rate * channels * bits) / 8, 16)
  form.writeUInt16LE((channels * bits) / 8, 20)
  form.writeUInt16LE(bits, 22)
  const data = Buffer.alloc(8)
  data.write('data', 0, 'latin1')
  data.writeUInt32LE(bytes, 4)
  const riff = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1')
  return Buffer.concat([riff, ...(before ? [before] : []), form, data, sound])
}

/** Two-channel audio that is loud in the given ranges of each channel, in seconds. */
const talk = (seconds: number, spoken: [number, number][][], level = 0.5) => {
  const bytes = Buffer.alloc(seconds * rate * 4)
  for (let at = 0; at < seconds * rate; at += 1)
    spoken.forEach((stretches, channel) => {
      const loud = stretches.some(([from, to]) => at >= from * rate && at < to * rate)
      bytes.writeInt16LE(Math.round(32_767 * (loud ? level : 0.01) * (at % 2 ? 1 : -1)), at * 4 + channel * 2)
    })
  return bytes
}

const peaksOf = (whole: Buffer) => {
  const form = parseWav(whole, whole.length)!
  const peaks = noPeaks(wavSeconds(form), form.channels)
  addWav(peaks, form, whole.subarray(form.from, form.to), form.from)
  return peaks
}

describe('wavForm', () => {
  it('returns the position and duration of the audio', () => {
    const whole = file(Buffer.alloc(rate * 4 * 3))
    const form = parseWav(whole, whole.length)
    expect(form).toMatchObject({ channels: 2, sampleRate: rate, frame: 4, from: 44, to: whole.length })
    expect(wavSeconds(form!)).toBe(3)
  })

  it('skips other chunks, even of odd length', () => {
    const note = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1')
    const whole = file(Buffer.alloc(400), { before: note })
    expect(parseWav(whole, whole.length)).toMatchObject({ from: 44 + note.length })
  })

  it.each([0, 0xffffffff, 10_000])(
    'reads to the end of the file if the header has a wrong length (%i bytes)',
    (bytes) => {
      const whole = file(Buffer.alloc(402), { bytes })
      expect(parseWav(whole, whole.length)).toMatchObject({ from: 44, to: 444 })
    },
  )

  it.each<[string, Told, number[], number]>([
    ['8 bits', { bits: 8 }, [255], 127 / 128],
    ['16 bits', { bits: 16 }, [0, 0x80], -1],
    ['24 bits', { bits: 24 }, [0, 0, 0x40], 0.5],
    ['32 bits', { bits: 32 }, [0, 0, 0, 0x40], 0.5],
    ['floating point', { bits: 32, code: 3 }, [0, 0, 0, 0x3f], 0.5],
    ['A-law, nearly silent', { bits: 8, code: 6 }, [0xd5], 8 / 32_768],
    ['A-law, loud', { bits: 8, code: 6 }, [0xaa], 32_256 / 32_768],
    ['µ-law, silent', { bits: 8, code: 7 }, [0xff], 0],
    ['µ-law, loud', { bits: 8, code: 7 }, [0x80], 32_124 / 32_768],
  ])('reads %s', (_, told, sample, value) => {
    const whole = file(Buffer.from(sample), { ...told, channels: 1 })
    const form = parseWav(whole, whole.length)!
    expect(form.sample(new DataView(Uint8Array.from(sample).buffer), 0)).toBeCloseTo(value, 6)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another file type', Buffer.from('<!doctype html><title>404</title>')],
    ['audio in another encoding', file(Buffer.alloc(40), { code: 0x11 })],
    ['a file without channels', file(Buffer.alloc(40), { channels: 0 })],
    ['a truncated file', file(Buffer.alloc(40)).subarray(0, 30)],
    ['a file with a format chunk that is too long', Buffer.from('RIFF\0\0\0\0WAVEfmt \xff\xff\xff\xff', 'latin1')],
  ])('returns undefined for %s', (_, bytes) => {
    expect(parseWav(bytes, bytes.length)).toBeUndefined()
  })
})

describe('the peaks of a recording', () => {
  const whole = file(talk(2, [[[0.5, 1]], [[1.2, 1.9]]]))

  it('hold one value per channel and hundredth of a second', () => {
    const { channels } = peaksOf(whole)
    expect(channels.map(({ length }) => length)).toEqual([200, 200])
    expect(channels[0]![49]).toBeCloseTo(0.01, 2)
    expect(channels[0]![50]).toBeCloseTo(0.5, 2)
    expect(channels[1]![50]).toBeCloseTo(0.01, 2)
    expect(channels[1]![150]).toBeCloseTo(0.5, 2)
  })

  it('do not depend on the size and order of the parts', () => {
    const form = parseWav(whole, whole.length)!
    const peaks = noPeaks(wavSeconds(form), 2)
    const cuts = [form.from, form.from + 4 * 1003, form.from + 4 * 9001, form.to]
    for (const at of [2, 0]) addWav(peaks, form, whole.subarray(cuts[at], cuts[at + 1]), cuts[at]!)
    expect(areKnown(peaks, 0, 2)).toBe(false)
    expect(areKnown(peaks, 1.3, 2)).toBe(true)
    addWav(peaks, form, whole.subarray(cuts[1], cuts[2]), cuts[1]!)
    expect(areKnown(peaks, 0, 2)).toBe(true)
    expect(peaks).toEqual(peaksOf(whole))
  })

  it('are at most 1, even for invalid samples', () => {
    const peaks = noPeaks(1, 1)
    addSamples(peaks, [Float32Array.of(3, -7, NaN)], rate, 0)
    expect(peaks.channels[0]![0]).toBe(1)
  })

  it('isSpeaking is true for the speaking channel, even between two syllables', () => {
    const peaks = peaksOf(whole)
    expect([0.1, 0.75, 1.1, 1.6].map((at) => [0, 1].map((channel) => isSpeaking(peaks, channel, at)))).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [false, true],
    ])
    expect(isSpeaking(peaks, 2, 0.75)).toBe(false)
  })
})

describe('silenceStart', () => {
  const from = (spoken: [number, number][], level?: number) =>
    silenceStart(peaksOf(file(talk(3, [spoken, []], level))), 0, 0, 3)

  it('returns the end of the last word', () => {
    expect(
      from([
        [0.5, 1],
        [1.5, 2.4],
      ]),
    ).toBeCloseTo(2.4, 5)
  })
  it('returns the start of the range if all of it is silent', () => {
    expect(from([])).toBe(0)
  })
  it('returns undefined if somebody speaks until the end', () => {
    expect(from([[0.5, 3]])).toBeUndefined()
  })
  it('needs five quiet values in a row', () => {
    expect(from([[0.5, 2.95]])).toBeCloseTo(2.95, 5)
    expect(from([[0.5, 2.96]])).toBeUndefined()
  })
  it('ignores a short noise at the end', () => {
    expect(
      from([
        [0.5, 2.5],
        [2.96, 3],
      ]),
    ).toBeCloseTo(2.5, 5)
  })
  it('counts levels below 0.03 as quiet', () => {
    expect(from([[1, 2]], 0.029)).toBe(0)
    expect(from([[1, 2]], 0.031)).toBeCloseTo(2, 5)
  })
  it('returns undefined before the audio has loaded', () => {
    expect(silenceStart(noPeaks(3, 2), 0, 0, 3)).toBeUndefined()
  })
  it('uses the only channel of a mono recording', () => {
    const sound = Buffer.alloc(rate * 2)
    expect(silenceStart(peaksOf(file(sound, { channels: 1 })), 1, 0, 1)).toBe(0)
  })
})

describe('MP3 files', () => {
  /** MPEG version 1, layer III, 128 kbit/s, 44100 Hz. */
  const frame = (third = 0x90, fourth = 0x00, second = 0xfb) => {
    const head = Buffer.from([0xff, second, third, fourth])
    return Buffer.concat([head, Buffer.alloc(parseMp3Frame(head, 0)!.length - 4)])
  }

  it.each<[string, number[], ReturnType<typeof parseMp3Frame>]>([
    ['128 kbit/s', [0xff, 0xfb, 0x90, 0x00], { length: 417, samples: 1152, sampleRate: 44_100, channels: 2 }],
    [
      'with padding, one channel',
      [0xff, 0xfb, 0x92, 0xc0],
      { length: 418, samples: 1152, sampleRate: 44_100, channels: 1 },
    ],
    [
      '8000 samples per second, 16 kbit/s',
      [0xff, 0xe3, 0x28, 0x00],
      { length: 144, samples: 576, sampleRate: 8000, channels: 2 },
    ],
    ['another layer', [0xff, 0xfd, 0x90, 0x00], undefined],
    ['no bitrate', [0xff, 0xfb, 0x00, 0x00], undefined],
    ['no sample rate', [0xff, 0xfb, 0x9c, 0x00], undefined],
    ['no version', [0xff, 0xeb, 0x90, 0x00], undefined],
  ])('mp3Frame parses a header: %s', (_, bytes, told) => {
    expect(parseMp3Frame(Uint8Array.from(bytes), 0)).toEqual(told)
  })

  it('mp3Piece cuts at frame boundaries', () => {
    const bytes = Buffer.concat([Buffer.from([1, 2, 0xff, 0xfb]), frame(), frame(), frame(), frame().subarray(0, 100)])
    expect(findMp3Frames(bytes)).toEqual({ from: 4, to: 4 + 3 * 417, seconds: expect.closeTo((3 * 1152) / 44_100, 9) })
  })

  it('mp3Piece ignores a single frame without a successor', () => {
    expect(findMp3Frames(Buffer.concat([frame(), Buffer.alloc(500)]))).toBeUndefined()
    expect(findMp3Frames(Buffer.alloc(0))).toBeUndefined()
  })

  it('mp3TagEnd skips the ID3 tag', () => {
    expect(mp3TagEnd(Buffer.from('ID3\x04\0\0\0\0\x02\x01', 'latin1'))).toBe(10 + 257)
    expect(mp3TagEnd(frame())).toBe(0)
  })
})

describe('corrupt audio files', () => {
  it('are read as far as possible without an error', () => {
    const whole = file(talk(1, [[[0.2, 0.6]], []]))
    let seed = 20_261
    const chance = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    for (let round = 0; round < 2000; round += 1) {
      const bytes = Uint8Array.from(whole.subarray(0, chance(600)))
      for (let hits = chance(8); hits > 0 && bytes.length > 0; hits -= 1)
        bytes[chance(Math.min(60, bytes.length))] = chance(256)
      const form = parseWav(bytes, bytes.length)
      const peaks = noPeaks(1, 2)
      if (form) addWav(peaks, form, bytes.subarray(form.from, form.to), form.from)
      findMp3Frames(bytes.subarray(mp3TagEnd(bytes)))
      expect(peaks.channels.every((channel) => channel.every((size) => size >= 0 && size <= 1))).toBe(true)
    }
  })
})
