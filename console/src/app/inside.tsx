import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { makeQueryClient } from '../lib/query'
import { paths } from '../lib/paths'
import { useSession } from '../session/session'
import { toast } from '../ui/toast'
import { Shell } from './shell'

/** One session's memory: it is made with the session and dies with it. */
const Remembering = () => {
  const [cache] = useState(() => makeQueryClient((text) => toast.bad(text)))
  useEffect(
    () => () => {
      void cache.cancelQueries()
      cache.clear()
    },
    [cache],
  )
  return (
    <QueryClientProvider client={cache}>
      <Shell />
    </QueryClientProvider>
  )
}

/** A session that ends because nobody answers ends on the sign-in page, so its code has to be here before that. */
const useSignInAtHand = () => {
  useEffect(() => {
    const timer = setTimeout(() => void import('../features/sign-in/page').catch(() => undefined), 1000)
    return () => clearTimeout(timer)
  }, [])
}

/** Everything behind the sign-in page. Another window may have ended the session, or begun one for somebody else. */
export const Inside = () => {
  const session = useSession()
  const router = useRouter()
  useSignInAtHand()
  useEffect(() => {
    if (!session) void router.navigate({ to: paths.signIn, replace: true })
  }, [session, router])
  if (!session) return null
  return <Remembering key={`${session.actor.scope}:${session.actor.user_sid ?? ''}`} />
}
