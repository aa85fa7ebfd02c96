import type { ReactNode } from 'react'
import css from './page.module.css'

export interface PageTitleProps {
  title: string
  /** How many there are; nothing while it is not known. */
  count?: number
  actions?: ReactNode
  /** One line under the title. */
  lede?: ReactNode
}

/** The page's one h1, its count and its actions. */
export const PageTitle = ({ title, count, actions, lede }: PageTitleProps) => (
  <header className={css.title}>
    <div className={css.words}>
      <h1>
        {title}
        {count === undefined ? null : <span className={css.count}> {count.toLocaleString('en-US')}</span>}
      </h1>
      {lede ? <p className={css.lede}>{lede}</p> : null}
    </div>
    {actions ? <div className={css.actions}>{actions}</div> : null}
  </header>
)

export interface PageProps extends PageTitleProps {
  children?: ReactNode
}

/**
 * A page inside the frame: its title, and below it rows that fill the height. The part that grows (a DataTable, a
 * FormBody) scrolls in itself; the others stay in view.
 */
export const Page = ({ children, ...title }: PageProps) => (
  <>
    <PageTitle {...title} />
    {children}
  </>
)
