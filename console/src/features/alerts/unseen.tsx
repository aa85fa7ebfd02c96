import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { features } from '../../lib/features'
import { kept } from '../../lib/storage'
import { useActor } from '../../session/session'
import { alertsBelow } from './source'

/** As many as are told apart: from here on there are simply more. */
const countedTo = 10

/**
 * Counts the alerts that came since somebody last looked at them, again and again, without a word when it cannot.
 * `looking`: they are on screen now. Tells a number from 0 to 10.
 */
export const UnseenAlerts = (props: { provider: string; looking: boolean; onCount: (count: number) => void }) => {
  const { provider, looking, onCount } = props
  const [since, setSince] = useState(() => kept.alertsSeen.get())
  const source = alertsBelow(useActor(), provider, '')
  const seconds = features().alertPollSeconds
  const looked = useRef(false)
  useEffect(() => {
    // what came while they were on screen has been seen as well
    if (!looking && !looked.current) return
    looked.current = looking
    const now = new Date().toISOString()
    kept.alertsSeen.set(now)
    setSince(now)
  }, [looking])
  const { data } = useQuery({
    queryKey: ['alert', 'unseen', ...source.key, since],
    queryFn: ({ signal }) =>
      source.ask({ page: 1, count: countedTo, ...(since ? { start: since } : { days: 30 }) }, signal, true),
    enabled: !looking,
    refetchInterval: seconds > 0 && seconds * 1000,
    meta: { quiet: true },
  })
  const count = looking ? 0 : Math.min(data?.total ?? 0, countedTo)
  useEffect(() => onCount(count), [count, onCount])
  return null
}
