import { messages } from '@trunkline/contract/messages/general'
import { paths } from '../../lib/paths'
import { getLandingPath } from '../../session/landing-path'
import { useSession } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { SignInCard } from '../../ui/shell/sign-in-card'

/** Shown for an unknown URL outside the console. */
export const PublicNotFound = () => {
  const session = useSession()
  return (
    <SignInCard title={messages.screenNotFound}>
      {session ? (
        <ButtonLink variant="primary" size="lg" block href={getLandingPath(session.actor)}>
          Back to the console
        </ButtonLink>
      ) : (
        <ButtonLink variant="primary" size="lg" block href={paths.signIn}>
          Log in
        </ButtonLink>
      )}
    </SignInCard>
  )
}
