import { ChevronDown, ChevronRight, CircleAlert } from 'lucide-react'
import type { CSSProperties } from 'react'
import type { OptionRowState } from '../form/option-rows'
import { Highlight } from '../highlight'
import css from './waterfall.module.css'

/** Colour of a bar, by span kind. 'rec' is hatched and 'dtmf' is a dot, so that they are distinct without colour. */
export type WaterfallTone = 'call' | 'verb' | 'stt' | 'tts' | 'hook' | 'dtmf' | 'rec'

type TimeRange = readonly [from: number, to: number]

export interface WaterfallRow {
  id: string
  name: string
  /** Arguments, in quieter text. */
  detail?: string
  /** The name that the server recorded. */
  title: string
  /** Number of ancestors in the tree. */
  level: number
  tone: WaterfallTone
  /** The tone in words. */
  kind: string
  start: number
  end: number
  /** Duration in words. */
  duration: string
  note?: string
  /** Short description of a problem. */
  problem?: string
  /** Whether the children are shown; undefined if there are none. */
  isExpanded?: boolean
  /** Time ranges in which the span is on the critical path. */
  criticalPath?: readonly TimeRange[]
}

export interface SpanRowProps extends OptionRowState {
  row: WaterfallRow
  /** Search text; matches are underlined. */
  searchText: string
  /** The displayed time range. */
  shownRange: TimeRange
  /** Label of the critical path. */
  criticalPathLabel: string
}

/** Returns the position in the displayed range, in percent. */
const getPositionPercent = (time: number, [from, to]: TimeRange) =>
  to > from ? ((time - from) / (to - from)) * 100 : 0

const clampPercent = (value: number) => Math.min(100, Math.max(0, value))

const createBarStyle = (start: number, end: number, shownRange: TimeRange) => {
  const from = clampPercent(getPositionPercent(start, shownRange))
  return {
    '--start': `${from}%`,
    '--width': `${clampPercent(getPositionPercent(end, shownRange)) - from}%`,
  } as CSSProperties
}

const ExpandIcon = ({ open }: { open?: boolean }) => {
  if (open === undefined) return <i className={css.fold} />
  const Icon = open ? ChevronDown : ChevronRight
  return (
    <span className={css.fold} data-fold aria-hidden="true">
      <Icon size={12} strokeWidth={2.25} />
    </span>
  )
}

const Bar = ({
  row,
  shownRange,
  criticalPathLabel,
}: Pick<SpanRowProps, 'row' | 'shownRange' | 'criticalPathLabel'>) => {
  const { start, end, duration, note, criticalPath } = row
  const isOutside = end < shownRange[0] || start > shownRange[1]
  return (
    <div className={css.time}>
      {isOutside ? null : (
        <>
          <i className={css.bar} data-tone={row.tone} style={createBarStyle(start, end, shownRange)} />
          {criticalPath
            ?.filter(([from, to]) => to >= shownRange[0] && from <= shownRange[1])
            .map(([from, to]) => (
              <i key={from} className={css.criticalPath} style={createBarStyle(from, to, shownRange)} />
            ))}
        </>
      )}
      <span className={css.duration} data-tone={row.tone} style={createBarStyle(start, end, shownRange)}>
        {duration}
        {note ? <em>{note}</em> : null}
        {criticalPath ? <span className="visually-hidden">{` ${criticalPathLabel}`}</span> : null}
      </span>
    </div>
  )
}

/** One span: its name in the tree, and its bar on the time scale. */
export const SpanRow = ({
  row,
  id,
  index,
  count,
  isActive,
  searchText,
  shownRange,
  criticalPathLabel,
}: SpanRowProps) => (
  <div
    id={id}
    role="treeitem"
    aria-level={row.level + 1}
    aria-posinset={index + 1}
    aria-setsize={count}
    aria-selected={isActive}
    aria-expanded={row.isExpanded}
    data-row={row.id}
    data-active={isActive || undefined}
    className={css.row}
  >
    <div className={css.name} style={{ '--level': row.level } as CSSProperties} title={row.title}>
      <ExpandIcon open={row.isExpanded} />
      <i className={css.swatch} data-tone={row.tone} />
      <span className="visually-hidden">{`${row.kind} `}</span>
      <span className={css.text}>
        <Highlight text={row.name} query={searchText} />
        {row.detail ? (
          <span className={css.arguments}>
            {' '}
            <Highlight text={row.detail} query={searchText} />
          </span>
        ) : null}
      </span>
      {row.problem ? (
        <span className={css.problem}>
          <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
          <span>{row.problem}</span>
        </span>
      ) : null}
    </div>
    <Bar row={row} shownRange={shownRange} criticalPathLabel={criticalPathLabel} />
  </div>
)
