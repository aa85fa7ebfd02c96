import { parseMp3Frame, findMp3Frames, mp3TagEnd } from './model/mp3'
import { addSamples, addWav, noPeaks, peaksPerSecond, type Peaks } from './model/peaks'
import { parseWav, type WavFormat } from './model/wav'
import type { RecordingSource } from './recording-source'

/** Bytes per read: half a minute of a call, analysed in a few milliseconds. */
const chunkBytes = 1024 * 1024
/** The audio data of a file starts within this many bytes. */
const headBytes = 64 * 1024

export interface PeakReader {
  peaks: Peaks
  /**
   * Reads the whole recording, the wanted part first. Awaits `waitForTurn` before each piece, and calls `onProgress`
   * after it.
   */
  run: (onProgress: () => void, waitForTurn: () => Promise<void>, signal: AbortSignal) => Promise<void>
  /** Sets the second from which to read next. */
  readFrom: (second: number) => void
}

/** A call has two sides. */
const maxChannels = 2
/** Maximum duration in seconds. A longer one means a damaged header, and would waste memory. */
const maxSeconds = 24 * 60 * 60

/** Reads a WAV file, whose pieces can be read in any order. */
const wavReader = (sound: RecordingSource, format: WavFormat, peaks: Peaks): PeakReader => {
  const length = chunkBytes - (chunkBytes % format.frame)
  const pieces = Math.ceil((format.to - format.from) / length)
  const readPieces = new Set<number>()
  let firstPiece = 0
  const findNextPiece = () => {
    for (let step = 0; step < pieces; step += 1) {
      const piece = (firstPiece + step) % pieces
      if (!readPieces.has(piece)) return piece
    }
    return undefined
  }
  return {
    peaks,
    readFrom: (second) => {
      firstPiece = Math.min(pieces - 1, Math.max(0, Math.floor((second * format.sampleRate * format.frame) / length)))
    },
    run: async (onProgress, waitForTurn, signal) => {
      for (let piece = findNextPiece(); piece !== undefined && !signal.aborted; piece = findNextPiece()) {
        await waitForTurn()
        const from = format.from + piece * length
        addWav(peaks, format, await sound.read(from, Math.min(format.to, from + length), signal), from)
        readPieces.add(piece)
        onProgress()
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
const mp3Reader = (sound: RecordingSource, audioStart: number, peaks: Peaks): PeakReader => ({
  peaks,
  readFrom: () => undefined,
  run: async (onProgress, waitForTurn, signal) => {
    let seconds = 0
    for (let offset = audioStart; offset < sound.size && !signal.aborted;) {
      await waitForTurn()
      const bytes = await sound.read(offset, Math.min(sound.size, offset + chunkBytes), signal)
      const piece = findMp3Frames(bytes)
      if (!piece) break
      const { channels, sampleRate } = await decode(bytes.subarray(piece.from, piece.to))
      addSamples(peaks, channels, sampleRate, seconds)
      seconds += piece.seconds
      offset += piece.to
      onProgress()
    }
  },
})

/** Opens a recording of `duration` seconds to read its peaks; undefined if its format is not supported. */
export const openPeaks = async (
  sound: RecordingSource,
  duration: number,
  signal: AbortSignal,
): Promise<PeakReader | undefined> => {
  if (sound.size === 0 || !(duration > 0 && duration <= maxSeconds)) return undefined
  const createPeaks = (channels: number) => noPeaks(duration, Math.min(channels, maxChannels))
  const head = await sound.read(0, Math.min(headBytes, sound.size), signal)
  const format = parseWav(head, sound.size)
  if (format) return format.to > format.from ? wavReader(sound, format, createPeaks(format.channels)) : undefined
  const audioStart = mp3TagEnd(head)
  const firstBytes = await sound.read(audioStart, Math.min(audioStart + headBytes, sound.size), signal)
  const piece = findMp3Frames(firstBytes)
  const frame = piece && parseMp3Frame(firstBytes, piece.from)
  return frame && mp3Reader(sound, audioStart + piece.from, createPeaks(frame.channels))
}
