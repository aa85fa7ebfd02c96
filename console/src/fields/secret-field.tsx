import { secretPlaceholder } from '@trunkline/contract/kit/secret'
import { CopyButton } from '../ui/copy'
import { maskSecret } from '../ui/form/masked-secret'
import { PasswordField } from '../ui/form/text-field'
import { useTextInputProps, type TextInputFieldProps } from './use-text-input-props'

export interface SecretFieldProps extends TextInputFieldProps {
  /** The request contains the secret even if it is unchanged, because the server needs it with other fields. */
  isSentIfUnchanged?: boolean
}

/** A value that the server has masked. Copying it is useless. */
const serverMaskPattern = /^.{1,6}X+$/s

/** A secret of the record: masked, revealed on demand, copied without revealing it, and sent only if changed. */
export const SecretField = ({ isSentIfUnchanged = false, ...props }: SecretFieldProps) => {
  const input = useTextInputProps(props, { secret: !isSentIfUnchanged })
  const { label, value } = input
  // the server sends no secret to view-only users, and an empty one has nothing to show
  const isHidden = value === secretPlaceholder || (input.readOnly && value === '')
  const canCopy = !isHidden && value !== '' && !serverMaskPattern.test(value)
  return (
    <PasswordField
      {...input}
      autoComplete="new-password"
      hideToggle={isHidden}
      end={canCopy ? <CopyButton text={value} label={`Copy ${label}`} displayText={maskSecret(value)} /> : null}
    />
  )
}
