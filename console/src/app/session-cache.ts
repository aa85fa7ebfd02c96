import type { QueryClient } from '@tanstack/react-query'
import { createQueryClient } from '../lib/query'
import type { Session } from '../session/token'
import { toast } from '../ui/feedback/toast'

let current: { key: string; cache: QueryClient } | undefined

/** Identifies the user of a session. */
export const getSessionKey = ({ actor }: Session): string => `${actor.scope}:${actor.user_sid ?? ''}`

/** The query cache of a session. Another user gets another cache. */
export const getSessionCache = (session: Session): QueryClient => {
  const key = getSessionKey(session)
  if (current?.key !== key) current = { key, cache: createQueryClient((text) => toast.bad(text)) }
  return current.cache
}

/** Empties the cache of a session that has ended. */
export const endSessionCache = (cache: QueryClient): void => {
  void cache.cancelQueries()
  cache.clear()
  if (current?.cache === cache) current = undefined
}
