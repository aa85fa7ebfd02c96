import WaveSurfer from 'wavesurfer.js'

/** Height of the waveform in pixels, shared by its channels, and width of a second. */
const height = 50
const pixelsPerSecond = 100

/** Returns the height in pixels of each channel. */
export const channelHeight = (channels: number) => height / Math.max(1, channels)

/** The data of a waveform; the audio element plays the recording. */
export interface WaveformSource {
  audio: HTMLMediaElement
  /** Seconds. */
  duration: number
  /** Peak levels of each channel at equal intervals; filled while the waveform is displayed. */
  channels: Float32Array[]
}

const isSo = (query: string) => window.matchMedia?.(query).matches ?? false

const coloursOf = (host: HTMLElement) => {
  const style = getComputedStyle(host)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return { waveColor: colour('--wave'), progressColor: colour('--wave-played'), cursorColor: colour('--text') }
}

/**
 * Returns the peak level for scaling, at least 0.15: quiet speech is amplified, but line noise does not look like
 * speech.
 */
const loudest = (channels: Float32Array[]) =>
  channels.reduce((most, channel) => channel.reduce((one, other) => Math.max(one, other), most), 0.15)

/** Draws a waveform from its peaks into an element, without loading or decoding the audio. */
export const drawWaveform = (host: HTMLElement, { audio, duration, channels }: WaveformSource) => {
  const surfer = WaveSurfer.create({
    container: host,
    media: audio,
    peaks: channels,
    duration,
    height,
    minPxPerSec: pixelsPerSecond,
    splitChannels: channels.map(() => ({ height: channelHeight(channels.length) })),
    normalize: true,
    maxPeak: loudest(channels),
    barWidth: 2,
    barGap: 1,
    barRadius: 1,
    cursorWidth: 2,
    hideScrollbar: false,
    // on touch screens dragging scrolls the waveform, and a tap sets the position
    dragToSeek: isSo('(pointer: fine)'),
    autoCenter: !isSo('(prefers-reduced-motion: reduce)'),
    ...coloursOf(host),
  })
  const scroll = surfer.getWrapper().parentElement
  return {
    surfer,
    /** Sets ARIA attributes on the scroll container. */
    say: (attributes: Record<string, string>) => {
      for (const [name, value] of Object.entries(attributes)) scroll?.setAttribute(name, value)
    },
    /** Fits the whole waveform into the window, or shows it at the usual width per second. */
    zoom: (whole: boolean) => surfer.setOptions({ minPxPerSec: whole ? 0 : pixelsPerSecond }),
    /** Redraws the waveform after more peaks were added. */
    renew: () => surfer.setOptions({ maxPeak: loudest(channels) }),
    recolour: () => surfer.setOptions(coloursOf(host)),
    /** Returns an image of the visible part. */
    picture: () => pictureOf(surfer, host),
  }
}

const pictureOf = async (surfer: WaveSurfer, host: HTMLElement): Promise<Blob | null> => {
  const box = host.getBoundingClientRect()
  const ratio = window.devicePixelRatio
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(box.width * ratio)
  canvas.height = Math.round(box.height * ratio)
  const pen = canvas.getContext('2d')
  if (!pen) return null
  pen.fillStyle = getComputedStyle(host).getPropertyValue('--bg')
  pen.fillRect(0, 0, canvas.width, canvas.height)
  for (const part of surfer.getWrapper().querySelectorAll<HTMLCanvasElement>('.canvases canvas')) {
    const { left, top, width, height } = part.getBoundingClientRect()
    pen.drawImage(part, (left - box.left) * ratio, (top - box.top) * ratio, width * ratio, height * ratio)
  }
  return new Promise((done) => canvas.toBlob(done, 'image/png'))
}
