import { useEffect, useState } from 'react'
import type { Sound } from './sound'

/** Seconds of one jump. */
const jump = 15

export interface Heard {
  /** It can be played. */
  ready: boolean
  /** It can't, whatever is tried. */
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
  // what has come to its end is paused
  playing: !audio.paused && !audio.ended,
  time: audio.currentTime,
  duration: Number.isFinite(audio.duration) ? audio.duration : 0,
})

/** Plays a sound. It is played as it comes in, and forgotten with its place on the page. */
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
    // another server gets no cookies where it lets pages read its files; one that does not is asked as for any embedded sound
    audio.crossOrigin = 'external' in from ? 'anonymous' : null
    audio.src = own ?? ('address' in from ? from.address : 'external' in from ? from.external : '')
    return () => {
      for (const event of told) audio.removeEventListener(event, tell)
      audio.pause()
      // ends what is on its way
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
      // what can't be played says so by an event of its own
      else void audio.play().catch(() => undefined)
    },
  }
}

/** A moment as minutes and seconds. */
export const sayTime = (seconds: number): string => {
  const whole = Math.floor(seconds)
  return [Math.floor(whole / 60), whole % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
