import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button'
import { CopyButton } from './copy'
import css from './masked-secret.module.css'

/** Dots, and the last four letters as they are; a secret of four letters or fewer shows none. */
export const maskOf = (value: string) =>
  value.length > 4 ? '•'.repeat(Math.min(value.length - 4, 12)) + value.slice(-4) : '•'.repeat(value.length)

export interface MaskedSecretProps {
  value: string
  /** What it is, for the buttons' names: 'Show API key'. */
  label: string
  /** False when the server sent it masked already: there is nothing to show or copy. */
  revealable?: boolean
}

/** A secret that shows its last four letters, the rest on demand, and can be copied unseen. */
export const MaskedSecret = ({ value, label, revealable = true }: MaskedSecretProps) => {
  const [open, setOpen] = useState(false)
  return (
    <span className={css.secret}>
      <span className={css.value} data-open={open || undefined}>
        {open && revealable ? value : revealable ? maskOf(value) : value}
      </span>
      {revealable ? (
        <>
          <IconButton
            icon={open ? EyeOff : Eye}
            glyph={14}
            size="sm"
            label={`${open ? 'Hide' : 'Show'} ${label}`}
            aria-pressed={open}
            onClick={() => setOpen(!open)}
          />
          <CopyButton text={value} label={`Copy ${label}`} said={maskOf(value)} />
        </>
      ) : null}
    </span>
  )
}
