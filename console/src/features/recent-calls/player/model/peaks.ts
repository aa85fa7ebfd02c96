import type { WavFormat } from './wav'

/** Resolution: one value for each pixel of the waveform. */
export const peaksPerSecond = 100
/** Levels below this are quiet. */
export const silenceThreshold = 0.03
/** This many quiet values in a row are silence. */
export const minSilentPeaks = 5

/** Peak levels of each channel in steps of 10 ms, from 0 to 1, as far as they are known. */
export interface Peaks {
  /** Seconds. */
  duration: number
  channels: Float32Array[]
  /** 1 for each value that has been read. */
  knownFlags: Uint8Array
}

/** Returns peaks without any known value. */
export const createEmptyPeaks = (duration: number, channels: number): Peaks => {
  const length = Math.max(1, Math.ceil(duration * peaksPerSecond))
  return {
    duration,
    channels: Array.from({ length: channels }, () => new Float32Array(length)),
    knownFlags: new Uint8Array(length),
  }
}

const toPeakIndex = (seconds: number) => Math.round(seconds * peaksPerSecond)

/** Adds `count` samples of each channel, starting at sample `startIndex` of the recording. */
const addPeaks = (
  peaks: Peaks,
  { startIndex, count, sampleRate }: { startIndex: number; count: number; sampleRate: number },
  readSample: (channel: number, sampleIndex: number) => number,
) => {
  peaks.channels.forEach((channel, channelIndex) => {
    for (let sampleIndex = 0; sampleIndex < count; sampleIndex += 1) {
      const index = Math.floor(((startIndex + sampleIndex) * peaksPerSecond) / sampleRate)
      const level = Math.min(1, Math.abs(readSample(channelIndex, sampleIndex)))
      if (level > (channel[index] ?? 1)) channel[index] = level
    }
  })
  const [from, to] = [startIndex / sampleRate, (startIndex + count) / sampleRate]
  const isEnd = to >= peaks.duration - 1 / peaksPerSecond
  peaks.knownFlags.fill(1, toPeakIndex(from), isEnd ? peaks.knownFlags.length : toPeakIndex(to))
}

/** Adds a part of a WAV file. `fileOffset` is that of its first byte, which must start a frame. */
export const addWav = (peaks: Peaks, format: WavFormat, chunk: Uint8Array, fileOffset: number): void => {
  const data = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const { frameBytes, sampleRate, readSample } = format
  const sampleBytes = frameBytes / format.channels
  const sampleRange = {
    startIndex: (fileOffset - format.dataStart) / frameBytes,
    count: Math.floor(chunk.length / frameBytes),
    sampleRate,
  }
  addPeaks(peaks, sampleRange, (channel, sampleIndex) =>
    readSample(data, sampleIndex * frameBytes + channel * sampleBytes),
  )
}

/** Adds decoded audio that starts at `startSeconds`. */
export const addSamples = (
  peaks: Peaks,
  channelSamples: readonly Float32Array[],
  sampleRate: number,
  startSeconds: number,
): void => {
  const samples = {
    startIndex: Math.round(startSeconds * sampleRate),
    count: channelSamples[0]?.length ?? 0,
    sampleRate,
  }
  addPeaks(peaks, samples, (channel, sampleIndex) => (channelSamples[channel] ?? channelSamples[0])?.[sampleIndex] ?? 0)
}

/** Whether all values of a range are known. */
export const areKnown = ({ knownFlags }: Peaks, from: number, to: number): boolean =>
  !knownFlags.subarray(Math.max(0, toPeakIndex(from)), toPeakIndex(to)).includes(0)

/**
 * Returns when speech on a channel ended, in seconds: the start of the last silence in a range. A sound after it that
 * is shorter than a silence counts as noise. Undefined if the range ends in speech or is not fully known.
 */
export const findSilenceStart = (peaks: Peaks, channelIndex: number, from: number, to: number): number | undefined => {
  const channel = peaks.channels[channelIndex] ?? peaks.channels[0]
  const [startIndex, endIndex] = [Math.max(0, toPeakIndex(from)), Math.min(toPeakIndex(to), peaks.knownFlags.length)]
  if (!channel || !areKnown(peaks, from, to)) return undefined
  const isQuiet = (peak: number) => (channel[peak] ?? 0) < silenceThreshold
  let loudCount = 0
  for (let index = endIndex - 1; index >= startIndex; index -= 1) {
    if (!isQuiet(index)) {
      loudCount += 1
      if (loudCount >= minSilentPeaks) return undefined
      continue
    }
    const quietEnd = index
    while (index > startIndex && isQuiet(index - 1)) index -= 1
    const quietCount = quietEnd - index + 1
    if (quietCount >= minSilentPeaks) return index / peaksPerSecond
    loudCount += quietCount
    if (loudCount >= minSilentPeaks) return undefined
  }
  return undefined
}

/** Whether there is speech on a channel at a time, including the gaps between syllables. */
export const isSpeaking = ({ channels }: Peaks, channelIndex: number, second: number): boolean => {
  const channel = channels[channelIndex]
  const index = toPeakIndex(second)
  return Boolean(channel?.subarray(Math.max(0, index - 20), index + 20).some((level) => level >= silenceThreshold))
}
