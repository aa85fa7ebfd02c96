import { findRegions, type Region } from './model/regions'
import { isSpeaking, type Peaks } from './model/peaks'
import type { StoredRecording } from '@trunkline/contract/calls/recording'
import { messages } from '@trunkline/contract/messages/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { AudioLines } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { downloadFile } from '../../../lib/download-file'
import { findOpenDialog, isSingleKey } from '../../../lib/single-key'
import { localValues } from '../../../lib/storage'
import { useStableCallback } from '../../../lib/use-stable-callback'
import { Status } from '../../../ui/status'
import { toast } from '../../../ui/feedback/toast'
import { Waveform, type WaveformHandle } from '../../../ui/chart/waveform'
import { PlayerControls } from './player-controls'
import { RegionDialog } from './region-dialog'
import { toWaveformMark, getSpeakers } from './region-text'
import css from './player.module.css'
import type { RecordingSource } from './recording-source'
import { formatPlaybackTime, useAudio } from './use-audio'
import { usePeaks } from './use-peaks'
import { useTrace, useTraceParams } from '../trace/use-trace'

export interface RecordingPlayerProps {
  row: RecentCall
  source: RecordingSource
  /** The recording at the API, which can be deleted. */
  stored?: StoredRecording
  /** The recording on another server. */
  external?: URL
}

/** Recordings up to this length open with the whole waveform in view. */
const maxWholeSeconds = 180

/** Whether an element uses the key itself. */
const usesKey = (key: string, target: Element) =>
  key === ' '
    ? target.closest('button, input, [role=combobox], [role=listbox]') !== null
    : target.closest('[role=combobox], [role=listbox], [role=dialog], [role=alertdialog]') !== null

/** The regions of a recording: those of its trace, as far as the peaks are known. */
const useRegions = (row: RecentCall, peaks: Peaks | undefined, updateCount: number): readonly Region[] => {
  const { data: trace } = useTrace(useTraceParams(row))
  // the peaks are filled in place, so `updateCount` shows that they have changed
  return useMemo(
    () => (trace && peaks && updateCount > 0 ? findRegions(trace, peaks) : []),
    [trace, peaks, updateCount],
  )
}

/** Is the whole waveform in view? Until the user chooses, only for short calls. The choice is stored in this browser. */
const useWholeCall = (duration: number) => {
  const [zoom, setZoom] = useState(() => localValues.playerZoom.get())
  const setWholeCallShown = (isShown: boolean) => {
    const nextZoom = isShown ? 'whole' : 'zoomed'
    localValues.playerZoom.set(nextZoom)
    setZoom(nextZoom)
  }
  const isShort = duration > 0 && duration <= maxWholeSeconds
  return [zoom === null ? isShort : zoom === 'whole', setWholeCallShown] as const
}

/** Handles the keyboard shortcuts of the player. */
const handleKeyDown = (event: KeyboardEvent, player: ReturnType<typeof useAudio>) => {
  const actions: Record<string, () => void> = {
    ' ': player.toggle,
    ArrowLeft: player.jumpLeft,
    ArrowRight: player.jumpRight,
    Home: () => player.seek(0),
    End: () => player.seek(player.duration),
  }
  const action = actions[event.key]
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey
  if (!action || !player.isReady || hasModifier || usesKey(event.key, event.target as Element)) return
  event.preventDefault()
  action()
}

/** The keys of the player that work anywhere on the screen. Home and End move between rows outside it. */
const screenKeys = [' ', 'ArrowLeft', 'ArrowRight']

/** Handles the keys while the focus is outside the player, for example in the list beside the call. */
const usePlayerKeys = (player: ReturnType<typeof useAudio>) => {
  const onKeyDown = useStableCallback((event: KeyboardEvent) => {
    if (event.defaultPrevented || !screenKeys.includes(event.key) || !isSingleKey(event) || findOpenDialog()) return
    // Shift selects text; trees, tabs and scrollable areas, which are tab stops, use the same keys
    if (event.shiftKey || (event.target as Element).matches('[tabindex="0"]')) return
    handleKeyDown(event, player)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onKeyDown])
}

interface SpeakerListProps {
  row: RecentCall
  peaks: Peaks | undefined
  /** Seconds. */
  time: number
}

/** The parties on the two channels of a recording, with a mark at the one who speaks. Empty for a mono recording. */
const SpeakerList = ({ row, peaks, time }: SpeakerListProps) => {
  const speakers = peaks && peaks.channels.length > 1 ? getSpeakers(row) : []
  return (
    <ul className={css.speakers} aria-label={messages.channels}>
      {speakers.map(({ name, number }, channel) => {
        const isSpeakingNow = peaks !== undefined && isSpeaking(peaks, channel, time)
        return (
          <li key={name} data-speaks={isSpeakingNow || undefined}>
            <b>{name}</b>
            <span title={number}>{number}</span>
            {/* always rendered, so that the waveform keeps its width */}
            <i>
              {isSpeakingNow ? <AudioLines size={13} strokeWidth={2} role="img" aria-label={messages.speaks} /> : null}
            </i>
          </li>
        )
      })}
    </ul>
  )
}

/** The player of one recording. */
export const RecordingPlayer = ({ row, stored, external, source }: RecordingPlayerProps) => {
  const player = useAudio(source)
  usePlayerKeys(player)
  const { audio, duration, time } = player
  const { peaks, updateCount, hasFailed, readFrom } = usePeaks(source, audio, duration)
  const regions = useRegions(row, peaks, updateCount)
  const [areLatenciesShown, setLatenciesShown] = useState(false)
  const [isWholeCallShown, setWholeCallShown] = useWholeCall(duration)
  const [selectedRegion, setSelectedRegion] = useState<Region>()
  const waveform = useRef<WaveformHandle>(null)
  const marks = useMemo(
    () =>
      regions
        .filter(({ isLatency, start }) => start < duration && (areLatenciesShown || !isLatency))
        .map(toWaveformMark),
    [regions, areLatenciesShown, duration],
  )
  const channels = useMemo(() => peaks?.channels ?? [new Float32Array(1)], [peaks])
  const onView = useCallback((from: number) => readFrom(from), [readFrom])
  const saveImage = async () => {
    const image = await waveform.current?.createImage()
    if (image) downloadFile(image, `callid-${row.call_sid ?? ''}.png`)
    else toast.bad(messages.noImage)
  }
  const peaksProblem = hasFailed ? (source.unreadableReason ?? messages.noWaveform) : undefined
  const problem = player.hasFailed ? messages.noAudio : peaksProblem
  const note = problem ? <Status kind="bad">{problem}</Status> : null
  return (
    // the player handles keys from all elements inside it
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={({ nativeEvent }) => handleKeyDown(nativeEvent, player)}>
      <div className={css.waveform}>
        <SpeakerList row={row} peaks={peaks} time={time} />
        {duration > 0 ? (
          <Waveform
            ref={waveform}
            {...{ audio, duration, channels, marks, onView, note }}
            peakCount={updateCount}
            fitsWindow={isWholeCallShown}
            formatTime={formatPlaybackTime}
            position={{
              label: messages.position,
              seconds: time,
              text: messages.timeOfLength(formatPlaybackTime(time), formatPlaybackTime(duration)),
            }}
            marksLabel={messages.events}
            onMark={(id) => setSelectedRegion(regions.find((region) => region.id === id))}
          />
        ) : (
          <div className={css.noWaveform}>{note}</div>
        )}
      </div>
      <PlayerControls
        {...{ row, stored, external, source, player, isWholeCallShown }}
        areLatenciesShown={regions.some(({ isLatency }) => isLatency) ? areLatenciesShown : undefined}
        onLatenciesChange={setLatenciesShown}
        onWholeCallChange={setWholeCallShown}
        onSaveImage={saveImage}
      />
      <RegionDialog region={selectedRegion} onClose={() => setSelectedRegion(undefined)} />
    </div>
  )
}
