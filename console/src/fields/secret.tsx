import { maskedSecret } from '@trunkline/contract/kit/secret'
import { CopyButton } from '../ui/copy'
import { maskOf } from '../ui/masked-secret'
import { PasswordField } from '../ui/text-field'
import { useTyped, type TypedProps } from './typed'

export interface SecretProps extends TypedProps {
  /** Sent although unchanged: the fields beside it need it. */
  keep?: boolean
}

/** A value that a server has masked: no use to copy. */
const maskedByServer = /^.{1,6}X+$/s

/** A secret of the record: masked, shown on demand, copied without being shown, not sent unless changed. */
export const Secret = ({ keep = false, ...props }: SecretProps) => {
  const typed = useTyped(props, { secret: !keep })
  const { label, value } = typed
  // the server gives no secret to someone who can only view; an empty one has nothing to show
  const isHidden = value === maskedSecret || (typed.readOnly && value === '')
  const canCopy = !isHidden && value !== '' && !maskedByServer.test(value)
  return (
    <PasswordField
      {...typed}
      autoComplete="new-password"
      hideToggle={isHidden}
      end={canCopy ? <CopyButton text={value} label={`Copy ${label}`} said={maskOf(value)} /> : null}
    />
  )
}
