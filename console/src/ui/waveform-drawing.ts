import WaveSurfer from 'wavesurfer.js'

/** Pixels of the waveform from top to bottom, which its channels share, and of a second from left to right. */
const height = 50
const pixelsPerSecond = 100

/** Pixels of one of so many channels. */
export const channelHeight = (channels: number) => height / Math.max(1, channels)

/** What is drawn of a sound that plays elsewhere. */
export interface Drawing {
  audio: HTMLMediaElement
  /** Seconds. */
  duration: number
  /** How loud each channel is, at equal steps; filled while it is shown. */
  channels: Float32Array[]
}

const isSo = (query: string) => window.matchMedia?.(query).matches ?? false

const coloursOf = (host: HTMLElement) => {
  const style = getComputedStyle(host)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return { waveColor: colour('--wave'), progressColor: colour('--wave-played'), cursorColor: colour('--text') }
}

/** So that a quiet line is seen too, and one that only hisses does not look like talk. */
const loudest = (channels: Float32Array[]) =>
  channels.reduce((most, channel) => channel.reduce((one, other) => Math.max(one, other), most), 0.15)

/** Draws a sound that is known by its peaks into a host; nothing is loaded or decoded for it. */
export const draw = (host: HTMLElement, { audio, duration, channels }: Drawing) => {
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
    // a finger moves the sound itself, and sets the position with a touch
    dragToSeek: isSo('(pointer: fine)'),
    autoCenter: !isSo('(prefers-reduced-motion: reduce)'),
    ...coloursOf(host),
  })
  const scroll = surfer.getWrapper().parentElement
  return {
    surfer,
    /** What the window on the sound is, for who does not see it. */
    say: (attributes: Record<string, string>) => {
      for (const [name, value] of Object.entries(attributes)) scroll?.setAttribute(name, value)
    },
    /** All of it at once, or each second at its usual width. */
    zoom: (whole: boolean) => surfer.setOptions({ minPxPerSec: whole ? 0 : pixelsPerSecond }),
    /** There is more to see. */
    renew: () => surfer.setOptions({ maxPeak: loudest(channels) }),
    recolour: () => surfer.setOptions(coloursOf(host)),
    /** A picture of what is in view. */
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
