import { CircleAlert } from 'lucide-react'
import { useRef, type CSSProperties, type FocusEventHandler, type FormEventHandler, type ReactNode } from 'react'
import { Button, ButtonLink } from '../button'
import css from './form-layout.module.css'
import { SectionList, useSections, type SectionListProps } from './section-list'
import { SectionListContext } from './section-list-context'

export interface FormBodyProps {
  title: string
  /** A line below the title. */
  description?: ReactNode
  /** Explains the asterisk, below the title, while the form has required fields. */
  requiredNote?: ReactNode
  actions?: ReactNode
  /** Boxes beside the form; below it in a narrow window. */
  aside?: ReactNode
  /** Renders the list of sections; by default without marks. */
  renderSectionList?: (props: SectionListProps) => ReactNode
  /** A SaveBar, which stays in view. */
  saveBar?: ReactNode
  /** Shows values as text. */
  readOnly?: boolean
  onSubmit?: FormEventHandler<HTMLFormElement>
  /** Called when a field receives the focus. */
  onFocus?: FocusEventHandler<HTMLFormElement>
  children: ReactNode
}

/**
 * A form screen: a column with the h1, boxes beside it, and the save bar. In a wide window, the headings of the sections are
 * at the left of their fields, and a long form has a list of its sections above the boxes.
 */
export const FormBody = ({
  title,
  description,
  requiredNote,
  actions,
  aside,
  renderSectionList = (props) => <SectionList {...props} />,
  saveBar,
  readOnly,
  onSubmit,
  onFocus,
  children,
}: FormBodyProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const { sections, addSection } = useSections()
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={onSubmit}
      onFocus={onFocus}
      aria-label={title}
      data-read-only={readOnly || undefined}
    >
      <div ref={scroller} className={css.scroll}>
        <div className={css.columns}>
          <div className={css.column}>
            <header className={css.title}>
              <div>
                <h1>{title}</h1>
                {description ? <p>{description}</p> : null}
                {requiredNote ? <p data-required-note>{requiredNote}</p> : null}
              </div>
              {actions ? <div className={css.actions}>{actions}</div> : null}
            </header>
            <SectionListContext value={addSection}>{children}</SectionListContext>
          </div>
          {aside || sections.length > 0 ? (
            <aside className={css.aside}>
              {sections.length > 0 ? renderSectionList({ sections, scroller }) : null}
              {aside}
            </aside>
          ) : null}
        </div>
      </div>
      {saveBar}
    </form>
  )
}

/** Twelve columns; below 640 px every cell has the full width. */
export const Grid = ({ children }: { children: ReactNode }) => <div className={css.grid}>{children}</div>

/** Groups within a section, separated by space only. */
export const Groups = ({ children }: { children: ReactNode }) => <div className={css.groups}>{children}</div>

export interface CellProps {
  span?: 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 12
  /** Aligns a checkbox or button with the neighbouring input, below that input's label. */
  alignWithInput?: boolean
  children: ReactNode
}

/** A cell of the Grid. */
export const Cell = ({ span = 6, alignWithInput, children }: CellProps) => (
  <div
    className={css.cell}
    style={{ '--span': span } as CSSProperties}
    data-span={span}
    data-align-with-input={alignWithInput || undefined}
  >
    {children}
  </div>
)

export interface SaveBarProps {
  /** Number of invalid fields. */
  errorCount?: number
  /** Moves the focus to the next invalid field. */
  onNextError?: () => void
  /** Number of fields with unsaved changes. */
  changeCount?: number
  /** The labels of these fields, for the tooltip. */
  changes?: string
  /** Moves the focus to the first of these fields. */
  onFirstChange?: (() => void) | undefined
  /** Replaces the number of invalid fields: the reason why the form can't be saved. */
  message?: ReactNode
  pending?: boolean
  /** Path that Cancel opens. */
  cancelPath?: string
  disabled?: boolean
  /** The label of the button that submits the form; defaults to 'Save'. */
  submitLabel?: string
}

/** Save and Cancel, always in view. */
export const SaveBar = ({
  errorCount = 0,
  onNextError,
  changeCount = 0,
  changes,
  onFirstChange,
  message,
  pending,
  cancelPath,
  disabled,
  submitLabel = 'Save',
}: SaveBarProps) => (
  <div className={css.bar}>
    <div className={css.barColumn}>
      <span className={css.message} role="status" data-invalid={(message === undefined && errorCount > 0) || undefined}>
        {message ??
          (errorCount > 0 ? (
            <button type="button" className={css.nextError} onClick={onNextError}>
              <CircleAlert size={14} strokeWidth={2} aria-hidden="true" />
              {errorCount === 1 ? '1 field needs attention' : `${errorCount} fields need attention`}
            </button>
          ) : null)}
      </span>
      {changeCount > 0 ? (
        <button type="button" className={css.changes} title={changes} onClick={onFirstChange}>
          {changeCount === 1 ? '1 field changed' : `${changeCount} fields changed`}
        </button>
      ) : null}
      {cancelPath ? <ButtonLink href={cancelPath}>Cancel</ButtonLink> : null}
      <Button type="submit" variant="primary" pending={pending} disabled={disabled}>
        {submitLabel}
      </Button>
    </div>
  </div>
)
