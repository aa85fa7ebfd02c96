import type { LucideIcon } from 'lucide-react'
import { useId, useMemo, type CSSProperties, type ReactNode } from 'react'
import { RowsWithDetail } from './rows-with-detail'
import { OptionRows, type OptionRowState } from '../form/option-rows'
import css from './ladder.module.css'
import { useActiveRow } from '../table/use-active-row'

/** 'progress' has a dashed line, so that it is distinct without colour. */
export type LadderTone = 'request' | 'progress' | 'success' | 'redirect' | 'failure'

export interface LadderColumn {
  title: string
  note: string
}

export interface LadderLine {
  id: string
  /** Column indexes of the arrow's start and end. */
  from: number
  to: number
  time: string
  sincePrevious?: string
  /** Without a tone, the line is a time span, drawn as a box across its columns. */
  tone?: LadderTone
  title: string
  /** Small text beside the title. */
  subtitle?: string
  note?: { icon: LucideIcon; text: string; bad?: boolean }
  /** Describes the arrow for screen readers. */
  spokenText: string
}

export interface LadderProps {
  label: string
  /** Headings of the time column and of the other columns. */
  timeLabel: string
  columnsLabel: string
  columns: readonly LadderColumn[]
  lines: readonly LadderLine[]
  selectedId: string | undefined
  onSelect: (id: string) => void
  /** Accessible name of the section that shows `children`, the details of the selected line. */
  detailLabel: string
  children: ReactNode
}

const rowHeight = 30
/** Includes the space above the first row. */
const headHeight = 52

const Line = ({ line, columns, id, index, count, isActive }: LineProps) => {
  const { from, to, tone, title, subtitle, note, spokenText, time, sincePrevious } = line
  const [firstColumn, lastColumn] = [Math.min(from, to), Math.max(from, to)]
  const percent = (value: number) => `${(value / columns) * 100}%`
  const position = {
    '--start': percent(firstColumn + 0.5),
    '--width': percent(lastColumn - firstColumn),
    '--label-start': percent(firstColumn),
    '--label-width': percent(lastColumn - firstColumn + 1),
  } as CSSProperties
  const direction = from === to ? undefined : from < to ? 'right' : 'left'
  return (
    <div
      id={id}
      role="option"
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-selected={isActive}
      data-row={line.id}
      data-active={isActive || undefined}
      data-tone={tone ?? 'time-span'}
      className={css.row}
    >
      <span className={css.time}>
        <span>{time}</span>
        {sincePrevious ? <span className={css.sincePrevious}>{sincePrevious}</span> : null}
      </span>
      <span className={css.lane} style={position}>
        {tone ? <i className={css.arrow} data-direction={direction} /> : null}
        <span className={css.text}>
          <b>{title}</b>
          {subtitle ? <em>{subtitle}</em> : null}
          {note ? (
            <span className={css.note} data-bad={note.bad || undefined}>
              <note.icon size={12} strokeWidth={2.25} aria-hidden="true" />
              {note.text}
            </span>
          ) : null}
        </span>
        <span className="visually-hidden">{` ${spokenText}`}</span>
      </span>
    </div>
  )
}

interface LineProps extends OptionRowState {
  line: LadderLine
  columns: number
}

/**
 * A ladder diagram: a column for each host, an arrow for each message, and the details of the selected one beside them.
 */
export const Ladder = (props: LadderProps) => {
  const { label, columns, lines, selectedId, onSelect } = props
  const baseId = useId()
  const ids = useMemo(() => lines.map(({ id }) => id), [lines])
  const activeRow = useActiveRow({ ids, activeId: selectedId, onActivate: onSelect, rowHeight, headHeight })
  const { scroller, activeIndex } = activeRow

  return (
    <RowsWithDetail label={props.detailLabel} detail={props.children}>
      <div className={css.ladder} ref={scroller} style={{ '--column-count': columns.length } as CSSProperties}>
        <div className={css.head}>
          <span>{props.timeLabel}</span>
          <ol aria-label={props.columnsLabel}>
            {columns.map(({ title, note }) => (
              <li key={`${title} ${note}`} title={`${title} ${note}`}>
                <b>{title}</b>
                <span>{note}</span>
              </li>
            ))}
          </ol>
        </div>
        <div
          role="listbox"
          aria-label={label}
          aria-activedescendant={activeIndex >= 0 ? `${baseId}-${activeIndex}` : undefined}
          tabIndex={0}
          className={css.rows}
          onKeyDown={activeRow.onKeyDown}
          onClick={({ target }) => activeRow.activate(activeRow.rowIndexOf(target))}
        >
          <OptionRows
            rows={lines}
            renderRow={(line, state) => <Line {...state} line={line} columns={columns.length} />}
            {...{ baseId, activeIndex, rowHeight, scroller }}
          />
        </div>
      </div>
    </RowsWithDetail>
  )
}

/** Explains the line styles. */
export const LadderLegend = ({ items }: { items: { tone: LadderTone; label: string }[] }) => (
  <ul className={css.legend} aria-label="Legend">
    {items.map(({ tone, label }) => (
      <li key={tone} data-tone={tone}>
        <i />
        {label}
      </li>
    ))}
  </ul>
)
