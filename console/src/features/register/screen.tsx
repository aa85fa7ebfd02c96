import { useNavigate } from '@tanstack/react-router'
import { messages as providerMessages } from '@trunkline/contract/messages/identity-provider'
import { messages } from '@trunkline/contract/messages/sign-up'
import { Mail } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { sessionValues } from '../../lib/storage'
import { IdentityProviderButton } from '../../panels/identity-provider-button'
import { getIdentityProviders } from '../../session/oauth'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/form/checkbox'
import { TextField } from '../../ui/form/text-field'
import { Link } from '../../ui/link'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { InlineLink } from './inline-link'
import css from './screen.module.css'

const TermsLabel = () => {
  const { termsUrl, privacyUrl } = getFeatureFlags()
  return (
    <>
      I accept the <InlineLink href={termsUrl}>Terms of Service</InlineLink> and{' '}
      <InlineLink href={privacyUrl}>Privacy Policy</InlineLink>
    </>
  )
}

/** Whether the terms are accepted. Stored, so that it stays when the user returns from the next screen. */
const useTerms = () => {
  const [isAccepted, setIsAccepted] = useState(sessionValues.acceptedTerms.get() !== null)
  const [error, setError] = useState<string>()
  const checkbox = useRef<HTMLInputElement>(null)
  const accept = (nextIsAccepted: boolean) => {
    setIsAccepted(nextIsAccepted)
    setError(undefined)
    if (nextIsAccepted) sessionValues.acceptedTerms.set('1')
    else sessionValues.acceptedTerms.clear()
  }
  /** Returns true, and shows why, if the terms are not accepted. */
  const refuse = () => {
    if (isAccepted) return false
    setError(messages.termsRequired)
    checkbox.current?.focus()
    return true
  }
  return { isAccepted, error, checkbox, accept, refuse }
}

/** The invite code, for identity providers: the screen for an e-mail address has its own field. */
const useInviteCode = () => {
  const isRequired = getFeatureFlags().requiresInviteCode && getIdentityProviders().length > 0
  const [code, setCode] = useState(sessionValues.inviteCode.get() ?? '')
  const [error, setError] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const change = (nextCode: string) => {
    setCode(nextCode)
    setError(undefined)
    sessionValues.inviteCode.set(nextCode.trim())
  }
  const refuse = () => {
    if (!isRequired || code.trim()) return false
    setError(messages.inviteCodeRequired)
    field.current?.focus()
    return true
  }
  return { isRequired, code, error, field, change, refuse }
}

/** The screen on which people choose how to register. */
export const Register = () => {
  const navigate = useNavigate()
  const { trial } = getFeatureFlags()
  const terms = useTerms()
  const inviteCode = useInviteCode()
  const hintId = useId()
  const refusalId = terms.isAccepted ? undefined : hintId
  return (
    <SignInCard
      title="Register"
      description={messages.trial(trial)}
      footer={
        <span>
          Already registered? <Link href={paths.signIn}>Log in</Link>
        </span>
      }
    >
      <div className={css.choice}>
        <div className={css.terms} data-invalid={terms.error ? true : undefined}>
          <Checkbox
            label={<TermsLabel />}
            ref={terms.checkbox}
            checked={terms.isAccepted}
            error={terms.error}
            onChange={(event) => terms.accept(event.currentTarget.checked)}
          />
        </div>
        {inviteCode.isRequired ? (
          <TextField
            size="large"
            label="Invite code"
            help={messages.inviteCodeHelp}
            ref={inviteCode.field}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={16}
            value={inviteCode.code}
            error={inviteCode.error}
            onChange={(event) => inviteCode.change(event.currentTarget.value)}
          />
        ) : null}
        <div className={css.buttons}>
          <Button
            size="lg"
            block
            variant={refusalId ? 'plain' : 'primary'}
            icon={Mail}
            aria-disabled={refusalId ? true : undefined}
            aria-describedby={refusalId}
            onClick={() => {
              if (!terms.refuse()) void navigate({ to: paths.registerByEmail })
            }}
          >
            {messages.withEmail}
          </Button>
          {getIdentityProviders().map((provider) => (
            <IdentityProviderButton
              key={provider}
              provider={provider}
              pathBeforeOauth="/register"
              label={providerMessages.signUp(providerMessages.names[provider])}
              refusalId={refusalId}
              onRefuse={() => terms.refuse() || inviteCode.refuse()}
            />
          ))}
          {refusalId ? (
            <p id={hintId} className={terms.error ? 'visually-hidden' : css.hint}>
              {messages.acceptTermsFirst}
            </p>
          ) : null}
        </div>
      </div>
    </SignInCard>
  )
}
