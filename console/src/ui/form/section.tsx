import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { FieldMessage } from './field-message'
import css from './section.module.css'

export interface SectionProps {
  title?: string
  required?: boolean
  /** One line that explains an unfamiliar term. */
  help?: ReactNode
  /** Shown at the right of the heading. */
  actions?: ReactNode
  /** Makes the section collapsible. It expands by itself when it has content or an error. */
  fold?: boolean
  filled?: boolean
  wrong?: boolean
  /** Called when the user expands the section. */
  onOpen?: () => void
  /** Shown beside the heading while collapsed, such as 'Off'. */
  summary?: string
  /** Error of the section as a whole ('At least one gateway ...'). */
  error?: string
  children: ReactNode
}

interface HeadProps extends SectionProps {
  open: boolean
  panel: string
  onToggle: () => void
}

const Head = ({ title, required, help, actions, fold, summary, open, panel, onToggle }: HeadProps) => {
  const Chevron = open ? ChevronDown : ChevronRight
  const words = (
    <>
      {title}
      {required ? (
        <span className={css.required} data-required>
          {' '}
          *
        </span>
      ) : null}
    </>
  )
  return (
    <header className={css.head}>
      <div>
        <h2>
          {fold ? (
            <button type="button" className={css.fold} aria-expanded={open} aria-controls={panel} onClick={onToggle}>
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
  )
}

/** A section of a form with a heading. */
export const Section = (props: SectionProps) => {
  const { title, fold, filled, wrong, error, children } = props
  const mustShow = !!filled || !!wrong || !!error
  const [open, setOpen] = useState(!fold || mustShow)
  const [known, setKnown] = useState(mustShow)
  const panel = useId()
  // expand when content or an error appears; the user can collapse it again
  if (mustShow !== known) {
    setKnown(mustShow)
    if (mustShow) setOpen(true)
  }
  const toggle = () => {
    setOpen(!open)
    if (!open) props.onOpen?.()
  }
  return (
    <section className={css.section} aria-label={title}>
      {title ? <Head {...props} open={open} panel={panel} onToggle={toggle} /> : null}
      <div id={panel} hidden={!open} className={css.body}>
        {children}
        {error ? <FieldMessage>{error}</FieldMessage> : null}
      </div>
    </section>
  )
}
