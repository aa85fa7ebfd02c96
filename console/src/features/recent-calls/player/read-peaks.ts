import { parseMp3Frame, findMp3Frames, findMp3TagEnd } from './model/mp3'
import { addSamples, addWav, createEmptyPeaks, peaksPerSecond, type Peaks } from './model/peaks'
import { parseWav, type WavFormat } from './model/wav'
import type { RecordingSource } from './recording-source'

/** Maximum size of a piece: half a minute of a call, analysed in a few milliseconds. */
const maxPieceBytes = 1024 * 1024
/** The audio data of a file starts within this many bytes. */
const headBytes = 64 * 1024

export interface PeakReader {
  peaks: Peaks
  /**
   * Reads the complete recording, starting at the second that `readFrom` has set. Awaits `waitForTurn` before each piece,
   * and calls `onProgress` after it.
   */
  run: (onProgress: () => void, waitForTurn: () => Promise<void>, signal: AbortSignal) => Promise<void>
  /** Sets the second from which to read next. */
  readFrom: (second: number) => void
}

/** The two parties of a call have a channel each. */
const maxChannels = 2
/** Maximum duration in seconds. A longer one means a damaged header, and would waste memory. */
const maxSeconds = 24 * 60 * 60

/** Reads a WAV file. Its pieces can be read in any order. */
const createWavReader = (source: RecordingSource, format: WavFormat, peaks: Peaks): PeakReader => {
  const pieceBytes = maxPieceBytes - (maxPieceBytes % format.frameBytes)
  const pieceCount = Math.ceil((format.dataEnd - format.dataStart) / pieceBytes)
  const readPieces = new Set<number>()
  let firstPiece = 0
  const findNextPiece = () => {
    for (let step = 0; step < pieceCount; step += 1) {
      const piece = (firstPiece + step) % pieceCount
      if (!readPieces.has(piece)) return piece
    }
    return undefined
  }
  return {
    peaks,
    readFrom: (second) => {
      firstPiece = Math.min(
        pieceCount - 1,
        Math.max(0, Math.floor((second * format.sampleRate * format.frameBytes) / pieceBytes)),
      )
    },
    run: async (onProgress, waitForTurn, signal) => {
      for (let piece = findNextPiece(); piece !== undefined && !signal.aborted; piece = findNextPiece()) {
        await waitForTurn()
        const from = format.dataStart + piece * pieceBytes
        addWav(peaks, format, await source.readRange(from, Math.min(format.dataEnd, from + pieceBytes), signal), from)
        readPieces.add(piece)
        onProgress()
      }
    },
  }
}

/** Decodes MP3 frames at a low sample rate, which is sufficient for peak levels. */
const decode = async (frames: Uint8Array) => {
  const audioBuffer = await new OfflineAudioContext(1, 1, 80 * peaksPerSecond).decodeAudioData(frames.slice().buffer)
  const channels = Array.from({ length: audioBuffer.numberOfChannels }, (_, channelIndex) =>
    audioBuffer.getChannelData(channelIndex),
  )
  return { channels, sampleRate: audioBuffer.sampleRate }
}

/** Reads an MP3 file from start to end, because the position of a second depends on the frames before it. */
const createMp3Reader = (source: RecordingSource, audioStart: number, peaks: Peaks): PeakReader => ({
  peaks,
  readFrom: () => undefined,
  run: async (onProgress, waitForTurn, signal) => {
    let seconds = 0
    for (let offset = audioStart; offset < source.size && !signal.aborted;) {
      await waitForTurn()
      const bytes = await source.readRange(offset, Math.min(source.size, offset + maxPieceBytes), signal)
      const frames = findMp3Frames(bytes)
      if (!frames) break
      const { channels, sampleRate } = await decode(bytes.subarray(frames.start, frames.end))
      addSamples(peaks, channels, sampleRate, seconds)
      seconds += frames.seconds
      offset += frames.end
      onProgress()
    }
  },
})

/** Opens a recording of `duration` seconds to read its peaks; undefined if its format is not supported. */
export const openPeaks = async (
  source: RecordingSource,
  duration: number,
  signal: AbortSignal,
): Promise<PeakReader | undefined> => {
  if (source.size === 0 || !(duration > 0 && duration <= maxSeconds)) return undefined
  const createChannelPeaks = (channels: number) => createEmptyPeaks(duration, Math.min(channels, maxChannels))
  const firstBytes = await source.readRange(0, Math.min(headBytes, source.size), signal)
  const format = parseWav(firstBytes, source.size)
  if (format)
    return format.dataEnd > format.dataStart
      ? createWavReader(source, format, createChannelPeaks(format.channels))
      : undefined
  const audioStart = findMp3TagEnd(firstBytes)
  const audioBytes = await source.readRange(audioStart, Math.min(audioStart + headBytes, source.size), signal)
  const frames = findMp3Frames(audioBytes)
  const frame = frames && parseMp3Frame(audioBytes, frames.start)
  return frame && createMp3Reader(source, audioStart + frames.start, createChannelPeaks(frame.channels))
}
