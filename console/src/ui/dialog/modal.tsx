import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { getTopModal, registerModal } from './modal-stack'
import css from './modal.module.css'

export interface ModalProps {
  onClose: () => void
  /** What Escape does; by default it closes the dialog. */
  onEscape?: (() => void) | undefined
  /** Only the buttons inside close the dialog: neither Escape nor a click on the backdrop does. */
  locked?: boolean
  role?: 'dialog' | 'alertdialog'
  /** Id of the heading. Set either this or `label`. */
  labelledBy?: string
  describedBy?: string
  label?: string
  className?: string
  /** Element that receives the focus on close; by default the element that has the focus on opening. */
  returnFocusTo?: Element | null
  children: ReactNode
}

/** Returns the focus on close, or moves it to the screen if the element is gone, such as a deleted row. */
const useFocusReturn = (returnFocusTo: Element | null | undefined) => {
  const [focusTarget] = useState(() => returnFocusTo ?? document.activeElement)
  useEffect(
    () => () => {
      const target = focusTarget instanceof HTMLElement && focusTarget !== document.body ? focusTarget : undefined
      // wait until the dialog has left the page, and keep the focus if another element has taken it
      setTimeout(() => {
        if (document.activeElement && document.activeElement !== document.body) return
        if (target?.isConnected) target.focus({ preventScroll: true })
        else document.getElementById('main')?.focus({ preventScroll: true })
      })
    },
    [focusTarget],
  )
}

/** Escape closes an open list of options before the dialog. */
const isInOpenListbox = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-list-open]') !== null

const isOutside = ({ clientX, clientY, currentTarget }: MouseEvent) => {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/**
 * A modal dialog on the HTML dialog element, which provides the top layer, the backdrop and an inert page. It handles
 * Escape as a key event, not as the element's cancel event, so that an open list inside can handle it first.
 */
const OpenModal = (props: ModalProps) => {
  const {
    onClose,
    onEscape = onClose,
    locked,
    role = 'dialog',
    labelledBy,
    describedBy,
    label,
    className,
    returnFocusTo,
    children,
  } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useFocusReturn(returnFocusTo)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const focusedElement = element.contains(document.activeElement) ? document.activeElement : undefined
    element.showModal()
    const initialFocus = focusedElement ?? element.querySelector('[data-autofocus]')
    if (initialFocus instanceof HTMLElement) initialFocus.focus()
    const removeModal = registerModal(element)
    return () => {
      removeModal()
      element.close()
    }
  }, [])
  // Listens on the window, because the focus may be in neither dialog while one replaces another. Uses the capture
  // phase, because React passes the event to the parents of a portal, where Escape has other meanings. Uses a layout
  // effect, because a dialog that replaces another is visible before other effects run.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || isInOpenListbox(event.target)) return
      if (getTopModal() !== dialog.current) return
      event.preventDefault()
      // also stops the listeners of the dialogs below, the topmost of which may become the top one now
      event.stopImmediatePropagation()
      if (!locked) onEscape()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [locked, onEscape])
  return createPortal(
    // the backdrop is part of the element: a click on it closes the dialog, as Escape does
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      role={role}
      aria-modal="true"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-label={label}
      tabIndex={-1}
      className={className ? `${css.modal} ${className}` : css.modal}
      onCancel={(event) => event.preventDefault()}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget && isOutside(event) && !locked) onClose()
      }}
    >
      {children}
    </dialog>,
    document.body,
  )
}

export const Modal = ({ opened, ...props }: ModalProps & { opened: boolean }) =>
  opened ? <OpenModal {...props} /> : null
