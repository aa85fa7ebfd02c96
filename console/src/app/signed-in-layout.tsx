import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { createQueryClient } from '../lib/query'
import { paths } from '../lib/paths'
import { useSession } from '../session/session'
import { toast } from '../ui/feedback/toast'
import { Shell } from './shell'

/** Holds the query cache of one session: created with the session and cleared when it ends. */
const SessionQueryProvider = () => {
  const [queryClient] = useState(() => createQueryClient((text) => toast.bad(text)))
  useEffect(
    () => () => {
      void queryClient.cancelQueries()
      queryClient.clear()
    },
    [queryClient],
  )
  return (
    <QueryClientProvider client={queryClient}>
      <Shell />
    </QueryClientProvider>
  )
}

/** Loads the code of the sign-in page in advance: if the server becomes unreachable, the session ends there. */
const usePreloadedSignIn = () => {
  useEffect(() => {
    const timer = setTimeout(() => void import('../features/sign-in/page').catch(() => undefined), 1000)
    return () => clearTimeout(timer)
  }, [])
}

/** Everything behind the sign-in page. Another window may end the session, or start one for another user. */
export const SignedInLayout = () => {
  const session = useSession()
  const router = useRouter()
  usePreloadedSignIn()
  useEffect(() => {
    if (!session) void router.navigate({ to: paths.signIn, replace: true })
  }, [session, router])
  if (!session) return null
  return <SessionQueryProvider key={`${session.actor.scope}:${session.actor.user_sid ?? ''}`} />
}
