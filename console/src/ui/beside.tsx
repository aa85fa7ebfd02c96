import type { CSSProperties, ReactNode } from 'react'
import css from './beside.module.css'

export interface BesideProps {
  /** What the part with the chosen one is called. */
  label: string
  /** What is known of the chosen one. */
  detail: ReactNode
  /** How wide that is where it stands beside, in pixels. */
  width?: number
  /** What is chosen from. It gives the height; where there is no room for both, the other comes below. */
  children: ReactNode
}

/** Rows, and beside them what is known of the one that is chosen. */
export const Beside = ({ label, detail, width = 384, children }: BesideProps) => (
  <div className={css.beside} style={{ '--beside': `${width}px` } as CSSProperties}>
    {children}
    <section className={css.detail} aria-label={label}>
      <div>{detail}</div>
    </section>
  </div>
)
