import type { ReactNode } from 'react'
import css from './screen-layout.module.css'

export interface ScreenTitleProps {
  title: string
  /** Number of records, or an element that shows it; undefined while unknown. */
  count?: ReactNode
  actions?: ReactNode
  /** A line below the title. */
  description?: ReactNode
}

/** The h1 of the screen, its record count and its actions. */
export const ScreenTitle = ({ title, count, actions, description }: ScreenTitleProps) => (
  <header className={css.title}>
    <div className={css.heading}>
      <h1>
        {title}
        {count === undefined ? null : (
          <span className={css.count}> {typeof count === 'number' ? count.toLocaleString('en-US') : count}</span>
        )}
      </h1>
      {description ? <p className={css.description}>{description}</p> : null}
    </div>
    {actions ? <div className={css.actions}>{actions}</div> : null}
  </header>
)

export interface ScreenLayoutProps extends ScreenTitleProps {
  children?: ReactNode
}

/**
 * A screen inside the frame: the title, and content that fills the height. The part that grows (a DataTable, a FormBody)
 * scrolls on its own; the others stay in view.
 */
export const ScreenLayout = ({ children, ...title }: ScreenLayoutProps) => (
  <>
    <ScreenTitle {...title} />
    {children}
  </>
)
