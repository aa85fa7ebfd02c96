import { messages } from '@trunkline/contract/messages/sign-up'
import { useState } from 'react'
import { paths } from '../../lib/paths'
import { readRegistration, type Registration } from '../../session/registration'
import { Button } from '../../ui/button'
import { Link } from '../../ui/link'
import { SignInCard } from '../../ui/shell/sign-in-card'
import { CodeField, codeLength } from './code-field'
import { RegistrationSteps } from './registration-steps'
import { formatCountdown, useCountdown } from './use-countdown'
import { useVerification } from './use-verification'
import css from './verify-email.module.css'

interface ResendProps {
  /** The time from which another code may be requested. */
  resendTime: number
  pending: boolean
  onResend: () => void
}

/** The button that requests another code, after a countdown. */
const Resend = ({ resendTime, pending, onResend }: ResendProps) => {
  const seconds = useCountdown(resendTime)
  return seconds > 0 ? (
    <p>
      Nothing yet? Check spam, or resend in <span className={css.countdown}>{formatCountdown(seconds)}</span>.
    </p>
  ) : (
    <p>
      Nothing yet?{' '}
      <button type="button" className={css.resend} aria-disabled={pending} onClick={onResend}>
        Resend code
      </button>
    </p>
  )
}

const VerifyRegistration = ({ registration }: { registration: Registration }) => {
  const { code, error, pendingAction, resendTime, codeField, change, verify, resend } = useVerification(registration)
  return (
    <SignInCard
      title="Verify your email"
      description={
        <>
          Enter the code we sent to <strong className={css.email}>{registration.email}</strong>.
        </>
      }
      brandAside={<RegistrationSteps step={2} />}
      footer={
        <div className={css.footer}>
          <Resend
            key={resendTime}
            resendTime={resendTime}
            pending={pendingAction === 'resend'}
            onResend={() => void resend()}
          />
          <Link href={paths.registerByEmail}>Use another address</Link>
        </div>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void verify(code)
        }}
      >
        <CodeField
          label="Verification code"
          help={messages.code.help}
          error={error}
          value={code}
          onChange={change}
          ref={codeField}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          block
          pending={pendingAction === 'verify'}
          aria-disabled={code.length < codeLength ? true : undefined}
        >
          Verify
        </Button>
      </form>
    </SignInCard>
  )
}

/** The screen on which people confirm the e-mail address of their registration. */
export const VerifyEmail = () => {
  // Read once: after the verification it no longer exists, and the next screen opens.
  const [registration] = useState(readRegistration)
  return registration ? <VerifyRegistration registration={registration} /> : null
}
