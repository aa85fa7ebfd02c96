import type { Peaks } from './model/peaks'
import { useCallback, useEffect, useRef, useState } from 'react'
import { openPeaks, type PeakReader } from './read-peaks'
import type { RecordingSource } from './recording-source'

interface PeakState {
  peaks?: Peaks
  /** Number of updates. Triggers a redraw, because the peaks are filled in place. */
  updateCount: number
  hasFailed: boolean
}

/** Milliseconds between updates, and between checks of the playback: frequent enough to show progress at a low load. */
const updateMs = 200

/** Waits while playback is buffering, because playback has priority on a slow connection. */
const waitForPlayback = async (audio: HTMLMediaElement) => {
  while (!audio.paused && audio.readyState < audio.HAVE_FUTURE_DATA)
    await new Promise((resolve) => setTimeout(resolve, updateMs))
}

/** Reads the peaks of a recording and reports progress. `duration` is 0 until it is known. */
export const usePeaks = (source: RecordingSource, audio: HTMLMediaElement, duration: number) => {
  const [peakState, setPeakState] = useState<PeakState>({ updateCount: 0, hasFailed: false })
  const reader = useRef<PeakReader>(undefined)

  useEffect(() => {
    if (duration <= 0) return undefined
    const abortController = new AbortController()
    let lastUpdate = 0
    const update = (isForced: boolean) => {
      if (abortController.signal.aborted || (!isForced && performance.now() - lastUpdate < updateMs)) return
      lastUpdate = performance.now()
      setPeakState(({ updateCount, hasFailed }) => ({
        peaks: reader.current?.peaks,
        updateCount: updateCount + 1,
        hasFailed,
      }))
    }
    const readPeaks = async () => {
      reader.current = await openPeaks(source, duration, abortController.signal)
      if (!reader.current) throw new Error('The recording format is not supported.')
      await reader.current.run(
        () => update(lastUpdate === 0),
        () => waitForPlayback(audio),
        abortController.signal,
      )
      update(true)
    }
    readPeaks().catch(() => {
      if (!abortController.signal.aborted) setPeakState((state) => ({ ...state, hasFailed: true }))
    })
    return () => abortController.abort()
  }, [source, audio, duration])

  /** Reads from this second first. */
  const readFrom = useCallback((second: number) => reader.current?.readFrom(second), [])
  return { ...peakState, readFrom }
}
