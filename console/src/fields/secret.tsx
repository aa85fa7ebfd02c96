import { maskedSecret } from '@trunkline/contract/kit/secret'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../ui/button'
import { CopyButton } from '../ui/copy'
import { PasswordInput } from '../ui/inputs'
import { maskOf } from '../ui/masked-secret'
import css from './secret.module.css'
import { useTyped, type TypedProps } from './typed'

export interface SecretProps extends TypedProps {
  /** Sent although untouched: its neighbours would mean something else without it. */
  keep?: boolean
}

/** What servers show in the place of a secret: to copy it would help nobody. */
const obscured = /^.{1,6}X+$/s

/** A secret of the record: masked, shown on demand, copied unseen, not sent unless touched. */
export const Secret = ({ keep = false, ...props }: SecretProps) => {
  const typed = useTyped(props, { secret: !keep })
  const [visible, setVisible] = useState(false)
  const { label, value } = typed
  // the server gives no secret to someone who can only view; an empty one has nothing to show
  const isHidden = value === maskedSecret || (typed.readOnly && value === '')
  const copies = value !== '' && !obscured.test(value)
  return (
    <PasswordInput
      {...typed}
      autoComplete="new-password"
      visible={visible}
      rightSectionWidth={copies ? 60 : 34}
      rightSection={
        isHidden ? null : (
          <span className={css.tools}>
            <IconButton
              icon={visible ? EyeOff : Eye}
              glyph={14}
              size="sm"
              label={`Show ${label}`}
              aria-pressed={visible}
              onClick={() => setVisible(!visible)}
            />
            {copies ? <CopyButton text={value} label={`Copy ${label}`} said={maskOf(value)} /> : null}
          </span>
        )
      }
    />
  )
}
