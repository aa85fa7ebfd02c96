import { messages } from '@trunkline/contract/messages/general'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button'
import css from './copy.module.css'
import { toast } from './feedback/toast-store'

/**
 * Copies the text and shows a toast with the result. `displayText` is the text in the toast; pass a masked one
 * for a secret.
 */
export const copyText = async (text: string, displayText = text) => {
  try {
    await navigator.clipboard.writeText(text)
    toast.ok(messages.copied(displayText))
  } catch {
    toast.bad(messages.notCopied(displayText))
  }
}

export interface CopyButtonProps {
  text: string
  /** Defaults to 'Copy {text}'. Required for a secret, which must not appear in it. */
  label?: string
  /** Text for the toast; defaults to `text`. */
  displayText?: string
}

export const CopyButton = ({ text, label = `Copy ${text}`, displayText }: CopyButtonProps) => (
  <IconButton icon={Copy} iconSize={14} size="sm" label={label} onClick={() => void copyText(text, displayText)} />
)

export interface CopyTextProps {
  text: string
  /** Displayed in place of the text. */
  children?: ReactNode
  label?: string
  /** Always shows the button; by default it appears on row hover and on focus. */
  alwaysShowCopyButton?: boolean
}

/** Text with a copy button after it, for a table cell or a list of pairs. */
export const CopyText = ({ text, children, label, alwaysShowCopyButton }: CopyTextProps) => (
  <span className={css.text} data-always={alwaysShowCopyButton || undefined}>
    <span className={css.value} dir="auto">
      {children ?? text}
    </span>
    <CopyButton text={text} label={label} />
  </span>
)

export interface CopyFieldProps {
  label: string
  text: string
}

/** A read-only field with a copy button. */
export const CopyField = ({ label, text }: CopyFieldProps) => (
  <label className={css.field}>
    <span className={css.label}>{label}</span>
    <span className={css.input}>
      <input readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      <CopyButton text={text} />
    </span>
  </label>
)
