import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { DetailBeside } from './detail-beside'
import { useRowSelection, type RowMove } from '../table/use-row-selection'
import { WaterfallOverview, createStrokes } from './waterfall-overview'
import { Row, type WaterfallRow } from './waterfall-row'
import { OptionRows } from '../form/option-rows'
import { WaterfallSplit } from './waterfall-split'
import css from './waterfall.module.css'

type Stretch = readonly [from: number, to: number]

export interface WaterfallProps {
  /** Accessible name of the tree. */
  label: string
  /** Describes the whole trace in words. */
  summary: string
  /** The rows to render, in tree order. */
  rows: readonly WaterfallRow[]
  /** All rows, for the overview. */
  all: readonly WaterfallRow[]
  whole: Stretch
  /** Returns the preferred width of a time range in pixels; in less space the range is compressed. */
  widthOf: (stretch: Stretch) => number
  /** Returns the marks of the time scale. */
  ticksOf: (from: number, to: number, width: number) => { at: number; text: string }[]
  windowText: (from: number, to: number) => string
  pathLabel: string
  chosen: string | undefined
  onChoose: (id: string) => void
  onFold: (id: string, open: boolean) => void
  /** Search text; matches are underlined. */
  text?: string
  /** Replaces the rows of an empty tree. */
  empty: ReactNode
  /** Details of the selected span, shown beside the tree. */
  children: ReactNode
}

const rowHeight = 24
/** Width in pixels until the scale is measured, and in environments without layout. */
const usualWidth = 600

/** Measures the width of the time scale. */
const useWidth = () => {
  const lane = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(usualWidth)
  useEffect(() => {
    const node = lane.current
    if (!node || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => setWidth(node.clientWidth || usualWidth))
    observer.observe(node)
    return () => observer.disconnect()
  }, [])
  return { lane, width }
}

/** Keys of a tree. ArrowRight does not move from a row without rendered children. */
const waysIn = (rows: readonly WaterfallRow[]): Record<string, RowMove> => ({
  ArrowRight: (at) => ((rows[at + 1]?.level ?? 0) > (rows[at]?.level ?? 0) ? at + 1 : at),
  ArrowLeft: (at) => {
    const level = rows[at]?.level ?? 0
    const above = rows.findLastIndex((row, place) => place < at && row.level < level)
    return above < 0 ? at : above
  },
})

/** Whether a key collapses or expands this row. */
const folds = (key: string, row: WaterfallRow | undefined): boolean =>
  (key === 'ArrowLeft' && row?.open === true) || (key === 'ArrowRight' && row?.open === false)

/** Draws the grid lines of the ticks as a background of the rows, which needs no elements. */
const linesAt = (ticks: readonly { at: number }[], [from, to]: Stretch) => {
  const parts = ticks.map(({ at }) => (at - from) / (to - from || 1))
  return {
    '--lines': parts.map(() => 'linear-gradient(var(--line), var(--line))').join(', '),
    '--lines-at': parts.map((part) => `calc(${part * 100}% + ${part}px) 0`).join(', '),
  } as CSSProperties
}

/** Returns the depth of the tree; deep trees get a wider name column. */
const depthOf = (rows: readonly WaterfallRow[]) => rows.reduce((most, { level }) => Math.max(most, level), 0)

/**
 * A waterfall: a collapsible tree of spans with bars on a time scale, and the details of the selected span beside it.
 */
export const Waterfall = (props: WaterfallProps) => {
  const { label, summary, rows, all, whole, widthOf, ticksOf, windowText, pathLabel, chosen, text = '' } = props
  const base = useId()
  const { lane, width } = useWidth()
  const [window, setWindow] = useState<Stretch>()
  const [nameWidth, setNameWidth] = useState<number>()
  const shown = window ?? whole
  const strokes = useMemo(() => createStrokes(all, whole), [all, whole])
  const depth = useMemo(() => depthOf(all), [all])
  const natural = widthOf(shown)
  const ticks = ticksOf(shown[0], shown[1], Math.min(width, natural))
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const choice = useRowSelection({ ids, chosen, onChoose: props.onChoose, rowHeight, more: waysIn(rows) })
  const { scroller, at } = choice

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (!row || !plain || !folds(event.key, row)) return choice.onKeyDown(event)
    event.preventDefault()
    props.onFold(row.id, !row.open)
  }
  const onClick = ({ target }: MouseEvent) => {
    const place = choice.placeOf(target)
    const row = rows[place]
    if (!row) return
    if ((target as HTMLElement).closest('[data-fold]')) props.onFold(row.id, !row.open)
    else choice.choose(place)
  }

  return (
    <DetailBeside label="Selected span" detail={props.children} width={288}>
      <div
        className={css.fall}
        style={{ '--deep': Math.min(depth, 12), '--split': nameWidth && `${nameWidth}px` } as CSSProperties}
      >
        <WaterfallOverview {...{ summary, strokes, whole, shown, windowText }} onShow={setWindow} />
        <div className={css.scale} aria-hidden="true">
          <div className={css.head}>Span</div>
          <div className={css.marks} ref={lane}>
            <div style={{ maxWidth: natural }}>
              {ticks.map((tick) => (
                <span
                  key={tick.at}
                  style={{ '--a': `${((tick.at - shown[0]) / (shown[1] - shown[0] || 1)) * 100}%` } as CSSProperties}
                >
                  {tick.text}
                </span>
              ))}
            </div>
          </div>
        </div>
        {rows.length === 0 ? (
          <div className={css.empty}>{props.empty}</div>
        ) : (
          <div
            ref={scroller}
            role="tree"
            aria-label={label}
            aria-activedescendant={at >= 0 ? `${base}-${at}` : undefined}
            tabIndex={0}
            className={css.rows}
            style={{ '--natural': `${natural}px`, ...linesAt(ticks, shown) } as CSSProperties}
            onKeyDown={onKeyDown}
            onClick={onClick}
          >
            <OptionRows
              rows={rows}
              height={rowHeight}
              row={(row, place) => <Row {...place} {...{ row, text, shown, pathLabel }} />}
              {...{ base, at, scroller }}
            />
          </div>
        )}
        <WaterfallSplit width={nameWidth} onWidth={setNameWidth} />
      </div>
    </DetailBeside>
  )
}

export interface LegendProps {
  items: { tone: WaterfallRow['tone']; label: string }[]
  /** Label of the critical path, and its explanation. */
  path: string
  pathHelp: string
}

/** Explains the colours. */
export const WaterfallLegend = ({ items, path, pathHelp }: LegendProps) => (
  <ul className={css.legend} aria-label="Legend">
    {items.map(({ tone, label }) => (
      <li key={tone}>
        <i className={css.swatch} data-tone={tone} />
        {label}
      </li>
    ))}
    <li title={pathHelp}>
      <i className={css.pathSwatch} />
      {path}
    </li>
  </ul>
)
