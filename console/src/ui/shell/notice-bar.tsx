import css from './notice-bar.module.css'

/** A sentence of the operator above every screen, in one line. */
export const NoticeBar = ({ text }: { text: string }) => (
  <aside className={css.bar} aria-label="Notice" title={text}>
    {text}
  </aside>
)
