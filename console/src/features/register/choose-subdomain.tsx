import { useNavigate } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/sip-realm'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { paths } from '../../lib/paths'
import { Problem, getErrorMessage } from '../../lib/problem'
import { localValues } from '../../lib/storage'
import { SubdomainField } from '../../panels/subdomain-field'
import { toRealm } from '../../panels/subdomain'
import { useSubdomainCheck } from '../../panels/use-subdomain-check'
import { getLandingPath } from '../../session/landing-path'
import { useActor, useSession } from '../../session/session'
import { readOwnRealm, setOwnRealm } from '../../session/sip-realm'
import { Button, ButtonLink } from '../../ui/button'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { toast } from '../../ui/feedback/toast'
import { RegistrationSteps } from './registration-steps'
import css from './choose-subdomain.module.css'

/** The domain below which the account chooses a subdomain: undefined while loading, null if there is none. */
const useRootDomain = () => {
  const navigate = useNavigate()
  const landingPath = getLandingPath(useActor())
  const [rootDomain, setRootDomain] = useState<string | null | undefined>(localValues.rootDomain.get() ?? undefined)
  useEffect(() => {
    const abortController = new AbortController()
    readOwnRealm(abortController.signal).then(
      ({ sipRealm, rootDomain: storedDomain }) => {
        if (sipRealm) return void navigate({ to: landingPath, replace: true })
        if (storedDomain) localValues.rootDomain.set(storedDomain)
        setRootDomain((current) => storedDomain ?? current ?? null)
      },
      (error: unknown) => {
        if (abortController.signal.aborted || (error instanceof Problem && error.hasEndedSession)) return
        toast.bad(getErrorMessage(error))
      },
    )
    return () => abortController.abort()
  }, [navigate, landingPath])
  return rootDomain
}

/** If the session ends on this screen, continues on the sign-in screen. */
const useRedirectWithoutSession = () => {
  const navigate = useNavigate()
  const session = useSession()
  useEffect(() => {
    if (!session) void navigate({ to: paths.signIn, replace: true })
  }, [session, navigate])
}

const SubdomainForm = ({ rootDomain }: { rootDomain: string | undefined }) => {
  const navigate = useNavigate()
  const actor = useActor()
  const [subdomain, setSubdomain] = useState('')
  const [isPending, setIsPending] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { check, realm, checkAgain, showFailure } = useSubdomainCheck({ subdomain, rootDomain })

  const save = async (chosenRealm: string) => {
    if (actor.scope !== 'account') return
    setIsPending(true)
    try {
      await setOwnRealm(actor.account_sid, chosenRealm)
      await navigate({ to: getLandingPath(actor), replace: true })
    } catch (error) {
      setIsPending(false)
      if (error instanceof Problem && error.hasEndedSession) return
      if (error instanceof Problem && error.status >= 400 && error.status < 500) showFailure(error.msg)
      else toast.bad(getErrorMessage(error))
      field.current?.focus()
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    // saved only if the server reports that the realm is available
    if (check.status === 'available' && realm) void save(realm)
    else field.current?.focus()
  }
  return (
    <form noValidate onSubmit={submit}>
      <SubdomainField
        label="Subdomain"
        size="large"
        ref={field}
        value={subdomain}
        rootDomain={rootDomain}
        check={check}
        onChange={setSubdomain}
        onCheckAgain={checkAgain}
      />
      <div className={css.example}>
        A device signs in as
        <b>1001@{toRealm(subdomain || 'your-company', rootDomain ?? '…')}</b>
      </div>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        block
        pending={isPending}
        aria-disabled={check.status === 'available' ? undefined : true}
      >
        {messages.complete}
      </Button>
    </form>
  )
}

/** The last step of a registration: the account chooses its SIP realm. */
export const ChooseSubdomain = () => {
  const landingPath = getLandingPath(useActor())
  const rootDomain = useRootDomain()
  useRedirectWithoutSession()
  const hasNoRootDomain = rootDomain === null
  return (
    <SignInCard
      title={messages.choose}
      description={hasNoRootDomain ? messages.noRootDomain : messages.chooseHelp}
      brandAside={<RegistrationSteps step={3} />}
      footer={hasNoRootDomain ? undefined : messages.changeable}
    >
      {hasNoRootDomain ? (
        <ButtonLink variant="primary" size="lg" block href={landingPath}>
          Continue to your account
        </ButtonLink>
      ) : (
        <SubdomainForm rootDomain={rootDomain} />
      )}
    </SignInCard>
  )
}
