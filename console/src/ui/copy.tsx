import { messages } from '@trunkline/contract/messages/general'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button'
import css from './copy.module.css'
import { toast } from './toast'

/** Puts the text on the clipboard and says whether that worked. `said`: what it is called there; a secret is not read out. */
export const copyText = async (text: string, said = text) => {
  try {
    await navigator.clipboard.writeText(text)
    toast.ok(messages.copied(said))
  } catch {
    toast.bad(messages.notCopied(said))
  }
}

export interface CopyButtonProps {
  text: string
  /** 'Copy {text}' unless said otherwise; a secret must say otherwise. */
  label?: string
  /** What the message calls it; the text unless said otherwise. */
  said?: string
}

export const CopyButton = ({ text, label = `Copy ${text}`, said }: CopyButtonProps) => (
  <IconButton icon={Copy} glyph={14} size="sm" label={label} onClick={() => void copyText(text, said)} />
)

export interface CopyTextProps {
  text: string
  /** What is shown, if not the text itself. */
  children?: ReactNode
  /** Machine words: the monospace face. */
  mono?: boolean
  label?: string
  /** The button is always seen; else on hover of its row and on focus. */
  always?: boolean
}

/** Text with a copy button after it, for a table's cell or a list of pairs. */
export const CopyText = ({ text, children, mono = true, label, always }: CopyTextProps) => (
  <span className={css.text} data-always={always || undefined}>
    <span className={css.cut} dir="auto" data-mono={mono || undefined}>
      {children ?? text}
    </span>
    <CopyButton text={text} label={label} />
  </span>
)

export interface CopyFieldProps {
  label: string
  text: string
  help?: ReactNode
}

/** A field that is only read and copied. */
export const CopyField = ({ label, text, help }: CopyFieldProps) => (
  <label className={css.field}>
    <span className={css.label}>{label}</span>
    <span className={css.input}>
      <input readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      <CopyButton text={text} />
    </span>
    {help ? <span className={css.help}>{help}</span> : null}
  </label>
)
