import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import css from './fold.module.css'

export interface FoldProps {
  title: string
  /** Said beside the title while folded, such as 'On'. */
  summary?: string
  /** Holds something when it is drawn first: open. */
  filled?: boolean
  /** Something in it is wrong: open, whatever was chosen. */
  wrong?: boolean
  children: ReactNode
}

/** A part of a section that is rarely needed; lighter than a section that folds. */
export const Fold = ({ title, summary, filled = false, wrong = false, children }: FoldProps) => {
  const [chosen, setChosen] = useState(filled)
  const panel = useId()
  const open = chosen || wrong
  const Chevron = open ? ChevronDown : ChevronRight
  return (
    <div className={css.place}>
      <button
        type="button"
        className={css.fold}
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setChosen(!open)}
      >
        <Chevron size={14} strokeWidth={2} aria-hidden="true" />
        {title}
        {summary && !open ? <span className={css.summary}>{summary}</span> : null}
      </button>
      <div id={panel} hidden={!open} className={css.panel}>
        {children}
      </div>
    </div>
  )
}
