import { ChevronDown, ChevronUp, Copy } from 'lucide-react'
import { IconButton } from '../../../ui/button'
import { copyText } from '../../../ui/copy'
import { Tag } from '../../../ui/tag'
import css from './detail-header.module.css'

export interface FactsHeadProps {
  title: string
  at: number
  all: number
  /** Position in words, if it differs from `at` of `all`; '' for none. */
  place?: string
  /** Text to copy, if any. */
  text?: string
  words: {
    position: (position: number, total: number) => string
    previous: string
    next: string
    copy: string
    /** Name of the copied text in the toast. */
    copied: string
  }
  onGo: (at: number) => void
}

/** The title and position of an item, with buttons for the previous and next one. */
export const FactsHead = ({
  title,
  at,
  all,
  words,
  place = words.position(at + 1, all),
  text,
  onGo,
}: FactsHeadProps) => (
  <header className={css.head}>
    <h2>{title}</h2>
    {place ? <Tag>{place}</Tag> : null}
    <span className={css.buttons}>
      <IconButton icon={ChevronUp} size="sm" label={words.previous} disabled={at === 0} onClick={() => onGo(at - 1)} />
      <IconButton
        icon={ChevronDown}
        size="sm"
        label={words.next}
        disabled={at === all - 1}
        onClick={() => onGo(at + 1)}
      />
      {text === undefined ? null : (
        <IconButton
          icon={Copy}
          iconSize={14}
          size="sm"
          label={words.copy}
          onClick={() => void copyText(text, words.copied)}
        />
      )}
    </span>
  </header>
)

/** Preformatted text. */
export const FactsBlock = ({ name, text }: { name: string; text: string }) => (
  // makes the text scrollable with the keyboard
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <pre className={css.block} tabIndex={0} role="region" aria-label={name}>
    <code>{text}</code>
  </pre>
)
