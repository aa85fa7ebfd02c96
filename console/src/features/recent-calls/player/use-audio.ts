import { useEffect, useState } from 'react'
import type { Sound } from './recording-source'

/** Seconds per jump. */
const jump = 15

export interface Heard {
  /** Playback is possible. */
  ready: boolean
  /** Playback failed for good. */
  failed: boolean
  playing: boolean
  /** Seconds. */
  time: number
  duration: number
}

const silent: Heard = { ready: false, failed: false, playing: false, time: 0, duration: 0 }

const told = ['loadedmetadata', 'durationchange', 'play', 'pause', 'ended', 'timeupdate', 'seeking', 'error']

const heard = (audio: HTMLAudioElement): Heard => ({
  ready: audio.readyState > 0 && !audio.error,
  failed: Boolean(audio.error),
  // at its end, audio counts as paused
  playing: !audio.paused && !audio.ended,
  time: audio.currentTime,
  duration: Number.isFinite(audio.duration) ? audio.duration : 0,
})

/** Plays a recording as a stream, and releases it on unmount. */
export const useAudio = ({ from }: Sound) => {
  const [audio] = useState(() => new Audio())
  const [state, setState] = useState(silent)

  useEffect(() => {
    const tell = () => {
      if (audio.error && audio.crossOrigin !== null && 'external' in from) {
        audio.crossOrigin = null
        audio.src = from.external
      } else setState(heard(audio))
    }
    for (const event of told) audio.addEventListener(event, tell)
    const own = 'file' in from ? URL.createObjectURL(from.file) : undefined
    audio.preload = 'metadata'
    // request another server's file with CORS and without cookies; if that fails, `tell` retries without CORS, as for
    // any embedded audio
    audio.crossOrigin = 'external' in from ? 'anonymous' : null
    audio.src = own ?? ('address' in from ? from.address : 'external' in from ? from.external : '')
    return () => {
      for (const event of told) audio.removeEventListener(event, tell)
      audio.pause()
      // cancels the download
      audio.removeAttribute('src')
      audio.load()
      if (own) URL.revokeObjectURL(own)
    }
  }, [audio, from])

  const goTo = (second: number) => {
    audio.currentTime = Math.min(state.duration, Math.max(0, second))
  }
  return {
    audio,
    ...state,
    goTo,
    jumpLeft: () => goTo(audio.currentTime - jump),
    jumpRight: () => goTo(audio.currentTime + jump),
    toggle: () => {
      if (!audio.paused) audio.pause()
      // an error event reports playback failures
      else void audio.play().catch(() => undefined)
    },
  }
}

/** Formats seconds as minutes and seconds. */
export const sayTime = (seconds: number): string => {
  const whole = Math.floor(seconds)
  return [Math.floor(whole / 60), whole % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
