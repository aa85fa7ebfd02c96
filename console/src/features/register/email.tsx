import { messages } from '@trunkline/contract/messages/sign-up'
import type { ReactNode } from 'react'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { NewPasswordField } from '../../panels/password-rules'
import { Button } from '../../ui/button'
import { EmailField, TextField } from '../../ui/form/text-field'
import { Link } from '../../ui/link'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { InlineLink } from './inline-link'
import { RegistrationSteps } from './registration-steps'
import { getRegistrationPasswordRule, useRegistrationForm } from './use-registration-form'

/** The error for an address that belongs to an account, with links to sign in or to reset the password. */
const EmailTakenError = ({ error }: { error: ReactNode }) => (
  <>
    {error}.{' '}
    <InlineLink href={paths.signIn} inError>
      Log in
    </InlineLink>
    {getFeatureFlags().forgotPassword ? (
      <>
        {' or '}
        <InlineLink href={paths.forgotPassword} inError>
          reset the password
        </InlineLink>
      </>
    ) : null}
    .
  </>
)

/** The screen on which people register with an e-mail address and a password. */
export const RegisterByEmail = () => {
  const { isPending, isEmailTaken, submit, bindField } = useRegistrationForm()
  const { requiresInviteCode } = getFeatureFlags()
  const emailField = bindField('email')
  return (
    <SignInCard
      title="Register with email"
      description={messages.codeIsSent}
      brandAside={<RegistrationSteps step={1} />}
      footer={<Link href={paths.register}>Sign up another way</Link>}
    >
      <form noValidate onSubmit={submit}>
        {requiresInviteCode ? (
          <TextField
            {...bindField('inviteCode')}
            size="large"
            label="Invite code"
            help={messages.inviteCodeHelp}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={16}
            autoFocus
            required
          />
        ) : null}
        <EmailField
          {...emailField}
          error={isEmailTaken ? <EmailTakenError error={emailField.error} /> : emailField.error}
          autoFocus={!requiresInviteCode}
          required
        />
        <NewPasswordField
          {...bindField('password')}
          label="Password"
          name="password"
          rule={getRegistrationPasswordRule()}
        />
        <Button type="submit" variant="primary" size="lg" block pending={isPending}>
          Continue
        </Button>
      </form>
    </SignInCard>
  )
}
