import type { Peaks } from './model/peaks'
import { useCallback, useEffect, useRef, useState } from 'react'
import { openPeaks, type PeakReader } from './read-peaks'
import type { Sound } from './recording-source'

interface Reading {
  peaks?: Peaks
  /** Number of updates. Triggers a redraw, because the peaks are filled in place. */
  drawn: number
  failed: boolean
}

/** Milliseconds between updates, and between checks of the playback: frequent enough to show progress at a low load. */
const pause = 200

/** Waits while playback is buffering, because playback has priority on a slow connection. */
const whileItPlays = async (audio: HTMLMediaElement) => {
  while (!audio.paused && audio.readyState < audio.HAVE_FUTURE_DATA)
    await new Promise((done) => setTimeout(done, pause))
}

/** Reads the peaks of a recording and reports progress. `duration` is 0 until it is known. */
export const usePeaks = (sound: Sound, audio: HTMLMediaElement, duration: number) => {
  const [reading, setReading] = useState<Reading>({ drawn: 0, failed: false })
  const reader = useRef<PeakReader>(undefined)

  useEffect(() => {
    if (duration <= 0) return undefined
    const gone = new AbortController()
    let last = 0
    const tell = (now: boolean) => {
      if (gone.signal.aborted || (!now && performance.now() - last < pause)) return
      last = performance.now()
      setReading(({ drawn, failed }) => ({ peaks: reader.current?.peaks, drawn: drawn + 1, failed }))
    }
    const read = async () => {
      reader.current = await openPeaks(sound, duration, gone.signal)
      if (!reader.current) throw new Error('nothing that can be looked into')
      await reader.current.run(
        () => tell(last === 0),
        () => whileItPlays(audio),
        gone.signal,
      )
      tell(true)
    }
    read().catch(() => {
      if (!gone.signal.aborted) setReading((known) => ({ ...known, failed: true }))
    })
    return () => gone.abort()
  }, [sound, audio, duration])

  /** Reads from this second first. */
  const want = useCallback((second: number) => reader.current?.want(second), [])
  return { ...reading, want }
}
