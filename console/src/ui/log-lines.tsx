import { CircleAlert, CircleX, type LucideIcon } from 'lucide-react'
import { useId, useMemo, type ReactNode } from 'react'
import { Beside } from './beside'
import { ChoiceRows, type RowPlace } from './choice-rows'
import css from './log-lines.module.css'
import { Matched } from './matched'
import { useRowChoice } from './row-choice'

export interface LogRow {
  id: string
  time: string
  /** How bad it is; 'plain' is nothing to look at twice. */
  tone: 'plain' | 'warn' | 'bad'
  /** The same as a word. */
  level: string
  title: string
  /** Small words after the title, as far as there is room. */
  aside: string
}

export interface LogLinesProps {
  /** What they are of, for who can't see it. */
  label: string
  lines: readonly LogRow[]
  chosen: string | undefined
  onChoose: (id: string) => void
  /** What was looked for: underlined where it stands. */
  text: string
  /** What stands instead of lines when there are none. */
  empty: ReactNode
  /** What is known of the chosen one, beside, and what that part of the screen is called. */
  detailLabel: string
  children: ReactNode
}

const rowHeight = 26
const icons: Partial<Record<LogRow['tone'], LucideIcon>> = { warn: CircleAlert, bad: CircleX }

interface LineProps extends RowPlace {
  line: LogRow
  text: string
}

const Line = ({ line, text, id, at, count, chosen }: LineProps) => {
  const Icon = icons[line.tone]
  return (
    <div
      id={id}
      role="option"
      aria-posinset={at + 1}
      aria-setsize={count}
      aria-selected={chosen}
      data-row={line.id}
      data-chosen={chosen || undefined}
      data-tone={line.tone}
      className={css.row}
    >
      <span className={css.time}>{line.time}</span>{' '}
      <span className={css.level}>
        {Icon ? <Icon size={12} strokeWidth={2.25} aria-hidden="true" /> : null}
        {line.level}
      </span>{' '}
      <span className={css.words}>
        <b>
          <Matched text={line.title} query={text} />
        </b>{' '}
        <span>
          <Matched text={line.aside} query={text} />
        </span>
      </span>
    </div>
  )
}

/** Lines of a log one below the other, only those in view drawn, and the chosen one beside. */
export const LogLines = ({ label, lines, chosen, onChoose, text, empty, detailLabel, children }: LogLinesProps) => {
  const base = useId()
  const ids = useMemo(() => lines.map(({ id }) => id), [lines])
  const { scroller, at, choose, placeOf, onKeyDown } = useRowChoice({ ids, chosen, onChoose, rowHeight })
  return (
    <Beside label={detailLabel} detail={children}>
      {lines.length === 0 ? (
        <div className={css.empty}>{empty}</div>
      ) : (
        <div
          ref={scroller}
          role="listbox"
          aria-label={label}
          aria-activedescendant={at >= 0 ? `${base}-${at}` : undefined}
          tabIndex={0}
          className={css.rows}
          onKeyDown={onKeyDown}
          onClick={({ target }) => choose(placeOf(target))}
        >
          <ChoiceRows
            rows={lines}
            height={rowHeight}
            row={(line, place) => <Line {...place} line={line} text={text} />}
            {...{ base, at, scroller }}
          />
        </div>
      )}
    </Beside>
  )
}
