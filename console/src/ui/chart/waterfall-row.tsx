import { ChevronDown, ChevronRight, CircleAlert } from 'lucide-react'
import type { CSSProperties } from 'react'
import type { OptionRowState } from '../form/option-rows'
import { Highlight } from '../highlight'
import css from './waterfall.module.css'

/** Colour of a bar, by span kind. 'rec' is hatched and 'dtmf' is a dot, so that they are distinct without colour. */
export type WaterfallTone = 'call' | 'verb' | 'stt' | 'tts' | 'hook' | 'dtmf' | 'rec'

type Stretch = readonly [from: number, to: number]

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
  trouble?: string
  /** Whether the children are shown; undefined if there are none. */
  open?: boolean
  /** Time ranges in which the span is on the critical path. */
  path?: readonly Stretch[]
}

export interface RowProps extends OptionRowState {
  row: WaterfallRow
  /** Search text; matches are underlined. */
  text: string
  /** The displayed time range. */
  shown: Stretch
  /** Label of the critical path. */
  pathLabel: string
}

/** Returns the position in the displayed range, in percent. */
const placeOf = (moment: number, [from, to]: Stretch) => (to > from ? ((moment - from) / (to - from)) * 100 : 0)

const within = (value: number) => Math.min(100, Math.max(0, value))

const barStyle = (start: number, end: number, shown: Stretch) => {
  const from = within(placeOf(start, shown))
  return { '--a': `${from}%`, '--w': `${within(placeOf(end, shown)) - from}%` } as CSSProperties
}

const Fold = ({ open }: { open?: boolean }) => {
  if (open === undefined) return <i className={css.fold} />
  const Icon = open ? ChevronDown : ChevronRight
  return (
    <span className={css.fold} data-fold aria-hidden="true">
      <Icon size={12} strokeWidth={2.25} />
    </span>
  )
}

const Bar = ({ row, shown, pathLabel }: Pick<RowProps, 'row' | 'shown' | 'pathLabel'>) => {
  const { start, end, duration, note, path } = row
  const outside = end < shown[0] || start > shown[1]
  return (
    <div className={css.time}>
      {outside ? null : (
        <>
          <i className={css.bar} data-tone={row.tone} style={barStyle(start, end, shown)} />
          {path
            ?.filter(([from, to]) => to >= shown[0] && from <= shown[1])
            .map(([from, to]) => (
              <i key={from} className={css.path} style={barStyle(from, to, shown)} />
            ))}
        </>
      )}
      <span className={css.duration} data-tone={row.tone} style={barStyle(start, end, shown)}>
        {duration}
        {note ? <em>{note}</em> : null}
        {path ? <span className="vh">{` ${pathLabel}`}</span> : null}
      </span>
    </div>
  )
}

/** One span: its name in the tree, and its bar on the time scale. */
export const Row = ({ row, id, at, count, chosen, text, shown, pathLabel }: RowProps) => (
  <div
    id={id}
    role="treeitem"
    aria-level={row.level + 1}
    aria-posinset={at + 1}
    aria-setsize={count}
    aria-selected={chosen}
    aria-expanded={row.open}
    data-row={row.id}
    data-chosen={chosen || undefined}
    className={css.row}
  >
    <div className={css.name} style={{ '--d': row.level } as CSSProperties} title={row.title}>
      <Fold open={row.open} />
      <i className={css.swatch} data-tone={row.tone} />
      <span className="vh">{`${row.kind} `}</span>
      <span className={css.words}>
        <Highlight text={row.name} query={text} />
        {row.detail ? (
          <span className={css.arguments}>
            {' '}
            <Highlight text={row.detail} query={text} />
          </span>
        ) : null}
      </span>
      {row.trouble ? (
        <span className={css.trouble}>
          <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
          <span>{row.trouble}</span>
        </span>
      ) : null}
    </div>
    <Bar row={row} shown={shown} pathLabel={pathLabel} />
  </div>
)
