import { ChevronDown, ChevronRight } from 'lucide-react'
import { useContext, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { FieldMessage } from './field-message'
import { SectionListContext, SectionTitleContext } from './section-list-context'
import css from './section.module.css'

export interface SectionProps {
  title?: string
  required?: boolean
  /** One line that explains an unfamiliar term. */
  help?: ReactNode
  /** Shown at the right of the heading. */
  actions?: ReactNode
  /** Makes the section collapsible. It expands by itself when it has content or an error. */
  collapsible?: boolean
  hasContent?: boolean
  hasError?: boolean
  /** Called when the user expands the section. */
  onOpen?: () => void
  /** Shown beside the heading while collapsed, such as 'Off'. */
  summary?: string
  /** Error that concerns the complete section ('At least one gateway ...'). */
  error?: string
  /** Needs the full width of the form, as a table does. */
  isWide?: boolean
  children: ReactNode
}

interface SectionHeaderProps extends SectionProps {
  open: boolean
  panelId: string
  onToggle: () => void
}

const SectionHeader = ({
  title,
  required,
  help,
  actions,
  collapsible,
  summary,
  open,
  panelId,
  onToggle,
}: SectionHeaderProps) => {
  const Chevron = open ? ChevronDown : ChevronRight
  const heading = (
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
          {collapsible ? (
            <button type="button" className={css.fold} aria-expanded={open} aria-controls={panelId} onClick={onToggle}>
              <Chevron size={14} strokeWidth={2} aria-hidden="true" />
              {heading}
              {summary && !open ? <span className={css.summary}>{summary}</span> : null}
            </button>
          ) : (
            heading
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
  const { title, collapsible, hasContent, hasError, error, isWide, children } = props
  const mustBeOpen = !!hasContent || !!hasError || !!error
  const [open, setOpen] = useState(!collapsible || mustBeOpen)
  const [wasForcedOpen, setWasForcedOpen] = useState(mustBeOpen)
  const panelId = useId()
  const element = useRef<HTMLElement>(null)
  const addSection = useContext(SectionListContext)
  useLayoutEffect(() => {
    if (title && element.current) return addSection?.({ title, element: element.current })
  }, [addSection, title])
  // expand when content or an error appears; the user can collapse it again
  if (mustBeOpen !== wasForcedOpen) {
    setWasForcedOpen(mustBeOpen)
    if (mustBeOpen) setOpen(true)
  }
  const toggle = () => {
    setOpen(!open)
    if (!open) props.onOpen?.()
  }
  return (
    <section
      ref={element}
      id={`${panelId}-section`}
      className={css.section}
      aria-label={title}
      data-wide={isWide || undefined}
    >
      {title ? <SectionHeader {...props} open={open} panelId={panelId} onToggle={toggle} /> : null}
      <div id={panelId} hidden={!open} className={css.body}>
        <SectionTitleContext value={title}>{children}</SectionTitleContext>
        {error ? <FieldMessage>{error}</FieldMessage> : null}
      </div>
    </section>
  )
}
