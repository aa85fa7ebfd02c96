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
import { sayTime, type useAudio } from './use-audio'

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2].map((speed) => ({ value: String(speed), label: `${speed}×` }))

export interface PlayerControlsProps {
  row: RecentCall
  stored: StoredRecording | undefined
  external: URL | undefined
  sound: RecordingSource
  player: ReturnType<typeof useAudio>
  /** Whether the latencies are shown; undefined if none is known. */
  latencies: boolean | undefined
  onLatencies: (shown: boolean) => void
  whole: boolean
  onWhole: (whole: boolean) => void
  onPicture: () => void
}

interface LabelledCheckboxProps {
  label: string
  title?: string
  checked: boolean
  disabled: boolean
  onChange: (checked: boolean) => void
}

const LabelledCheckbox = ({ title, ...props }: LabelledCheckboxProps) => (
  <label className={css.tick} title={title}>
    <CheckMark {...props} onChange={() => props.onChange(!props.checked)} />
    {props.label}
  </label>
)

/** Actions of a recording. Those for playback are disabled until it is ready. */
export const PlayerControls = ({ row, stored, external, sound, player, ...props }: PlayerControlsProps) => {
  const can = useCan()
  const [speed, setSpeed] = useState('1')
  const { audio, ready, playing, time, duration } = player
  const { service_provider_sid, account_sid } = row
  const call_sid = row.call_sid ?? ''
  const isDisabled = !ready
  return (
    <div className={css.controls}>
      <div className={css.group}>
        <IconButton
          icon={RotateCcw}
          label={messages.jumpLeft}
          aria-keyshortcuts="ArrowLeft"
          disabled={isDisabled}
          onClick={player.jumpLeft}
        />
        <span className={css.play}>
          <IconButton
            icon={playing ? Pause : Play}
            label={playing ? 'Pause' : 'Play'}
            aria-keyshortcuts="Space"
            disabled={isDisabled}
            onClick={player.toggle}
          />
        </span>
        <IconButton
          icon={RotateCw}
          label={messages.jumpRight}
          aria-keyshortcuts="ArrowRight"
          disabled={isDisabled}
          onClick={player.jumpRight}
        />
        <span className={css.time}>
          {sayTime(time)} <span>/ {sayTime(duration)}</span>
        </span>
      </div>
      <div className={css.group}>
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
        <LabelledCheckbox
          label={messages.latencies}
          title={props.latencies === undefined ? messages.noLatencies : undefined}
          checked={props.latencies ?? false}
          disabled={isDisabled || props.latencies === undefined}
          onChange={props.onLatencies}
        />
        <LabelledCheckbox
          label={messages.wholeCall}
          checked={props.whole}
          disabled={isDisabled}
          onChange={props.onWhole}
        />
      </div>
      <p className={css.keys}>
        <KeyCaps keys={['Space']} /> play <KeyCaps keys={['←', '→']} /> 15 s
      </p>
      <div className={css.end}>
        <span className={css.image}>
          <IconButton icon={Image} label={messages.image} disabled={isDisabled} onClick={props.onPicture} />
        </span>
        {stored ? <DownloadRecording {...{ stored, call_sid, sound }} /> : null}
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
