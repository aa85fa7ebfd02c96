import { regionsOf, type Region } from './model/regions'
import { isSpeaking } from './model/peaks'
import type { StoredRecording } from '@trunkline/contract/calls/recording'
import { messages } from '@trunkline/contract/messages/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { AudioLines } from 'lucide-react'
import { useCallback, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { saveFile } from '../../../lib/save-file'
import { localValues } from '../../../lib/storage'
import { Status } from '../../../ui/status'
import { toast } from '../../../ui/feedback/toast'
import { Waveform, type WaveformHandle } from '../../../ui/chart/waveform'
import { PlayerControls } from './player-controls'
import { RegionDialog } from './region-dialog'
import { waveformMark, speakersOf } from './region-text'
import css from './player.module.css'
import type { RecordingSource } from './recording-source'
import { sayTime, useAudio } from './use-audio'
import { usePeaks } from './use-peaks'
import { useTrace, useTraceParams } from '../trace/use-trace'

export interface RecordingPlayerProps {
  row: RecentCall
  sound: RecordingSource
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

/** The player of one recording. */
export const RecordingPlayer = ({ row, stored, external, sound }: RecordingPlayerProps) => {
  const player = useAudio(sound)
  const { audio, duration, time, ready } = player
  const { peaks, drawn, failed, readFrom } = usePeaks(sound, audio, duration)
  const { data: trace } = useTrace(useTraceParams(row))
  const [latencies, setLatencies] = useState(false)
  const [zoom, setZoom] = useState(() => localValues.playerZoom.get())
  // Until the user selects a zoom, short calls show the whole waveform.
  const isWholeCallShown = zoom === null ? duration > 0 && duration <= maxWholeSeconds : zoom === 'whole'
  const [selectedRegion, setSelectedRegion] = useState<Region>()
  const waveform = useRef<WaveformHandle>(null)

  const regions = useMemo(() => (trace && peaks && drawn > 0 ? regionsOf(trace, peaks) : []), [trace, peaks, drawn])
  const marks = useMemo(
    () => regions.filter(({ latency, start }) => start < duration && (latencies || !latency)).map(waveformMark),
    [regions, latencies, duration],
  )
  const channels = useMemo(() => peaks?.channels ?? [new Float32Array(1)], [peaks])
  const onView = useCallback((from: number) => readFrom(from), [readFrom])

  const keys: Record<string, () => void> = {
    ' ': player.toggle,
    ArrowLeft: player.jumpLeft,
    ArrowRight: player.jumpRight,
    Home: () => player.seek(0),
    End: () => player.seek(duration),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keys[event.key]
    if (
      !action ||
      !ready ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      usesKey(event.key, event.target as Element)
    )
      return
    event.preventDefault()
    action()
  }
  const savePicture = async () => {
    const picture = await waveform.current?.picture()
    if (picture) saveFile(picture, `callid-${row.call_sid ?? ''}.png`)
    else toast.bad(messages.noImage)
  }
  const problem = player.failed ? messages.noAudio : failed ? (sound.unreadable ?? messages.noWaveform) : undefined
  return (
    // the player handles keys from all elements inside it
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onKeyDown}>
      <div className={css.sound}>
        <ul className={css.speakers} aria-label={messages.channels}>
          {speakersOf(row)
            .slice(0, channels.length > 1 ? 2 : 0)
            .map(({ name, number }, index) => {
              const isSpeakingNow = peaks ? isSpeaking(peaks, index, time) : false
              return (
                <li key={name} data-speaks={isSpeakingNow || undefined}>
                  <b>{name}</b>
                  <span title={number}>{number}</span>
                  {/* always rendered, so that the waveform keeps its width */}
                  <i>
                    {isSpeakingNow ? (
                      <AudioLines size={13} strokeWidth={2} role="img" aria-label={messages.speaks} />
                    ) : null}
                  </i>
                </li>
              )
            })}
        </ul>
        {duration > 0 ? (
          <Waveform
            ref={waveform}
            {...{ audio, duration, channels, drawn, whole: isWholeCallShown, marks, sayTime, onView }}
            position={{
              label: messages.position,
              now: time,
              text: messages.timeOfLength(sayTime(time), sayTime(duration)),
            }}
            marksLabel={messages.events}
            onMark={(id) => setSelectedRegion(regions.find((region) => region.id === id))}
            note={problem ? <Status kind="bad">{problem}</Status> : null}
          />
        ) : (
          <div className={css.still}>{problem ? <Status kind="bad">{problem}</Status> : null}</div>
        )}
      </div>
      <PlayerControls
        {...{ row, stored, external, sound, player, whole: isWholeCallShown }}
        latencies={regions.some(({ latency }) => latency) ? latencies : undefined}
        onLatencies={setLatencies}
        onWhole={(isWhole) => {
          const nextZoom = isWhole ? 'whole' : 'zoomed'
          localValues.playerZoom.set(nextZoom)
          setZoom(nextZoom)
        }}
        onPicture={savePicture}
      />
      <RegionDialog region={selectedRegion} onClose={() => setSelectedRegion(undefined)} />
    </div>
  )
}
