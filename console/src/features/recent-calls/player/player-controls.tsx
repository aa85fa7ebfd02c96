import type { StoredRecording } from '@trunkline/contract/calls/recording'
import { messages } from '@trunkline/contract/messages/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { ExternalLink, Image, Pause, Play, RotateCcw, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../../../session/session'
import { ButtonLink, IconButton } from '../../../ui/button'
import { CheckMark } from '../../../ui/check-mark'
import { KeyCaps } from '../../../ui/key-caps'
import { FilterSelect } from '../../../ui/table/filter-select'
import { DownloadRecording } from './download-recording'
import { RemoveRecording } from './remove-recording'
import css from './player.module.css'
import type { RecordingSource } from './recording-source'
import { formatPlaybackTime, type useAudio } from './use-audio'

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2].map((speed) => ({ value: String(speed), label: `${speed}×` }))

type Player = ReturnType<typeof useAudio>

export interface PlayerControlsProps {
  row: RecentCall
  stored: StoredRecording | undefined
  external: URL | undefined
  source: RecordingSource
  player: Player
  /** Whether the latencies are shown; undefined if none is known. */
  areLatenciesShown: boolean | undefined
  onLatenciesChange: (areShown: boolean) => void
  isWholeCallShown: boolean
  onWholeCallChange: (isShown: boolean) => void
  onSaveImage: () => void
}

interface LabelledCheckboxProps {
  label: string
  title?: string
  checked: boolean
  disabled: boolean
  onChange: (checked: boolean) => void
}

const LabelledCheckbox = ({ title, ...props }: LabelledCheckboxProps) => (
  <label className={css.checkbox} title={title}>
    <CheckMark {...props} onChange={() => props.onChange(!props.checked)} />
    {props.label}
  </label>
)

/** The buttons for playing and jumping, and the playback position. */
const PlaybackButtons = ({ player }: { player: Player }) => {
  const { isReady, isPlaying, time, duration } = player
  return (
    <div className={css.group}>
      <IconButton
        icon={RotateCcw}
        label={messages.jumpLeft}
        aria-keyshortcuts="ArrowLeft"
        disabled={!isReady}
        onClick={player.jumpLeft}
      />
      <span className={css.play}>
        <IconButton
          icon={isPlaying ? Pause : Play}
          label={isPlaying ? 'Pause' : 'Play'}
          aria-keyshortcuts="Space"
          disabled={!isReady}
          onClick={player.toggle}
        />
      </span>
      <IconButton
        icon={RotateCw}
        label={messages.jumpRight}
        aria-keyshortcuts="ArrowRight"
        disabled={!isReady}
        onClick={player.jumpRight}
      />
      <span className={css.time}>
        {formatPlaybackTime(time)} <span>/ {formatPlaybackTime(duration)}</span>
      </span>
    </div>
  )
}

const SpeedSelect = ({ audio }: { audio: HTMLAudioElement }) => {
  const [speed, setSpeed] = useState('1')
  return (
    <FilterSelect
      name={messages.speed}
      size="sm"
      value={speed}
      options={speeds}
      onChange={(value) => {
        setSpeed(value)
        audio.playbackRate = Number(value)
      }}
    />
  )
}

/** Actions of a recording. Those for playback are disabled until it is ready. */
export const PlayerControls = ({ row, stored, external, source, player, ...props }: PlayerControlsProps) => {
  const can = useCan()
  const { service_provider_sid, account_sid } = row
  const call_sid = row.call_sid ?? ''
  const isDisabled = !player.isReady
  return (
    <div className={css.controls}>
      <PlaybackButtons player={player} />
      <div className={css.group}>
        <SpeedSelect audio={player.audio} />
        <LabelledCheckbox
          label={messages.latencies}
          title={props.areLatenciesShown === undefined ? messages.noLatencies : undefined}
          checked={props.areLatenciesShown ?? false}
          disabled={isDisabled || props.areLatenciesShown === undefined}
          onChange={props.onLatenciesChange}
        />
        <LabelledCheckbox
          label={messages.wholeCall}
          checked={props.isWholeCallShown}
          disabled={isDisabled}
          onChange={props.onWholeCallChange}
        />
      </div>
      <p className={css.shortcuts}>
        <KeyCaps keys={['Space']} /> play <KeyCaps keys={['←', '→']} /> 15 s
      </p>
      <div className={css.actions}>
        <span className={css.image}>
          <IconButton icon={Image} label={messages.image} disabled={isDisabled} onClick={props.onSaveImage} />
        </span>
        {stored ? <DownloadRecording {...{ stored, call_sid, source }} /> : null}
        {external ? (
          <ButtonLink icon={ExternalLink} size="sm" variant="borderless" href={external.href} isExternal>
            {messages.open}
          </ButtonLink>
        ) : null}
        {stored && can('remove', 'recent_call', { service_provider_sid, account_sid }) ? (
          <RemoveRecording {...{ stored, call_sid }} />
        ) : null}
      </div>
    </div>
  )
}
