import type { WavForm } from './wav'

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

const placeOf = (seconds: number) => Math.round(seconds * peaksPerSecond)

/** Adds `count` samples of each channel, starting at sample `first` of the recording. */
const add = (
  peaks: Peaks,
  { first, count, sampleRate }: { first: number; count: number; sampleRate: number },
  sample: (channel: number, at: number) => number,
) => {
  peaks.channels.forEach((channel, number) => {
    for (let at = 0; at < count; at += 1) {
      const place = Math.floor(((first + at) * peaksPerSecond) / sampleRate)
      const size = Math.min(1, Math.abs(sample(number, at)))
      if (size > (channel[place] ?? 1)) channel[place] = size
    }
  })
  const [from, to] = [first / sampleRate, (first + count) / sampleRate]
  const isEnd = to >= peaks.duration - 1 / peaksPerSecond
  peaks.known.fill(1, placeOf(from), isEnd ? peaks.known.length : placeOf(to))
}

/** Adds a part of a WAV file. `at` is the file offset of its first byte, which must start a frame. */
export const addWav = (peaks: Peaks, form: WavForm, stretch: Uint8Array, at: number): void => {
  const bytes = new DataView(stretch.buffer, stretch.byteOffset, stretch.byteLength)
  const { frame, sampleRate, sample } = form
  const width = frame / form.channels
  const place = { first: (at - form.from) / frame, count: Math.floor(stretch.length / frame), sampleRate }
  add(peaks, place, (channel, each) => sample(bytes, each * frame + channel * width))
}

/** Adds decoded audio that starts at `at` seconds. */
export const addSamples = (peaks: Peaks, sound: readonly Float32Array[], sampleRate: number, at: number): void => {
  const place = { first: Math.round(at * sampleRate), count: sound[0]?.length ?? 0, sampleRate }
  add(peaks, place, (channel, each) => (sound[channel] ?? sound[0])?.[each] ?? 0)
}

/** Whether all values of a range are known. */
export const areKnown = ({ known }: Peaks, from: number, to: number): boolean =>
  !known.subarray(Math.max(0, placeOf(from)), placeOf(to)).includes(0)

/**
 * Returns when speech on a channel ended, in seconds: the start of the last silence in a range. A sound after it that
 * is shorter than a silence counts as noise. Undefined if the range ends in speech or is not fully known.
 */
export const silenceStart = (peaks: Peaks, number: number, from: number, to: number): number | undefined => {
  const channel = peaks.channels[number] ?? peaks.channels[0]
  const [first, behind] = [Math.max(0, placeOf(from)), Math.min(placeOf(to), peaks.known.length)]
  if (!channel || !areKnown(peaks, from, to)) return undefined
  const isQuiet = (place: number) => (channel[place] ?? 0) < silenceThreshold
  let loud = 0
  for (let at = behind - 1; at >= first; at -= 1) {
    if (!isQuiet(at)) {
      loud += 1
      if (loud >= silentPeaks) return undefined
      continue
    }
    const end = at
    while (at > first && isQuiet(at - 1)) at -= 1
    if (end - at + 1 >= silentPeaks) return at / peaksPerSecond
    loud += end - at + 1
    if (loud >= silentPeaks) return undefined
  }
  return undefined
}

/** Whether there is speech on a channel at a time, including the gaps between syllables. */
export const isSpeaking = ({ channels }: Peaks, number: number, at: number): boolean => {
  const channel = channels[number]
  const place = placeOf(at)
  return Boolean(channel?.subarray(Math.max(0, place - 20), place + 20).some((size) => size >= silenceThreshold))
}
