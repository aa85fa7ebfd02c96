import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { paths } from '../lib/paths'
import { useSession } from '../session/session'
import type { Session } from '../session/token'
import { endSessionCache, getSessionCache, getSessionKey } from './session-cache'
import { Shell } from './shell'

/** Provides the query cache of one session, and empties it when the session ends. */
const SessionQueryProvider = ({ session }: { session: Session }) => {
  const [queryClient] = useState(() => getSessionCache(session))
  useEffect(() => () => endSessionCache(queryClient), [queryClient])
  return (
    <QueryClientProvider client={queryClient}>
      <Shell />
    </QueryClientProvider>
  )
}

/** Everything behind the sign-in screen. Another window may end the session, or start one for another user. */
export const SignedInLayout = () => {
  const session = useSession()
  const router = useRouter()
  useEffect(() => {
    if (!session) void router.navigate({ to: paths.signIn, replace: true })
  }, [session, router])
  if (!session) return null
  return <SessionQueryProvider key={getSessionKey(session)} session={session} />
}
