import { useId, type ReactNode } from 'react'
import { Button } from '../button'
import { ErrorText } from '../feedback/error-text'
import css from './panel.module.css'

export interface PanelProps {
  title: string
  /** The number of records, beside the title. */
  count?: number | string
  /** The right end of the header: a link to all records, or a legend. */
  end?: ReactNode
  /** How many of twelve columns the panel takes in a wide window. In a row with free space it is wider. */
  span?: 4 | 5 | 6 | 7 | 8 | 12
  children: ReactNode
}

/** A part of a record's overview, with a heading. */
export const Panel = ({ title, count, end, span = 6, children }: PanelProps) => {
  const id = useId()
  return (
    <section className={css.panel} style={{ '--span': span } as React.CSSProperties} aria-labelledby={id}>
      <header className={css.header}>
        <h2 id={id}>{title}</h2>
        {count === undefined ? null : (
          <span className={css.count}>{typeof count === 'number' ? count.toLocaleString('en-US') : count}</span>
        )}
        {end ? <span className={css.end}>{end}</span> : null}
      </header>
      {children}
    </section>
  )
}

/** Panels in rows. A row without enough panels stretches them. */
export const PanelGrid = ({ label, children }: { label: string; children: ReactNode }) => (
  // scrolls with the keyboard
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <div className={css.scroll} role="region" aria-label={label} tabIndex={0}>
    <div className={css.grid}>{children}</div>
  </div>
)

const skeletonWidthPercents = [62, 48, 70, 55, 66, 44]

/** The shape of rows that are loading. `height`: of a row, in pixels. */
export const PanelSkeleton = ({ rows, height = 34 }: { rows: number; height?: number }) => (
  <div className={css.skeleton} aria-hidden="true">
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} style={{ height }}>
        <span style={{ width: `${skeletonWidthPercents[index % skeletonWidthPercents.length]}%` }} />
      </div>
    ))}
  </div>
)

export interface PanelFailureProps {
  message: string
  onRetry: () => void
  pending: boolean
}

/** Replaces the content of a panel that could not be loaded. */
export const PanelFailure = ({ message, onRetry, pending }: PanelFailureProps) => (
  <div className={css.failure} role="alert">
    <p>
      <ErrorText>{message}</ErrorText>
    </p>
    <Button size="sm" onClick={onRetry} pending={pending}>
      Try again
    </Button>
  </div>
)
