import { ChevronDown, ChevronUp, Copy } from 'lucide-react'
import { IconButton } from '../../../ui/button'
import { copyText } from '../../../ui/copy'
import { Tag } from '../../../ui/tag'
import css from './detail-header.module.css'

export interface DetailHeaderProps {
  title: string
  index: number
  count: number
  /** Position in words, if it differs from `index` and `count`; '' for none. */
  position?: string
  /** Text to copy, if any. */
  text?: string
  texts: {
    position: (position: number, total: number) => string
    previous: string
    next: string
    copy: string
    /** Name of the copied text in the toast. */
    copiedName: string
  }
  onSelect: (index: number) => void
}

/** The title and position of an item, with buttons for the previous and next one. */
export const DetailHeader = ({
  title,
  index,
  count,
  texts,
  position = texts.position(index + 1, count),
  text,
  onSelect,
}: DetailHeaderProps) => (
  <header className={css.head}>
    <h2>{title}</h2>
    {position ? <Tag>{position}</Tag> : null}
    <span className={css.buttons}>
      <IconButton
        icon={ChevronUp}
        size="sm"
        label={texts.previous}
        disabled={index === 0}
        onClick={() => onSelect(index - 1)}
      />
      <IconButton
        icon={ChevronDown}
        size="sm"
        label={texts.next}
        disabled={index === count - 1}
        onClick={() => onSelect(index + 1)}
      />
      {text === undefined ? null : (
        <IconButton
          icon={Copy}
          iconSize={14}
          size="sm"
          label={texts.copy}
          onClick={() => void copyText(text, texts.copiedName)}
        />
      )}
    </span>
  </header>
)

/** Preformatted text. */
export const TextBlock = ({ name, text }: { name: string; text: string }) => (
  // makes the text scrollable with the keyboard
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <pre className={css.block} tabIndex={0} role="region" aria-label={name}>
    <code>{text}</code>
  </pre>
)
