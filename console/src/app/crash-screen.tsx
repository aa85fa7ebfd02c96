import type { ErrorComponentProps } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/general'
import { messages as sessionMessages } from '@trunkline/contract/messages/session'
import { useEffect } from 'react'
import { reportUnreachable } from '../lib/client'
import { paths } from '../lib/paths'
import { Button } from '../ui/button'
import { CodeNotLoaded } from '../ui/feedback/lazy-component'
import { SignInCard } from '../ui/shell/sign-in-card'

const describeError = (error: unknown) =>
  error instanceof CodeNotLoaded
    ? 'Part of the console could not be loaded. It may have been updated since you opened it.'
    : 'This screen could not be displayed. Your saved changes are safe.'

/** Shown for any uncaught error. If the server is unreachable, the session ends, as after any other failed request. */
export const CrashScreen = ({ error }: Pick<ErrorComponentProps, 'error'>) => {
  const isUnreachable = error instanceof CodeNotLoaded && !error.isServerReachable
  useEffect(() => {
    if (isUnreachable) reportUnreachable()
  }, [isUnreachable])
  // the sign-in screen shows the message; show it here only if the sign-in screen itself failed to load
  if (isUnreachable && window.location.pathname !== paths.signIn) return null
  return (
    <SignInCard
      title={isUnreachable ? sessionMessages.unreachable : messages.crashed}
      description={isUnreachable ? 'Check your connection, then reload the page.' : describeError(error)}
    >
      <Button variant="primary" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </SignInCard>
  )
}
