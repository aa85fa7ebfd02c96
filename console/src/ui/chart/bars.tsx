import { useState, type KeyboardEvent } from 'react'
import css from './bars.module.css'

export interface Bar {
  key: string
  /** Describes the bar and its value, for the heading and screen readers. */
  words: string
  /** Value of the lower segment, drawn in the accent colour; `rest` is stacked on it. */
  part: number
  rest: number
  onPress: () => void
}

export interface BarsProps {
  label: string
  /** Legend labels of the two segments. */
  parts: readonly [part: string, rest: string]
  bars: readonly Bar[]
  /** Axis labels below the first and last bar. CSS hides them when every bar has a mark. */
  ends: readonly [string, string]
  /** Axis labels between the ends; `at` is the position as a fraction of the width. */
  marks?: readonly { at: number; text: string }[]
}

const steps: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** A stacked bar chart of buttons. The left and right arrow keys move between bars. */
export const Bars = ({ label, parts, bars, ends, marks = [] }: BarsProps) => {
  const [at, setAt] = useState<number>()
  const [stop, setStop] = useState(0)
  const most = Math.max(1, ...bars.map(({ part, rest }) => part + rest))
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const buttons = [...(event.currentTarget.parentElement?.querySelectorAll('button') ?? [])]
    const next = buttons[buttons.indexOf(event.currentTarget) + (steps[event.key] ?? 0)]
    if (!(event.key in steps) || !next) return
    event.preventDefault()
    next.focus()
  }
  return (
    <div className={css.chart}>
      <div className={css.head}>
        <h2>{label}</h2>
        <p className={css.words}>{(at === undefined ? undefined : bars[at])?.words}</p>
        <ul className={css.legend}>
          {parts.map((name, which) => (
            <li key={name} data-rest={which === 1 || undefined}>
              {name}
            </li>
          ))}
        </ul>
      </div>
      <p className={css.scale} aria-hidden="true">
        <span>{most.toLocaleString('en-US')}</span>
        <span>0</span>
      </p>
      <div role="group" aria-label={label} className={css.bars}>
        {bars.map(({ key, words, part, rest, onPress }, which) => (
          <button
            key={key}
            type="button"
            aria-label={words}
            tabIndex={which === Math.min(stop, bars.length - 1) ? 0 : -1}
            onClick={onPress}
            onKeyDown={onKeyDown}
            onPointerEnter={() => setAt(which)}
            onPointerLeave={() => setAt(undefined)}
            onFocus={() => {
              setAt(which)
              setStop(which)
            }}
            onBlur={() => setAt(undefined)}
          >
            <span className={css.rest} style={{ height: `${(rest / most) * 100}%` }} />
            <span className={css.part} style={{ height: `${(part / most) * 100}%` }} />
          </button>
        ))}
      </div>
      <p className={css.ends} aria-hidden="true" data-labelled={marks.length === bars.length || undefined}>
        <span>{ends[0]}</span>
        {marks.map(({ at: place, text }) => (
          <i key={place} style={{ left: `${100 * place}%` }}>
            {text}
          </i>
        ))}
        <span>{ends[1]}</span>
      </p>
    </div>
  )
}
