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
import { Beside } from './beside'
import { useRowChoice, type Way } from './row-choice'
import { Overview, strokesOf } from './waterfall-overview'
import { Row, type WaterfallRow } from './waterfall-row'
import { ChoiceRows } from './choice-rows'
import { WaterfallSplit } from './waterfall-split'
import css from './waterfall.module.css'

type Stretch = readonly [from: number, to: number]

export interface WaterfallProps {
  /** What the tree is of, for who can't see it. */
  label: string
  /** What all of it is, in words. */
  summary: string
  /** The rows to draw, in the order of the tree. */
  rows: readonly WaterfallRow[]
  /** All rows, for the small picture of the whole. */
  all: readonly WaterfallRow[]
  whole: Stretch
  /** How wide the stretch of time would like to be, in pixels; where there is less room it is compressed. */
  widthOf: (stretch: Stretch) => number
  /** The marks of the scale. */
  ticksOf: (from: number, to: number, width: number) => { at: number; text: string }[]
  windowText: (from: number, to: number) => string
  pathLabel: string
  chosen: string | undefined
  onChoose: (id: string) => void
  onFold: (id: string, open: boolean) => void
  /** What was looked for. */
  text?: string
  /** What stands instead of rows when there are none. */
  empty: ReactNode
  /** What is known of the chosen one, beside. */
  children: ReactNode
}

const rowHeight = 24
/** Before a window has told its width, and where nothing has a size. */
const usualWidth = 600

/** How wide the time scale is. */
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

/** Ways in a tree; a row without anything below it that is drawn leads no further to the right. */
const waysIn = (rows: readonly WaterfallRow[]): Record<string, Way> => ({
  ArrowRight: (at) => ((rows[at + 1]?.level ?? 0) > (rows[at]?.level ?? 0) ? at + 1 : at),
  ArrowLeft: (at) => {
    const level = rows[at]?.level ?? 0
    const above = rows.findLastIndex((row, place) => place < at && row.level < level)
    return above < 0 ? at : above
  },
})

/** Whether a key folds or unfolds this row. */
const folds = (key: string, row: WaterfallRow | undefined): boolean =>
  (key === 'ArrowLeft' && row?.open === true) || (key === 'ArrowRight' && row?.open === false)

/** A line at each tick, through all rows: as a background, which costs no element. */
const linesAt = (ticks: readonly { at: number }[], [from, to]: Stretch) => {
  const parts = ticks.map(({ at }) => (at - from) / (to - from || 1))
  return {
    '--lines': parts.map(() => 'linear-gradient(var(--line), var(--line))').join(', '),
    '--lines-at': parts.map((part) => `calc(${part * 100}% + ${part}px) 0`).join(', '),
  } as CSSProperties
}

/** How deep the tree goes: deep ones get more room for their names. */
const depthOf = (rows: readonly WaterfallRow[]) => rows.reduce((most, { level }) => Math.max(most, level), 0)

/** Spans as bars on a scale of time: one row each, in a tree that folds, with what is known of the chosen one beside it. */
export const Waterfall = (props: WaterfallProps) => {
  const { label, summary, rows, all, whole, widthOf, ticksOf, windowText, pathLabel, chosen, text = '' } = props
  const base = useId()
  const { lane, width } = useWidth()
  const [window, setWindow] = useState<Stretch>()
  const [nameWidth, setNameWidth] = useState<number>()
  const shown = window ?? whole
  const strokes = useMemo(() => strokesOf(all, whole), [all, whole])
  const depth = useMemo(() => depthOf(all), [all])
  const natural = widthOf(shown)
  const ticks = ticksOf(shown[0], shown[1], Math.min(width, natural))
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const choice = useRowChoice({ ids, chosen, onChoose: props.onChoose, rowHeight, more: waysIn(rows) })
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
    <Beside label="Chosen span" detail={props.children} width={288}>
      <div
        className={css.fall}
        style={{ '--deep': Math.min(depth, 12), '--split': nameWidth && `${nameWidth}px` } as CSSProperties}
      >
        <Overview {...{ summary, strokes, whole, shown, windowText }} onShow={setWindow} />
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
            <ChoiceRows
              rows={rows}
              height={rowHeight}
              row={(row, place) => <Row {...place} {...{ row, text, shown, pathLabel }} />}
              {...{ base, at, scroller }}
            />
          </div>
        )}
        <WaterfallSplit width={nameWidth} onWidth={setNameWidth} />
      </div>
    </Beside>
  )
}

export interface LegendProps {
  items: { tone: WaterfallRow['tone']; label: string }[]
  /** What the path is called, and what that means. */
  path: string
  pathHelp: string
}

/** What the colours mean. */
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
