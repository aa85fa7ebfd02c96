import { CircleAlert, CircleX, type LucideIcon } from 'lucide-react'
import { useId, useMemo, type ReactNode } from 'react'
import { RowsWithDetail } from './rows-with-detail'
import { OptionRows, type OptionRowState } from '../form/option-rows'
import css from './log-lines.module.css'
import { Highlight } from '../highlight'
import { useActiveRow } from '../table/use-active-row'

export interface LogRow {
  id: string
  time: string
  /** Severity of the line. */
  tone: 'plain' | 'warn' | 'bad'
  /** The severity as text. */
  level: string
  title: string
  /** Small text after the title, cut off if it is too long. */
  subtitle: string
}

export interface LogLinesProps {
  /** Accessible name of the list. */
  label: string
  lines: readonly LogRow[]
  selectedId: string | undefined
  onSelect: (id: string) => void
  /** Search text; matches are underlined. */
  searchText: string
  /** Replaces the lines of an empty list. */
  empty: ReactNode
  /** Accessible name of the section that shows `children`, the details of the selected line. */
  detailLabel: string
  children: ReactNode
}

const rowHeight = 26
const icons: Partial<Record<LogRow['tone'], LucideIcon>> = { warn: CircleAlert, bad: CircleX }

interface LineProps extends OptionRowState {
  line: LogRow
  text: string
}

const Line = ({ line, text, id, index, count, isActive }: LineProps) => {
  const Icon = icons[line.tone]
  return (
    <div
      id={id}
      role="option"
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-selected={isActive}
      data-row={line.id}
      data-active={isActive || undefined}
      data-tone={line.tone}
      className={css.row}
    >
      <span className={css.time}>{line.time}</span>{' '}
      <span className={css.level}>
        {Icon ? <Icon size={12} strokeWidth={2.25} aria-hidden="true" /> : null}
        {line.level}
      </span>{' '}
      <span className={css.message}>
        <b>
          <Highlight text={line.title} query={text} />
        </b>{' '}
        <span>
          <Highlight text={line.subtitle} query={text} />
        </span>
      </span>
    </div>
  )
}

/** Log lines, with the details of the selected one beside them. Long logs render only the lines in view. */
export const LogLines = ({
  label,
  lines,
  selectedId,
  onSelect,
  searchText,
  empty,
  detailLabel,
  children,
}: LogLinesProps) => {
  const baseId = useId()
  const ids = useMemo(() => lines.map(({ id }) => id), [lines])
  const { scroller, activeIndex, activate, rowIndexOf, onKeyDown } = useActiveRow({
    ids,
    activeId: selectedId,
    onActivate: onSelect,
    rowHeight,
  })
  return (
    <RowsWithDetail label={detailLabel} detail={children}>
      {lines.length === 0 ? (
        <div className={css.empty}>{empty}</div>
      ) : (
        <div
          ref={scroller}
          role="listbox"
          aria-label={label}
          aria-activedescendant={activeIndex >= 0 ? `${baseId}-${activeIndex}` : undefined}
          tabIndex={0}
          className={css.rows}
          onKeyDown={onKeyDown}
          onClick={({ target }) => activate(rowIndexOf(target))}
        >
          <OptionRows
            rows={lines}
            renderRow={(line, state) => <Line {...state} line={line} text={searchText} />}
            {...{ baseId, activeIndex, rowHeight, scroller }}
          />
        </div>
      )}
    </RowsWithDetail>
  )
}
