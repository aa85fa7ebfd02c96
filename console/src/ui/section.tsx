import { ChevronDown, ChevronRight } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { FieldError } from './field-error'
import css from './section.module.css'

export interface SectionProps {
  title?: string
  required?: boolean
  /** One line where a newcomer would not know the term. */
  help?: ReactNode
  /** At the right of the heading. */
  actions?: ReactNode
  /** Folds away; opens by itself when it holds something or is wrong. */
  fold?: boolean
  filled?: boolean
  wrong?: boolean
  /** Said at the right of the heading while folded, such as 'Off'. */
  summary?: string
  /** Of the section as a whole ('At least one gateway ...'). */
  error?: string
  children: ReactNode
}

/** A part of a form under a heading. */
export const Section = ({
  title,
  required,
  help,
  actions,
  fold,
  filled,
  wrong,
  summary,
  error,
  children,
}: SectionProps) => {
  const [open, setOpen] = useState(!fold || !!filled || !!wrong)
  const panel = useId()
  const mustShow = !!filled || !!wrong
  useEffect(() => {
    if (mustShow) setOpen(true)
  }, [mustShow])
  const Chevron = open ? ChevronDown : ChevronRight
  const words = (
    <>
      {title}
      {required ? <span className={css.required}> *</span> : null}
    </>
  )
  return (
    <section className={css.section} aria-label={title}>
      {title ? (
        <header className={css.head}>
          <div>
            <h2>
              {fold ? (
                <button
                  type="button"
                  className={css.fold}
                  aria-expanded={open}
                  aria-controls={panel}
                  onClick={() => setOpen(!open)}
                >
                  <Chevron size={14} strokeWidth={2} aria-hidden="true" />
                  {words}
                  {summary && !open ? <span className={css.summary}>{summary}</span> : null}
                </button>
              ) : (
                words
              )}
            </h2>
            {help && open ? <p>{help}</p> : null}
          </div>
          {actions ? <div className={css.actions}>{actions}</div> : null}
        </header>
      ) : null}
      <div id={panel} hidden={!open} className={css.body}>
        {children}
        {error ? <FieldError>{error}</FieldError> : null}
      </div>
    </section>
  )
}
