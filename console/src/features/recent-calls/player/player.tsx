import { messages } from '@trunkline/contract/messages/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { ExternalLink } from 'lucide-react'
import { sayProblem } from '../../../lib/problem'
import { Button, ButtonLink } from '../../../ui/button'
import { FailedState } from '../../../ui/failed-state'
import { Quiet } from '../../../ui/quiet'
import css from './player.module.css'
import { Recording } from './recording'
import { placeOf, useSound } from './sound'

const Kept = ({ row, path }: { row: RecentCall; path: string }) => {
  const { data, error, refetch, isFetching } = useSound(path)
  if (data) return <Recording key={path} row={row} path={path} sound={data} />
  if (data === null)
    return (
      <div className={css.elsewhere}>
        <Quiet>{messages.none}</Quiet>
        <Button size="sm" pending={isFetching} onClick={() => void refetch()}>
          {messages.again}
        </Button>
      </div>
    )
  if (error) return <FailedState message={sayProblem(error)} onRetry={() => void refetch()} pending={isFetching} />
  return <div className={css.waiting} aria-busy="true" aria-label={messages.loading} role="status" />
}

/** The recording of a call: to be heard, saved and deleted. Nothing is asked of servers other than the API. */
export const Player = ({ row }: { row: RecentCall }) => {
  const place = placeOf(row.recording_url ?? '')
  return (
    <section className={css.player} aria-label={messages.title}>
      {!place ? (
        <Quiet>{messages.none}</Quiet>
      ) : 'path' in place ? (
        <Kept row={row} path={place.path} />
      ) : (
        <div className={css.elsewhere}>
          <Quiet>{messages.elsewhere(place.elsewhere.host)}</Quiet>
          <ButtonLink icon={ExternalLink} size="sm" href={place.elsewhere.href} outside>
            {messages.open}
          </ButtonLink>
        </div>
      )}
    </section>
  )
}
