import { buildRecordingPath, type StoredRecording } from '@trunkline/contract/calls/recording'
import { messages } from '@trunkline/contract/messages/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { getErrorMessage } from '../../../lib/problem'
import { Button } from '../../../ui/button'
import { FailedState } from '../../../ui/feedback/failed-state'
import { Muted } from '../../../ui/muted'
import { useExternalRecording } from './external-recording'
import css from './player.module.css'
import { RecordingPlayer } from './recording-player'
import { locateRecording, useRecordingSource } from './recording-source'

const StoredPlayer = ({ row, stored }: { row: RecentCall; stored: StoredRecording }) => {
  const { data, error, refetch, isFetching } = useRecordingSource(stored)
  if (data)
    return (
      <RecordingPlayer
        key={buildRecordingPath(stored.account_sid, stored.name)}
        row={row}
        stored={stored}
        source={data}
      />
    )
  if (data === null)
    return (
      <div className={css.missing}>
        <Muted>{messages.none}</Muted>
        <Button size="sm" pending={isFetching} onClick={() => void refetch()}>
          {messages.checkAgain}
        </Button>
      </div>
    )
  if (error) return <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
  return <div className={css.placeholder} aria-busy="true" aria-label={messages.loading} role="status" />
}

const ExternalPlayer = ({ row, url }: { row: RecentCall; url: URL }) => {
  const { data } = useExternalRecording(url)
  if (data) return <RecordingPlayer key={url.href} row={row} source={data} external={url} />
  return <div className={css.placeholder} aria-busy="true" aria-label={messages.loading} role="status" />
}

/** Plays, saves and deletes the recording of a call, which is at the API or on another server. */
export const Player = ({ row }: { row: RecentCall }) => {
  const location = locateRecording(row)
  return (
    <section className={css.player} aria-label={messages.title}>
      {!location ? <Muted>{messages.invalid}</Muted> : null}
      {location && 'stored' in location ? <StoredPlayer row={row} stored={location.stored} /> : null}
      {location && 'external' in location ? <ExternalPlayer row={row} url={location.external} /> : null}
    </section>
  )
}
