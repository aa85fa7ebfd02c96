import type { LucideIcon } from 'lucide-react'
import { useId, useMemo, type CSSProperties, type ReactNode } from 'react'
import { DetailBeside } from './detail-beside'
import { OptionRows, type OptionRowState } from '../form/option-rows'
import css from './ladder.module.css'
import { useRowSelection } from '../table/use-row-selection'

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
  after?: string
  /** Without a tone, the line is a time span, drawn as a box across its columns. */
  tone?: LadderTone
  title: string
  /** Small text beside the title. */
  aside?: string
  note?: { icon: LucideIcon; text: string; bad?: boolean }
  /** Describes the arrow for screen readers. */
  spoken: string
}

export interface LadderProps {
  label: string
  /** Headings of the time column and of the other columns. */
  timeLabel: string
  columnsLabel: string
  columns: readonly LadderColumn[]
  lines: readonly LadderLine[]
  chosen: string | undefined
  onChoose: (id: string) => void
  /** Accessible name of the section that shows `children`, the details of the selected line. */
  detailLabel: string
  children: ReactNode
}

const rowHeight = 30
/** Includes the space above the first row. */
const headHeight = 52

const Line = ({ line, columns, id, at, count, chosen }: LineProps) => {
  const { from, to, tone, title, aside, note, spoken, time, after } = line
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  const percent = (value: number) => `${(value / columns) * 100}%`
  const place = {
    '--a': percent(left + 0.5),
    '--w': percent(right - left),
    '--la': percent(left),
    '--lw': percent(right - left + 1),
  } as CSSProperties
  const way = from === to ? undefined : from < to ? 'right' : 'left'
  return (
    <div
      id={id}
      role="option"
      aria-posinset={at + 1}
      aria-setsize={count}
      aria-selected={chosen}
      data-row={line.id}
      data-chosen={chosen || undefined}
      data-tone={tone ?? 'stretch'}
      className={css.row}
    >
      <span className={css.time}>
        <span>{time}</span>
        {after ? <span className={css.after}>{after}</span> : null}
      </span>
      <span className={css.lane} style={place}>
        {tone ? <i className={css.arrow} data-way={way} /> : null}
        <span className={css.words}>
          <b>{title}</b>
          {aside ? <em>{aside}</em> : null}
          {note ? (
            <span className={css.note} data-bad={note.bad || undefined}>
              <note.icon size={12} strokeWidth={2.25} aria-hidden="true" />
              {note.text}
            </span>
          ) : null}
        </span>
        <span className="vh">{` ${spoken}`}</span>
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
  const { label, columns, lines, chosen, onChoose } = props
  const base = useId()
  const ids = useMemo(() => lines.map(({ id }) => id), [lines])
  const choice = useRowSelection({ ids, chosen, onChoose, rowHeight, head: headHeight })
  const { scroller, at } = choice

  return (
    <DetailBeside label={props.detailLabel} detail={props.children}>
      <div className={css.flow} ref={scroller} style={{ '--n': columns.length } as CSSProperties}>
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
          aria-activedescendant={at >= 0 ? `${base}-${at}` : undefined}
          tabIndex={0}
          className={css.rows}
          onKeyDown={choice.onKeyDown}
          onClick={({ target }) => choice.choose(choice.placeOf(target))}
        >
          <OptionRows
            rows={lines}
            height={rowHeight}
            row={(line, place) => <Line {...place} line={line} columns={columns.length} />}
            {...{ base, at, scroller }}
          />
        </div>
      </div>
    </DetailBeside>
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
