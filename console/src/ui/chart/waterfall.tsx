import '../../theme/span-colors.css'
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
import { RowsWithDetail } from './rows-with-detail'
import { useActiveRow, type RowMove } from '../table/use-active-row'
import { WaterfallOverview, createStrokes } from './waterfall-overview'
import { SpanRow, type WaterfallRow } from './waterfall-row'
import { OptionRows } from '../form/option-rows'
import { WaterfallSplit } from './waterfall-split'
import css from './waterfall.module.css'

type TimeRange = readonly [from: number, to: number]

export interface WaterfallProps {
  /** Accessible name of the tree. */
  label: string
  /** Describes the whole trace in words. */
  summary: string
  /** The rows to render, in tree order. */
  rows: readonly WaterfallRow[]
  /** All rows, for the overview. */
  allRows: readonly WaterfallRow[]
  fullRange: TimeRange
  /** Returns the preferred width of a time range in pixels; in less space the range is compressed. */
  getPreferredWidth: (range: TimeRange) => number
  /** Returns the marks of the time scale. */
  getTicks: (from: number, to: number, width: number) => { time: number; text: string }[]
  formatRange: (from: number, to: number) => string
  criticalPathLabel: string
  selectedId: string | undefined
  onSelect: (id: string) => void
  /** Opens the details of the selected span. */
  onOpen: () => void
  onFold: (id: string, open: boolean) => void
  /** Search text; matches are underlined. */
  searchText?: string
  /** Replaces the rows of an empty tree. */
  empty: ReactNode
  /** Details of the selected span, shown beside the tree. Absent while they are closed. */
  children: ReactNode
}

const rowHeight = 24
/** Width in pixels until the scale is measured, and in environments without layout. */
const defaultWidth = 600

/** Measures the width of the time scale. */
const useWidth = () => {
  const lane = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(defaultWidth)
  useEffect(() => {
    const node = lane.current
    if (!node || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => setWidth(node.clientWidth || defaultWidth))
    observer.observe(node)
    return () => observer.disconnect()
  }, [])
  return { lane, width }
}

/** Keys of a tree. ArrowRight does not move from a row without rendered children. */
const createTreeMoves = (rows: readonly WaterfallRow[]): Record<string, RowMove> => ({
  ArrowRight: (index) => ((rows[index + 1]?.level ?? 0) > (rows[index]?.level ?? 0) ? index + 1 : index),
  ArrowLeft: (index) => {
    const level = rows[index]?.level ?? 0
    const parentIndex = rows.findLastIndex((row, rowIndex) => rowIndex < index && row.level < level)
    return parentIndex < 0 ? index : parentIndex
  },
})

/** Whether a key collapses or expands this row. */
const isFoldKey = (key: string, row: WaterfallRow | undefined): boolean =>
  (key === 'ArrowLeft' && row?.isExpanded === true) || (key === 'ArrowRight' && row?.isExpanded === false)

/** Draws the grid lines of the ticks as a background of the rows, which needs no elements. */
const gridLineStyle = (ticks: readonly { time: number }[], [from, to]: TimeRange) => {
  const fractions = ticks.map(({ time }) => (time - from) / (to - from || 1))
  return {
    '--grid-lines': fractions.map(() => 'linear-gradient(var(--line), var(--line))').join(', '),
    '--grid-line-positions': fractions.map((fraction) => `calc(${fraction * 100}% + ${fraction}px) 0`).join(', '),
  } as CSSProperties
}

interface TickLabelsProps {
  ticks: readonly { time: number; text: string }[]
  range: TimeRange
  /** The width of the scale in pixels. */
  width: number
}

const TickLabels = ({ ticks, range: [from, to], width }: TickLabelsProps) => (
  <div style={{ maxWidth: width }}>
    {ticks.map(({ time, text }) => (
      <span key={time} style={{ '--start': `${((time - from) / (to - from || 1)) * 100}%` } as CSSProperties}>
        {text}
      </span>
    ))}
  </div>
)

/** Returns the depth of the tree; deep trees get a wider name column. */
const getDepth = (rows: readonly WaterfallRow[]) => rows.reduce((max, { level }) => Math.max(max, level), 0)

/** Event handlers of the tree: the selection's, those that fold and unfold rows, and those that open the details. */
const createTreeHandlers = (
  rows: readonly WaterfallRow[],
  activeRow: ReturnType<typeof useActiveRow>,
  { onFold, onOpen }: Pick<WaterfallProps, 'onFold' | 'onOpen'>,
) => ({
  onKeyDown: (event: KeyboardEvent) => {
    const row = rows[activeRow.activeIndex]
    const isPlainKey = !event.ctrlKey && !event.metaKey && !event.altKey
    const isFold = isFoldKey(event.key, row)
    if (!row || !isPlainKey || !(isFold || event.key === 'Enter')) return activeRow.onKeyDown(event)
    event.preventDefault()
    if (isFold) onFold(row.id, !row.isExpanded)
    else onOpen()
  },
  onClick: ({ target }: MouseEvent) => {
    const index = activeRow.rowIndexOf(target)
    const row = rows[index]
    if (!row) return
    if ((target as HTMLElement).closest('[data-fold]')) onFold(row.id, !row.isExpanded)
    else {
      activeRow.activate(index)
      onOpen()
    }
  },
})

/**
 * A waterfall: a collapsible tree of spans with bars on a time scale, and the details of the selected span beside it.
 */
export const Waterfall = (props: WaterfallProps) => {
  const {
    label,
    summary,
    rows,
    allRows,
    fullRange,
    getPreferredWidth,
    getTicks,
    formatRange,
    criticalPathLabel,
    selectedId,
    searchText = '',
  } = props
  const baseId = useId()
  const { lane, width } = useWidth()
  const [zoomRange, setZoomRange] = useState<TimeRange>()
  const [nameWidth, setNameWidth] = useState<number>()
  const shownRange = zoomRange ?? fullRange
  const strokes = useMemo(() => createStrokes(allRows, fullRange), [allRows, fullRange])
  const depth = useMemo(() => getDepth(allRows), [allRows])
  const preferredWidth = getPreferredWidth(shownRange)
  const ticks = getTicks(shownRange[0], shownRange[1], Math.min(width, preferredWidth))
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const activeRow = useActiveRow({
    ids,
    activeId: selectedId,
    onActivate: props.onSelect,
    rowHeight,
    extraMoves: createTreeMoves(rows),
  })
  const { scroller, activeIndex } = activeRow
  const { onKeyDown, onClick } = createTreeHandlers(rows, activeRow, props)

  return (
    <RowsWithDetail label="Selected span" detail={props.children} width={288}>
      <div
        id={baseId}
        className={css.waterfall}
        style={{ '--depth': Math.min(depth, 12), '--name-width': nameWidth && `${nameWidth}px` } as CSSProperties}
      >
        <WaterfallOverview {...{ summary, strokes, fullRange, shownRange, formatRange }} onShow={setZoomRange} />
        <div className={css.scale} aria-hidden="true">
          <div className={css.head}>Span</div>
          <div className={css.marks} ref={lane}>
            <TickLabels ticks={ticks} range={shownRange} width={preferredWidth} />
          </div>
        </div>
        {rows.length === 0 ? (
          <div className={css.empty}>{props.empty}</div>
        ) : (
          <div
            ref={scroller}
            role="tree"
            aria-label={label}
            aria-activedescendant={activeIndex >= 0 ? `${baseId}-${activeIndex}` : undefined}
            tabIndex={0}
            className={css.rows}
            style={{ '--preferred-width': `${preferredWidth}px`, ...gridLineStyle(ticks, shownRange) } as CSSProperties}
            onKeyDown={onKeyDown}
            onClick={onClick}
          >
            <OptionRows
              rows={rows}
              renderRow={(row, state) => <SpanRow {...state} {...{ row, searchText, shownRange, criticalPathLabel }} />}
              {...{ baseId, activeIndex, rowHeight, scroller }}
            />
          </div>
        )}
        <WaterfallSplit controlledId={baseId} width={nameWidth} onWidth={setNameWidth} />
      </div>
    </RowsWithDetail>
  )
}

export interface WaterfallLegendProps {
  items: { tone: WaterfallRow['tone']; label: string }[]
  /** Label of the critical path, and its explanation. */
  criticalPathLabel: string
  criticalPathHelp: string
}

/** Explains the colours. */
export const WaterfallLegend = ({ items, criticalPathLabel, criticalPathHelp }: WaterfallLegendProps) => (
  <ul className={css.legend} aria-label="Legend">
    {items.map(({ tone, label }) => (
      <li key={tone}>
        <i className={css.swatch} data-tone={tone} />
        {label}
      </li>
    ))}
    <li title={criticalPathHelp}>
      <i className={css.criticalPathSwatch} />
      {criticalPathLabel}
    </li>
  </ul>
)
