import { mp3Frame, mp3Piece, mp3TagEnd } from './model/mp3'
import { addSamples, addWav, noPeaks, peaksPerSecond, type Peaks } from './model/peaks'
import { wavForm, type WavForm } from './model/wav'
import type { Sound } from './recording-source'

/** Bytes per read: half a minute of a call, analysed in a few milliseconds. */
const portion = 1024 * 1024
/** The audio data of a file starts within this many bytes. */
const headLength = 64 * 1024

export interface PeakReader {
  peaks: Peaks
  /**
   * Reads the whole recording, the wanted part first, and calls `tell` after each piece. Waits for `turn` before each
   * piece.
   */
  run: (tell: () => void, turn: () => Promise<void>, signal: AbortSignal) => Promise<void>
  /** Sets the second from which to read next. */
  want: (second: number) => void
}

/** A call has two sides. */
const mostChannels = 2
/** Maximum duration in seconds. A longer one means a damaged header, and would waste memory. */
const longest = 24 * 60 * 60

/** Reads a WAV file, whose pieces can be read in any order. */
const wavReader = (sound: Sound, form: WavForm, peaks: Peaks): PeakReader => {
  const length = portion - (portion % form.frame)
  const pieces = Math.ceil((form.to - form.from) / length)
  const read = new Set<number>()
  let wanted = 0
  const next = () => {
    for (let step = 0; step < pieces; step += 1) {
      const piece = (wanted + step) % pieces
      if (!read.has(piece)) return piece
    }
    return undefined
  }
  return {
    peaks,
    want: (second) => {
      wanted = Math.min(pieces - 1, Math.max(0, Math.floor((second * form.sampleRate * form.frame) / length)))
    },
    run: async (tell, turn, signal) => {
      for (let piece = next(); piece !== undefined && !signal.aborted; piece = next()) {
        await turn()
        const from = form.from + piece * length
        addWav(peaks, form, await sound.read(from, Math.min(form.to, from + length), signal), from)
        read.add(piece)
        tell()
      }
    },
  }
}

/** Decodes MP3 frames at a low sample rate, which is sufficient for peak levels. */
const decode = async (frames: Uint8Array) => {
  const sound = await new OfflineAudioContext(1, 1, 80 * peaksPerSecond).decodeAudioData(frames.slice().buffer)
  const channels = Array.from({ length: sound.numberOfChannels }, (_, number) => sound.getChannelData(number))
  return { channels, sampleRate: sound.sampleRate }
}

/** Reads an MP3 file from start to end, because the position of a second depends on the frames before it. */
const mp3Reader = (sound: Sound, begin: number, peaks: Peaks): PeakReader => ({
  peaks,
  want: () => undefined,
  run: async (tell, turn, signal) => {
    let seconds = 0
    for (let at = begin; at < sound.size && !signal.aborted;) {
      await turn()
      const bytes = await sound.read(at, Math.min(sound.size, at + portion), signal)
      const piece = mp3Piece(bytes)
      if (!piece) break
      const { channels, sampleRate } = await decode(bytes.subarray(piece.from, piece.to))
      addSamples(peaks, channels, sampleRate, seconds)
      seconds += piece.seconds
      at += piece.to
      tell()
    }
  },
})

/** Opens a recording of `duration` seconds to read its peaks; undefined if its format is not supported. */
export const openPeaks = async (
  sound: Sound,
  duration: number,
  signal: AbortSignal,
): Promise<PeakReader | undefined> => {
  if (sound.size === 0 || !(duration > 0 && duration <= longest)) return undefined
  const unheard = (channels: number) => noPeaks(duration, Math.min(channels, mostChannels))
  const head = await sound.read(0, Math.min(headLength, sound.size), signal)
  const form = wavForm(head, sound.size)
  if (form) return form.to > form.from ? wavReader(sound, form, unheard(form.channels)) : undefined
  const begin = mp3TagEnd(head)
  const first = await sound.read(begin, Math.min(begin + headLength, sound.size), signal)
  const piece = mp3Piece(first)
  const frame = piece && mp3Frame(first, piece.from)
  return frame && mp3Reader(sound, begin + piece.from, unheard(frame.channels))
}
