import { messages } from '@trunkline/contract/messages/sip-realm'
import { CircleAlert, CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { TextField } from '../ui/form/text-field'
import { toRealm, toSubdomain } from './subdomain'
import type { SubdomainCheck } from './use-subdomain-check'
import css from './subdomain-field.module.css'

interface SubdomainFieldProps {
  label: string
  size?: 'normal' | 'large'
  withAsterisk?: boolean
  value: string
  rootDomain: string | undefined
  check: SubdomainCheck
  onChange: (subdomain: string) => void
  /** Checks again after a failure. */
  onCheckAgain: () => void
  ref?: Ref<HTMLInputElement>
}

const icons = {
  available: CircleCheck,
  unavailable: CircleX,
  failed: CircleAlert,
  invalid: CircleX,
  checking: LoaderCircle,
}

const CheckIcon = ({ status }: { status: SubdomainCheck['status'] }) => {
  if (status === 'idle' || status === 'unchanged') return null
  const Icon = icons[status]
  return <Icon className={css.icon} data-status={status} size={16} strokeWidth={1.75} aria-hidden="true" />
}

interface CheckTextProps {
  check: SubdomainCheck
  realm: string
  onCheckAgain: () => void
}

/** The error of a check, announced at once. */
const getErrorText = ({ check, realm, onCheckAgain }: CheckTextProps): ReactNode => {
  if (check.status === 'unavailable')
    return (
      <span role="alert">
        <span className={css.realm}>{realm}</span> {messages.unavailable}
      </span>
    )
  if (check.status === 'invalid') return <span role="alert">{check.text}</span>
  if (check.status !== 'failed') return undefined
  return (
    <span role="alert">
      {check.text}{' '}
      <button type="button" className={css.retry} onClick={onCheckAgain}>
        Check again
      </button>
    </span>
  )
}

/** The state of a check that is no error. */
const getStatusText = (status: SubdomainCheck['status'], realm: string): ReactNode => {
  const realmText = <span className={css.realm}>{realm}</span>
  switch (status) {
    case 'checking':
      return (
        <>
          {messages.checking} {realmText}
        </>
      )
    case 'available':
      return (
        <span className={css.available}>
          {realmText} {messages.available}
        </span>
      )
    case 'unchanged':
      return (
        <>
          {realmText} {messages.unchanged}
        </>
      )
    case 'idle':
      return messages.rule
    default:
      return null
  }
}

/** The subdomain of a SIP realm, followed by the root domain. Shows whether the realm is available. */
export const SubdomainField = (props: SubdomainFieldProps) => {
  const { value, rootDomain, check, onChange, onCheckAgain, ...field } = props
  const realm = toRealm(value, rootDomain ?? '')
  return (
    <TextField
      {...field}
      mono
      required
      value={value}
      onChange={(event) => onChange(toSubdomain(event.currentTarget.value))}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      autoFocus
      placeholder="your-company"
      help={<span role="status">{getStatusText(check.status, realm)}</span>}
      error={getErrorText({ check, realm, onCheckAgain })}
      end={
        <>
          {rootDomain ? <span className={css.suffix}>.{rootDomain}</span> : null}
          <CheckIcon status={check.status} />
        </>
      }
    />
  )
}
