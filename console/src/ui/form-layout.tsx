import { CircleAlert } from 'lucide-react'
import type { FocusEventHandler, FormEventHandler, ReactNode } from 'react'
import { Button, ButtonLink } from './button'
import css from './form-layout.module.css'

export interface FormBodyProps {
  title: string
  /** Under the title, as long as the form has required fields: what marks them. */
  required?: ReactNode
  actions?: ReactNode
  /** Boxes beside the column; below it when the window is narrow. */
  aside?: ReactNode
  /** The row that stays in view: a SaveBar. */
  bar?: ReactNode
  /** Values look like text. */
  readOnly?: boolean
  onSubmit?: FormEventHandler<HTMLFormElement>
  /** A field got the focus. */
  onFocus?: FocusEventHandler<HTMLFormElement>
  children: ReactNode
}

/** A page that is a form: one column of 760 with the page's h1 in it, what stands beside, and the save bar. */
export const FormBody = ({
  title,
  required,
  actions,
  aside,
  bar,
  readOnly,
  onSubmit,
  onFocus,
  children,
}: FormBodyProps) => (
  <form
    className={css.form}
    noValidate
    onSubmit={onSubmit}
    onFocus={onFocus}
    aria-label={title}
    data-read-only={readOnly || undefined}
  >
    <div className={css.scroll}>
      <div className={css.columns} data-aside={aside ? true : undefined}>
        <div className={css.column}>
          <header className={css.title}>
            <div>
              <h1>{title}</h1>
              {required ? <p>{required}</p> : null}
            </div>
            {actions ? <div className={css.actions}>{actions}</div> : null}
          </header>
          {children}
        </div>
        {aside ? <aside className={css.aside}>{aside}</aside> : null}
      </div>
    </div>
    {bar}
  </form>
)

/** Twelve columns; below 640 px everything takes the whole width. */
export const Grid = ({ children }: { children: ReactNode }) => <div className={css.grid}>{children}</div>

/** Parts of one section that belong together each, told apart by room alone. */
export const Groups = ({ children }: { children: ReactNode }) => <div className={css.groups}>{children}</div>

export interface CellProps {
  span?: 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 12
  /** A tick box or button on the line of the input beside it, below that one's label. */
  level?: boolean
  children: ReactNode
}

/** A part of the Grid. */
export const Cell = ({ span = 6, level, children }: CellProps) => (
  <div className={css.cell} data-span={span} data-level={level || undefined}>
    {children}
  </div>
)

export interface SaveBarProps {
  /** How many fields are wrong. */
  wrong?: number
  /** Goes to the next of them. */
  onNextWrong?: () => void
  /** What stands instead of the count: why nothing can be saved. */
  message?: ReactNode
  pending?: boolean
  /** The words of the button; 'Save' at rest. */
  save?: string
  cancel?: { href: string } | { onClick: () => void }
  /** Buttons between Cancel and Save. */
  children?: ReactNode
  disabled?: boolean
}

/** Save and Cancel, always in view. */
export const SaveBar = ({
  wrong = 0,
  onNextWrong,
  message,
  pending,
  save = 'Save',
  cancel,
  children,
  disabled,
}: SaveBarProps) => (
  <div className={css.bar}>
    <div className={css.barColumn}>
      <span className={css.message} role="status" data-wrong={(message === undefined && wrong > 0) || undefined}>
        {message ??
          (wrong > 0 ? (
            <button type="button" className={css.next} onClick={onNextWrong}>
              <CircleAlert size={14} strokeWidth={2} aria-hidden="true" />
              {wrong === 1 ? '1 field needs attention' : `${wrong} fields need attention`}
            </button>
          ) : null)}
      </span>
      {cancel && 'href' in cancel ? <ButtonLink href={cancel.href}>Cancel</ButtonLink> : null}
      {cancel && 'onClick' in cancel ? <Button onClick={cancel.onClick}>Cancel</Button> : null}
      {children}
      <Button type="submit" look="primary" pending={pending} disabled={disabled}>
        {save}
      </Button>
    </div>
  </div>
)
