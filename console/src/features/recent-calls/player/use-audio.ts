import { useEffect, useState } from 'react'
import type { RecordingSource } from './recording-source'

/** Seconds per jump. */
const jumpSeconds = 15

export interface PlaybackState {
  /** Playback is possible. */
  isReady: boolean
  /** Playback failed for good. */
  hasFailed: boolean
  isPlaying: boolean
  /** Seconds. */
  time: number
  duration: number
}

const initialState: PlaybackState = { isReady: false, hasFailed: false, isPlaying: false, time: 0, duration: 0 }

const audioEvents = ['loadedmetadata', 'durationchange', 'play', 'pause', 'ended', 'timeupdate', 'seeking', 'error']

const readState = (audio: HTMLAudioElement): PlaybackState => ({
  isReady: audio.readyState > 0 && !audio.error,
  hasFailed: Boolean(audio.error),
  // at its end, audio counts as paused
  isPlaying: !audio.paused && !audio.ended,
  time: audio.currentTime,
  duration: Number.isFinite(audio.duration) ? audio.duration : 0,
})

/** Plays a recording as a stream, and releases it on unmount. */
export const useAudio = ({ playback }: RecordingSource) => {
  const [audio] = useState(() => new Audio())
  const [state, setState] = useState(initialState)

  useEffect(() => {
    const updateState = () => {
      if (audio.error && audio.crossOrigin !== null && 'externalUrl' in playback) {
        audio.crossOrigin = null
        audio.src = playback.externalUrl
      } else setState(readState(audio))
    }
    for (const event of audioEvents) audio.addEventListener(event, updateState)
    const objectUrl = 'file' in playback ? URL.createObjectURL(playback.file) : undefined
    audio.preload = 'metadata'
    // request another server's file with CORS and without cookies; if that fails, `updateState` retries without CORS, as
    // for any embedded audio
    audio.crossOrigin = 'externalUrl' in playback ? 'anonymous' : null
    audio.src = objectUrl ?? ('url' in playback ? playback.url : 'externalUrl' in playback ? playback.externalUrl : '')
    return () => {
      for (const event of audioEvents) audio.removeEventListener(event, updateState)
      audio.pause()
      // cancels the download
      audio.removeAttribute('src')
      audio.load()
      if (objectUrl) URL.revokeObjectURL(objectUrl)
    }
  }, [audio, playback])

  const seek = (second: number) => {
    audio.currentTime = Math.min(state.duration, Math.max(0, second))
  }
  return {
    audio,
    ...state,
    seek,
    jumpLeft: () => seek(audio.currentTime - jumpSeconds),
    jumpRight: () => seek(audio.currentTime + jumpSeconds),
    toggle: () => {
      if (!audio.paused) audio.pause()
      // an error event reports playback failures
      else void audio.play().catch(() => undefined)
    },
  }
}

/** Formats seconds as minutes and seconds. */
export const formatPlaybackTime = (seconds: number): string => {
  const totalSeconds = Math.floor(seconds)
  return [Math.floor(totalSeconds / 60), totalSeconds % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
