import { ChevronDown, ChevronUp, Copy } from 'lucide-react'
import { IconButton } from '../../ui/button'
import { copyText } from '../../ui/copy'
import { Tag } from '../../ui/tag'
import css from './facts.module.css'

export interface FactsHeadProps {
  title: string
  at: number
  all: number
  /** Its place in words, if that is not `at` of `all`; '' for none. */
  place?: string
  /** What is copied, if there is anything to copy. */
  text?: string
  words: {
    place: (at: number, all: number) => string
    previous: string
    next: string
    copy: string
    /** What the message calls what was copied. */
    copied: string
  }
  onGo: (at: number) => void
}

/** Which one of many it is, and the ways to those beside it. */
export const FactsHead = ({ title, at, all, words, place = words.place(at + 1, all), text, onGo }: FactsHeadProps) => (
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
          glyph={14}
          size="sm"
          label={words.copy}
          onClick={() => void copyText(text, words.copied)}
        />
      )}
    </span>
  </header>
)

/** Lines as they were written. */
export const FactsBlock = ({ name, text }: { name: string; text: string }) => (
  // what scrolls can be scrolled with keys
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <pre className={css.block} tabIndex={0} role="region" aria-label={name}>
    <code>{text}</code>
  </pre>
)
