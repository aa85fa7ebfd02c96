import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/identity-provider'
import { messages as registrationMessages } from '@trunkline/contract/messages/registration'
import { LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { paths } from '../../lib/paths'
import { Problem, getErrorMessage } from '../../lib/problem'
import { setFlash } from '../../lib/storage'
import { IdentityProviderButton } from '../../panels/identity-provider-button'
import { takeAuthorization, type Authorization } from '../../session/oauth'
import { ButtonLink } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { signInWithProvider } from './sign-in-with-provider'
import css from './screen.module.css'

interface FailureProps {
  authorization: Authorization
  error: unknown
}

const BackToSignIn = () => (
  <ButtonLink size="lg" block href={paths.signIn}>
    Back to log in
  </ButtonLink>
)

/** The server refused. After other failures, it is not known whether the server has created the account. */
const isRefusal = (error: unknown) => error instanceof Problem && error.status >= 400 && error.status < 500

/** The sign-in failed at the provider or at the server. */
const FailedSignIn = ({ authorization: { provider, pathBeforeOauth }, error }: FailureProps) => {
  const name = messages.names[provider]
  return (
    <SignInCard title={messages.failed.title(name)} description={isRefusal(error) ? messages.failed.help : undefined}>
      <Notice tone="bad" title="Reason" role="alert">
        {getErrorMessage(error)}
      </Notice>
      <div className={css.buttons}>
        <IdentityProviderButton
          provider={provider}
          pathBeforeOauth={pathBeforeOauth}
          label={messages.failed.retry(name)}
          variant="primary"
        />
        <BackToSignIn />
      </div>
    </SignInCard>
  )
}

/** The user has no account and came from the sign-in screen, which registers nobody. */
const UnknownUser = ({ authorization: { provider }, error }: FailureProps) => {
  const name = messages.names[provider]
  return (
    <SignInCard title={messages.notRegistered.title(name)} description={messages.notRegistered.help(name)}>
      <Notice tone="bad" title="Reason" role="alert">
        {getErrorMessage(error)}
      </Notice>
      <div className={css.buttons}>
        <ButtonLink variant="primary" size="lg" block href={paths.register}>
          Register
        </ButtonLink>
        <BackToSignIn />
      </div>
    </SignInCard>
  )
}

const isUnknownUser = (error: unknown) =>
  error instanceof Problem && error.status === 404 && error.msg === registrationMessages.unknownUser

/** Signs in with the response of an identity provider. */
const ProviderSignIn = ({ authorization }: { authorization: Authorization }) => {
  const navigate = useNavigate()
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    let isCurrent = true
    signInWithProvider(authorization).then(
      (path) => isCurrent && void navigate({ to: path, replace: true }),
      (error: unknown) => isCurrent && setFailure({ error }),
    )
    return () => {
      isCurrent = false
    }
  }, [authorization, navigate])
  if (failure) {
    const Failure = isUnknownUser(failure.error) ? UnknownUser : FailedSignIn
    return <Failure authorization={authorization} error={failure.error} />
  }
  const name = messages.names[authorization.provider]
  return (
    <SignInCard title={messages.signingIn(name)}>
      <p className={css.progress} role="status">
        <LoaderCircle size={16} strokeWidth={1.75} aria-hidden="true" />
        {messages.checking(name)}
      </p>
    </SignInCard>
  )
}

/** The screen to which an identity provider sends users back. */
export const OauthCallback = () => {
  const navigate = useNavigate()
  const { provider = '' }: { provider?: string } = useParams({ strict: false })
  const response: { code?: string; state?: string } = useSearch({ strict: false })
  // Taken once: the stored state is valid for one response.
  const [authorization] = useState(() => takeAuthorization(provider, response))
  const error = 'error' in authorization ? authorization.error : undefined
  useEffect(() => {
    if (error !== undefined) {
      setFlash(error)
      void navigate({ to: paths.signIn, replace: true })
    }
    // the code does not stay in the address bar and in the history
    else void navigate({ to: '.', search: {}, replace: true })
  }, [error, navigate])
  return 'error' in authorization ? null : <ProviderSignIn authorization={authorization} />
}
