import type { ReactNode } from 'react'
import { Brand } from './brand'
import css from './sign-in-card.module.css'

export interface SignInCardProps {
  title: string
  description?: ReactNode
  /** Shown at the right of the brand: how far a process is. */
  brandAside?: ReactNode
  children: ReactNode
  /** A line of links at the bottom. */
  footer?: ReactNode
}

/** The card of the sign-in screens; it is the main element of the screen. */
export const SignInCard = ({ title, description, brandAside, children, footer }: SignInCardProps) => (
  <div className={css.page} data-sign-in>
    <main className={css.card} id="main">
      <div className={css.brand}>
        <Brand size={28} />
        {brandAside}
      </div>
      <h1>{title}</h1>
      {description ? <p className={css.description}>{description}</p> : null}
      {children}
      {footer ? <div className={css.footer}>{footer}</div> : null}
    </main>
  </div>
)
