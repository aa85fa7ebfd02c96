import type { WavFormat } from './wav'

/** Resolution: one value for each pixel of the waveform. */
export const peaksPerSecond = 100
/** Levels below this are silence... */
export const silenceThreshold = 0.03
/** ...if at least this many values in a row are below it. */
export const silentPeaks = 5

/** Peak levels of each channel in steps of 10 ms, from 0 to 1, as far as they are known. */
export interface Peaks {
  /** Seconds. */
  duration: number
  channels: Float32Array[]
  /** 1 for each value that has been read. */
  known: Uint8Array
}

/** Returns peaks without any known value. */
export const noPeaks = (duration: number, channels: number): Peaks => {
  const length = Math.max(1, Math.ceil(duration * peaksPerSecond))
  return {
    duration,
    channels: Array.from({ length: channels }, () => new Float32Array(length)),
    known: new Uint8Array(length),
  }
}

const peakIndex = (seconds: number) => Math.round(seconds * peaksPerSecond)

/** Adds `count` samples of each channel, starting at sample `startIndex` of the recording. */
const addPeaks = (
  peaks: Peaks,
  { startIndex, count, sampleRate }: { startIndex: number; count: number; sampleRate: number },
  sample: (channel: number, at: number) => number,
) => {
  peaks.channels.forEach((channel, channelIndex) => {
    for (let sampleIndex = 0; sampleIndex < count; sampleIndex += 1) {
      const index = Math.floor(((startIndex + sampleIndex) * peaksPerSecond) / sampleRate)
      const level = Math.min(1, Math.abs(sample(channelIndex, sampleIndex)))
      if (level > (channel[index] ?? 1)) channel[index] = level
    }
  })
  const [from, to] = [startIndex / sampleRate, (startIndex + count) / sampleRate]
  const isEnd = to >= peaks.duration - 1 / peaksPerSecond
  peaks.known.fill(1, peakIndex(from), isEnd ? peaks.known.length : peakIndex(to))
}

/** Adds a part of a WAV file. `fileOffset` is that of its first byte, which must start a frame. */
export const addWav = (peaks: Peaks, format: WavFormat, chunk: Uint8Array, fileOffset: number): void => {
  const bytes = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const { frame, sampleRate, sample } = format
  const width = frame / format.channels
  const samples = {
    startIndex: (fileOffset - format.from) / frame,
    count: Math.floor(chunk.length / frame),
    sampleRate,
  }
  addPeaks(peaks, samples, (channel, sampleIndex) => sample(bytes, sampleIndex * frame + channel * width))
}

/** Adds decoded audio that starts at `startSeconds`. */
export const addSamples = (
  peaks: Peaks,
  sound: readonly Float32Array[],
  sampleRate: number,
  startSeconds: number,
): void => {
  const samples = { startIndex: Math.round(startSeconds * sampleRate), count: sound[0]?.length ?? 0, sampleRate }
  addPeaks(peaks, samples, (channel, sampleIndex) => (sound[channel] ?? sound[0])?.[sampleIndex] ?? 0)
}

/** Whether all values of a range are known. */
export const areKnown = ({ known }: Peaks, from: number, to: number): boolean =>
  !known.subarray(Math.max(0, peakIndex(from)), peakIndex(to)).includes(0)

/**
 * Returns when speech on a channel ended, in seconds: the start of the last silence in a range. A sound after it that
 * is shorter than a silence counts as noise. Undefined if the range ends in speech or is not fully known.
 */
export const silenceStart = (peaks: Peaks, channelIndex: number, from: number, to: number): number | undefined => {
  const channel = peaks.channels[channelIndex] ?? peaks.channels[0]
  const [startIndex, endIndex] = [Math.max(0, peakIndex(from)), Math.min(peakIndex(to), peaks.known.length)]
  if (!channel || !areKnown(peaks, from, to)) return undefined
  const isQuiet = (index: number) => (channel[index] ?? 0) < silenceThreshold
  let loudCount = 0
  for (let at = endIndex - 1; at >= startIndex; at -= 1) {
    if (!isQuiet(at)) {
      loudCount += 1
      if (loudCount >= silentPeaks) return undefined
      continue
    }
    const end = at
    while (at > startIndex && isQuiet(at - 1)) at -= 1
    if (end - at + 1 >= silentPeaks) return at / peaksPerSecond
    loudCount += end - at + 1
    if (loudCount >= silentPeaks) return undefined
  }
  return undefined
}

/** Whether there is speech on a channel at a time, including the gaps between syllables. */
export const isSpeaking = ({ channels }: Peaks, channelIndex: number, at: number): boolean => {
  const channel = channels[channelIndex]
  const index = peakIndex(at)
  return Boolean(channel?.subarray(Math.max(0, index - 20), index + 20).some((level) => level >= silenceThreshold))
}
