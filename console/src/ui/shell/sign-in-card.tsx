import type { ReactNode } from 'react'
import { Brand } from './brand'
import css from './sign-in-card.module.css'

export interface SignInCardProps {
  title: string
  lede?: ReactNode
  children: ReactNode
  /** Other sign-in methods, below an 'or' line. */
  others?: ReactNode
  /** A line of links at the bottom. */
  foot?: ReactNode
}

/** The card of the sign-in pages; it is the main element of the page. */
export const SignInCard = ({ title, lede, children, others, foot }: SignInCardProps) => (
  <div className={css.place} data-sign-in>
    <main className={css.card} id="main">
      <div className={css.brand}>
        <Brand size={28} />
      </div>
      <h1>{title}</h1>
      {lede ? <p className={css.lede}>{lede}</p> : null}
      {children}
      {others ? (
        <>
          <div className={css.or}>
            <span>or</span>
          </div>
          <div className={css.others}>{others}</div>
        </>
      ) : null}
      {foot ? <div className={css.foot}>{foot}</div> : null}
    </main>
  </div>
)
