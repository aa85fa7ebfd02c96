import type { ReactNode } from 'react'
import { Brand } from './brand'
import css from './sign-in-card.module.css'

export interface SignInCardProps {
  title: string
  description?: ReactNode
  children: ReactNode
  /** A line of links at the bottom. */
  footer?: ReactNode
}

/** The card of the sign-in pages; it is the main element of the page. */
export const SignInCard = ({ title, description, children, footer }: SignInCardProps) => (
  <div className={css.page} data-sign-in>
    <main className={css.card} id="main">
      <div className={css.brand}>
        <Brand size={28} />
      </div>
      <h1>{title}</h1>
      {description ? <p className={css.description}>{description}</p> : null}
      {children}
      {footer ? <div className={css.footer}>{footer}</div> : null}
    </main>
  </div>
)
