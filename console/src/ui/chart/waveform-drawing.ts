import WaveSurfer from 'wavesurfer.js'

/** Height of the waveform in pixels, shared by its channels. */
const waveformHeight = 50
const pixelsPerSecond = 100

/** Returns the height in pixels of each channel. */
export const getChannelHeight = (channelCount: number) => waveformHeight / Math.max(1, channelCount)

/** The data of a waveform; the audio element plays the recording. */
export interface WaveformSource {
  audio: HTMLMediaElement
  /** Seconds. */
  duration: number
  /** Peak levels of each channel at equal intervals; filled while the waveform is displayed. */
  channels: Float32Array[]
}

const matchesMedia = (query: string) => window.matchMedia?.(query).matches ?? false

const readColours = (container: HTMLElement) => {
  const style = getComputedStyle(container)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return { waveColor: colour('--wave'), progressColor: colour('--wave-played'), cursorColor: colour('--text') }
}

/** The lowest peak level to scale by: quiet speech is amplified, but line noise does not look like speech. */
const minScale = 0.15

/** Returns the peak level to scale by. */
const getMaxPeak = (channels: Float32Array[]) =>
  channels.reduce((max, channel) => channel.reduce((channelMax, peak) => Math.max(channelMax, peak), max), minScale)

/** Draws a waveform from its peaks into an element, without loading or decoding the audio. */
export const drawWaveform = (container: HTMLElement, { audio, duration, channels }: WaveformSource) => {
  const surfer = WaveSurfer.create({
    container,
    media: audio,
    peaks: channels,
    duration,
    height: waveformHeight,
    minPxPerSec: pixelsPerSecond,
    splitChannels: channels.map(() => ({ height: getChannelHeight(channels.length) })),
    normalize: true,
    maxPeak: getMaxPeak(channels),
    barWidth: 2,
    barGap: 1,
    barRadius: 1,
    cursorWidth: 2,
    hideScrollbar: false,
    // on touch screens dragging scrolls the waveform, and a tap sets the position
    dragToSeek: matchesMedia('(pointer: fine)'),
    autoCenter: !matchesMedia('(prefers-reduced-motion: reduce)'),
    ...readColours(container),
  })
  const scrollContainer = surfer.getWrapper().parentElement
  return {
    surfer,
    /** Sets ARIA attributes on the scroll container. */
    setAttributes: (attributes: Record<string, string>) => {
      for (const [name, value] of Object.entries(attributes)) scrollContainer?.setAttribute(name, value)
    },
    /** Fits the whole waveform into the window, or shows it at the usual width per second. */
    setZoom: (fitsWindow: boolean) => surfer.setOptions({ minPxPerSec: fitsWindow ? 0 : pixelsPerSecond }),
    /** Redraws the waveform after more peaks were added. */
    redraw: () => surfer.setOptions({ maxPeak: getMaxPeak(channels) }),
    updateColours: () => surfer.setOptions(readColours(container)),
    /** Returns an image of the visible part. */
    createImage: () => createImage(surfer, container),
  }
}

const createImage = async (surfer: WaveSurfer, container: HTMLElement): Promise<Blob | null> => {
  const box = container.getBoundingClientRect()
  const ratio = window.devicePixelRatio
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(box.width * ratio)
  canvas.height = Math.round(box.height * ratio)
  const context = canvas.getContext('2d')
  if (!context) return null
  context.fillStyle = getComputedStyle(container).getPropertyValue('--bg')
  context.fillRect(0, 0, canvas.width, canvas.height)
  for (const source of surfer.getWrapper().querySelectorAll<HTMLCanvasElement>('.canvases canvas')) {
    const { left, top, width, height } = source.getBoundingClientRect()
    context.drawImage(source, (left - box.left) * ratio, (top - box.top) * ratio, width * ratio, height * ratio)
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
