import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { IconButton } from '../button'
import css from './dialog.module.css'
import { Modal } from './modal'

export interface DialogProps {
  opened: boolean
  onClose: () => void
  title: string
  /** Buttons at the right of the footer. */
  footer?: ReactNode
  /** Use 'alertdialog' for a question that needs an answer: screen readers then announce the body on opening. */
  role?: 'dialog' | 'alertdialog'
  /** Prevents closing while a request is running. */
  pending?: boolean
  width?: 'narrow' | 'normal'
  /** The body contains only text: it takes the focus itself, so that the keyboard can scroll it. */
  isTextOnly?: boolean
  children?: ReactNode
}

/** A modal dialog. It traps the focus, and returns it on close. */
export const Dialog = ({
  opened,
  onClose,
  title,
  footer,
  role = 'dialog',
  pending,
  width = 'normal',
  isTextOnly,
  children,
}: DialogProps) => {
  const id = useId()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      locked={pending}
      role={role}
      labelledBy={`${id}-title`}
      describedBy={role === 'alertdialog' ? `${id}-body` : undefined}
      className={`${css.dialog} ${css[width]}`}
    >
      <div className={css.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        <IconButton icon={X} label="Close" onClick={onClose} disabled={pending} />
      </div>
      {/* a scrollable text must be reachable by keyboard */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div id={`${id}-body`} className={css.body} tabIndex={isTextOnly ? 0 : undefined}>
        {children}
      </div>
      {footer ? <div className={css.footer}>{footer}</div> : null}
    </Modal>
  )
}
